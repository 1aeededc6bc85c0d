//! Events, and the questions about them that are written in the file.

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
