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
    /// Terms of two sums that are alike: each meets its own twin only.
    Twins(Vec<Term>),
}

/// A term on the left times one on the right.
#[derive(Clone, Copy)]
pub(super) struct Term {
    pub pair: Pair,
    pub log_left: f64,
    pub log_right: f64,
    pub trace: Element,
}

impl Parts {
    pub fn len(&self) -> usize {
        match self {
            Parts::Product(pairs) => pairs.len(),
            Parts::Sum { lefts, rights } => lefts.len().saturating_mul(rights.len()),
            Parts::Twins(terms) => terms.len(),
        }
    }

    /// The pair of terms at a position; none in products.
    fn term(&self, at: usize) -> Option<Term> {
        match self {
            Parts::Product(_) => None,
            Parts::Twins(terms) => Some(terms[at]),
            Parts::Sum { lefts, rights } => {
                let (left, log_left, trace) = lefts[at / rights.len()];
                let (right, log_right) = rights[at % rights.len()];
                Some(Term {
                    pair: (left, right),
                    log_left,
                    log_right,
                    trace,
                })
            }
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
            Parts::Sum { .. } | Parts::Twins(_) => Comparison::ZERO,
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
            parts => parts.term(self.next).map(|term| term.pair),
        }
    }

    /// Takes the answer to the part that was next.
    pub fn add(&mut self, found: Comparison) {
        self.total = match self.parts.term(self.next) {
            None => self.total.times(found),
            Some(_) if found.is_zero() => self.total,
            Some(term) => {
                let (log_left, log_right) = (term.log_left, term.log_right);
                let (share, mass) = (log_left.exp(), found.mass);
                let total = self.total;
                Comparison {
                    mass: total.mass + share * mass,
                    log_other: total.log_other + share * (found.log_other + log_right * mass),
                    log_ratio: total.log_ratio
                        + share * (found.log_ratio + (log_left - log_right) * mass),
                    trace: total.trace.plus(term.trace.times(found.trace)),
                }
            }
        };
        self.next += 1;
    }
}
