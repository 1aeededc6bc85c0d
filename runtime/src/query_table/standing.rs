//! How one circuit stands to the questions.

use super::{Need, QueryKind, Rule};
use crate::information::{InformationError, mentioned};
use pelton_compiler::check::{Facts, Refutation, Verdict};
use pelton_compiler::circuit::{Circuit, Property};

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

/// Why a question has no exact answer by structure.
#[derive(Clone, Debug)]
pub struct Refusal {
    rule: &'static Rule,
    reason: String,
    refutation: Option<Refutation>,
}

impl Refusal {
    /// The error to report.
    pub fn error(&self) -> InformationError {
        self.told(format!("elsewhere {}", self.rule.otherwise))
    }

    /// The error to report where what happens otherwise is impossible too.
    pub fn because(&self, more: &str) -> InformationError {
        self.told(format!("elsewhere {}, but {more}", self.rule.otherwise))
    }

    fn told(&self, elsewhere: String) -> InformationError {
        let Rule { name, way_out, .. } = self.rule;
        let (when, reason) = (self.rule.when(), &self.reason);
        let mut message = format!("the {name} is exact {when}, but {reason}; {elsewhere}");
        if !way_out.is_empty() {
            message.push_str("; ");
            message.push_str(way_out);
        }
        InformationError::Structure {
            message,
            refutation: self.refutation.clone(),
        }
    }
}

impl QueryKind {
    /// Why a circuit gives no exact answer by its structure; `None` if it does, as far as
    /// that depends on this circuit.
    pub fn refusal(self, circuit: &Circuit, facts: &Facts) -> Option<Refusal> {
        let rule = self.rule();
        rule.needs.iter().find_map(|&need| {
            let (reason, refutation) = unmet(need, circuit, facts)?;
            Some(Refusal {
                rule,
                reason,
                refutation,
            })
        })
    }

    /// How a circuit stands to the question. Properties that nobody decided count as unknown.
    pub fn standing(self, circuit: &Circuit, facts: &Facts) -> Standing {
        let needs = self.rule().needs;
        let own = needs.iter().filter(|need| !is_of_two(**need));
        let reasons = own.filter_map(|&need| Some(unmet(need, circuit, facts)?.0));
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

/// Whether a need is about a second circuit, or about what is asked.
fn is_of_two(need: Need) -> bool {
    match need {
        Need::Holds(_) | Need::Finite => false,
        Need::SecondHolds(_) | Need::Compatible | Need::MarginallyDeterministic => true,
    }
}

/// What a need leaves open for a single circuit.
fn open(need: Need, facts: &Facts) -> Option<String> {
    match need {
        Need::Holds(_) | Need::Finite => None,
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
    }
}

/// Why a circuit does not meet a need; of a pair of circuits either may be asked.
fn unmet(need: Need, circuit: &Circuit, facts: &Facts) -> Option<(String, Option<Refutation>)> {
    match need {
        Need::Holds(property) | Need::SecondHolds(property) => match facts.verdict(property) {
            Some(Verdict::Proven) => None,
            Some(Verdict::Refuted(why)) => {
                let name = circuit.describe(why.unit);
                let reason = format!("the {name} is not {}", property.name());
                Some((reason, Some(why.clone())))
            }
            Some(Verdict::Unknown(why)) => Some((format!("this is unknown: {why}"), None)),
            None => Some((
                format!("whether it is {} was not asked", property.name()),
                None,
            )),
        },
        Need::Finite => {
            let variables = mentioned(circuit).into_iter();
            let mut variables = variables.map(|variable| circuit.variable(variable));
            let infinite = variables.find(|variable| variable.domain.size().is_none())?;
            Some((format!("`{}` is {}", infinite.name, infinite.domain), None))
        }
        Need::Compatible | Need::MarginallyDeterministic => None,
    }
}
