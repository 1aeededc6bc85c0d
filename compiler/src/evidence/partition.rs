//! Events as unions of boxes that do not overlap.

use super::{Event, ValueBox};
use crate::circuit::{CircuitGraph, ValueSet, VarId};
use std::collections::BTreeMap;

/// More boxes than this are not worth a pass each.
pub const MOST_BOXES: usize = 4096;
/// Boxes cut out of boxes before giving up: a second or so.
const MOST_CUTS: usize = 500_000;

/// The event as boxes that do not overlap, each real variable that has a few exact values
/// (`x in {1, 2}`) at one of them; `None` if there are too many.
pub fn disjoint_boxes(circuit: &CircuitGraph, event: &Event) -> Option<Vec<ValueBox>> {
    let n_cuts = 0;
    let boxes = EventPartition { circuit, n_cuts }.boxes(event)?;
    with_single_points(circuit, &boxes)
}

/// The boxes with each real variable that has a few exact values at one of them.
fn with_single_points(circuit: &CircuitGraph, boxes: &[ValueBox]) -> Option<Vec<ValueBox>> {
    let mut found = Vec::new();
    for one in boxes {
        // Points have densities, each of its own: a box at each of them, for all such
        // variables.
        let mut pieces = vec![one.clone()];
        for (variable, set) in one.sets() {
            let is_real = !circuit.variable(variable).domain.is_discrete();
            if !is_real || set.measure() > 0.0 {
                continue;
            }
            let points = set.runs().iter().map(|run| run.0.value());
            let at = |piece: &ValueBox, x| {
                let mut piece = piece.clone();
                piece.insert(variable, ValueSet::point(x, false));
                piece
            };
            pieces = points
                .flat_map(|x| pieces.iter().map(move |piece| at(piece, x)))
                .take(MOST_BOXES + 1)
                .collect();
        }
        found.extend(pieces);
        if found.len() > MOST_BOXES {
            return None;
        }
    }
    Some(found)
}

struct EventPartition<'c> {
    circuit: &'c CircuitGraph,
    n_cuts: usize,
}

impl EventPartition<'_> {
    /// Boxes of the parts of an `&&` do not overlap if those of each part do not.
    fn boxes(&mut self, event: &Event) -> Option<Vec<ValueBox>> {
        match event {
            Event::In(_, set) if set.is_empty() => Some(Vec::new()),
            Event::In(variable, set) => Some(vec![alone(*variable, set.clone())]),
            // All pairs of boxes of two parts: what they have in common is in both.
            Event::And(parts) => parts
                .iter()
                .try_fold(vec![ValueBox::default()], |all, part| {
                    let next = self.boxes(part)?;
                    if all.len() * next.len() > MOST_BOXES {
                        return None;
                    }
                    let pairs = all
                        .iter()
                        .flat_map(|left| next.iter().map(move |right| (left, right)));
                    Some(
                        pairs
                            .filter_map(|(left, right)| left.intersect(right))
                            .collect(),
                    )
                }),
            Event::Or(parts) => {
                let parts = parts.iter().map(|part| self.boxes(part));
                let parts = joined(parts.collect::<Option<_>>()?);
                parts.into_iter().try_fold(Vec::new(), |mut all, part| {
                    let new = self.outside(part, &all)?;
                    all.extend(new);
                    (all.len() <= MOST_BOXES).then_some(all)
                })
            }
        }
    }

    /// What is left of `boxes` outside all `others`.
    fn outside(&mut self, mut boxes: Vec<ValueBox>, others: &[ValueBox]) -> Option<Vec<ValueBox>> {
        for other in others {
            // Each box outside of all others before it, so that none is counted twice.
            self.n_cuts += boxes.len();
            let cut = |piece: &ValueBox| piece.minus(self.circuit, other);
            boxes = boxes.iter().flat_map(cut).collect();
            if boxes.len() > MOST_BOXES || self.n_cuts > MOST_CUTS {
                return None;
            }
        }
        Some(boxes)
    }
}

/// A box that knows of one variable alone.
fn alone(variable: VarId, set: ValueSet) -> ValueBox {
    ValueBox::from_iter([(variable, set)])
}

/// Parts of a union with all that is about one variable alone as one set of its values: a
/// thousand intervals are one box.
fn joined(parts: Vec<Vec<ValueBox>>) -> Vec<Vec<ValueBox>> {
    let mut sets: BTreeMap<VarId, Vec<ValueSet>> = BTreeMap::new();
    let mut others = Vec::new();
    for part in parts {
        if part.iter().all(|one| one.sets().len() == 1) {
            for (variable, set) in part.iter().flat_map(ValueBox::sets) {
                sets.entry(variable).or_default().push(set.clone());
            }
        } else {
            others.push(part);
        }
    }
    let single = sets
        .into_iter()
        .map(|(variable, sets)| vec![alone(variable, union(sets))]);
    single.chain(others).collect()
}

/// The union of sets, by halves: one after the other would read the first ones every time.
fn union(mut sets: Vec<ValueSet>) -> ValueSet {
    while sets.len() > 1 {
        let pairs = sets.chunks(2).map(|pair| match pair {
            [a, b] => a.union(b),
            _ => pair[0].clone(),
        });
        sets = pairs.collect();
    }
    sets.pop().unwrap_or_else(ValueSet::empty)
}
