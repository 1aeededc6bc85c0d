//! Circuits from rows alone.

use crate::circuit::Core;
use crate::fit::{Data, FitSettings, Given, watched};
use crate::options::Settings;
use pelton::{Circuit, HcltOptions};
use pyo3::prelude::*;

/// Learns hidden Chow-Liu trees; gives the circuit, the report, and whether it was
/// interrupted.
#[pyfunction]
pub fn learn_hclt(
    py: Python<'_>,
    given: Given<'_>,
    trees: usize,
    states: usize,
    settings: Settings,
    fit: FitSettings,
    callback: Option<&Bound<'_, PyAny>>,
) -> PyResult<(Core, String)> {
    let (data, options) = (Data::read(&given)?, settings.options()?);
    let hclt = HcltOptions {
        n_trees: trees,
        n_states: states,
        fit: fit.options()?,
    };
    let (learned, interrupt) = watched(py, callback, move |tell| {
        data.with(|training| Circuit::learn_hclt(training, &hclt, &options, tell))
    })?;
    match interrupt {
        Some(signal) => Err(signal),
        None => Ok((Core::new(learned.0), learned.1.to_json().to_string())),
    }
}
