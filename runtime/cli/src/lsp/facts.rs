//! What the compiled circuit says about nodes, variables and parameters.

use super::workspace::limits;
use pelton_compiler::Analysis;
use pelton_compiler::check::{CircuitFacts, PropertyVerdict, determinism};
use pelton_compiler::circuit::{
    CircuitGraph, CircuitVariable, LeafKind, NameId, ParamId, Property, ReachableUnits, Scopes,
    UnitId, UnitKind,
};
use pelton_grammar::diagnostic::counted;
use std::collections::HashSet;

/// Variables of a scope that are listed.
const SCOPE_SHOWN: usize = 8;

/// Units below which determinism is decided for a hover.
const DECIDED_SIZE: usize = 50_000;

/// A node: kind, instances, scope, size and properties.
pub fn node(name: &str, analysis: Option<&Analysis>) -> String {
    let Some((circuit, facts)) = compiled(analysis) else {
        return String::new();
    };
    let units = units_named(circuit, name);
    let Some(&first) = units.first() else {
        return "\n- the same unit as another node, or not part of the circuit".to_string();
    };
    let instances = match circuit.name(first).map(|id| circuit.names().indices(id)) {
        Some([_, ..]) => format!("{}, ", counted(units.len(), "instance", "instances")),
        _ => String::new(),
    };
    let below = ReachableUnits::of(circuit, &units);
    let n_below = below.units().count();
    let n_edges: usize = below.units().map(|unit| circuit.n_children(unit)).sum();
    let mut text = format!(
        "\n- {}: {instances}{} and {} below and in it",
        kind(circuit, first),
        counted(n_below, "unit", "units"),
        counted(n_edges, "edge", "edges"),
    );
    text.push_str(&format!("\n- scope: {}", scope(circuit, facts, &units)));
    text.push_str(&format!("\n- {}", properties(circuit, facts, &below)));
    text
}

/// The root: size and properties of the whole circuit.
pub fn root(analysis: &Analysis) -> String {
    let Some((circuit, facts)) = compiled(Some(analysis)) else {
        return String::new();
    };
    let below = ReachableUnits::of(circuit, &[circuit.root()]);
    let n_edges: usize = below.units().map(|unit| circuit.n_children(unit)).sum();
    let verdicts = Property::ALL.iter().filter_map(|&property| {
        let verdict = facts.verdict(property)?;
        Some(format!("{}: {}", property.name(), verdict.name()))
    });
    format!(
        "\n- {}, {}\n- scope: {}\n- {}",
        counted(below.units().count(), "unit", "units"),
        counted(n_edges, "edge", "edges"),
        scope(circuit, facts, &[circuit.root()]),
        verdicts.collect::<Vec<_>>().join(", ")
    )
}

/// A variable: domain and how it is bound to data.
pub fn variable(name: &str, analysis: Option<&Analysis>) -> String {
    let Some((circuit, _)) = compiled(analysis) else {
        return String::new();
    };
    let is_member = |variable: &&CircuitVariable| base(&variable.name) == name;
    let members: Vec<&CircuitVariable> = circuit.variables().iter().filter(is_member).collect();
    let Some(first) = members.first() else {
        return String::new();
    };
    let mut lines = vec![match first.domain.size() {
        Some(size) => format!("domain: {} ({} values)", first.domain, size),
        None => format!("domain: {}", first.domain),
    }];
    if first.name != name {
        lines.push(counted(members.len(), "member", "members"));
    }
    let binding = &first.binding;
    lines.extend(
        binding
            .column
            .iter()
            .map(|column| format!("column: {column}")),
    );
    lines.extend(binding.unit.iter().map(|unit| format!("unit: {unit}")));
    if !binding.missing.is_empty() {
        lines.push(format!("missing: {}", binding.missing.join(", ")));
    }
    lines.iter().map(|line| format!("\n- {line}")).collect()
}

/// A parameter: shape, entries, what of it is learned, and how often it is used.
pub fn parameter(name: &str, n_mentions: usize, analysis: Option<&Analysis>) -> String {
    let mentioned = format!("mentioned {n_mentions} times");
    let Some((circuit, _)) = compiled(analysis) else {
        return format!("\n- {mentioned}");
    };
    let members: Vec<ParamId> = (0..circuit.parameters().len())
        .map(ParamId::new)
        .filter(|&id| named(circuit, circuit.parameter(id).name, name))
        .collect();
    let Some(&first) = members.first() else {
        return format!("\n- not part of the circuit, {mentioned}");
    };
    let kind = circuit.parameter(first).kind.name();
    let shape = match members.len() {
        1 => kind.to_string(),
        n => format!("{n} × {kind}"),
    };
    let entries = || members.iter().flat_map(|&id| circuit.entries(id));
    let learned = entries().filter(|entry| entry.learned).count();
    let learned = match entries().count() - learned {
        0 => "learned".to_string(),
        _ if learned == 0 => "fixed".to_string(),
        fixed => format!("{learned} learned, {fixed} fixed"),
    };
    let n_entries = match entries().count() {
        1 => "1 entry".to_string(),
        n => format!("{n} entries"),
    };
    let n_uses = uses(circuit, &members);
    format!(
        "\n- {shape}, {n_entries}, {learned}\n- edges and leaves that use it: {n_uses}; {mentioned}"
    )
}

fn compiled(analysis: Option<&Analysis>) -> Option<(&CircuitGraph, &CircuitFacts)> {
    let analysis = analysis?;
    Some((analysis.circuit.as_ref()?, analysis.facts.as_ref()?))
}

fn units_named(circuit: &CircuitGraph, name: &str) -> Vec<UnitId> {
    let units = circuit.units();
    units
        .filter(|&unit| named(circuit, circuit.name(unit), name))
        .collect()
}

fn named(circuit: &CircuitGraph, id: Option<NameId>, name: &str) -> bool {
    id.is_some_and(|id| circuit.names().base(id) == name)
}

/// The name of an array's member without its indices.
fn base(name: &str) -> &str {
    if name.ends_with(']') {
        name.rfind('[').map_or(name, |at| &name[..at])
    } else {
        name
    }
}

fn kind(circuit: &CircuitGraph, unit: UnitId) -> &'static str {
    match circuit.kind(unit) {
        UnitKind::Input(_) => "leaf",
        UnitKind::Product => "product",
        UnitKind::Sum => "sum",
    }
}

/// The variables that units mention, abbreviated.
fn scope(circuit: &CircuitGraph, facts: &CircuitFacts, units: &[UnitId]) -> String {
    let scopes = facts.scopes();
    let distinct: HashSet<_> = units.iter().map(|&unit| scopes.id(unit)).collect();
    let mut distinct = distinct.into_iter().map(|id| scopes.get(id).clone());
    let Some(first) = distinct.next() else {
        return "{}".to_string();
    };
    let all = distinct.fold(first, |all, scope| all.union(&scope));
    let shown = all.iter().take(SCOPE_SHOWN);
    let mut names: Vec<String> = shown
        .map(|variable| circuit.variable(variable).name.clone())
        .collect();
    if all.len() > SCOPE_SHOWN {
        names.push(format!("… {} in all", all.len()));
    }
    format!("{{{}}}", names.join(", "))
}

/// The properties of a part of the circuit. What holds for the root holds for
/// all it reaches; what is cheap is computed for the part itself.
fn properties(circuit: &CircuitGraph, facts: &CircuitFacts, below: &ReachableUnits) -> String {
    let root = ReachableUnits::of(circuit, &[circuit.root()]);
    // What the root does not reach inherits nothing from it.
    let is_inside = below.units().all(|unit| root.contains(unit));
    let known = Property::ALL.into_iter().filter_map(|property| {
        let inherited = is_inside && facts.is_proven(property);
        let answer = match property {
            _ if inherited => "proven",
            Property::Smooth => word(is_smooth(circuit, facts.scopes(), below)),
            Property::Decomposable => word(is_decomposable(circuit, facts.scopes(), below)),
            Property::Deterministic => deterministic(circuit, facts, below)?,
            Property::Structured | Property::Normalized => return None,
        };
        Some(format!("{}: {answer}", property.name()))
    });
    known.collect::<Vec<_>>().join(", ")
}

fn word(holds: bool) -> &'static str {
    if holds { "proven" } else { "refuted" }
}

fn is_smooth(circuit: &CircuitGraph, scopes: &Scopes, below: &ReachableUnits) -> bool {
    let mut sums = below
        .units()
        .filter(|&unit| circuit.kind(unit) == UnitKind::Sum);
    sums.all(|sum| {
        let mut children = circuit.children(sum);
        children.all(|child| scopes.id(child.unit) == scopes.id(sum))
    })
}

fn is_decomposable(circuit: &CircuitGraph, scopes: &Scopes, below: &ReachableUnits) -> bool {
    let size = |unit: UnitId| scopes.size(scopes.id(unit));
    let mut products = below
        .units()
        .filter(|&unit| circuit.kind(unit) == UnitKind::Product);
    products.all(|product| {
        let children = circuit.children(product);
        let total: usize = children.map(|child| size(child.unit)).sum();
        total == size(product)
    })
}

/// Decided only where it is quick and the circuit is otherwise sound.
fn deterministic(
    circuit: &CircuitGraph,
    facts: &CircuitFacts,
    below: &ReachableUnits,
) -> Option<&'static str> {
    if below.units().nth(DECIDED_SIZE).is_some() {
        return None;
    }
    let verdict = determinism::decide(circuit, facts.scopes(), below.marked(), &limits());
    (!matches!(verdict, PropertyVerdict::Unknown(_))).then(|| verdict.name())
}

/// How many edges and leaves use some parameters.
fn uses(circuit: &CircuitGraph, params: &[ParamId]) -> usize {
    let mut is_one = vec![false; circuit.parameters().len()];
    for param in params {
        is_one[param.index()] = true;
    }
    let of_unit = |unit: UnitId| {
        let weights = circuit.children(unit).filter_map(|child| child.weight);
        let n_edges = weights
            .filter(|weight| is_one[weight.param.index()])
            .count();
        let in_leaf = match circuit.leaf_of(unit).map(|leaf| &leaf.kind) {
            Some(LeafKind::Distribution(leaf)) => leaf.params.iter().any(|p| is_one[p.index()]),
            _ => false,
        };
        n_edges + usize::from(in_leaf)
    };
    circuit.units().map(of_unit).sum()
}
