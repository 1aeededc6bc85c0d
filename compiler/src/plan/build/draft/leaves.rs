//! Leaves and other tables over the values of one variable.

use super::{DraftOp, DraftSum, Drafter};
use crate::circuit::{LeafId, VarId};
use crate::flow::LeafFlows;
use crate::plan::build::net::{NodeKind, PlanNodeId};
use crate::plan::build::table::{SmallTable, entry_table, small_table, value_sources};
use crate::plan::{
    DenseLayer, DensityRun, DerivativeWrite, EvidenceLayout, ONE, PlanOperation, TableGather,
    WeightSource,
};

impl Drafter<'_> {
    /// Drafts the tables at the front of a list; says how many.
    pub(super) fn tables(&mut self, nodes: &[PlanNodeId], table: SmallTable) -> usize {
        let mut sources = Vec::new();
        // Tables of one variable in consecutive rows are one dense layer over its values.
        let n = self.run_length(nodes, |node| {
            let next = small_table(self.net, self.evidence, node);
            let next = next.filter(|next| next.variable == table.variable);
            sources.extend(next.iter().flat_map(|next| next.sources.iter().copied()));
            next.is_some()
        });
        let n_in = table.sources.len() as u32;
        let weights = self.weights.add(&sources);
        let out = self.row(nodes[0]);
        if n == 1 {
            self.ops.push(DraftOp::Sum(DraftSum {
                out,
                weights,
                arity: 1,
                factors: (table.first.0..table.first.0 + n_in).collect(),
            }));
        } else {
            self.whole(PlanOperation::Dense(DenseLayer {
                out,
                n_out: n as u32,
                input: table.first,
                n_in,
                weights,
                flow: DerivativeWrite::Skip,
            }));
        }
        n
    }

    /// Drafts the leaves at the front of a list; says how many.
    pub(super) fn leaves(&mut self, nodes: &[PlanNodeId], leaf: LeafId) -> usize {
        let variable = self.net.circuit.leaf(leaf).variable;
        let same_variable = |node| match self.net.kind(node) {
            NodeKind::Leaf(other) => self.net.circuit.leaf(other).variable == variable,
            _ => false,
        };
        let layout = self.evidence.layouts[variable.index()];
        match layout {
            EvidenceLayout::Codes { row, n_values } => {
                let n = self.run_length(nodes, same_variable);
                self.gather(&nodes[..n], variable, row, n_values);
                n
            }
            EvidenceLayout::Reals { row } => {
                let n = self.run_length(nodes, same_variable);
                self.density(&nodes[..n], variable, row);
                n
            }
            EvidenceLayout::Weights { .. } | EvidenceLayout::Unused => {
                self.indicator(nodes[0], leaf);
                1
            }
        }
    }

    fn leaf_ids(&self, nodes: &[PlanNodeId]) -> Vec<LeafId> {
        let leaf = |&node| match self.net.kind(node) {
            NodeKind::Leaf(leaf) => leaf,
            _ => unreachable!("a run of leaves"),
        };
        nodes.iter().map(leaf).collect()
    }

    fn gather(&mut self, nodes: &[PlanNodeId], variable: VarId, codes: u32, n_values: u32) {
        let mut sources = Vec::new();
        for leaf in self.leaf_ids(nodes) {
            sources.extend(value_sources(self.net.circuit, leaf, n_values));
            sources.push(WeightSource::Missing(self.representative(leaf)));
        }
        let weights = self.weights.add(&sources);
        self.whole(PlanOperation::Gather(TableGather {
            variable,
            codes,
            n_values,
            out: self.row(nodes[0]),
            n: nodes.len() as u32,
            weights,
        }));
    }

    /// The first leaf with the same table, so that equal tables are kept once.
    fn representative(&mut self, leaf: LeafId) -> LeafId {
        match entry_table(self.net.circuit, self.net.circuit.leaf(leaf)) {
            Some(first_entry) => *self.representatives.entry(first_entry).or_insert(leaf),
            None => leaf,
        }
    }

    fn density(&mut self, nodes: &[PlanNodeId], variable: VarId, reals: u32) {
        let first_leaf = self.density_leaves.len() as u32;
        let leaves = self.leaf_ids(nodes);
        let statistics = leaves.iter().map(|&leaf| {
            let flows = LeafFlows::zero(self.net.circuit, self.net.circuit.leaf(leaf));
            self.n_statistics += flows.numbers().len() as u32;
            self.n_statistics - flows.numbers().len() as u32
        });
        let statistics = statistics.collect();
        self.density_leaves.extend(leaves);
        let scope = self.net.scope(nodes[0]);
        let exponent = self.net.scales.exponent(scope);
        self.whole(PlanOperation::Density(DensityRun {
            variable,
            reals,
            first_leaf,
            n: nodes.len() as u32,
            out: self.row(nodes[0]),
            exponent: exponent.expect("densities have an exponent"),
            statistics,
        }));
    }

    /// An indicator of none or several values of a small domain.
    fn indicator(&mut self, node: PlanNodeId, leaf: LeafId) {
        let rows = self
            .evidence
            .indicator_rows(self.net, self.net.circuit.leaf(leaf))
            .unwrap_or_default();
        let (factors, sources) = match rows[..] {
            // The table of an indicator of nothing is zero everywhere.
            [] => (vec![ONE.0], vec![WeightSource::Table { leaf, code: 0 }]),
            _ => (
                rows.iter().map(|row| row.0).collect(),
                vec![WeightSource::One; rows.len()],
            ),
        };
        self.ops.push(DraftOp::Sum(DraftSum {
            out: self.row(node),
            weights: self.weights.add(&sources),
            arity: 1,
            factors,
        }));
    }
}
