//! A large circuit, one box for every group of units.

use super::super::label;
use super::detail::sizes;
use super::diagram::{SvgDiagram, SvgEdge, SvgNode, SvgShape};
use super::group::{GroupLabel, UnitGroup, UnitGroups, groups};
use crate::circuit::{CircuitGraph, ReachableUnits};
use crate::stats::CircuitStatistics;
use pelton_grammar::diagnostic::{counted, thousands};
use std::collections::BTreeMap;

/// Longest text of a box.
const LONGEST_TEXT: usize = 34;

/// Groups of units with the numbers of edges between them.
pub(super) fn diagram(
    circuit: &CircuitGraph,
    stats: &CircuitStatistics,
    title: String,
) -> SvgDiagram {
    let reach = ReachableUnits::of(circuit, &[circuit.root()]);
    let groups = groups(circuit, reach.marked());
    let counts = edge_counts(circuit, &groups);
    let rank = ranks(&groups);
    let root_group = groups.of_unit[circuit.root().index()];
    let nodes = (0u32..).zip(&groups.groups).map(|(at, group)| SvgNode {
        own_edges: own_edges(group, counts.get(&(at, at)).copied()),
        is_root: Some(at) == root_group,
        ..node(group)
    });
    let edges = counts.iter().filter(|((from, to), _)| from != to);
    SvgDiagram {
        nodes: nodes.collect(),
        edges: edges
            .map(|(&(from, to), &n)| edge(&groups, from as usize, to as usize, n, &rank))
            .collect(),
        caption: title,
        note: Some("boxes are groups of units, numbers on lines count edges".to_string()),
        description: sizes(stats),
        is_collapsed: true,
    }
}

/// The label of a family's loop: its instances refer to each other. Units of a
/// band do so too, but there it says nothing.
fn own_edges(group: &UnitGroup, n_edges: Option<usize>) -> Option<String> {
    let is_band = matches!(group.label, GroupLabel::Band { .. });
    n_edges.filter(|_| !is_band).map(thousands)
}

/// Edges between groups, by group of the parent and of the child. Edges that
/// stay inside one named node are its own business and do not count.
fn edge_counts(circuit: &CircuitGraph, groups: &UnitGroups) -> BTreeMap<(u32, u32), usize> {
    let mut counts = BTreeMap::new();
    for unit in circuit.units() {
        let Some(from) = groups.of_unit[unit.index()] else {
            continue;
        };
        for child in circuit.children(unit) {
            let is_inside = circuit.name(child.unit).is_none()
                && circuit.owner(unit).is_some()
                && circuit.owner(unit) == circuit.owner(child.unit);
            if let Some(to) = groups.of_unit[child.unit.index()]
                && !(is_inside && from == to)
            {
                *counts.entry((from, to)).or_default() += 1;
            }
        }
    }
    counts
}

/// An order of the groups from top to bottom: by the mean depth of their
/// units, leaves last, since nothing is below them.
fn ranks(groups: &UnitGroups) -> Vec<usize> {
    let key = |at: &usize| {
        let group = &groups.groups[*at];
        let depth = group.total_depth as f64 / group.n_units().max(1) as f64;
        (group.is_leaves(), depth)
    };
    let mut order: Vec<usize> = (0..groups.groups.len()).collect();
    // Later groups hold parents of earlier ones, so among equals they come first.
    order.reverse();
    // Stable: groups of one depth keep the order of their units.
    order.sort_by(|a, b| {
        let (a, b) = (key(a), key(b));
        a.0.cmp(&b.0).then(a.1.total_cmp(&b.1))
    });
    let mut ranks = vec![0; order.len()];
    for (rank, group) in order.into_iter().enumerate() {
        ranks[group] = rank;
    }
    ranks
}

fn edge(groups: &UnitGroups, from: usize, to: usize, n_edges: usize, rank: &[usize]) -> SvgEdge {
    let is_reversed = rank[from] > rank[to];
    let (upper, lower) = if is_reversed { (to, from) } else { (from, to) };
    SvgEdge {
        from: upper,
        to: lower,
        label: Some(thousands(n_edges)),
        tooltip: counted(n_edges, "edge", "edges"),
        thickness: 1.0 + (n_edges as f64).log10() / 4.0,
        // Families stand below each other, with their leaves beside them.
        pull: if groups.groups[to].is_leaves() {
            1.0
        } else {
            12.0
        },
        is_reversed,
    }
}

fn node(group: &UnitGroup) -> SvgNode {
    let text = match &group.label {
        GroupLabel::Family(text) => text.clone(),
        GroupLabel::Root => "root".to_string(),
        GroupLabel::Band { low, high } => band_text(*low as usize, *high as usize),
        GroupLabel::Leaves {
            family,
            variables: Some(variables),
        } if *family == "indicator" => format!("[{variables}]"),
        GroupLabel::Leaves {
            family,
            variables: Some(variables),
        } => format!("{variables} ~ {family}"),
        GroupLabel::Leaves { family, .. } => format!("{family} leaves"),
    };
    let subtext = contents(group);
    SvgNode {
        shape: if group.is_leaves() {
            SvgShape::LeafGroup
        } else {
            SvgShape::Group
        },
        tooltip: format!("{text}\n{subtext}"),
        text: label::shorten(&text, LONGEST_TEXT),
        subtext,
        name: None,
        own_edges: None,
        is_root: false,
    }
}

fn band_text(low: usize, high: usize) -> String {
    if low == high {
        format!("depth {}", thousands(low))
    } else {
        format!("depth {}–{}", thousands(low), thousands(high))
    }
}

/// `512 sums · 32 products`
fn contents(group: &UnitGroup) -> String {
    let parts = [
        (group.n_sums, "sum", "sums"),
        (group.n_products, "product", "products"),
        (group.n_inputs, "input", "inputs"),
    ];
    let mut texts: Vec<String> = parts
        .iter()
        .filter(|(n, ..)| *n > 0)
        .map(|&(n, one, many)| counted(n, one, many))
        .collect();
    if group.is_leaves() && group.variables.len() > 1 {
        texts.push(counted(group.variables.len(), "variable", "variables"));
    }
    texts.join(" · ")
}
