//! Smoothing as a transformation.

use super::TransformError;
use super::settle::TransformedCircuit;
use crate::check::{CheckOptions, check};
use crate::circuit::CircuitGraph;
use crate::repair::{self, FillRule};
use pelton_grammar::diagnostic::SourceDiagnostics;

/// A circuit after smoothing.
#[derive(Clone, Debug)]
pub struct SmoothedCircuit {
    /// The circuit.
    pub circuit: TransformedCircuit,
    /// Edges that were there before, and are now.
    pub n_edges: (usize, usize),
}

/// Fills in what children of sums miss, see [`repair::smooth()`], and checks the result.
///
/// The circuit need not have been checked, for one that is not smooth cannot be. What
/// was filled in is told to `found`, and so is what is wrong for other reasons; the
/// error then only says that there is something.
pub fn smooth(
    circuit: CircuitGraph,
    fill: FillRule,
    found: &mut SourceDiagnostics,
) -> Result<SmoothedCircuit, TransformError> {
    let n_before = circuit.n_edges();
    let smoothed = repair::smooth(circuit, fill, |_| true, found);
    let n_edges = (n_before, smoothed.n_edges());
    let checked = check(smoothed, &CheckOptions::default(), found).ok_or_else(|| {
        TransformError::Circuit("the circuit is wrong in other ways than smoothing mends".into())
    })?;
    Ok(SmoothedCircuit {
        circuit: TransformedCircuit {
            checked,
            notes: Vec::new(),
        },
        n_edges,
    })
}
