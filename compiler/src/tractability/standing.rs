//! How one circuit stands to the questions.

use super::refusal::unmet;
use super::{QueryKind, TractabilityRequirement};
use crate::check::CircuitFacts;
use crate::circuit::{CircuitGraph, Property};

/// Whether a circuit gives an exact answer by its structure.
#[derive(Clone, Debug, PartialEq)]
pub enum ExactnessStatus {
    /// It does.
    Exact,
    /// That depends on the second circuit, or on what is asked about.
    Depends(String),
    /// It does not, for this reason.
    NotExact(String),
}

impl ExactnessStatus {
    /// The word in reports and JSON.
    pub fn name(&self) -> &'static str {
        match self {
            ExactnessStatus::Exact => "exact",
            ExactnessStatus::Depends(_) => "depends",
            ExactnessStatus::NotExact(_) => "not exact",
        }
    }

    /// What it depends on, or why it is not exact.
    pub fn reason(&self) -> Option<&str> {
        match self {
            ExactnessStatus::Exact => None,
            ExactnessStatus::Depends(reason) | ExactnessStatus::NotExact(reason) => Some(reason),
        }
    }
}

impl QueryKind {
    /// How a circuit stands to the question. Properties that nobody decided count as unknown.
    pub fn standing(self, circuit: &CircuitGraph, facts: &CircuitFacts) -> ExactnessStatus {
        let needs = self.rule().needs;
        let reasons = needs
            .iter()
            .filter_map(|&need| Some(unmet(need, circuit, facts)?.0));
        let reasons: Vec<String> = reasons.collect();
        if !reasons.is_empty() {
            return ExactnessStatus::NotExact(reasons.join("; "));
        }
        let open = needs.iter().filter_map(|&need| open(need, facts));
        let open: Vec<String> = open.collect();
        if open.is_empty() {
            ExactnessStatus::Exact
        } else {
            ExactnessStatus::Depends(open.join("; "))
        }
    }
}

/// What a need leaves open for a single circuit.
fn open(need: TractabilityRequirement, facts: &CircuitFacts) -> Option<String> {
    match need {
        // Whether there is room is a matter of limits.
        TractabilityRequirement::Holds(_)
        | TractabilityRequirement::Finite
        | TractabilityRequirement::Room => None,
        TractabilityRequirement::SecondHolds(property) => {
            Some(format!("the second circuit has to be {}", property.name()))
        }
        TractabilityRequirement::Compatible if facts.is_proven(Property::Structured) => Some(
            "the second circuit has to split its variables alike; this one follows a vtree"
                .to_string(),
        ),
        TractabilityRequirement::Compatible => {
            Some("the second circuit has to split its variables alike".to_string())
        }
        TractabilityRequirement::MarginallyDeterministic => {
            Some("the variables that are asked about have to decide its sums".to_string())
        }
        // A missing cell is learned from by other means; it says nothing of the circuit.
        TractabilityRequirement::CompleteRows => None,
    }
}
