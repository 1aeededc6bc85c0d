//! Operations on exponents.

use super::Drafter;
use crate::plan::build::net::PlanNodeId;
use crate::plan::build::scale::ScaleOp;
use crate::plan::{AddExponents, FactorId, PlanOperation, PlanRow, ScaleClass, ScopeRescale};

impl Drafter<'_> {
    /// Drafts all of them.
    pub(super) fn scales(&mut self) {
        let mut n_factors = 0;
        for op in &self.net.scales.ops {
            let op = match op {
                ScaleOp::Add { exponent, inputs } => PlanOperation::AddExponents(AddExponents {
                    exponent: *exponent,
                    inputs: inputs.clone(),
                }),
                ScaleOp::Rescale { exponent, classes } => {
                    let classes = classes.iter().map(|(exponent, nodes)| ScaleClass {
                        rows: self.runs(nodes),
                        exponent: *exponent,
                        factor: new_factor(&mut n_factors),
                    });
                    let classes = classes.collect();
                    PlanOperation::Rescale(ScopeRescale {
                        exponent: *exponent,
                        classes,
                    })
                }
            };
            self.whole(op);
        }
        self.n_factors = n_factors;
    }

    /// The rows of some nodes as runs, none across groups.
    fn runs(&self, nodes: &[PlanNodeId]) -> Vec<(PlanRow, u32)> {
        let mut rows: Vec<(u32, u32)> = nodes
            .iter()
            .map(|&node| (self.row(node).0, self.group(node)))
            .collect();
        rows.sort_unstable();
        rows.chunk_by(|a, b| a.0 + 1 == b.0 && a.1 == b.1)
            .map(|run| (PlanRow(run[0].0), run.len() as u32))
            .collect()
    }
}

fn new_factor(n_factors: &mut u32) -> FactorId {
    *n_factors += 1;
    FactorId(*n_factors - 1)
}
