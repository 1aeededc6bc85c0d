//! Filling: logical circuits made smooth by factors that are 1 on every value.

mod along;
mod beside;
mod guide;

use super::structured::follows_one_tree;
use crate::circuit::{Child, Circuit, UnitId};
use guide::Guide;
use pelton_grammar::source::Span;

/// Multiplies each child of a sum by indicators of all values of the variables that it
/// misses, and the root by those that nothing mentions; `None` if that would take more
/// than `max_size` units and edges.
///
/// Before: `1: rain * wet + 1: !rain`.
/// After: `1: rain * wet + 1: !rain * [wet in {false, true}]`.
///
/// In logic a missing variable may take any value, so the mass of the result is the
/// number of models. [`smooth`](super::smooth()) fills in distributions instead.
///
/// What is missing is filled in beside the child. If the products then split their
/// variables in conflicting ways, although there is a tree that all of them can follow
/// (as there is for every decision diagram), all units are filled up to nodes of that
/// tree instead, so that the circuit is structured.
pub fn fill_any(circuit: Circuit, max_size: usize) -> Option<Circuit> {
    let filled = beside::fill(&circuit, max_size);
    if filled.as_ref().is_some_and(follows_one_tree) {
        return filled;
    }
    Guide::of(&circuit)
        .and_then(|guide| along::fill(&circuit, &guide, max_size))
        .or(filled)
}

fn factor(unit: UnitId, span: Span) -> Child {
    Child {
        unit,
        weight: None,
        span,
    }
}
