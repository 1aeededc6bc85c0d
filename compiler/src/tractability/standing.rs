//! How one circuit stands to the questions.

use super::QueryKind;
use super::TractabilityRequirement::{self, *};
use super::refusal::unmet;
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
        let reasons = |of: &dyn Fn(TractabilityRequirement) -> Option<String>| {
            let reasons: Vec<String> = needs.iter().filter_map(|&need| of(need)).collect();
            (!reasons.is_empty()).then(|| reasons.join("; "))
        };
        let unmet = reasons(&|need| Some(unmet(need, circuit, facts)?.0));
        let open = reasons(&|need| open(need, facts));
        match (unmet, open) {
            (Some(reasons), _) => ExactnessStatus::NotExact(reasons),
            (None, Some(reasons)) => ExactnessStatus::Depends(reasons),
            (None, None) => ExactnessStatus::Exact,
        }
    }
}

/// What a need leaves open for a single circuit.
fn open(need: TractabilityRequirement, facts: &CircuitFacts) -> Option<String> {
    let reason = match need {
        // Whether there is room is a matter of limits, and what is learned from a missing cell
        // says nothing of the circuit.
        Holds(_) | Finite | Room | CompleteRows => return None,
        SecondHolds(property) => {
            return Some(format!("the second circuit has to be {}", property.name()));
        }
        Compatible if facts.is_proven(Property::Structured) => {
            "the second circuit has to split its variables alike; this one follows a vtree"
        }
        Compatible => "the second circuit has to split its variables alike",
        MarginallyDeterministic => "the variables that are asked about have to decide its sums",
    };
    Some(reason.to_string())
}
