//! Drafts the operations, on rows that are not laid out yet.
//!
//! A *virtual row* numbers the rows of all groups one after the other, evidence
//! first. Runs of rows stay runs when groups get their final places.

mod leaves;
mod products;
mod scales;

use super::evidence::EvidencePlan;
use super::net::{NodeKind, PlanNet, PlanNodeId};
use super::place::{NodePlacement, ValueLocation};
use super::table::small_table;
use super::weights::WeightBuffer;
use crate::circuit::LeafId;
use crate::plan::{
    DenseLayer, DerivativeWrite, ONE, PlanOperation, PlanRow, WeightSlot, WeightSource,
};
use rustc_hash::FxHashMap;

/// An operation on virtual rows.
#[derive(Clone, Debug)]
pub(super) enum DraftOp {
    /// One sum of a sparse segment.
    Sum(DraftSum),
    /// Any other operation.
    Whole(PlanOperation),
}

/// A sparse sum.
#[derive(Clone, Debug)]
pub(super) struct DraftSum {
    pub out: PlanRow,
    pub weights: WeightSlot,
    pub arity: u32,
    pub factors: Vec<u32>,
}

/// All operations of a plan, in no particular order.
pub(super) struct PlanDraft {
    pub ops: Vec<DraftOp>,
    pub group_sizes: Vec<u32>,
    pub weights: Vec<WeightSource>,
    pub density_leaves: Vec<LeafId>,
    pub n_statistics: u32,
    pub n_factors: u32,
    pub root: PlanRow,
}

/// Drafts the operations that compute all nodes.
pub(super) fn draft(net: &PlanNet, evidence: &EvidencePlan, places: NodePlacement) -> PlanDraft {
    let mut drafter = Drafter::new(net, evidence, places);
    drafter.blocks();
    drafter.rows();
    drafter.scales();
    let root = drafter.row(net.root);
    PlanDraft {
        ops: drafter.ops,
        group_sizes: drafter.places.group_sizes,
        weights: drafter.weights.into_sources(),
        density_leaves: drafter.density_leaves,
        n_statistics: drafter.n_statistics,
        n_factors: drafter.n_factors,
        root,
    }
}

struct Drafter<'a> {
    net: &'a PlanNet<'a>,
    evidence: &'a EvidencePlan,
    places: NodePlacement,
    /// The first virtual row of each group.
    bases: Vec<u32>,
    next_row: u32,
    ops: Vec<DraftOp>,
    weights: WeightBuffer,
    density_leaves: Vec<LeafId>,
    n_statistics: u32,
    n_factors: u32,
    /// The first leaf whose table begins at an entry.
    representatives: FxHashMap<u32, LeafId>,
}

impl<'a> Drafter<'a> {
    fn new(net: &'a PlanNet<'a>, evidence: &'a EvidencePlan, places: NodePlacement) -> Self {
        let mut next_row = evidence.n_rows;
        let mut bases = Vec::with_capacity(places.group_sizes.len());
        for size in &places.group_sizes {
            bases.push(next_row);
            next_row += size;
        }
        Drafter {
            net,
            evidence,
            places,
            bases,
            next_row,
            ops: Vec::new(),
            weights: WeightBuffer::new(),
            density_leaves: Vec::new(),
            n_statistics: 0,
            n_factors: 0,
            representatives: FxHashMap::default(),
        }
    }

    fn row(&self, node: PlanNodeId) -> PlanRow {
        match self.places.home(node) {
            ValueLocation::Evidence(row) => row,
            ValueLocation::Group { group, index } => PlanRow(self.bases[group as usize] + index),
            ValueLocation::Nowhere | ValueLocation::Fused => {
                unreachable!("only nodes with rows are asked for")
            }
        }
    }

    fn blocks(&mut self) {
        for block in std::mem::take(&mut self.places.blocks) {
            // A sum lists its kids in its own order; the block has one order for all of its
            // sums.
            let mut positions: Vec<(PlanNodeId, usize)> =
                block.inputs.iter().copied().zip(0..).collect();
            positions.sort_unstable();
            let mut sources = Vec::with_capacity(block.sums.len() * block.inputs.len());
            for &sum in &block.sums {
                let mut row = vec![WeightSource::One; block.inputs.len()];
                for (kid, &entry) in self.net.kids(sum).iter().zip(self.net.entries(sum)) {
                    let at = positions
                        .binary_search_by_key(kid, |&(node, _)| node)
                        .expect("the sums of a block have its inputs");
                    row[positions[at].1] = WeightSource::Entry(entry);
                }
                sources.extend(row);
            }
            let weights = self.weights.add(&sources);
            self.whole(PlanOperation::Dense(DenseLayer {
                out: self.row(block.sums[0]),
                n_out: block.sums.len() as u32,
                input: self.row(block.inputs[0]),
                n_in: block.inputs.len() as u32,
                weights,
                flow: DerivativeWrite::Add,
            }));
        }
    }

    /// Everything that has a row and is not in a block, in runs of like nodes.
    fn rows(&mut self) {
        let mut nodes: Vec<PlanNodeId> = self
            .net
            .nodes()
            .filter(|&node| matches!(self.places.home(node), ValueLocation::Group { .. }))
            .filter(|&node| !self.places.in_block[node.index()])
            .collect();
        nodes.sort_unstable_by_key(|&node| self.row(node));
        let mut rest = &nodes[..];
        while !rest.is_empty() {
            // Each round takes the longest run of rows that one operation can define.
            let n = self.run(rest);
            rest = &rest[n..];
        }
    }

    /// Drafts the first nodes of a list; says how many.
    fn run(&mut self, nodes: &[PlanNodeId]) -> usize {
        let first = nodes[0];
        if let Some(table) = small_table(self.net, self.evidence, first) {
            return self.tables(nodes, table);
        }
        match self.net.kind(first) {
            NodeKind::Leaf(leaf) => self.leaves(nodes, leaf),
            NodeKind::Product => self.products(nodes),
            NodeKind::Sum => {
                self.sum(first);
                1
            }
            NodeKind::One => unreachable!("the constant is evidence"),
        }
    }

    /// How many nodes at the front of the list have consecutive rows of one group
    /// and satisfy a condition.
    fn run_length(&self, nodes: &[PlanNodeId], mut fits: impl FnMut(PlanNodeId) -> bool) -> usize {
        let (first, group) = (self.row(nodes[0]).0, self.group(nodes[0]));
        let is_next = |(node, at): &(&PlanNodeId, u32)| {
            self.row(**node).0 == first + at && self.group(**node) == group
        };
        let run = nodes.iter().zip(0..).take_while(is_next);
        run.take_while(|(node, _)| fits(**node)).count()
    }

    fn group(&self, node: PlanNodeId) -> u32 {
        match self.places.home(node) {
            ValueLocation::Group { group, .. } => group,
            _ => u32::MAX,
        }
    }

    fn sum(&mut self, sum: PlanNodeId) {
        let kids = self.net.kids(sum);
        // Products that are computed here have two factors; other terms get the constant 1 as
        // their second, because all terms of a sum are alike.
        let is_fused = |kid: &PlanNodeId| self.places.home(*kid) == ValueLocation::Fused;
        let arity = if kids.iter().any(is_fused) { 2 } else { 1 };
        let mut factors = Vec::with_capacity(kids.len() * arity as usize);
        for kid in kids {
            match is_fused(kid) {
                true => factors.extend(self.net.kids(*kid).iter().map(|&f| self.row(f).0)),
                false if arity == 2 => factors.extend([self.row(*kid).0, ONE.0]),
                false => factors.push(self.row(*kid).0),
            }
        }
        let entries = self.net.entries(sum).iter();
        let sources: Vec<WeightSource> = entries.map(|&entry| WeightSource::Entry(entry)).collect();
        self.ops.push(DraftOp::Sum(DraftSum {
            out: self.row(sum),
            weights: self.weights.add(&sources),
            arity,
            factors,
        }));
    }

    fn whole(&mut self, op: PlanOperation) {
        self.ops.push(DraftOp::Whole(op));
    }
}
