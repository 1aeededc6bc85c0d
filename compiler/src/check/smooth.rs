//! Smoothness: the children of a sum range over the same variables.

use super::inspection::Inspection;
use super::report::report_not_smooth;
use crate::circuit::{CircuitGraph, Property, Scopes, UnitId, UnitKind};
use pelton_grammar::diagnostic::SourceDiagnostics;

/// Reports every sum with a child that misses variables of another.
///
/// A sum is *smooth* if all of its children have the sum's own scope. Summing
/// out a variable then touches every branch alike, which is what lets one
/// forward pass answer any marginal.
///
/// Linear in edges: scopes are compared by their ids.
pub(super) fn check_smooth(inspection: &mut Inspection, found: &mut SourceDiagnostics) {
    let (circuit, scopes) = (inspection.circuit, &inspection.scopes);
    let is_faulty = |unit| short_children(circuit, scopes, unit).next().is_some();
    let faults = inspection.faulty(UnitKind::Sum, is_faulty);
    report_not_smooth(circuit, scopes, &faults, found, |unit, message| {
        inspection.explain_elsewhere(Property::Smooth, unit, message)
    });
    inspection.record_faults(Property::Smooth, faults);
}

/// Positions of the children that miss variables of their sum.
pub(crate) fn short_children<'a>(
    circuit: &'a CircuitGraph,
    scopes: &'a Scopes,
    sum: UnitId,
) -> impl Iterator<Item = usize> + 'a {
    let whole = scopes.id(sum);
    let children = circuit.children(sum).enumerate();
    children.filter_map(move |(at, child)| (scopes.id(child.unit) != whole).then_some(at))
}
