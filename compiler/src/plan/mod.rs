//! The plan: a checked circuit as a flat program over rows of samples.
//!
//! Circuits are evaluated for a *tile* of samples at a time. A [`PlanRow`] holds one
//! number for each sample of the tile; units become rows, and the [`PlanOperation`]s compute
//! rows from rows in the order they stand. Everything an engine needs is in the
//! plan: where rows lie, which weight is where, which units share an exponent.
//! Planning a checked circuit cannot fail.
//!
//! The first rows belong to the evidence: [`ONE`], then a row for each value of
//! every variable with a small domain, which holds the weight of that value (1 or
//! 0 for an observation, 1 for all values of a missing cell, a distribution for
//! soft evidence). Literals and small categorical leaves need no code of their
//! own then: a literal *is* such a row and a categorical leaf a sum over them.
//!
//! Values are linear. The true value of a unit is what its row holds times two to
//! the power of the exponent row of its scope, see [`ScopeRescale`].

mod bare;
mod build;
mod evidence;
mod op;
mod print;
mod source;

pub use build::{PlanOptions, RowRetention, plan};
pub use evidence::{EvidenceLayout, SMALL_DOMAIN, TABLE_DOMAIN};
pub use op::{
    AddExponents, DenseLayer, DensityRun, DerivativeWrite, PlanOperation, ProductRun, ScaleClass,
    ScopeRescale, SparseSegment, SparseSum, TableGather,
};
pub use source::WeightSource;

use crate::circuit::LeafId;

/// A row of the value buffer, and of the buffer of derivatives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PlanRow(pub u32);

/// A place in the packed buffer of weights, and of counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WeightSlot(pub u32);

/// A row of exponents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExponentId(pub u32);

/// A row of powers of two that a [`ScopeRescale`] multiplied with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FactorId(pub u32);

/// The row that holds 1 for every sample.
pub const ONE: PlanRow = PlanRow(0);

/// A circuit as a flat program over rows.
#[derive(Clone, Debug)]
#[must_use]
pub struct Plan {
    pub(crate) ops: Vec<PlanOperation>,
    pub(crate) n_rows: u32,
    pub(crate) n_evidence_rows: u32,
    pub(crate) evidence: Vec<EvidenceLayout>,
    pub(crate) n_code_rows: u32,
    pub(crate) n_real_rows: u32,
    pub(crate) weights: Vec<WeightSource>,
    pub(crate) density_leaves: Vec<LeafId>,
    pub(crate) n_statistics: u32,
    pub(crate) n_exponents: u32,
    pub(crate) n_factors: u32,
    pub(crate) zeroed: Vec<(PlanRow, u32)>,
    pub(crate) derivative_rows: Vec<u32>,
    pub(crate) n_derivative_rows: u32,
    pub(crate) root: PlanRow,
    pub(crate) root_exponent: Option<ExponentId>,
    pub(crate) n_sum_edges: usize,
}

impl Plan {
    /// The operations in the order of a forward pass; a backward pass takes
    /// them the other way round.
    pub fn ops(&self) -> &[PlanOperation] {
        &self.ops
    }

    /// Rows of the value buffer, those of the evidence included.
    pub fn n_rows(&self) -> usize {
        self.n_rows as usize
    }

    /// The first rows, which the caller fills: [`ONE`] and the small domains.
    pub fn n_evidence_rows(&self) -> usize {
        self.n_evidence_rows as usize
    }

    /// Where the evidence of each variable goes, by variable index.
    pub fn evidence(&self) -> &[EvidenceLayout] {
        &self.evidence
    }

    /// Rows of codes, one for each variable with [`EvidenceLayout::Codes`].
    pub fn n_code_rows(&self) -> usize {
        self.n_code_rows as usize
    }

    /// Rows of numbers, one for each variable with [`EvidenceLayout::Reals`].
    pub fn n_real_rows(&self) -> usize {
        self.n_real_rows as usize
    }

    /// What each place of the packed weight buffer holds.
    pub fn weights(&self) -> &[WeightSource] {
        &self.weights
    }

    /// Leaves whose densities are computed, in the order of [`DensityRun`]'s `first_leaf`.
    pub fn density_leaves(&self) -> &[LeafId] {
        &self.density_leaves
    }

    /// Length of the buffer of leaf statistics.
    pub fn n_statistics(&self) -> usize {
        self.n_statistics as usize
    }

    /// Rows of exponents.
    pub fn n_exponents(&self) -> usize {
        self.n_exponents as usize
    }

    /// Rows of scale factors.
    pub fn n_factors(&self) -> usize {
        self.n_factors as usize
    }

    /// Rows of the buffer of derivatives.
    pub fn n_derivative_rows(&self) -> usize {
        self.n_derivative_rows as usize
    }

    /// The row of derivatives of each row of values; empty if they are the same.
    /// Runs of rows that an operation takes have runs of derivatives.
    pub fn derivative_rows(&self) -> &[u32] {
        &self.derivative_rows
    }

    /// Where the derivatives of a row are.
    pub fn derivative_row(&self, row: PlanRow) -> PlanRow {
        match self.derivative_rows[..] {
            [] => row,
            _ => PlanRow(self.derivative_rows[row.0 as usize]),
        }
    }

    /// Runs of rows of derivatives that start at zero in a backward pass; all
    /// others are set before they are added to.
    pub fn zeroed(&self) -> &[(PlanRow, u32)] {
        &self.zeroed
    }

    /// The root's row.
    pub fn root(&self) -> PlanRow {
        self.root
    }

    /// The root's exponents; none means 0.
    pub fn root_exponent(&self) -> Option<ExponentId> {
        self.root_exponent
    }

    /// Sum edges of the circuit as written; entries of leaves are none.
    pub fn n_sum_edges(&self) -> usize {
        self.n_sum_edges
    }
}
