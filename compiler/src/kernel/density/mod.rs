//! Leaves over infinite domains.
//!
//! A plan's density leaves are prepared once for given parameter values: what
//! does not depend on the data becomes constants ([`form`]), sets become pairs of
//! numbers ([`region`]). For a tile of samples the terms that leaves share (the
//! logarithm of a cell, of a factorial) are computed once ([`tile`]); logarithms
//! of densities are double and base 2, so that their whole part is an exponent.

#[cfg(feature = "build")]
pub(crate) mod baked;
mod exp2;
pub(crate) mod form;
pub(crate) mod kernels;
mod prepare;
mod region;
mod statistics;
#[cfg(test)]
mod tests;
mod tile;

pub use exp2::exp2_double;
pub(crate) use exp2::exp2_single;
pub(crate) use form::{CountTerm, DensityShape, LogDensityForm};
pub(super) use kernels::{backward, forward};
pub(crate) use prepare::LARGE_PARAMETER;
pub use statistics::n_statistics;

use super::EvaluationPurpose;
use crate::circuit::{CircuitGraph, LeafId, ParameterValue};
use crate::evidence::ValueBox;
use region::Regions;
use statistics::DensityStatistics;

/// The density leaves of a plan, prepared for given values of the parameters.
#[derive(Clone, Debug)]
pub struct PreparedDensities {
    leaves: Vec<PreparedLeaf>,
    regions: Regions,
}

/// One leaf, ready to be computed.
#[derive(Clone, Debug)]
struct PreparedLeaf {
    /// The logarithm where the leaf can be positive.
    form: LogDensityForm,
    /// Which of the regions that is.
    region: usize,
    /// The logarithm for a missing cell, base 2.
    missing: f64,
    /// What a backward pass adds up.
    statistics: DensityStatistics,
}

impl PreparedDensities {
    /// Prepares `leaves`, those of [`Plan::density_leaves`](crate::plan::Plan::density_leaves).
    ///
    /// `values` holds a value for each of [`CircuitGraph::all_entries`]; missing cells lie
    /// where `within` says.
    pub fn new(
        circuit: &CircuitGraph,
        leaves: &[LeafId],
        values: &[ParameterValue],
        purpose: EvaluationPurpose,
        within: &ValueBox,
    ) -> Self {
        let mut regions = Regions::default();
        let prepare = |&leaf: &LeafId| {
            let leaf = circuit.leaf(leaf);
            let missing = within.cell(circuit, leaf.variable);
            prepare::prepare(circuit, values, leaf, (purpose, &missing), &mut regions)
        };
        PreparedDensities {
            leaves: leaves.iter().map(prepare).collect(),
            regions,
        }
    }

    /// How many leaves were prepared.
    pub(super) fn n_leaves(&self) -> usize {
        self.leaves.len()
    }
}
