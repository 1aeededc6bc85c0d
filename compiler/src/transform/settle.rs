//! What a file says of its circuit, after the circuit became another.

use super::import::TransformSource;
use crate::check::{CheckOptions, Checked, PropertyVerdict, check};
use crate::circuit::{
    Assertion, CircuitBuilder, CircuitGraph, DeclaredQuery, Event, Property, UnitId, VarId,
};
use pelton_grammar::diagnostic::{SourceDiagnostics, counted};
use pelton_grammar::source::Span;
use rustc_hash::FxHashSet;

/// A circuit that was made of others.
#[derive(Clone, Debug)]
#[must_use]
pub struct TransformedCircuit {
    /// The circuit.
    pub checked: Checked,
    /// What of the file could not be kept, in words.
    pub notes: Vec<String>,
}

/// Properties that are asserted of a root, each once, with their places.
type Asserted = Vec<(Property, Option<Span>)>;

/// Ends a transformation: takes over what was asserted of the roots and asked of the
/// circuits, and checks the result.
///
/// An assertion is dropped if it is refuted for the new circuit, a query if it speaks of
/// a variable that is gone; notes say so. Assertions on other nodes than the root are
/// dropped, because nodes may have become parts of others.
pub(super) fn settle(
    mut builder: CircuitBuilder,
    root: UnitId,
    imports: &[&TransformSource],
) -> TransformedCircuit {
    let mut notes = Vec::new();
    // 1. Queries that still mean something, each once.
    let mut n_lost = 0;
    let mut seen: FxHashSet<&str> = FxHashSet::default();
    for import in imports {
        for query in import.circuit.queries() {
            match mapped_query(import, query) {
                None => n_lost += 1,
                Some(_) if seen.contains(query.text.as_str()) => {}
                Some(mapped) => {
                    seen.insert(&query.text);
                    builder.query(mapped);
                }
            }
        }
    }
    if n_lost > 0 {
        let queries = counted(n_lost, "query was", "queries were");
        notes.push(format!(
            "{queries} dropped: variables that they name are gone"
        ));
    }
    // 2. What was asserted of the roots.
    let (asserted, n_elsewhere) = asserted(imports);
    if n_elsewhere > 0 {
        let assertions = counted(n_elsewhere, "assertion", "assertions");
        notes.push(format!("{assertions} on nodes below the root dropped"));
    }
    // 3. The proof for what came of it.
    let checked = checked(builder.finish(root), asserted, &mut notes);
    TransformedCircuit { checked, notes }
}

/// What is asserted of all roots, and how many assertions are about something else.
fn asserted(imports: &[&TransformSource]) -> (Asserted, usize) {
    let mut all: Asserted = Vec::new();
    let mut n_elsewhere = 0;
    for circuit in imports.iter().map(|import| import.circuit) {
        for assertion in circuit.assertions() {
            if assertion.target != circuit.root() {
                n_elsewhere += 1;
                continue;
            }
            for &(property, place) in &assertion.properties {
                if all.iter().all(|known| known.0 != property) {
                    all.push((property, place));
                }
            }
        }
    }
    (all, n_elsewhere)
}

/// Checks a circuit and asserts of its root what is not refuted.
fn checked(circuit: CircuitGraph, asserted: Asserted, notes: &mut Vec<String>) -> Checked {
    let options = CheckOptions {
        decide: asserted.iter().map(|&(property, _)| property).collect(),
        ..CheckOptions::default()
    };
    let root = circuit.root();
    // An assertion that does not hold any more would make the result wrong, so each is decided
    // before it is taken over.
    let checked = check(circuit, &options, &mut SourceDiagnostics::new())
        .expect("transformations keep circuits smooth and decomposable");
    let verdict = |property| checked.facts().verdict(property);
    let is_refuted = |&(property, _): &(Property, Option<Span>)| {
        matches!(verdict(property), Some(PropertyVerdict::Refuted(_)))
    };
    let (lost, properties): (Asserted, Asserted) = asserted.into_iter().partition(is_refuted);
    for (property, _) in lost {
        let name = property.name();
        let note = format!("the assertion that the root is {name} was dropped: it no longer holds");
        notes.push(note);
    }
    if properties.is_empty() {
        return checked;
    }
    checked.asserting(Assertion {
        target: root,
        properties,
    })
}

fn mapped_query(import: &TransformSource, query: &DeclaredQuery) -> Option<DeclaredQuery> {
    let map = |id| import.variable(id);
    Some(DeclaredQuery {
        event: mapped_event(&query.event, &map)?,
        given: mapped_event(&query.given, &map)?,
        ..query.clone()
    })
}

/// The same event about the new variables; none if it speaks of one that is gone.
fn mapped_event(event: &Event, map: &dyn Fn(VarId) -> Option<VarId>) -> Option<Event> {
    let all = |parts: &[Event]| -> Option<Vec<Event>> {
        parts.iter().map(|part| mapped_event(part, map)).collect()
    };
    Some(match event {
        Event::In(variable, set) => Event::In(map(*variable)?, set.clone()),
        Event::And(parts) => Event::And(all(parts)?),
        Event::Or(parts) => Event::Or(all(parts)?),
    })
}
