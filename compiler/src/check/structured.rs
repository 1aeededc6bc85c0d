//! Structured decomposability: all products split their variables along one tree.

use super::inspection::Inspection;
use super::report::{show_scope, show_variables};
use super::requirement::RequiredProperty;
use super::{PropertyVerdict, Refutation};
use crate::circuit::{
    CircuitGraph, Property, ReachableUnits, ScopeCrossing, ScopeId, Scopes, UnitId, UnitKind,
    Vtree, arrange,
};
use pelton_grammar::diagnostic::{Code, SourceDiagnostic, SourceDiagnostics};

/// Decides whether all products follow one vtree, where someone wants to know.
///
/// Circuits that follow one vtree can be multiplied and compared in polynomial
/// time. A smooth, decomposable circuit has a vtree exactly if the scopes of
/// its products and their children are laminar; two that cross are the proof
/// that there is none. Without smoothness laminar scopes still make a vtree,
/// but crossing ones prove nothing.
///
/// Linear in edges plus the words of the distinct scopes, for each unit that
/// the property is asserted of.
pub(super) fn check_structured(inspection: &mut Inspection, found: &mut SourceDiagnostics) {
    if inspection.is_wanted(Property::Structured) {
        decide_root(inspection);
    }
    let demands = inspection.demands.clone();
    for demand in demands.of(Property::Structured) {
        let is_below = inspection.root_reach.contains(demand.target);
        if is_below && inspection.is_proven(Property::Structured) {
            continue;
        }
        // What holds for all of the root holds below it; otherwise the part is looked at alone.
        let reach = ReachableUnits::of(inspection.circuit, &[demand.target]);
        // It is open only because of an error that is reported already.
        if let VtreeDecision::Fails(conflict) = decide(inspection, demand.target, &reach) {
            found.push(message(inspection, demand, &conflict));
        }
    }
}

/// Whether the scopes of a circuit's products and of their children nest, as far as the
/// root reaches. Linear as the check is.
pub(crate) fn follows_one_tree(circuit: &CircuitGraph) -> bool {
    let scopes = Scopes::compute(circuit);
    let reach = ReachableUnits::of(circuit, &[circuit.root()]);
    let sites = sites(circuit, &scopes, circuit.root(), &reach);
    vtree(&scopes, &sites).is_ok()
}

/// A tree for all scopes that have a site, or two of them that cross.
fn vtree(scopes: &Scopes, sites: &[Option<ScopeSite>]) -> Result<Vtree, ScopeCrossing> {
    let family = scopes.ids().filter(|id| sites[id.index()].is_some());
    arrange(scopes, &mut family.collect::<Vec<ScopeId>>())
}

fn decide_root(inspection: &mut Inspection) {
    let root = inspection.circuit.root();
    let verdict = match decide(inspection, root, &inspection.root_reach) {
        VtreeDecision::Holds(vtree) => {
            inspection.record_vtree(vtree);
            PropertyVerdict::Proven
        }
        VtreeDecision::Fails(conflict) => PropertyVerdict::Refuted(Refutation {
            children: conflict.first.1.into_iter().collect(),
            ..Refutation::of(conflict.first.0)
        }),
        VtreeDecision::Open(reason) => PropertyVerdict::Unknown(reason),
    };
    inspection.record(Property::Structured, verdict);
}

enum VtreeDecision {
    Holds(Vtree),
    Fails(ScopeConflict),
    Open(String),
}

/// Two places, each a unit or one of its children, whose scopes cross.
struct ScopeConflict {
    scopes: ScopeCrossing,
    first: ScopeSite,
    second: ScopeSite,
}

/// A unit, or the child at a position of it.
type ScopeSite = (UnitId, Option<usize>);

fn decide(inspection: &Inspection, target: UnitId, reach: &ReachableUnits) -> VtreeDecision {
    let (circuit, scopes) = (inspection.circuit, &inspection.scopes);
    if !inspection.holds_within(Property::Decomposable, reach) {
        return VtreeDecision::Open("it is not decomposable".to_string());
    }
    let sites = sites(circuit, scopes, target, reach);
    match vtree(scopes, &sites) {
        Ok(vtree) => VtreeDecision::Holds(vtree),
        Err(_) if !inspection.holds_within(Property::Smooth, reach) => {
            VtreeDecision::Open("it is not smooth".to_string())
        }
        Err(crossing) => VtreeDecision::Fails(ScopeConflict {
            scopes: crossing,
            first: sites[crossing.0.index()].expect("the scope has a site"),
            second: sites[crossing.1.index()].expect("the scope has a site"),
        }),
    }
}

/// The first place at which each scope takes part in a split, by its id.
fn sites(
    circuit: &CircuitGraph,
    scopes: &Scopes,
    target: UnitId,
    reach: &ReachableUnits,
) -> Vec<Option<ScopeSite>> {
    let mut sites: Vec<Option<ScopeSite>> = vec![None; scopes.distinct().len()];
    // A scope is remembered with the first place that it occurs at, for the message.
    let mut note = |unit: UnitId, site: ScopeSite| {
        let id = scopes.id(unit);
        if scopes.size(id) > 0 {
            sites[id.index()].get_or_insert(site);
        }
    };
    for unit in reach.units() {
        if circuit.kind(unit) == UnitKind::Product {
            for (at, child) in circuit.children(unit).enumerate() {
                note(child.unit, (unit, Some(at)));
            }
            note(unit, (unit, None));
        }
    }
    note(target, (target, None));
    sites
}

fn message(
    inspection: &Inspection,
    demand: &RequiredProperty,
    conflict: &ScopeConflict,
) -> SourceDiagnostic {
    let (circuit, scopes) = (inspection.circuit, &inspection.scopes);
    let [a, b] = [conflict.scopes.0, conflict.scopes.1].map(|id| scopes.get(id));
    let span_of = |(unit, child): ScopeSite| match child {
        Some(at) => circuit.child(unit, at).span,
        None => circuit.span(unit),
    };
    let names = |scope| show_variables(circuit, scope);
    let [one, other] = [conflict.first.0, conflict.second.0].map(|unit| circuit.describe(unit));
    let sentence = format!("{one} and {other} split their variables in conflicting ways");
    let text = |scope| format!("this part has scope {}", show_scope(circuit, scope));
    let (first, second) = (span_of(conflict.first), span_of(conflict.second));
    let message = SourceDiagnostic::new(Code::NotStructured, second, sentence);
    let message = if first == second {
        message.at(format!("{} and {}", text(a), text(b)))
    } else {
        message.at(text(b)).label(first, text(a))
    };
    let note = format!(
        "no vtree has both {} and {}: {} is in both, {} only in the first, {} only in the second",
        show_scope(circuit, a),
        show_scope(circuit, b),
        names(&a.intersect(b)),
        names(&a.minus(b)),
        names(&b.minus(a))
    );
    demand
        .explain(message.note(note))
        .help("split the variables in the same way in all products, or drop `structured`")
}
