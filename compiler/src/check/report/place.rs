//! Faults by the place they were written at.

use crate::circuit::{CircuitGraph, UnitId};
use indexmap::IndexMap;
use pelton_grammar::diagnostic::{SourceDiagnostic, SourceDiagnostics, thousands};
use pelton_grammar::source::Span;
use rustc_hash::FxBuildHasher;

/// Messages of one kind in one run; one line says how many more there are.
const MOST_MESSAGES: usize = 20;

/// A faulty unit that speaks for all that were written at the same place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FaultyUnit {
    /// The first of them.
    pub unit: UnitId,
    /// How many others there are: instances of an indexed node, or of a repetition.
    pub n_more: usize,
}

impl FaultyUnit {
    /// The end of a message's first sentence.
    pub fn and_more(&self) -> String {
        match self.n_more {
            0 => String::new(),
            1 => ", and 1 more instance".to_string(),
            n => format!(", and {} more instances", thousands(n)),
        }
    }
}

/// Reports a message for each place with faults, and after the first twenty a
/// single line: `n_left` more units `are_what`.
pub(crate) fn report_places(
    circuit: &CircuitGraph,
    faults: &[UnitId],
    are_what: &str,
    found: &mut SourceDiagnostics,
    mut message: impl FnMut(FaultyUnit) -> SourceDiagnostic,
) {
    let places = by_place(circuit, faults);
    // Some messages in full, and one line for all the rest.
    let (shown, left) = places.split_at(places.len().min(MOST_MESSAGES));
    let mut last = None;
    for &place in shown {
        let diagnostic = message(place);
        last = Some((diagnostic.code, diagnostic.severity));
        found.push(diagnostic);
    }
    if let (Some((code, severity)), false) = (last, left.is_empty()) {
        let n_left = thousands(left.iter().map(|place| 1 + place.n_more).sum());
        let line = SourceDiagnostic::without_place(code, format!("{n_left} more {are_what}"));
        found.push(line.severity(severity));
    }
}

/// Groups faulty units by their span, in the order of the first of each group.
fn by_place(circuit: &CircuitGraph, faults: &[UnitId]) -> Vec<FaultyUnit> {
    let mut places: IndexMap<Span, FaultyUnit, FxBuildHasher> = IndexMap::default();
    for &unit in faults {
        let place = places.entry(circuit.span(unit));
        place
            .and_modify(|place| place.n_more += 1)
            .or_insert(FaultyUnit { unit, n_more: 0 });
    }
    places.into_values().collect()
}
