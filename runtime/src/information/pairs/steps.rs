//! A pair under way.

use super::field::Element;
use super::groups::Group;
use super::{Comparison, Pair};

/// What a pair is made of.
pub(super) enum Parts {
    /// Independent groups of factors.
    Product(Vec<Pair>),
    /// All terms on the left, with the logarithms of their shares and what stands for
    /// those in the field, times all on the right.
    Sum {
        lefts: Vec<(Group, f64, Element)>,
        rights: Vec<(Group, f64)>,
    },
}

impl Parts {
    pub fn len(&self) -> usize {
        match self {
            Parts::Product(pairs) => pairs.len(),
            Parts::Sum { lefts, rights } => lefts.len().saturating_mul(rights.len()),
        }
    }
}

/// A pair whose parts are being worked off.
pub(super) struct Frame {
    pub pair: Pair,
    parts: Parts,
    next: usize,
    pub total: Comparison,
}

impl Frame {
    pub fn new(pair: Pair, parts: Parts) -> Self {
        let total = match parts {
            Parts::Product(_) => Comparison::ONE,
            Parts::Sum { .. } => Comparison::ZERO,
        };
        Frame {
            pair,
            parts,
            next: 0,
            total,
        }
    }

    /// The part to look at next; none if the total is known.
    pub fn next_part(&self) -> Option<Pair> {
        if self.next == self.parts.len() {
            return None;
        }
        match &self.parts {
            Parts::Product(_) if self.total.is_zero() => None,
            Parts::Product(pairs) => Some(pairs[self.next]),
            Parts::Sum { lefts, rights } => {
                let (left, right) = (self.next / rights.len(), self.next % rights.len());
                Some((lefts[left].0, rights[right].0))
            }
        }
    }

    /// Takes the answer to the part that was next.
    pub fn add(&mut self, found: Comparison) {
        self.total = match &self.parts {
            Parts::Product(_) => self.total.times(found),
            Parts::Sum { .. } if found.is_zero() => self.total,
            Parts::Sum { lefts, rights } => {
                let (_, log_left, trace) = lefts[self.next / rights.len()];
                let (_, log_right) = rights[self.next % rights.len()];
                let (share, mass) = (log_left.exp(), found.mass);
                let total = self.total;
                Comparison {
                    mass: total.mass + share * mass,
                    log_other: total.log_other + share * (found.log_other + log_right * mass),
                    log_ratio: total.log_ratio
                        + share * (found.log_ratio + (log_left - log_right) * mass),
                    trace: total.trace.plus(trace.times(found.trace)),
                }
            }
        };
        self.next += 1;
    }
}
