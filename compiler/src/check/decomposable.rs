//! Decomposability: the children of a product share no variable.

use super::inspection::Inspection;
use super::report::{FaultyUnit, report_places, show_child, show_scope, show_variables};
use crate::circuit::{CircuitGraph, LeafKind, Property, Scopes, UnitId, UnitKind, VarId};
use pelton_grammar::diagnostic::{Code, SourceDiagnostic, SourceDiagnostics};
use rustc_hash::FxHashMap;

/// Reports every product with two children that mention the same variable.
///
/// A product is *decomposable* if its children have disjoint scopes. They are
/// then independent, so that an integral over the product is the product of
/// integrals.
///
/// Linear in edges: scopes are disjoint exactly if their sizes add up to that
/// of the union. Only for faults that are shown the variables are looked at.
pub(super) fn check_decomposable(inspection: &mut Inspection, found: &mut SourceDiagnostics) {
    let (circuit, scopes) = (inspection.circuit, &inspection.scopes);
    let is_faulty = |unit| !is_decomposable(circuit, scopes, unit);
    let faults = inspection.faulty(UnitKind::Product, is_faulty);
    let are_not = "products are not decomposable";
    report_places(circuit, &faults, are_not, found, |place| {
        let message = message(circuit, scopes, place);
        inspection.explain_elsewhere(Property::Decomposable, place.unit, message)
    });
    inspection.record_faults(Property::Decomposable, faults);
}

fn is_decomposable(circuit: &CircuitGraph, scopes: &Scopes, product: UnitId) -> bool {
    let size = |unit| scopes.size(scopes.id(unit));
    let sizes = circuit.children(product).map(|child| size(child.unit));
    sizes.sum::<usize>() == size(product)
}

fn message(circuit: &CircuitGraph, scopes: &Scopes, place: FaultyUnit) -> SourceDiagnostic {
    let product = place.unit;
    let (first, second) = first_overlap(circuit, scopes, product)
        .expect("scopes whose sizes exceed that of their union overlap");
    let [a, b] = [first, second].map(|at| circuit.child(product, at));
    let shared = scopes.of(a.unit).intersect(scopes.of(b.unit));
    let (whose, more) = (circuit.describe(product), place.and_more());
    let sentence = format!("{whose} is not decomposable{more}");
    let [scope_a, scope_b] = [a, b].map(|child| show_scope(circuit, scopes.of(child.unit)));
    let diagnostic = SourceDiagnostic::new(Code::NotDecomposable, b.span, sentence);
    let diagnostic = if a.span == b.span {
        let [one, other] = [first, second].map(|at| show_child(circuit, product, at));
        diagnostic.at(format!(
            "{one} has scope {scope_a}, {other} has scope {scope_b}"
        ))
    } else {
        diagnostic
            .at(format!("this child has scope {scope_b}"))
            .label(a.span, format!("this child has scope {scope_a}"))
    };
    let shared = show_variables(circuit, &shared);
    let note = format!(
        "the children of a product must not share variables; children {} and {} both mention \
         {shared}",
        first + 1,
        second + 1
    );
    diagnostic.note(note).help(way_out(circuit, a.unit, b.unit))
}

/// The first child that mentions a variable again, after the child that mentions it before.
fn first_overlap(
    circuit: &CircuitGraph,
    scopes: &Scopes,
    product: UnitId,
) -> Option<(usize, usize)> {
    let mut seen: FxHashMap<VarId, usize> = FxHashMap::default();
    for (child_idx, child) in circuit.children(product).enumerate() {
        for variable in scopes.of(child.unit).iter() {
            if let Some(before) = seen.insert(variable, child_idx) {
                return Some((before, child_idx));
            }
        }
    }
    None
}

fn way_out(circuit: &CircuitGraph, a: UnitId, b: UnitId) -> &'static str {
    let kind_of = |unit| circuit.leaf_of(unit).map(|leaf| &leaf.kind);
    use LeafKind::{Distribution, Indicator};
    match (kind_of(a), kind_of(b)) {
        (Some(Indicator(a)), Some(Indicator(b))) if a.is_disjoint(b) => {
            "no value satisfies both, so the product is 0 for every input: leave it out"
        }
        (Some(Indicator(a)), Some(Indicator(b))) if a == b => {
            "both say the same: leave one of them out"
        }
        (Some(Indicator(_)), Some(Indicator(_))) => {
            "write one indicator of the values that both allow, such as `[10 <= x < 20]`"
        }
        (Some(Indicator(_)), Some(Distribution(_)))
        | (Some(Distribution(_)), Some(Indicator(_))) => {
            "to restrict a distribution to some values, truncate it: `x ~ normal(0, 1) in [10, 20)`"
        }
        _ => {
            "mention each variable in one factor only; to let one variable depend on another, use a sum"
        }
    }
}
