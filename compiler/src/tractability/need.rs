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
        match self {
            TractabilityRequirement::Holds(property) => {
                format!("the circuit is {}", property.name())
            }
            TractabilityRequirement::SecondHolds(property) => {
                format!("the second circuit is {}", property.name())
            }
            TractabilityRequirement::Compatible => "the circuits are compatible".to_string(),
            TractabilityRequirement::Finite => "all domains are finite".to_string(),
            TractabilityRequirement::MarginallyDeterministic => {
                "the variables that are asked about decide its sums".to_string()
            }
            TractabilityRequirement::CompleteRows => "rows are complete".to_string(),
            TractabilityRequirement::Room => "the result is not too large".to_string(),
        }
    }

    /// In a few words, for tables.
    pub fn text(self) -> String {
        match self {
            TractabilityRequirement::Holds(property) => property.name().to_string(),
            TractabilityRequirement::SecondHolds(property) => {
                format!("second circuit {}", property.name())
            }
            TractabilityRequirement::Compatible => "compatible".to_string(),
            TractabilityRequirement::Finite => "finite domains".to_string(),
            TractabilityRequirement::MarginallyDeterministic => {
                "deterministic in the variables that are asked about".to_string()
            }
            TractabilityRequirement::CompleteRows => "complete rows".to_string(),
            TractabilityRequirement::Room => {
                "a result within the limit of units and edges".to_string()
            }
        }
    }
}
