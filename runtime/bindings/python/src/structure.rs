//! Circuits from rows alone.

use crate::circuit::Core;
use crate::error::OrRaise;
use crate::fit::{FitSettings, FitTables, PythonSplits, watched};
use crate::options::CircuitSettings;
use pelton::{Circuit, LearnerChoice};
use pyo3::prelude::*;
use std::collections::BTreeMap;

/// Learns structure and parameters; gives the circuit and the report.
#[pyfunction]
pub fn learn_structure(
    py: Python<'_>,
    given: PythonSplits<'_>,
    learner: &str,
    choices: BTreeMap<String, String>,
    settings: CircuitSettings,
    fit: FitSettings,
    callback: Option<&Bound<'_, PyAny>>,
) -> PyResult<(Core, String)> {
    let (data, options) = (FitTables::read(&given)?, settings.options()?);
    let mut learner = LearnerChoice::new(learner).or_raise(py)?;
    for (name, choice) in choices {
        learner = learner.set(&name, &choice).or_raise(py)?;
    }
    let fit = fit.options()?;
    let (learned, interrupt) = watched(py, callback, move |tell| {
        data.with(|training| Circuit::learn_structure(training, &learner, &fit, &options, tell))
    })?;
    match interrupt {
        Some(signal) => Err(signal),
        None => Ok((Core::new(learned.0), learned.1.to_json().to_string())),
    }
}
