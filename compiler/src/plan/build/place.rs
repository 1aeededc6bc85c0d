//! Which units lie in consecutive rows.
//!
//! Dense blocks read and write runs of rows. A *group* is a run; where a group
//! begins is decided last, so a place is a group and a position in it.

use super::evidence::EvidencePlan;
use super::net::{NodeKind, PlanNet, PlanNodeId};
use super::scale::ScaleOp;
use crate::plan::{EvidenceLayout, ONE, PlanRow};
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

/// Where the value of a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ValueLocation {
    /// Not decided yet.
    Nowhere,
    /// A row of the evidence.
    Evidence(PlanRow),
    /// A row of a group.
    Group { group: u32, index: u32 },
    /// Computed where it is used: a product of two in a sparse sum.
    Fused,
}

/// A complete bipartite layer.
#[derive(Clone, Debug)]
pub(super) struct DenseBlock {
    pub sums: Vec<PlanNodeId>,
    pub inputs: Vec<PlanNodeId>,
}

/// Homes of all nodes, and the blocks that could be laid out.
pub(super) struct NodePlacement {
    pub homes: Vec<ValueLocation>,
    pub group_sizes: Vec<u32>,
    pub blocks: Vec<DenseBlock>,
    /// Whether a sum belongs to a block.
    pub in_block: Vec<bool>,
}

impl NodePlacement {
    pub fn new(net: &PlanNet, evidence: &EvidencePlan) -> Self {
        let mut places = NodePlacement {
            homes: vec![ValueLocation::Nowhere; net.len()],
            group_sizes: Vec::new(),
            blocks: Vec::new(),
            in_block: vec![false; net.len()],
        };
        // 1. Literals are rows of evidence already; densities of a variable share an exponent.
        places.place_evidence(net, evidence);
        places.place_densities(net, evidence);
        // 2. Blocks of sums over the same inputs: the inputs first, because many read them;
        // then the factors of those inputs, so that products become loops; the sums themselves
        // last.
        let candidates = places.place_inputs(candidates(net));
        for block in &candidates {
            places.place_factors(net, &block.inputs);
        }
        for block in candidates {
            places.place_sums(block);
        }
        // 3. What is left: products that a single sum reads are computed there, tables stand
        // side by side, and every other node has a row of its own.
        places.fuse(net);
        places.place_tables(net, evidence);
        for node in net.nodes() {
            if places.home(node) == ValueLocation::Nowhere {
                places.place(&[node]);
            }
        }
        places
    }

    pub fn home(&self, node: PlanNodeId) -> ValueLocation {
        self.homes[node.index()]
    }

    /// Makes a group of these nodes.
    fn place(&mut self, nodes: &[PlanNodeId]) {
        let group = self.new_group(nodes.len() as u32);
        for (node, index) in nodes.iter().zip(0..) {
            self.homes[node.index()] = ValueLocation::Group { group, index };
        }
    }

    /// A group of rows that are no node's.
    pub fn new_group(&mut self, size: u32) -> u32 {
        self.group_sizes.push(size);
        self.group_sizes.len() as u32 - 1
    }

    fn is_evidence(&self, node: PlanNodeId) -> bool {
        matches!(self.home(node), ValueLocation::Evidence(_))
    }

    fn is_free(&self, nodes: &[PlanNodeId]) -> bool {
        nodes
            .iter()
            .all(|&node| self.home(node) == ValueLocation::Nowhere)
    }

    /// The nodes in the order of their rows, if they fill a run of rows.
    fn as_run(&self, nodes: &[PlanNodeId]) -> Option<Vec<PlanNodeId>> {
        let mut sorted: Vec<(u32, u32, PlanNodeId)> = Vec::with_capacity(nodes.len());
        for &node in nodes {
            sorted.push(match self.home(node) {
                ValueLocation::Evidence(row) => (u32::MAX, row.0, node),
                ValueLocation::Group { group, index } => (group, index, node),
                ValueLocation::Nowhere | ValueLocation::Fused => return None,
            });
        }
        // Rows follow each other if they are of one group, or of the evidence, without a gap.
        sorted.sort_unstable();
        let is_run = sorted
            .windows(2)
            .all(|pair| pair[0].0 == pair[1].0 && pair[0].1 + 1 == pair[1].1);
        is_run.then(|| sorted.into_iter().map(|(_, _, node)| node).collect())
    }

    fn place_evidence(&mut self, net: &PlanNet, evidence: &EvidencePlan) {
        for node in net.nodes() {
            match net.kind(node) {
                NodeKind::One => self.homes[node.index()] = ValueLocation::Evidence(ONE),
                NodeKind::Leaf(leaf) => {
                    let rows = evidence.indicator_rows(net, net.circuit.leaf(leaf));
                    if let Some([row]) = rows.as_deref() {
                        self.homes[node.index()] = ValueLocation::Evidence(*row);
                    }
                }
                _ => {}
            }
        }
    }

    /// All leaves of a variable that share an exponent are computed together.
    fn place_densities(&mut self, net: &PlanNet, evidence: &EvidencePlan) {
        let is_density = |layout| matches!(layout, EvidenceLayout::Reals { .. });
        for group in self.leaves_by_variable(net, evidence, is_density) {
            self.place(&group);
        }
    }

    /// Tables that no block asked for, all of a variable together.
    fn place_tables(&mut self, net: &PlanNet, evidence: &EvidencePlan) {
        let is_table = |layout| matches!(layout, EvidenceLayout::Codes { .. });
        for group in self.leaves_by_variable(net, evidence, is_table) {
            self.place(&group);
        }
    }

    /// Leaves without a home, by variable, in the order of their first use.
    fn leaves_by_variable(
        &self,
        net: &PlanNet,
        evidence: &EvidencePlan,
        wanted: impl Fn(EvidenceLayout) -> bool,
    ) -> Vec<Vec<PlanNodeId>> {
        let mut groups = vec![Vec::new(); net.circuit.variables().len()];
        let mut seen = vec![false; net.len()];
        let used = net.nodes().flat_map(|node| net.kids(node).iter().copied());
        for node in used.chain([net.root]) {
            let NodeKind::Leaf(leaf) = net.kind(node) else {
                continue;
            };
            let variable = net.circuit.leaf(leaf).variable.index();
            let is_new = !std::mem::replace(&mut seen[node.index()], true);
            if is_new && self.is_free(&[node]) && wanted(evidence.layouts[variable]) {
                groups[variable].push(node);
            }
        }
        groups.retain(|group| !group.is_empty());
        groups
    }

    /// Gives the inputs of blocks consecutive rows, larger blocks first; blocks
    /// whose inputs are needed in another order elsewhere are left out.
    fn place_inputs(&mut self, mut candidates: Vec<DenseBlock>) -> Vec<DenseBlock> {
        candidates.sort_by_key(|block| std::cmp::Reverse(block.sums.len() * block.inputs.len()));
        let mut accepted = Vec::new();
        for mut block in candidates {
            // Sums over evidence are tables, which are computed near their users.
            if block.inputs.iter().all(|&node| self.is_evidence(node)) {
                continue;
            }
            if self.is_free(&block.inputs) {
                self.place(&block.inputs);
            } else {
                match self.as_run(&block.inputs) {
                    Some(run) => block.inputs = run,
                    None => continue,
                }
            }
            accepted.push(block);
        }
        accepted
    }

    /// If the inputs of a block are products of like factors, gives each factor
    /// consecutive rows in the order of the products.
    fn place_factors(&mut self, net: &PlanNet, products: &[PlanNodeId]) {
        // Only products with factors over the same scopes can be one operation.
        if products.iter().any(|&p| net.kind(p) != NodeKind::Product) {
            return;
        }
        let scopes = |product| net.kids(product).iter().map(|&kid| net.scope(kid));
        if !products.iter().all(|&p| scopes(p).eq(scopes(products[0]))) {
            return;
        }
        for at in 0..net.kids(products[0]).len() {
            let factor: Vec<PlanNodeId> = products.iter().map(|&p| net.kids(p)[at]).collect();
            // A factor that several products share has one row and cannot follow itself.
            let mut distinct = factor.clone();
            distinct.sort_unstable();
            distinct.dedup();
            if distinct.len() == factor.len() && self.is_free(&factor) {
                self.place(&factor);
            }
        }
    }

    /// Accepts a block if its sums have, or can get, consecutive rows.
    fn place_sums(&mut self, mut block: DenseBlock) {
        if self.is_free(&block.sums) {
            self.place(&block.sums);
        } else {
            match self.as_run(&block.sums) {
                Some(run) => block.sums = run,
                None => return,
            }
        }
        for sum in &block.sums {
            self.in_block[sum.index()] = true;
        }
        self.blocks.push(block);
    }

    /// Products of two that only one sparse sum uses are computed there.
    fn fuse(&mut self, net: &PlanNet) {
        // A product that is rescaled needs a row of its own.
        let mut kept = vec![false; net.len()];
        for op in &net.scales.ops {
            if let ScaleOp::Rescale { classes, .. } = op {
                let nodes = classes.iter().flat_map(|(_, nodes)| nodes);
                nodes.for_each(|node| kept[node.index()] = true);
            }
        }
        for sum in net.nodes() {
            if net.kind(sum) != NodeKind::Sum || self.in_block[sum.index()] {
                continue;
            }
            for &kid in net.kids(sum) {
                let fits = net.kind(kid) == NodeKind::Product
                    && net.kids(kid).len() == 2
                    && net.uses(kid) == 1
                    && !kept[kid.index()];
                if fits && self.is_free(&[kid]) {
                    self.homes[kid.index()] = ValueLocation::Fused;
                }
            }
        }
    }
}

/// Sums with the same two or more distinct kids, two or more of them.
fn candidates(net: &PlanNet) -> Vec<DenseBlock> {
    let mut sums: IndexMap<Vec<PlanNodeId>, Vec<PlanNodeId>, FxBuildHasher> = IndexMap::default();
    for sum in net.nodes().filter(|&node| net.kind(node) == NodeKind::Sum) {
        let mut inputs = net.kids(sum).to_vec();
        inputs.sort_unstable();
        if inputs.len() >= 2 && inputs.windows(2).all(|pair| pair[0] != pair[1]) {
            sums.entry(inputs).or_default().push(sum);
        }
    }
    let blocks = sums
        .into_iter()
        .map(|(inputs, sums)| DenseBlock { sums, inputs });
    blocks.filter(|block| block.sums.len() >= 2).collect()
}
