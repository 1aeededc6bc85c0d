//! Plans that come from no circuit.

use super::{Plan, PlanOperation, PlanRow, WeightSource};

impl Plan {
    /// A plan of nothing but operations over rows and weights, to test and
    /// measure engines. Its last row is the root, all weights are 1, and it has
    /// no evidence but [`ONE`](super::ONE).
    pub fn bare(ops: Vec<PlanOperation>, n_rows: u32, n_weights: usize) -> Self {
        Plan {
            ops,
            n_rows,
            n_evidence_rows: 1,
            evidence: Vec::new(),
            n_code_rows: 0,
            n_real_rows: 0,
            weights: vec![WeightSource::One; n_weights],
            density_leaves: Vec::new(),
            n_statistics: 0,
            n_exponents: 0,
            n_factors: 0,
            zeroed: Vec::new(),
            derivative_rows: Vec::new(),
            n_derivative_rows: n_rows,
            root: PlanRow(n_rows.saturating_sub(1)),
            root_exponent: None,
            n_sum_edges: 0,
        }
    }
}
