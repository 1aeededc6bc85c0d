//! What is known about a circuit that a pass made of a checked one.

use super::inspection::Inspection;
use super::{CheckOptions, Checked, CircuitFacts, PropertyVerdict, Refutation};
use super::{decomposable, normalized, smooth, structured};
use crate::circuit::{CircuitGraph, Property, ReachableUnits, Scope, Scopes, UnitId, Weight};
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
        for kept in [Property::Smooth, Property::Decomposable] {
            debug_assert!(
                facts.is_proven(kept),
                "passes keep circuits {}",
                kept.name()
            );
        }
        Checked::of(circuit, facts)
    }
}

fn facts(circuit: &CircuitGraph, old: &CircuitFacts) -> CircuitFacts {
    let was_asked = old.verdict(Property::Structured).is_some();
    let options = CheckOptions {
        decide: Vec::from_iter(was_asked.then_some(Property::Structured)),
        ..CheckOptions::default()
    };
    let mut inspection = Inspection::new(circuit, &options);
    // What there is to say was said of the text that the author wrote.
    let mut unheard = SourceDiagnostics::new();
    smooth::check_smooth(&mut inspection, &mut unheard);
    decomposable::check_decomposable(&mut inspection, &mut unheard);
    normalized::check_normalized(&mut inspection, &mut unheard);
    structured::check_structured(&mut inspection, &mut unheard);
    // The search for determinism is not repeated: its proof stays, and its witness is tried
    // again.
    if let Some(verdict) = old.verdict(Property::Deterministic) {
        let verdict = determinism(&inspection, verdict);
        inspection.record(Property::Deterministic, verdict);
    }
    // What cannot be decided anew was proven of the circuit before, and passes keep it.
    for property in Property::ALL {
        let verdict = inspection.verdict(property);
        let is_open = matches!(verdict, Some(PropertyVerdict::Unknown(_)));
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
    match overlap_at(circuit, scopes, &inspection.root_reach, &why.witness) {
        Some(overlap) => PropertyVerdict::Refuted(overlap),
        None => PropertyVerdict::Unknown(GONE.to_string()),
    }
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
    // A sum counts only if the witness names its whole scope; scopes are few, so each is looked
    // at once.
    let is_named = |scope: &Scope| scope.iter().all(|id| !witness[id.index()].is_nan());
    let is_named: Vec<bool> = scopes.distinct().iter().map(is_named).collect();
    let sums = circuit.sums().filter(|&sum| reach.contains(sum));
    let mut sums = sums.filter(|&sum| is_named[scopes.id(sum).index()]);
    sums.find_map(|unit| {
        let counts = |&(_, (child, weight)): &(usize, (UnitId, Weight))| {
            is_positive[child.index()] && !circuit.entry(weight).is_fixed_zero()
        };
        let mut children = circuit.terms(unit).enumerate().filter(counts);
        let pair = [children.next()?.0, children.next()?.0];
        Some(Refutation {
            unit,
            children: pair.to_vec(),
            witness: only_named(circuit, scopes, unit, witness),
        })
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
