//! Leaves and sums of another mass than 1 in circuits that are no logic.

use super::inspection::Inspection;
use super::report::{FaultyUnit, report_places};
use super::total::UnitTotals;
use crate::circuit::{
    CircuitGraph, Domain, Leaf, LeafKind, ParamKind, Property, ReachableUnits, UnitId, UnitKind,
    ValueSet,
};
use crate::reference::log_masses;
use pelton_grammar::diagnostic::{Code, SourceDiagnostic, SourceDiagnostics};

/// How far the logarithm of a mass may be from 0.
const TOLERANCE: f64 = 1e-6;
/// Values that a repair lists one by one.
const LONGEST_LIST: f64 = 12.0;

/// The masses of all units, at the values that learning starts from.
pub(super) struct Masses {
    logs: Vec<f64>,
}

impl Masses {
    pub fn new(circuit: &CircuitGraph, totals: &UnitTotals) -> Self {
        let logs = log_masses(circuit, totals.values());
        Masses { logs }
    }

    /// Whether the mass of a unit is 1, up to rounding.
    pub fn is_one(&self, unit: UnitId) -> bool {
        self.logs[unit.index()].abs() <= TOLERANCE
    }
}

/// Warns of leaves, and of sums whose weights are all 1, that have another mass than 1.
///
/// `0.5: [sky = clear] + 0.5: [sky != clear]` gives clear skies a third: the second weight
/// counts for each of two values. In a circuit that [counts](CircuitGraph::is_counting) that is
/// what is meant. Parameters declared as `weights` and a root that scales one circuit say
/// that they are meant, and where a unit above has mass 1 the masses below make up for each
/// other. Sums with other weights are told as slips.
///
/// Linear in edges, and nothing if there are no such units.
pub(super) fn warn_of_masses(
    inspection: &Inspection,
    totals: &UnitTotals,
    masses: &Masses,
    units: impl Iterator<Item = UnitId>,
    found: &mut SourceDiagnostics,
) {
    let circuit = inspection.circuit;
    let unmeant: Vec<UnitId> = units.filter(|&unit| !is_meant(circuit, unit)).collect();
    // What is wrong below has no mass to speak of.
    let is_sound =
        inspection.is_proven(Property::Smooth) && inspection.is_proven(Property::Decomposable);
    if unmeant.is_empty() || !is_sound || circuit.is_counting() {
        return;
    }
    let exposed = exposed(circuit, masses);
    let faults = unmeant.into_iter().filter(|&unit| exposed.contains(unit));
    let faults: Vec<UnitId> = faults.collect();
    let are_off = "leaves and sums have another mass than 1";
    report_places(circuit, &faults, are_off, found, |place| {
        match circuit.leaf_of(place.unit) {
            Some(leaf) => leaf_message(inspection, totals, place, leaf),
            None => sum_message(circuit, totals, place),
        }
    });
}

/// Whether a total other than 1 was asked for.
fn is_meant(circuit: &CircuitGraph, unit: UnitId) -> bool {
    let is_scale = unit == circuit.root() && circuit.n_children(unit) == 1;
    // A scale at the root and weights that were declared as such say that their total is meant.
    let mut weights = circuit.children(unit).filter_map(|child| child.weight);
    let is_declared = weights.any(|weight| {
        let parameter = circuit.parameter(weight.param);
        parameter.name.is_some() && parameter.kind == ParamKind::Weights
    });
    circuit.kind(unit) == UnitKind::Sum && (is_scale || is_declared)
}

/// Units whose mass reaches the root's: those with a path from it on which no unit has
/// mass 1, now and whatever is learned.
fn exposed(circuit: &CircuitGraph, masses: &Masses) -> ReachableUnits {
    // From the leaves up: a learned weight of a term that is off can move the sum's mass, too.
    let mut is_off: Vec<bool> = Vec::with_capacity(circuit.n_units());
    for unit in circuit.units() {
        let is_learned = |weight| circuit.entry(weight).learned;
        let mut children = circuit.children(unit);
        let learns_off = children
            .any(|child| child.weight.is_some_and(is_learned) && is_off[child.unit.index()]);
        is_off.push(learns_off || !masses.is_one(unit));
    }
    // From the root down, as far as masses are off: below a unit of mass 1 they cancel.
    let root = circuit.root();
    let start = is_off[root.index()].then_some(root);
    ReachableUnits::along(circuit, start.as_slice(), |_, child| {
        is_off[child.unit.index()]
    })
}

fn leaf_message(
    inspection: &Inspection,
    totals: &UnitTotals,
    place: FaultyUnit,
    leaf: &Leaf,
) -> SourceDiagnostic {
    let circuit = inspection.circuit;
    let (whose, more) = (circuit.describe(place.unit), place.and_more());
    let (total, span) = (totals.show(place.unit), circuit.span(place.unit));
    let sentence = format!("{whose} has mass {total}, not 1{more}");
    let message = SourceDiagnostic::new(Code::MassOff, span, sentence)
        .at(format!("what it is multiplied by counts {total} times"));
    let advice = advice(circuit);
    let name = &circuit.variable(leaf.variable).name;
    let text = distribution_text(circuit, leaf);
    let written = inspection
        .options
        .sources
        .map(|sources| sources.slice(span));
    // In loops the text has the name with its variable index.
    let is_written =
        |text: &&str| text.starts_with('[') && text.ends_with(']') && text.contains(name.as_str());
    let help = match (text, written.filter(is_written)) {
        (Some(text), Some(_)) => {
            let repair = format!("share it among the values: write a distribution{advice}");
            return message.suggest(repair, span, text);
        }
        (Some(text), None) => {
            format!("write a distribution, here `{text}`, to share it among the values{advice}")
        }
        (None, _) => {
            format!("write a distribution on the same values to share it among them{advice}")
        }
    };
    message.help(help)
}

/// What else can be done, where all weights can be scaled.
fn advice(circuit: &CircuitGraph) -> &'static str {
    let mut terms = circuit.sums().flat_map(|sum| circuit.terms(sum));
    if terms.all(|(_, weight)| circuit.is_scalable(weight)) {
        "; `@normalize` before the statement keeps the proportions of all values instead"
    } else {
        ""
    }
}

fn sum_message(circuit: &CircuitGraph, totals: &UnitTotals, place: FaultyUnit) -> SourceDiagnostic {
    let (whose, more) = (circuit.describe(place.unit), place.and_more());
    let total = totals.show(place.unit);
    let sentence = format!("weights of {whose} are all 1, and add up to {total}{more}");
    let help =
        "write weights that add up to 1, or `@normalize` before the statement to have them scaled";
    let message = SourceDiagnostic::new(Code::MassOff, circuit.span(place.unit), sentence);
    message.at("each term counts in full").help(help)
}

/// The uniform distribution on the values of an indicator, as the language writes it.
fn distribution_text(circuit: &CircuitGraph, leaf: &Leaf) -> Option<String> {
    let variable = circuit.variable(leaf.variable);
    let (name, domain) = (&variable.name, &variable.domain);
    let LeafKind::Indicator(set) = &leaf.kind else {
        return None;
    };
    let set = set.intersect(&domain.full());
    if domain.size().is_some() && set == domain.full() {
        return Some(format!("{name} ~ uniform()"));
    }
    let listed = || Some(format!("{name} ~ uniform() in {}", list(&set, domain)?));
    match (domain, set.runs()) {
        (Domain::Bool, _) => None,
        (Domain::Categories(_), _) => listed(),
        (_, &[(low, high)]) if !low.is_after() && !high.is_after() => {
            let (low, high) = (low.value(), high.value());
            let is_short = low.abs() < 1e15 && high.abs() < 1e15;
            is_short.then(|| format!("{name} ~ uniform({low}, {high})"))
        }
        (Domain::Range { .. }, _) => listed(),
        _ => None,
    }
}

/// A few values one by one, `{cloudy, storm}`, if these can be written as they are.
fn list(set: &ValueSet, domain: &Domain) -> Option<String> {
    if set.measure() > LONGEST_LIST {
        return None;
    }
    let runs = set.runs().iter();
    let values = runs.flat_map(|(low, high)| (low.value() as i64)..(high.value() as i64));
    let texts = values.map(|value| domain.witness(value as f64).to_string());
    let texts: Vec<String> = texts.collect();
    let is_plain = |text: &String| text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let can_be_written = matches!(domain, Domain::Range { .. }) || texts.iter().all(is_plain);
    can_be_written.then(|| format!("{{{}}}", texts.join(", ")))
}
