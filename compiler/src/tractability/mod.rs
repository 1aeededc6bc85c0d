//! Which question is exact for which circuits.
//!
//! One table: whatever answers a question asks it first and quotes it when it refuses,
//! and the page of the reference is written from it.

mod page;
mod refusal;
mod requirement;
mod standing;

pub use page::page;
pub use refusal::{CircuitOperand, OffendingUnit, TractabilityRefusal, ZERO_EVIDENCE, ZERO_MASS};
pub use requirement::TractabilityRequirement;
pub use standing::ExactnessStatus;

use self::TractabilityRequirement::{
    Compatible, CompleteRows, Finite, Holds, MarginallyDeterministic, Room, SecondHolds,
};
use crate::circuit::Property;
use pelton_grammar::remedy::{RemedyOption, RemedyText};

/// A question that can be asked of circuits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum QueryKind {
    /// The probability or density of a complete row.
    Likelihood,
    /// The probability of some values, whatever the others are.
    Marginal,
    /// The probability of some values given others.
    Conditional,
    /// The distribution of each variable, given what is known.
    Posteriors,
    /// The most probable completion.
    Map,
    /// Samples.
    Sampling,
    /// Means, variances, covariances.
    Moments,
    /// Entropy.
    Entropy,
    /// Cross entropy of two circuits.
    CrossEntropy,
    /// Kullback-Leibler divergence of two circuits.
    Divergence,
    /// Mutual information of sets of variables.
    MutualInformation,
    /// How many inputs are possible.
    ModelCount,
    /// The probability of a logical combination of conditions.
    Constraint,
    /// Maximum likelihood in closed form.
    ClosedForm,
    /// Learning from softened data, exactly.
    Softening,
    /// The product of two circuits as a circuit.
    Multiply,
    /// A circuit given what is known.
    Condition,
    /// A circuit over fewer variables.
    Marginalize,
}

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct TractabilityRule {
    /// The question.
    pub kind: QueryKind,
    /// What it is called.
    pub name: &'static str,
    /// What it needs beyond what every checked circuit is: smooth and decomposable.
    pub needs: &'static [TractabilityRequirement],
    /// What an exact answer costs.
    pub cost: &'static str,
    /// What happens where the needs are not met.
    pub otherwise: &'static str,
    /// What else can be asked there; may be empty.
    pub way_out: &'static str,
    /// Options that help there.
    pub remedies: &'static [RemedyOption],
}

const DETERMINISTIC: TractabilityRequirement = Holds(Property::Deterministic);
const SECOND_DETERMINISTIC: TractabilityRequirement = SecondHolds(Property::Deterministic);

/// What most rows have in common: one pass answers exactly, whatever the circuit is like.
const ALWAYS_EXACT: TractabilityRule = TractabilityRule {
    kind: QueryKind::Likelihood,
    name: "likelihood",
    needs: &[],
    cost: "one pass",
    otherwise: "always exact",
    way_out: "",
    remedies: &[],
};
/// Nothing happens otherwise.
const REFUSED: &str = "refused";
const STATES: &str =
    "all states are visited if they are at most 1,048,576 and the circuit is not too large";

/// All questions, in the order they are listed.
pub const TABLE: &[TractabilityRule] = &[
    ALWAYS_EXACT,
    TractabilityRule {
        kind: QueryKind::Marginal,
        name: "marginal probability",
        ..ALWAYS_EXACT
    },
    TractabilityRule {
        kind: QueryKind::Conditional,
        name: "conditional probability",
        cost: "two passes",
        ..ALWAYS_EXACT
    },
    TractabilityRule {
        kind: QueryKind::Posteriors,
        name: "posteriors of all variables",
        cost: "two passes",
        ..ALWAYS_EXACT
    },
    TractabilityRule {
        kind: QueryKind::Map,
        name: "most probable completion",
        needs: &[DETERMINISTIC],
        otherwise: "all completions are tried if they are few; else the likeliest is taken of \
                    those that max-product and samples find, which need not be the best",
        remedies: &[RemedyOption::TryMoreSamples],
        ..ALWAYS_EXACT
    },
    TractabilityRule {
        kind: QueryKind::Sampling,
        name: "samples",
        cost: "one pass, and one path down for each sample",
        ..ALWAYS_EXACT
    },
    TractabilityRule {
        kind: QueryKind::Moments,
        name: "means, variances, covariances",
        cost: "two passes, and two for each variable with covariances",
        ..ALWAYS_EXACT
    },
    TractabilityRule {
        kind: QueryKind::Entropy,
        name: "entropy",
        needs: &[DETERMINISTIC],
        otherwise: STATES,
        remedies: &[RemedyOption::JointEntropy, RemedyOption::EstimateEntropy],
        ..ALWAYS_EXACT
    },
    TractabilityRule {
        kind: QueryKind::CrossEntropy,
        name: "cross entropy",
        needs: &[SECOND_DETERMINISTIC, Compatible],
        cost: "a step for each pair of units",
        otherwise: STATES,
        remedies: &[RemedyOption::EstimateBySamples],
        ..ALWAYS_EXACT
    },
    TractabilityRule {
        kind: QueryKind::Divergence,
        name: "Kullback-Leibler divergence",
        needs: &[DETERMINISTIC, SECOND_DETERMINISTIC, Compatible],
        cost: "a step for each pair of units",
        otherwise: STATES,
        remedies: &[RemedyOption::CrossEntropy, RemedyOption::EstimateBySamples],
        ..ALWAYS_EXACT
    },
    TractabilityRule {
        kind: QueryKind::MutualInformation,
        name: "mutual information",
        needs: &[MarginallyDeterministic],
        cost: "three passes",
        otherwise: "all states of the variables that are asked about are visited, or of those \
                    alone whose entropy needs it, if they are at most 1,048,576 and the circuit \
                    is not too large",
        remedies: &[RemedyOption::EstimateBySamples],
        ..ALWAYS_EXACT
    },
    TractabilityRule {
        kind: QueryKind::ModelCount,
        name: "model count",
        needs: &[DETERMINISTIC, Finite],
        cost: "one pass of long integers",
        otherwise: STATES,
        remedies: &[RemedyOption::WeightedCount],
        ..ALWAYS_EXACT
    },
    TractabilityRule {
        kind: QueryKind::Constraint,
        name: "probability of a constraint",
        cost: "a pass for each box of the constraint, of which there are at most 4,096",
        ..ALWAYS_EXACT
    },
    TractabilityRule {
        kind: QueryKind::ClosedForm,
        name: "maximum likelihood in closed form",
        needs: &[DETERMINISTIC, CompleteRows],
        cost: "one pass for each row",
        otherwise: "expectation maximisation learns",
        remedies: &[RemedyOption::ExpectationMaximisation],
        ..ALWAYS_EXACT
    },
    TractabilityRule {
        kind: QueryKind::Softening,
        name: "learning from softened data",
        needs: &[DETERMINISTIC],
        cost: "one pass for each row",
        otherwise: "one of three objectives",
        remedies: &[RemedyOption::SofteningObjective],
        ..ALWAYS_EXACT
    },
    TractabilityRule {
        kind: QueryKind::Multiply,
        name: "product of two circuits",
        needs: &[Compatible, Room],
        cost: "a unit for each pair of units",
        otherwise: REFUSED,
        way_out: "`marginalize` out what one circuit splits unlike the other",
        remedies: &[RemedyOption::RaiseSizeLimit],
    },
    TractabilityRule {
        kind: QueryKind::Condition,
        name: "circuit given what is known",
        needs: &[Room],
        cost: "a copy of the circuit for each box of what is known",
        otherwise: REFUSED,
        way_out: "say it with fewer alternatives",
        remedies: &[RemedyOption::RaiseSizeLimit],
    },
    TractabilityRule {
        kind: QueryKind::Marginalize,
        name: "circuit over fewer variables",
        ..ALWAYS_EXACT
    },
];

impl QueryKind {
    /// Its row of the table.
    pub fn rule(self) -> &'static TractabilityRule {
        let rule = TABLE.iter().find(|rule| rule.kind == self);
        rule.expect("every question has a row")
    }
}

impl TractabilityRule {
    /// What else can be asked, and options that help, in one text.
    pub fn ways_out(&self) -> RemedyText {
        let options = self.remedies.iter();
        options.fold(RemedyText::from(self.way_out), |text, &option| {
            text.or(option)
        })
    }

    /// The properties that have to be decided to know whether it is exact.
    pub fn properties(&self) -> Vec<Property> {
        let all = self.needs.iter().filter_map(|need| match need {
            Holds(property) | SecondHolds(property) => Some(*property),
            _ => None,
        });
        let mut all: Vec<Property> = all.collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// When it is exact, in words: `if the circuit is deterministic`, or `always`.
    pub fn when(&self) -> String {
        if self.needs.is_empty() {
            return "always".to_string();
        }
        let clauses: Vec<String> = self.needs.iter().map(|need| need.clause()).collect();
        format!("if {}", clauses.join(" and "))
    }
}
