//! Drafts the operations, on rows that are not laid out yet.
//!
//! A *virtual row* numbers the rows of all groups one after the other, evidence
//! first. Runs of rows stay runs when groups get their final places.

use super::evidence::EvidencePlan;
use super::net::{Net, NodeId, NodeKind};
use super::place::{Home, Places};
use super::scale::ScaleOp;
use super::table::{SmallTable, entry_table, small_table, value_sources};
use super::weights::{UNIT, Weights};
use crate::circuit::{LeafId, VarId};
use crate::flow::LeafFlows;
use crate::plan::{
    AddExponents, Dense, Density, EvidenceLayout, FactorId, Flow, Gather, ONE, Op, Product,
    Rescale, Row, ScaleClass, Slot, Source,
};
use rustc_hash::FxHashMap;

/// An operation on virtual rows.
#[derive(Clone, Debug)]
pub(super) enum DraftOp {
    /// One sum of a sparse segment.
    Sum(DraftSum),
    /// Any other operation.
    Whole(Op),
}

/// A sparse sum.
#[derive(Clone, Debug)]
pub(super) struct DraftSum {
    pub out: Row,
    pub weights: Slot,
    pub arity: u32,
    pub factors: Vec<u32>,
}

/// All operations of a plan, in no particular order.
pub(super) struct Draft {
    pub ops: Vec<DraftOp>,
    pub group_sizes: Vec<u32>,
    pub weights: Vec<Source>,
    pub density_leaves: Vec<LeafId>,
    pub n_statistics: u32,
    pub n_factors: u32,
    pub root: Row,
}

/// Drafts the operations that compute all nodes.
pub(super) fn draft(net: &Net, evidence: &EvidencePlan, places: Places) -> Draft {
    let mut drafter = Drafter::new(net, evidence, places);
    drafter.blocks();
    drafter.rows();
    drafter.scales();
    let root = drafter.row(net.root);
    Draft {
        ops: drafter.ops,
        group_sizes: drafter.places.group_sizes,
        weights: drafter.weights.sources,
        density_leaves: drafter.density_leaves,
        n_statistics: drafter.n_statistics,
        n_factors: drafter.n_factors,
        root,
    }
}

struct Drafter<'a> {
    net: &'a Net<'a>,
    evidence: &'a EvidencePlan,
    places: Places,
    /// The first virtual row of each group.
    bases: Vec<u32>,
    next_row: u32,
    ops: Vec<DraftOp>,
    weights: Weights,
    density_leaves: Vec<LeafId>,
    n_statistics: u32,
    n_factors: u32,
    /// The first leaf whose table begins at an entry.
    representatives: FxHashMap<u32, LeafId>,
}

impl<'a> Drafter<'a> {
    fn new(net: &'a Net<'a>, evidence: &'a EvidencePlan, places: Places) -> Self {
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
            weights: Weights::new(),
            density_leaves: Vec::new(),
            n_statistics: 0,
            n_factors: 0,
            representatives: FxHashMap::default(),
        }
    }

    fn row(&self, node: NodeId) -> Row {
        match self.places.home(node) {
            Home::Evidence(row) => row,
            Home::Group { group, index } => Row(self.bases[group as usize] + index),
            Home::Nowhere | Home::Fused => unreachable!("only nodes with rows are asked for"),
        }
    }

    fn blocks(&mut self) {
        for block in std::mem::take(&mut self.places.blocks) {
            let mut positions: Vec<(NodeId, usize)> =
                block.inputs.iter().copied().zip(0..).collect();
            positions.sort_unstable();
            let mut sources = Vec::with_capacity(block.sums.len() * block.inputs.len());
            for &sum in &block.sums {
                let mut row = vec![Source::One; block.inputs.len()];
                for (kid, &entry) in self.net.kids(sum).iter().zip(self.net.entries(sum)) {
                    let at = positions
                        .binary_search_by_key(kid, |&(node, _)| node)
                        .expect("the sums of a block have its inputs");
                    row[positions[at].1] = Source::Entry(entry);
                }
                sources.extend(row);
            }
            let weights = self.weights.add(&sources);
            self.whole(Op::Dense(Dense {
                out: self.row(block.sums[0]),
                n_out: block.sums.len() as u32,
                input: self.row(block.inputs[0]),
                n_in: block.inputs.len() as u32,
                weights,
                flow: Flow::Add,
            }));
        }
    }

    /// Everything that has a row and is not in a block, in runs of like nodes.
    fn rows(&mut self) {
        let mut nodes: Vec<NodeId> = self
            .net
            .nodes()
            .filter(|&node| matches!(self.places.home(node), Home::Group { .. }))
            .filter(|&node| !self.places.in_block[node.index()])
            .collect();
        nodes.sort_unstable_by_key(|&node| self.row(node));
        let mut rest = &nodes[..];
        while !rest.is_empty() {
            let n = self.run(rest);
            rest = &rest[n..];
        }
    }

    /// Drafts the first nodes of a list; says how many.
    fn run(&mut self, nodes: &[NodeId]) -> usize {
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
    fn run_length(&self, nodes: &[NodeId], mut fits: impl FnMut(NodeId) -> bool) -> usize {
        let (first, group) = (self.row(nodes[0]).0, self.group(nodes[0]));
        let is_next = |(node, at): &(&NodeId, u32)| {
            self.row(**node).0 == first + at && self.group(**node) == group
        };
        let run = nodes.iter().zip(0..).take_while(is_next);
        run.take_while(|(node, _)| fits(**node)).count()
    }

    fn group(&self, node: NodeId) -> u32 {
        match self.places.home(node) {
            Home::Group { group, .. } => group,
            _ => u32::MAX,
        }
    }

    fn tables(&mut self, nodes: &[NodeId], table: SmallTable) -> usize {
        let mut sources = Vec::new();
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
            self.whole(Op::Dense(Dense {
                out,
                n_out: n as u32,
                input: table.first,
                n_in,
                weights,
                flow: Flow::Skip,
            }));
        }
        n
    }

    fn leaves(&mut self, nodes: &[NodeId], leaf: LeafId) -> usize {
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

    fn leaf_ids(&self, nodes: &[NodeId]) -> Vec<LeafId> {
        let leaf = |&node| match self.net.kind(node) {
            NodeKind::Leaf(leaf) => leaf,
            _ => unreachable!("a run of leaves"),
        };
        nodes.iter().map(leaf).collect()
    }

    fn gather(&mut self, nodes: &[NodeId], variable: VarId, codes: u32, n_values: u32) {
        let mut sources = Vec::new();
        for leaf in self.leaf_ids(nodes) {
            sources.extend(value_sources(self.net.circuit, leaf, n_values));
            sources.push(Source::Missing(self.representative(leaf)));
        }
        let weights = self.weights.add(&sources);
        self.whole(Op::Gather(Gather {
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

    fn density(&mut self, nodes: &[NodeId], variable: VarId, reals: u32) {
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
        self.whole(Op::Density(Density {
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
    fn indicator(&mut self, node: NodeId, leaf: LeafId) {
        let rows = self
            .evidence
            .indicator_rows(self.net, self.net.circuit.leaf(leaf))
            .unwrap_or_default();
        let (factors, sources) = match rows[..] {
            // The table of an indicator of nothing is zero everywhere.
            [] => (vec![ONE.0], vec![Source::Table { leaf, code: 0 }]),
            _ => (
                rows.iter().map(|row| row.0).collect(),
                vec![Source::One; rows.len()],
            ),
        };
        self.ops.push(DraftOp::Sum(DraftSum {
            out: self.row(node),
            weights: self.weights.add(&sources),
            arity: 1,
            factors,
        }));
    }

    fn sum(&mut self, sum: NodeId) {
        let kids = self.net.kids(sum);
        let is_fused = |kid: &NodeId| self.places.home(*kid) == Home::Fused;
        let arity = match kids.iter().any(is_fused) {
            true => 2,
            false => 1,
        };
        let mut factors = Vec::with_capacity(kids.len() * arity as usize);
        for kid in kids {
            match is_fused(kid) {
                true => factors.extend(self.net.kids(*kid).iter().map(|&f| self.row(f).0)),
                false if arity == 2 => factors.extend([self.row(*kid).0, ONE.0]),
                false => factors.push(self.row(*kid).0),
            }
        }
        let entries = self.net.entries(sum).iter();
        let sources: Vec<Source> = entries.map(|&entry| Source::Entry(entry)).collect();
        self.ops.push(DraftOp::Sum(DraftSum {
            out: self.row(sum),
            weights: self.weights.add(&sources),
            arity,
            factors,
        }));
    }

    fn products(&mut self, nodes: &[NodeId]) -> usize {
        let factors = self.factor_rows(nodes[0]);
        let mut at = 0;
        let n = self.run_length(nodes, |node| {
            let fits = self.net.kind(node) == NodeKind::Product
                && self.is_next_product(&factors, node, at);
            at += 1;
            fits
        });
        let out = self.row(nodes[0]);
        if n == 1 {
            self.single_product(out, &factors);
        } else {
            self.whole(Op::Product(Product {
                out,
                n: n as u32,
                factors: factors.iter().map(|&row| (Row(row), Flow::Add)).collect(),
            }));
        }
        n
    }

    fn factor_rows(&self, product: NodeId) -> Vec<u32> {
        let kids = self.net.kids(product).iter();
        kids.map(|&kid| self.row(kid).0).collect()
    }

    /// Whether each factor of the product is `at` rows after those of the first
    /// in the run, within one group.
    fn is_next_product(&self, first: &[u32], product: NodeId, at: u32) -> bool {
        let kids = self.net.kids(product);
        kids.len() == first.len()
            && kids.iter().zip(first).all(|(&kid, &first)| {
                let row = self.row(kid).0;
                row == first + at && (at == 0 || self.same_group(row, first))
            })
    }

    fn same_group(&self, a: u32, b: u32) -> bool {
        let group = |row| self.bases.partition_point(|&base| base <= row);
        a >= self.evidence.n_rows && b >= self.evidence.n_rows && group(a) == group(b)
    }

    /// A product of its own, as sums of one term: two factors at a time.
    fn single_product(&mut self, out: Row, factors: &[u32]) {
        let mut left = factors[0];
        for (at, &right) in factors.iter().enumerate().skip(1) {
            let row = match at + 1 == factors.len() {
                true => out,
                false => self.spare_row(),
            };
            self.ops.push(DraftOp::Sum(DraftSum {
                out: row,
                weights: UNIT,
                arity: 2,
                factors: vec![left, right],
            }));
            left = row.0;
        }
    }

    fn spare_row(&mut self) -> Row {
        self.places.new_group(1);
        self.next_row += 1;
        Row(self.next_row - 1)
    }

    fn scales(&mut self) {
        let mut n_factors = 0;
        for op in &self.net.scales.ops {
            let op = match op {
                ScaleOp::Add { exponent, inputs } => Op::AddExponents(AddExponents {
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
                    Op::Rescale(Rescale {
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
    fn runs(&self, nodes: &[NodeId]) -> Vec<(Row, u32)> {
        let mut rows: Vec<(u32, u32)> = nodes
            .iter()
            .map(|&node| (self.row(node).0, self.group(node)))
            .collect();
        rows.sort_unstable();
        rows.chunk_by(|a, b| a.0 + 1 == b.0 && a.1 == b.1)
            .map(|run| (Row(run[0].0), run.len() as u32))
            .collect()
    }

    fn whole(&mut self, op: Op) {
        self.ops.push(DraftOp::Whole(op));
    }
}

fn new_factor(n_factors: &mut u32) -> FactorId {
    *n_factors += 1;
    FactorId(*n_factors - 1)
}
