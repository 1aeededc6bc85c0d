//! What is known: one vocabulary for all that answers questions.
//!
//! An [`Event`] is what an author writes, a logical combination of statements about single
//! variables. It is answered as boxes that do not overlap ([`disjoint_boxes`]), each a
//! [`ValueBox`]: for some variables the set that their value lies in. A [`EvidenceCell`] is what is
//! known of one variable in one row, where weights of soft evidence come in as well.

mod partition;
mod value_box;

pub use partition::{MOST_BOXES, disjoint_boxes};
pub use value_box::ValueBox;

use crate::circuit::{ValueSet, VarId};
use pelton_grammar::source::Span;

/// `query P(rain | wet)`
#[derive(Clone, Debug)]
pub struct DeclaredQuery {
    /// As written, from the kind to the closing parenthesis.
    pub text: String,
    /// What the probability is of; everything if nothing was written.
    pub event: Event,
    /// What is known; everything if nothing was written.
    pub given: Event,
    /// Its place.
    pub span: Span,
}

/// A logical combination of statements about single variables.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// The variable's value lies in the set.
    In(VarId, ValueSet),
    /// All of them hold; nothing at all always holds.
    And(Vec<Event>),
    /// One of them holds at least.
    Or(Vec<Event>),
}

impl Event {
    /// The variables that it is about, as often as it names them.
    pub fn variables(&self) -> impl Iterator<Item = VarId> + '_ {
        let mut pending = vec![self];
        std::iter::from_fn(move || {
            loop {
                match pending.pop()? {
                    Event::In(variable, _) => return Some(*variable),
                    Event::And(parts) | Event::Or(parts) => pending.extend(parts),
                }
            }
        })
    }
}

/// What is known of one variable in one row of data.
#[derive(Clone, Debug, PartialEq)]
pub enum EvidenceCell {
    /// Nothing.
    Missing,
    /// Its value.
    Value(f64),
    /// A weight for each value of its finite domain, in order.
    Soft(Vec<f64>),
    /// That its value lies in this set.
    In(ValueSet),
}

impl EvidenceCell {
    /// The cells of an assignment, in which NaN stands for a missing value.
    pub fn row(assignment: &[f64]) -> Vec<EvidenceCell> {
        let cell = |&x: &f64| {
            if x.is_nan() {
                EvidenceCell::Missing
            } else {
                EvidenceCell::Value(x)
            }
        };
        assignment.iter().map(cell).collect()
    }

    /// The value that was observed; NaN if none was.
    pub fn observed(&self) -> f64 {
        match self {
            EvidenceCell::Value(x) => *x,
            EvidenceCell::Missing | EvidenceCell::Soft(_) | EvidenceCell::In(_) => f64::NAN,
        }
    }
}
