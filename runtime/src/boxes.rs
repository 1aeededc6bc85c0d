//! Events as unions of boxes that do not overlap.

use pelton_compiler::circuit::{Circuit, Event, ValueSet, VarId};
use std::collections::BTreeMap;

/// More boxes than this are not worth a pass each.
const MOST: usize = 4096;

/// For some variables, the set their value lies in.
pub(crate) type Box = BTreeMap<VarId, ValueSet>;

/// The event as boxes that do not overlap; `None` if there are too many.
pub(crate) fn disjoint_boxes(circuit: &Circuit, event: &Event) -> Option<Vec<Box>> {
    let mut disjoint: Vec<Box> = Vec::new();
    for one in boxes(event)? {
        let mut pieces = vec![one];
        for other in &disjoint {
            pieces = pieces
                .iter()
                .flat_map(|piece| minus(circuit, piece, other))
                .collect();
            if pieces.len() > MOST {
                return None;
            }
        }
        disjoint.extend(pieces);
        if disjoint.len() > MOST {
            return None;
        }
    }
    Some(disjoint)
}

/// The event as boxes that may overlap.
fn boxes(event: &Event) -> Option<Vec<Box>> {
    match event {
        Event::In(variable, set) => Some(match set.is_empty() {
            true => Vec::new(),
            false => vec![Box::from([(*variable, set.clone())])],
        }),
        Event::Or(parts) => {
            let mut all = Vec::new();
            for part in parts {
                all.extend(boxes(part)?);
            }
            (all.len() <= MOST).then_some(all)
        }
        Event::And(parts) => {
            let mut all = vec![Box::new()];
            for part in parts {
                let next = boxes(part)?;
                if all.len() * next.len() > MOST {
                    return None;
                }
                all = all
                    .iter()
                    .flat_map(|left| next.iter().filter_map(|right| intersect(left, right)))
                    .collect();
            }
            Some(all)
        }
    }
}

/// The common part of two boxes, if there is any.
pub(crate) fn intersect(left: &Box, right: &Box) -> Option<Box> {
    let mut both = left.clone();
    for (&variable, set) in right {
        let set = match both.get(&variable) {
            Some(own) => own.intersect(set),
            None => set.clone(),
        };
        if set.is_empty() {
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
        if !outside.is_empty() {
            let mut piece = rest.clone();
            piece.insert(variable, outside);
            left.push(piece);
        }
        let inside = own.intersect(set);
        if inside.is_empty() {
            return left;
        }
        rest.insert(variable, inside);
    }
    left
}
