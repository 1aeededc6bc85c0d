//! What is known about a circuit that a pass made of a checked one.

use super::inspection::Inspection;
use super::{CheckOptions, Checked, CircuitFacts, PropertyVerdict, Refutation};
use super::{decomposable, normalized, smooth, structured};
use crate::circuit::{CircuitGraph, Property, ReachableUnits, Scopes, UnitId};
use crate::reference::positive;
use pelton_grammar::diagnostic::SourceDiagnostics;

/// Why determinism is open after a pass, although it was refuted before.
const GONE: &str = "the sums that were seen to overlap have been rewritten";

impl Checked {
    /// The proof for `circuit`, which a pass made of this one.
    ///
    /// Passes preserve all five properties, so what was proven stays proven.
    /// The other verdicts name units of the old circuit: what is cheap is decided
    /// again, and a refutation of determinism is carried over if its witness
    /// still makes two children of a sum positive. Linear in edges.
    pub(crate) fn rewritten(self, circuit: CircuitGraph) -> Checked {
        let facts = facts(&circuit, self.facts());
        debug_assert!(
            facts.is_proven(Property::Smooth),
            "passes keep circuits smooth"
        );
        debug_assert!(
            facts.is_proven(Property::Decomposable),
            "passes keep circuits decomposable"
        );
        Checked::of(circuit, facts)
    }
}

fn facts(circuit: &CircuitGraph, old: &CircuitFacts) -> CircuitFacts {
    let was_asked = old.verdict(Property::Structured).is_some();
    let options = CheckOptions {
        decide: was_asked
            .then_some(Property::Structured)
            .into_iter()
            .collect(),
        ..CheckOptions::default()
    };
    let mut inspection = Inspection::new(circuit, &options);
    // What there is to say was said of the text that the author wrote.
    let mut unheard = SourceDiagnostics::new();
    smooth::check_smooth(&mut inspection, &mut unheard);
    decomposable::check_decomposable(&mut inspection, &mut unheard);
    normalized::check_normalized(&mut inspection, &mut unheard);
    structured::check_structured(&mut inspection, &mut unheard);
    if let Some(verdict) = old.verdict(Property::Deterministic) {
        let verdict = determinism(&inspection, verdict);
        inspection.record(Property::Deterministic, verdict);
    }
    for property in Property::ALL {
        let is_open = matches!(
            inspection.verdict(property),
            Some(PropertyVerdict::Unknown(_))
        );
        if is_open && old.is_proven(property) {
            inspection.record(property, PropertyVerdict::Proven);
        }
    }
    inspection.into_facts()
}

fn determinism(inspection: &Inspection, old: &PropertyVerdict) -> PropertyVerdict {
    let PropertyVerdict::Refuted(why) = old else {
        return old.clone();
    };
    let (circuit, scopes) = (inspection.circuit, &inspection.scopes);
    let overlap = overlap_at(circuit, scopes, &inspection.root_reach, &why.witness);
    overlap.map_or_else(
        || PropertyVerdict::Unknown(GONE.to_string()),
        PropertyVerdict::Refuted,
    )
}

/// The first sum with two children that are positive at the witness. Only
/// sums whose variables it all names count: of the others a child each might
/// be positive for different values of what is open.
fn overlap_at(
    circuit: &CircuitGraph,
    scopes: &Scopes,
    reach: &ReachableUnits,
    witness: &[f64],
) -> Option<Refutation> {
    let is_positive = positive(circuit, circuit.root(), witness);
    let distinct = scopes.distinct().iter();
    let is_named: Vec<bool> = distinct
        .map(|scope| scope.iter().all(|id| !witness[id.index()].is_nan()))
        .collect();
    let sums = circuit.sums().filter(|&sum| reach.contains(sum));
    let mut sums = sums.filter(|&sum| is_named[scopes.id(sum).index()]);
    sums.find_map(|unit| {
        let mut children = positive_children(circuit, &is_positive, unit);
        let pair = [children.next()?, children.next()?];
        Some(Refutation {
            unit,
            children: pair.to_vec(),
            witness: only_named(circuit, scopes, unit, witness),
        })
    })
}

fn positive_children<'a>(
    circuit: &'a CircuitGraph,
    is_positive: &'a [bool],
    sum: UnitId,
) -> impl Iterator<Item = usize> + 'a {
    let terms = circuit.terms(sum).enumerate();
    terms.filter_map(|(at, (unit, weight))| {
        let counts = is_positive[unit.index()] && !circuit.entry(weight).is_fixed_zero();
        counts.then_some(at)
    })
}

/// The witness without the variables that do not matter for the unit.
fn only_named(circuit: &CircuitGraph, scopes: &Scopes, unit: UnitId, witness: &[f64]) -> Vec<f64> {
    let mut named = vec![f64::NAN; circuit.variables().len()];
    for id in scopes.of(unit).iter() {
        named[id.index()] = witness[id.index()];
    }
    named
}
