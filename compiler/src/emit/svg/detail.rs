//! A small circuit, unit by unit.

use super::super::label;
use super::diagram::{SMALL_SIZE, SvgDiagram, SvgEdge, SvgNode, SvgShape};
use super::measure::text_width;
use crate::circuit::{CircuitGraph, ReachableUnits, Scope, Scopes, UnitId, UnitKind};
use crate::stats::{CircuitStatistics, depths};
use pelton_grammar::diagnostic::counted;

/// Longest text of a leaf; the tooltip has the rest.
const LONGEST_LEAF: usize = 36;
/// Longest name beside a unit.
const LONGEST_NAME: usize = 28;
/// Most variables listed in a tooltip.
const MOST_VARIABLES: usize = 12;
/// Widest row of edge labels; beyond it weights are shown in tooltips only.
const WIDEST_LABELS: f64 = 2400.0;

/// The units that the root reaches, with their weights and names.
pub(super) fn diagram(
    circuit: &CircuitGraph,
    stats: &CircuitStatistics,
    title: String,
) -> SvgDiagram {
    let reach = ReachableUnits::of(circuit, &[circuit.root()]);
    let units: Vec<UnitId> = reach.units().collect();
    let mut node_of = vec![0; circuit.n_units()];
    for (at, unit) in units.iter().enumerate() {
        node_of[unit.index()] = at;
    }
    let scopes = Scopes::compute(circuit);
    let has_labels = labels_fit(circuit, reach.marked());
    let mut edges = Vec::new();
    for &unit in &units {
        for child in circuit.children(unit) {
            let weight = child.weight.map(|weight| label::weight(circuit, weight));
            let to = node_of[child.unit.index()];
            let tooltip = weight.clone().unwrap_or_default();
            edges.push(SvgEdge {
                from: node_of[unit.index()],
                to,
                label: weight.filter(|_| has_labels),
                tooltip,
                thickness: 1.0,
                pull: 1.0,
                is_reversed: false,
            });
        }
    }
    let nodes = units
        .iter()
        .map(|&unit| node(circuit, unit, scopes.of(unit)));
    SvgDiagram {
        nodes: nodes.collect(),
        edges,
        caption: title,
        note: (!has_labels).then(|| "weights are shown when an edge is pointed at".to_string()),
        description: sizes(stats),
        is_collapsed: false,
    }
}

/// The sizes in words.
pub(super) fn sizes(stats: &CircuitStatistics) -> String {
    format!(
        "{}: {}, {}, {}; {}; {}",
        counted(stats.units, "unit", "units"),
        counted(stats.sums, "sum", "sums"),
        counted(stats.products, "product", "products"),
        counted(stats.inputs, "input", "inputs"),
        counted(stats.edges, "edge", "edges"),
        counted(stats.variables, "variable", "variables"),
    )
}

/// Whether the labels of one layer fit beside each other on a screen.
fn labels_fit(circuit: &CircuitGraph, reached: &[bool]) -> bool {
    let depths = depths(circuit, reached);
    let deepest = depths.iter().max().copied().unwrap_or(0) as usize;
    let mut widths = vec![0.0; deepest + 1];
    for sum in circuit.sums().filter(|sum| reached[sum.index()]) {
        for weight in circuit.children(sum).filter_map(|child| child.weight) {
            let text = label::weight(circuit, weight);
            widths[depths[sum.index()] as usize] += text_width(&text, SMALL_SIZE) + 18.0;
        }
    }
    widths.into_iter().all(|width| width <= WIDEST_LABELS)
}

fn node(circuit: &CircuitGraph, unit: UnitId, scope: &Scope) -> SvgNode {
    let (shape, text) = match circuit.kind(unit) {
        UnitKind::Input(leaf) => (SvgShape::Leaf, label::leaf(circuit, circuit.leaf(leaf))),
        UnitKind::Product => (SvgShape::Product, String::new()),
        UnitKind::Sum => (SvgShape::Sum, String::new()),
    };
    let name = circuit.name(unit).map(|name| circuit.names().show(name));
    SvgNode {
        shape,
        tooltip: tooltip(circuit, unit, scope, &text),
        text: label::shorten(&text, LONGEST_LEAF),
        subtext: String::new(),
        name: name.map(|name| label::shorten(&name, LONGEST_NAME)),
        own_edges: None,
        is_root: unit == circuit.root(),
    }
}

fn tooltip(circuit: &CircuitGraph, unit: UnitId, scope: &Scope, text: &str) -> String {
    let mut names: Vec<&str> = scope
        .iter()
        .take(MOST_VARIABLES)
        .map(|variable| circuit.variable(variable).name.as_str())
        .collect();
    if scope.len() > MOST_VARIABLES {
        names.push("…");
    }
    let mut tooltip = circuit.describe(unit);
    if !text.is_empty() {
        tooltip = format!("{tooltip}: {text}");
    }
    let n_variables = counted(scope.len(), "variable", "variables");
    format!("{tooltip}\nscope: {n_variables} ({})", names.join(", "))
}
