//! Lays out the evidence of the variables that a net mentions.

use super::bits::{EvidenceKind, evidence_kind};
use super::net::{NodeKind, PlanNet};
use crate::circuit::{Leaf, LeafKind};
use crate::plan::{EvidenceLayout, ONE, PlanRow};

/// Where the evidence goes, and how much of each kind there is.
pub(super) struct EvidencePlan {
    pub layouts: Vec<EvidenceLayout>,
    pub n_rows: u32,
    pub n_code_rows: u32,
    pub n_real_rows: u32,
}

impl EvidencePlan {
    pub fn new(net: &PlanNet) -> Self {
        let variables = net.circuit.variables();
        let mut plan = EvidencePlan {
            layouts: vec![EvidenceLayout::Unused; variables.len()],
            n_rows: ONE.0 + 1,
            n_code_rows: 0,
            n_real_rows: 0,
        };
        let mut used = vec![false; variables.len()];
        for node in net.nodes() {
            if let NodeKind::Leaf(leaf) = net.kind(node) {
                used[net.circuit.leaf(leaf).variable.index()] = true;
            }
        }
        for (at, variable) in variables.iter().enumerate() {
            if used[at] {
                plan.layouts[at] = plan.layout(evidence_kind(&variable.domain));
            }
        }
        plan
    }

    fn layout(&mut self, kind: EvidenceKind) -> EvidenceLayout {
        match kind {
            EvidenceKind::Weights(n_values) => EvidenceLayout::Weights {
                first: PlanRow(take(&mut self.n_rows, n_values)),
                n_values,
            },
            EvidenceKind::Codes(n_values) => EvidenceLayout::Codes {
                row: take(&mut self.n_code_rows, 1),
                n_values,
            },
            EvidenceKind::Reals => EvidenceLayout::Reals {
                row: take(&mut self.n_real_rows, 1),
            },
        }
    }

    /// The rows of the values that an indicator of a small domain holds, if the
    /// leaf is one.
    pub fn indicator_rows(&self, net: &PlanNet, leaf: &Leaf) -> Option<Vec<PlanRow>> {
        let LeafKind::Indicator(set) = &leaf.kind else {
            return None;
        };
        let EvidenceLayout::Weights { first, n_values } = self.layouts[leaf.variable.index()]
        else {
            return None;
        };
        let lowest = net.circuit.variable(leaf.variable).domain.first();
        let codes = (0..n_values).filter(|&code| set.contains(lowest + f64::from(code)));
        Some(codes.map(|code| PlanRow(first.0 + code)).collect())
    }
}

fn take(next: &mut u32, n: u32) -> u32 {
    *next += n;
    *next - n
}
