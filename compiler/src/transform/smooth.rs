//! Smoothing as a transformation.

use super::TransformError;
use super::settle::Transformed;
use crate::check::{CheckOptions, check};
use crate::circuit::Circuit;
use crate::repair::{self, Fill};
use pelton_grammar::diagnostic::Diagnostics;

/// A circuit after smoothing.
#[derive(Clone, Debug)]
pub struct Smoothed {
    /// The circuit.
    pub circuit: Transformed,
    /// Edges that were there before, and are now.
    pub n_edges: (usize, usize),
}

/// Fills in what children of sums miss, see [`repair::smooth`], and checks the result.
///
/// The circuit need not have been checked, for one that is not smooth cannot be. What
/// was filled in is told to `found`, and so is what is wrong for other reasons; the
/// error then only says that there is something.
pub fn smooth(
    circuit: Circuit,
    fill: Fill,
    found: &mut Diagnostics,
) -> Result<Smoothed, TransformError> {
    let n_before = circuit.n_edges();
    let smoothed = repair::smooth(circuit, fill, |_| true, found);
    let n_edges = (n_before, smoothed.n_edges());
    let checked = check(smoothed, &CheckOptions::default(), found).ok_or_else(|| {
        TransformError::Circuit("the circuit is wrong in other ways than smoothing mends".into())
    })?;
    Ok(Smoothed {
        circuit: Transformed {
            checked,
            notes: Vec::new(),
        },
        n_edges,
    })
}
