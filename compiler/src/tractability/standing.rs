//! How one circuit stands to the questions.

use super::refusal::unmet;
use super::{Need, QueryKind};
use crate::check::Facts;
use crate::circuit::{Circuit, Property};

/// Whether a circuit gives an exact answer by its structure.
#[derive(Clone, Debug, PartialEq)]
pub enum Standing {
    /// It does.
    Exact,
    /// That depends on the second circuit, or on what is asked about.
    Depends(String),
    /// It does not, for this reason.
    NotExact(String),
}

impl Standing {
    /// The word in reports and JSON.
    pub fn name(&self) -> &'static str {
        match self {
            Standing::Exact => "exact",
            Standing::Depends(_) => "depends",
            Standing::NotExact(_) => "not exact",
        }
    }

    /// What it depends on, or why it is not exact.
    pub fn reason(&self) -> Option<&str> {
        match self {
            Standing::Exact => None,
            Standing::Depends(reason) | Standing::NotExact(reason) => Some(reason),
        }
    }
}

impl QueryKind {
    /// How a circuit stands to the question. Properties that nobody decided count as unknown.
    pub fn standing(self, circuit: &Circuit, facts: &Facts) -> Standing {
        let needs = self.rule().needs;
        let reasons = needs
            .iter()
            .filter_map(|&need| Some(unmet(need, circuit, facts)?.0));
        let reasons: Vec<String> = reasons.collect();
        if !reasons.is_empty() {
            return Standing::NotExact(reasons.join("; "));
        }
        let open = needs.iter().filter_map(|&need| open(need, facts));
        let open: Vec<String> = open.collect();
        match open.is_empty() {
            true => Standing::Exact,
            false => Standing::Depends(open.join("; ")),
        }
    }
}

/// What a need leaves open for a single circuit.
fn open(need: Need, facts: &Facts) -> Option<String> {
    match need {
        // Whether there is room is a matter of limits.
        Need::Holds(_) | Need::Finite | Need::Room => None,
        Need::SecondHolds(property) => {
            Some(format!("the second circuit has to be {}", property.name()))
        }
        Need::Compatible if facts.is_proven(Property::Structured) => Some(
            "the second circuit has to split its variables alike; this one follows a vtree"
                .to_string(),
        ),
        Need::Compatible => Some("the second circuit has to split its variables alike".to_string()),
        Need::MarginallyDeterministic => {
            Some("the variables that are asked about have to decide its sums".to_string())
        }
        // A missing cell is learned from by other means; it says nothing of the circuit.
        Need::CompleteRows => None,
    }
}
