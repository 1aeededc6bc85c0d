//! Events as unions of boxes that do not overlap.

use pelton_compiler::circuit::{Circuit, Event, ValueSet, VarId};
use std::collections::BTreeMap;

/// More boxes than this are not worth a pass each.
pub(crate) const MOST: usize = 4096;
/// Boxes cut out of boxes before giving up: a second or so.
const MOST_CUTS: usize = 500_000;

/// For some variables, the set their value lies in.
pub(crate) type Box = BTreeMap<VarId, ValueSet>;

/// The event as boxes that do not overlap; `None` if there are too many.
pub(crate) fn disjoint_boxes(circuit: &Circuit, event: &Event) -> Option<Vec<Box>> {
    let n_cuts = 0;
    Partition { circuit, n_cuts }.boxes(event)
}

/// The boxes with each real variable that has a few exact values (`x in {1, 2}`)
/// at one of them; `None` if there are too many.
pub(crate) fn with_single_points(circuit: &Circuit, boxes: &[Box]) -> Option<Vec<Box>> {
    let mut found = Vec::new();
    for one in boxes {
        let mut pieces = vec![one.clone()];
        for (&variable, set) in one {
            let is_real = !circuit.variable(variable).domain.is_discrete();
            if !is_real || set.measure() > 0.0 {
                continue;
            }
            let points = set.runs().iter().map(|run| run.0.value());
            let at = |piece: &Box, x| {
                let mut piece = piece.clone();
                piece.insert(variable, ValueSet::point(x, false));
                piece
            };
            pieces = points
                .flat_map(|x| pieces.iter().map(move |piece| at(piece, x)))
                .take(MOST + 1)
                .collect();
        }
        found.extend(pieces);
        if found.len() > MOST {
            return None;
        }
    }
    Some(found)
}

/// An event that is being taken apart.
struct Partition<'c> {
    circuit: &'c Circuit,
    n_cuts: usize,
}

impl Partition<'_> {
    /// Boxes of the parts of an `&&` do not overlap if those of each part do not.
    fn boxes(&mut self, event: &Event) -> Option<Vec<Box>> {
        match event {
            Event::In(_, set) if set.is_empty() => Some(Vec::new()),
            Event::In(variable, set) => Some(vec![Box::from([(*variable, set.clone())])]),
            Event::And(parts) => parts.iter().try_fold(vec![Box::new()], |all, part| {
                let next = self.boxes(part)?;
                if all.len() * next.len() > MOST {
                    return None;
                }
                let pairs = all
                    .iter()
                    .flat_map(|left| next.iter().map(move |right| (left, right)));
                Some(
                    pairs
                        .filter_map(|(left, right)| intersect(left, right))
                        .collect(),
                )
            }),
            Event::Or(parts) => {
                let parts: Option<Vec<Vec<Box>>> =
                    parts.iter().map(|part| self.boxes(part)).collect();
                let parts = joined(parts?);
                parts.into_iter().try_fold(Vec::new(), |mut all, part| {
                    let new = self.outside(part, &all)?;
                    all.extend(new);
                    (all.len() <= MOST).then_some(all)
                })
            }
        }
    }

    /// What is left of `boxes` outside all `others`.
    fn outside(&mut self, mut boxes: Vec<Box>, others: &[Box]) -> Option<Vec<Box>> {
        for other in others {
            self.n_cuts += boxes.len();
            let cut = |piece: &Box| minus(self.circuit, piece, other);
            boxes = boxes.iter().flat_map(cut).collect();
            if boxes.len() > MOST || self.n_cuts > MOST_CUTS {
                return None;
            }
        }
        Some(boxes)
    }
}

/// Parts of a union with all that is about one variable alone as one set of its values: a
/// thousand intervals are one box.
fn joined(parts: Vec<Vec<Box>>) -> Vec<Vec<Box>> {
    let mut sets: BTreeMap<VarId, Vec<ValueSet>> = BTreeMap::new();
    let mut others = Vec::new();
    for part in parts {
        match part.iter().all(|one| one.len() == 1) {
            true => {
                for (variable, set) in part.into_iter().flatten() {
                    sets.entry(variable).or_default().push(set);
                }
            }
            false => others.push(part),
        }
    }
    let single = sets
        .into_iter()
        .map(|(variable, sets)| vec![Box::from([(variable, union(sets))])]);
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

/// The common part of two boxes, if there is any that has mass.
pub(crate) fn intersect(left: &Box, right: &Box) -> Option<Box> {
    let mut both = left.clone();
    for (&variable, right_set) in right {
        let set = match both.get(&variable) {
            Some(own) => own.intersect(right_set),
            None => right_set.clone(),
        };
        let meets_only = is_sliver(&set, right_set)
            && both.get(&variable).is_some_and(|own| is_sliver(&set, own));
        if set.is_empty() || meets_only {
            return None;
        }
        both.insert(variable, set);
    }
    Some(both)
}

/// What is left of a box outside another, as boxes that do not overlap: for
/// each variable in turn the part that leaves the other box there, and from
/// then on only the part that does not.
fn minus(circuit: &Circuit, one: &Box, other: &Box) -> Vec<Box> {
    let mut left = Vec::new();
    let mut rest = one.clone();
    for (&variable, set) in other {
        let own = match rest.get(&variable) {
            Some(own) => own.clone(),
            None => circuit.variable(variable).domain.full(),
        };
        let outside = own.minus(set);
        if !outside.is_empty() && !is_sliver(&outside, &own) {
            let mut piece = rest.clone();
            piece.insert(variable, outside);
            left.push(piece);
        }
        let inside = own.intersect(set);
        if inside.is_empty() || is_sliver(&inside, &own) {
            return left;
        }
        rest.insert(variable, inside);
    }
    left
}

/// Whether a part of a set is only what is left where intervals meet: points of
/// the real axis, which have no mass. Exact values that were written stay, for
/// they ask for a density.
fn is_sliver(part: &ValueSet, whole: &ValueSet) -> bool {
    part.measure() == 0.0 && whole.measure() > 0.0
}
