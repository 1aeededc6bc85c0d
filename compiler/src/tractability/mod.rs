//! Which question is exact for which circuits.
//!
//! One table: whatever answers a question asks it first and quotes it when it refuses,
//! and the page of the reference is written from it.

mod need;
mod page;
mod refusal;
mod standing;

pub use need::TractabilityRequirement;
pub use page::page;
pub use refusal::{CircuitOperand, OffendingUnit, TractabilityRefusal, ZERO_EVIDENCE, ZERO_MASS};
pub use standing::ExactnessStatus;

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

const DETERMINISTIC: TractabilityRequirement =
    TractabilityRequirement::Holds(Property::Deterministic);
const SECOND_DETERMINISTIC: TractabilityRequirement =
    TractabilityRequirement::SecondHolds(Property::Deterministic);

const ONE_PASS: &str = "one pass";
const NONE: &str = "";
const ALWAYS: &str = "always exact";
/// Nothing happens otherwise.
const REFUSED: &str = "refused";
const STATES: &str =
    "all states are visited if they are at most 1,048,576 and the circuit is not too large";

/// All questions, in the order they are listed.
pub const TABLE: &[TractabilityRule] = &[
    TractabilityRule {
        kind: QueryKind::Likelihood,
        name: "likelihood",
        needs: &[],
        cost: ONE_PASS,
        otherwise: ALWAYS,
        way_out: NONE,
        remedies: &[],
    },
    TractabilityRule {
        kind: QueryKind::Marginal,
        name: "marginal probability",
        needs: &[],
        cost: ONE_PASS,
        otherwise: ALWAYS,
        way_out: NONE,
        remedies: &[],
    },
    TractabilityRule {
        kind: QueryKind::Conditional,
        name: "conditional probability",
        needs: &[],
        cost: "two passes",
        otherwise: ALWAYS,
        way_out: NONE,
        remedies: &[],
    },
    TractabilityRule {
        kind: QueryKind::Posteriors,
        name: "posteriors of all variables",
        needs: &[],
        cost: "two passes",
        otherwise: ALWAYS,
        way_out: NONE,
        remedies: &[],
    },
    TractabilityRule {
        kind: QueryKind::Map,
        name: "most probable completion",
        needs: &[DETERMINISTIC],
        cost: ONE_PASS,
        otherwise: "all completions are tried if they are few; else the likeliest is taken of \
                    those that max-product and samples find, which need not be the best",
        way_out: NONE,
        remedies: &[RemedyOption::TryMoreSamples],
    },
    TractabilityRule {
        kind: QueryKind::Sampling,
        name: "samples",
        needs: &[],
        cost: "one pass, and one path down for each sample",
        otherwise: ALWAYS,
        way_out: NONE,
        remedies: &[],
    },
    TractabilityRule {
        kind: QueryKind::Moments,
        name: "means, variances, covariances",
        needs: &[],
        cost: "two passes, and two for each variable with covariances",
        otherwise: ALWAYS,
        way_out: NONE,
        remedies: &[],
    },
    TractabilityRule {
        kind: QueryKind::Entropy,
        name: "entropy",
        needs: &[DETERMINISTIC],
        cost: ONE_PASS,
        otherwise: STATES,
        way_out: NONE,
        remedies: &[RemedyOption::JointEntropy, RemedyOption::EstimateEntropy],
    },
    TractabilityRule {
        kind: QueryKind::CrossEntropy,
        name: "cross entropy",
        needs: &[SECOND_DETERMINISTIC, TractabilityRequirement::Compatible],
        cost: "a step for each pair of units",
        otherwise: STATES,
        way_out: NONE,
        remedies: &[RemedyOption::EstimateBySamples],
    },
    TractabilityRule {
        kind: QueryKind::Divergence,
        name: "Kullback-Leibler divergence",
        needs: &[
            DETERMINISTIC,
            SECOND_DETERMINISTIC,
            TractabilityRequirement::Compatible,
        ],
        cost: "a step for each pair of units",
        otherwise: STATES,
        way_out: NONE,
        remedies: &[RemedyOption::CrossEntropy, RemedyOption::EstimateBySamples],
    },
    TractabilityRule {
        kind: QueryKind::MutualInformation,
        name: "mutual information",
        needs: &[TractabilityRequirement::MarginallyDeterministic],
        cost: "three passes",
        otherwise: "all states of the variables that are asked about are visited, or of those \
                    alone whose entropy needs it, if they are at most 1,048,576 and the circuit \
                    is not too large",
        way_out: NONE,
        remedies: &[RemedyOption::EstimateBySamples],
    },
    TractabilityRule {
        kind: QueryKind::ModelCount,
        name: "model count",
        needs: &[DETERMINISTIC, TractabilityRequirement::Finite],
        cost: "one pass of long integers",
        otherwise: STATES,
        way_out: NONE,
        remedies: &[RemedyOption::WeightedCount],
    },
    TractabilityRule {
        kind: QueryKind::Constraint,
        name: "probability of a constraint",
        needs: &[],
        cost: "a pass for each box of the constraint, of which there are at most 4,096",
        otherwise: ALWAYS,
        way_out: NONE,
        remedies: &[],
    },
    TractabilityRule {
        kind: QueryKind::ClosedForm,
        name: "maximum likelihood in closed form",
        needs: &[DETERMINISTIC, TractabilityRequirement::CompleteRows],
        cost: "one pass for each row",
        otherwise: "expectation maximisation learns",
        way_out: NONE,
        remedies: &[RemedyOption::ExpectationMaximisation],
    },
    TractabilityRule {
        kind: QueryKind::Softening,
        name: "learning from softened data",
        needs: &[DETERMINISTIC],
        cost: "one pass for each row",
        otherwise: "one of three objectives",
        way_out: NONE,
        remedies: &[RemedyOption::SofteningObjective],
    },
    TractabilityRule {
        kind: QueryKind::Multiply,
        name: "product of two circuits",
        needs: &[
            TractabilityRequirement::Compatible,
            TractabilityRequirement::Room,
        ],
        cost: "a unit for each pair of units",
        otherwise: REFUSED,
        way_out: "`marginalize` out what one circuit splits unlike the other",
        remedies: &[RemedyOption::RaiseSizeLimit],
    },
    TractabilityRule {
        kind: QueryKind::Condition,
        name: "circuit given what is known",
        needs: &[TractabilityRequirement::Room],
        cost: "a copy of the circuit for each box of what is known",
        otherwise: REFUSED,
        way_out: "say it with fewer alternatives",
        remedies: &[RemedyOption::RaiseSizeLimit],
    },
    TractabilityRule {
        kind: QueryKind::Marginalize,
        name: "circuit over fewer variables",
        needs: &[],
        cost: ONE_PASS,
        otherwise: ALWAYS,
        way_out: NONE,
        remedies: &[],
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
            TractabilityRequirement::Holds(property)
            | TractabilityRequirement::SecondHolds(property) => Some(*property),
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
