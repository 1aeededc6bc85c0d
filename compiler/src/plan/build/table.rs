//! Nodes that are tables over the rows of a small domain.
//!
//! A Bernoulli or categorical leaf is a sum over the evidence of its variable's
//! values, and so is a sum that was written over all literals of a variable.

use super::evidence::EvidencePlan;
use super::net::{NodeKind, PlanNet, PlanNodeId};
use crate::circuit::{CircuitGraph, Leaf, LeafId, LeafKind, VarId};
use crate::plan::{EvidenceLayout, PlanRow, WeightSource};

/// A weight for each value of a variable with a small domain.
pub(super) struct SmallTable {
    pub variable: VarId,
    pub first: PlanRow,
    pub sources: Vec<WeightSource>,
}

/// The node as a table, if it is one.
pub(super) fn small_table(
    net: &PlanNet,
    evidence: &EvidencePlan,
    node: PlanNodeId,
) -> Option<SmallTable> {
    match net.kind(node) {
        NodeKind::Leaf(leaf) => leaf_table(net, evidence, leaf),
        NodeKind::Sum => sum_table(net, evidence, node),
        _ => None,
    }
}

fn leaf_table(net: &PlanNet, evidence: &EvidencePlan, id: LeafId) -> Option<SmallTable> {
    let leaf = net.circuit.leaf(id);
    let EvidenceLayout::Weights { first, n_values } = evidence.layouts[leaf.variable.index()]
    else {
        return None;
    };
    matches!(leaf.kind, LeafKind::Distribution(_)).then(|| SmallTable {
        variable: leaf.variable,
        first,
        sources: value_sources(net.circuit, id, n_values),
    })
}

fn sum_table(net: &PlanNet, evidence: &EvidencePlan, sum: PlanNodeId) -> Option<SmallTable> {
    let NodeKind::Leaf(leaf) = net.kind(net.kids(sum)[0]) else {
        return None;
    };
    let variable = net.circuit.leaf(leaf).variable;
    let EvidenceLayout::Weights { first, n_values } = evidence.layouts[variable.index()] else {
        return None;
    };
    let mut sources = vec![None; n_values as usize];
    for (&kid, &entry) in net.kids(sum).iter().zip(net.entries(sum)) {
        let row = literal_row(net, evidence, kid)?;
        let source = &mut sources[(row.0 - first.0) as usize];
        if source.replace(WeightSource::Entry(entry)).is_some() {
            return None;
        }
    }
    Some(SmallTable {
        variable,
        first,
        sources: sources.into_iter().collect::<Option<_>>()?,
    })
}

fn literal_row(net: &PlanNet, evidence: &EvidencePlan, node: PlanNodeId) -> Option<PlanRow> {
    let NodeKind::Leaf(leaf) = net.kind(node) else {
        return None;
    };
    match evidence.indicator_rows(net, net.circuit.leaf(leaf))?[..] {
        [row] => Some(row),
        _ => None,
    }
}

/// The weights that a leaf gives to the values of its finite domain.
pub(super) fn value_sources(
    circuit: &CircuitGraph,
    id: LeafId,
    n_values: u32,
) -> Vec<WeightSource> {
    let first_entry = entry_table(circuit, circuit.leaf(id));
    let source = |code| match first_entry {
        Some(first) => WeightSource::Entry(first + code),
        None => WeightSource::Table { leaf: id, code },
    };
    (0..n_values).map(source).collect()
}

/// The first entry of a leaf whose parameter is the table itself.
pub(super) fn entry_table(circuit: &CircuitGraph, leaf: &Leaf) -> Option<u32> {
    let LeafKind::Distribution(distribution) = &leaf.kind else {
        return None;
    };
    let is_table = distribution.family.has_entries();
    let untruncated = distribution.truncation.is_none();
    let size = circuit.variable(leaf.variable).domain.size();
    let param = circuit.parameter(*distribution.params.first()?);
    let fits = is_table && untruncated && size == Some(param.len() as u64);
    fits.then(|| param.entries().start as u32)
}
