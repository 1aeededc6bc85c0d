//! A pair under way.

use super::field::FieldElement;
use super::groups::FactorGroup;
use super::{FactorGroupPair, UnitComparison};

/// What a pair is made of.
pub(super) enum PairParts {
    Product(Vec<FactorGroupPair>),
    /// All terms on the left, with the logarithms of their shares and what stands for
    /// those in the field, times all on the right.
    Sum {
        lefts: Vec<(FactorGroup, f64, FieldElement)>,
        rights: Vec<(FactorGroup, f64)>,
    },
    /// Terms of two sums that are alike: each meets its own twin only.
    Twins(Vec<PairTerm>),
}

/// A term on the left times one on the right.
#[derive(Clone, Copy)]
pub(super) struct PairTerm {
    pub pair: FactorGroupPair,
    pub log_left: f64,
    pub log_right: f64,
    pub trace: FieldElement,
}

impl PairParts {
    pub fn len(&self) -> usize {
        match self {
            PairParts::Product(pairs) => pairs.len(),
            PairParts::Sum { lefts, rights } => lefts.len().saturating_mul(rights.len()),
            PairParts::Twins(terms) => terms.len(),
        }
    }

    /// The pair of terms at a position; none in products.
    fn term(&self, at: usize) -> Option<PairTerm> {
        match self {
            PairParts::Product(_) => None,
            PairParts::Twins(terms) => Some(terms[at]),
            PairParts::Sum { lefts, rights } => {
                let (left, log_left, trace) = lefts[at / rights.len()];
                let (right, log_right) = rights[at % rights.len()];
                Some(PairTerm {
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
pub(super) struct PairFrame {
    pub pair: FactorGroupPair,
    parts: PairParts,
    next: usize,
    pub total: UnitComparison,
}

impl PairFrame {
    pub fn new(pair: FactorGroupPair, parts: PairParts) -> Self {
        let total = match parts {
            PairParts::Product(_) => UnitComparison::ONE,
            PairParts::Sum { .. } | PairParts::Twins(_) => UnitComparison::ZERO,
        };
        PairFrame {
            pair,
            parts,
            next: 0,
            total,
        }
    }

    /// The part to look at next; none if the total is known.
    pub fn next_part(&self) -> Option<FactorGroupPair> {
        if self.next == self.parts.len() {
            return None;
        }
        match &self.parts {
            PairParts::Product(_) if self.total.is_zero() => None,
            PairParts::Product(pairs) => Some(pairs[self.next]),
            parts => parts.term(self.next).map(|term| term.pair),
        }
    }

    /// Takes the answer to the part that was next.
    pub fn add(&mut self, found: UnitComparison) {
        self.total = match self.parts.term(self.next) {
            None => self.total.times(found),
            Some(_) if found.is_zero() => self.total,
            Some(term) => {
                let (log_left, log_right) = (term.log_left, term.log_right);
                let (share, mass) = (log_left.exp(), found.mass);
                let total = self.total;
                UnitComparison {
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
