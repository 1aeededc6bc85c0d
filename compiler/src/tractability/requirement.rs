//! What questions need.

use crate::circuit::Property;

/// What a question needs to have an exact answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TractabilityRequirement {
    /// A property of the circuit.
    Holds(Property),
    /// That of the second circuit.
    SecondHolds(Property),
    /// Both circuits split their variables alike.
    Compatible,
    /// All variables have finite domains.
    Finite,
    /// The variables that are asked about decide what sums over them choose.
    MarginallyDeterministic,
    /// No cell of the data is missing.
    CompleteRows,
    /// The resulting circuit is within the limit of units and edges.
    Room,
}

impl TractabilityRequirement {
    /// As a clause, as in "exact if the circuit is deterministic".
    pub(super) fn clause(self) -> String {
        let clause = match self {
            Self::Holds(property) => return format!("the circuit is {}", property.name()),
            Self::SecondHolds(property) => {
                return format!("the second circuit is {}", property.name());
            }
            Self::Compatible => "the circuits are compatible",
            Self::Finite => "all domains are finite",
            Self::MarginallyDeterministic => "the variables that are asked about decide its sums",
            Self::CompleteRows => "rows are complete",
            Self::Room => "the result is not too large",
        };
        clause.to_string()
    }

    /// In a few words, for tables.
    pub fn text(self) -> String {
        let words = match self {
            Self::Holds(property) => property.name(),
            Self::SecondHolds(property) => return format!("second circuit {}", property.name()),
            Self::Compatible => "compatible",
            Self::Finite => "finite domains",
            Self::MarginallyDeterministic => "deterministic in the variables that are asked about",
            Self::CompleteRows => "complete rows",
            Self::Room => "a result within the limit of units and edges",
        };
        words.to_string()
    }
}
