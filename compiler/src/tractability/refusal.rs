//! Why a question has no exact answer.

use super::TractabilityRequirement::{self, *};
use super::{QueryKind, REFUSED};
use crate::check::report::refuted;
use crate::check::{CircuitFacts, PropertyVerdict, Refutation};
use crate::circuit::{CircuitGraph, Property, UnitId, mentioned};
use pelton_grammar::diagnostic::{Code, Severity, SourceDiagnostic, SourceDiagnostics};
use pelton_grammar::remedy::{RemedyText, WordedError, no_options};

/// What is said of a circuit that is zero everywhere, whatever it is asked.
pub const ZERO_MASS: &str =
    "the circuit is zero for every input, so that there is nothing to ask of it";

/// What is said of evidence that cannot be, whatever is asked.
pub const ZERO_EVIDENCE: &str =
    "what is known has probability zero, so that nothing follows from it";

/// Which of the circuits that a question is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CircuitOperand {
    /// The first, or the only one.
    First,
    /// The second.
    Second,
}

/// A unit that stands in the way.
#[derive(Clone, Debug, PartialEq)]
pub struct OffendingUnit {
    /// The circuit it is in.
    pub side: CircuitOperand,
    /// The unit.
    pub unit: UnitId,
    /// Where it is a sum whose children overlap: which, and an input that shows it.
    pub refutation: Option<Refutation>,
}

/// Why a question has no exact answer by structure: the need that is not met, the reason,
/// and the units at fault. As text, one sentence that says what would work, too.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{}", self.worded(no_options))]
#[must_use]
pub struct TractabilityRefusal {
    kind: QueryKind,
    need: TractabilityRequirement,
    reason: String,
    more: Option<String>,
    culprits: Vec<OffendingUnit>,
}

impl TractabilityRefusal {
    /// The question.
    pub fn kind(&self) -> QueryKind {
        self.kind
    }

    /// What is not met.
    pub fn need(&self) -> TractabilityRequirement {
        self.need
    }

    /// The units at fault, where single ones are.
    pub fn culprits(&self) -> &[OffendingUnit] {
        &self.culprits
    }

    /// The same where what happens otherwise is impossible too, for this reason.
    pub fn because(self, more: String) -> TractabilityRefusal {
        let more = Some(more);
        TractabilityRefusal { more, ..self }
    }

    /// The units at fault in one of the circuits, as notes with their places.
    pub fn shown(&self, side: CircuitOperand, circuit: &CircuitGraph) -> SourceDiagnostics {
        let mut found = SourceDiagnostics::new();
        for culprit in self.culprits.iter().filter(|own| own.side == side) {
            let note = match &culprit.refutation {
                Some(why) => refuted(circuit, why, None),
                None => self.note(circuit, culprit),
            };
            found.push(note.severity(Severity::Note));
        }
        found
    }

    fn note(&self, circuit: &CircuitGraph, culprit: &OffendingUnit) -> SourceDiagnostic {
        let name = circuit.describe(culprit.unit);
        let span = circuit.span(culprit.unit);
        let (code, which) = match (self.need, culprit.side) {
            (Compatible, CircuitOperand::First) => (Code::NotStructured, " of the first circuit"),
            (Compatible, CircuitOperand::Second) => (Code::NotStructured, " of the second circuit"),
            _ => (Code::NotDeterministic, ""),
        };
        let message = format!("{name}{which} stands in the way");
        SourceDiagnostic::new(code, span, message).at(self.reason.clone())
    }
}

impl WordedError for TractabilityRefusal {
    fn remedy_text(&self) -> RemedyText {
        let rule = self.kind.rule();
        let (name, when, reason) = (rule.name, rule.when(), &self.reason);
        let mut sentence = format!("the {name} is exact {when}, but {reason}");
        if rule.otherwise != REFUSED {
            sentence.push_str(&format!("; elsewhere {}", rule.otherwise));
        }
        if let Some(more) = &self.more {
            sentence.push_str(&format!(", but {more}"));
        }
        rule.ways_out().behind(sentence, "; ")
    }
}

impl QueryKind {
    /// Why a circuit gives no exact answer by its structure; `None` if it does, as far as
    /// that depends on this circuit.
    pub fn refusal(
        self,
        circuit: &CircuitGraph,
        facts: &CircuitFacts,
    ) -> Option<TractabilityRefusal> {
        self.refusal_of(CircuitOperand::First, circuit, facts)
    }

    /// The same for the circuit that is on this side of the question.
    pub fn refusal_of(
        self,
        side: CircuitOperand,
        circuit: &CircuitGraph,
        facts: &CircuitFacts,
    ) -> Option<TractabilityRefusal> {
        let mut needs = self.rule().needs.iter();
        needs.find_map(|&need| {
            let (reason, refutation) = match (need, side) {
                (SecondHolds(property), CircuitOperand::Second) => {
                    unmet(Holds(property), circuit, facts)
                }
                (_, CircuitOperand::First) => unmet(need, circuit, facts),
                (_, CircuitOperand::Second) => None,
            }?;
            let culprits = refutation.map(|why| OffendingUnit {
                side,
                unit: why.unit,
                refutation: Some(why),
            });
            Some(self.refused(need, reason, culprits.into_iter().collect()))
        })
    }

    /// A refusal by whoever looked at a need that one circuit alone does not decide.
    pub fn refused(
        self,
        need: TractabilityRequirement,
        reason: String,
        culprits: Vec<OffendingUnit>,
    ) -> TractabilityRefusal {
        debug_assert!(
            self.rule().needs.contains(&need),
            "{self:?} does not need {need:?}"
        );
        TractabilityRefusal {
            kind: self,
            need,
            reason,
            more: None,
            culprits,
        }
    }
}

/// Why a circuit alone does not meet a need, and the unit that shows it.
pub(super) fn unmet(
    need: TractabilityRequirement,
    circuit: &CircuitGraph,
    facts: &CircuitFacts,
) -> Option<(String, Option<Refutation>)> {
    let reason = match need {
        Holds(property) => match facts.verdict(property) {
            Some(PropertyVerdict::Proven) => return None,
            Some(PropertyVerdict::Refuted(why)) => {
                let name = circuit.describe(why.unit);
                let reason = format!("the {name} is not {}", property.name());
                let shows = property == Property::Deterministic;
                return Some((reason, shows.then(|| why.clone())));
            }
            Some(PropertyVerdict::Unknown(why)) => format!("this is unknown: {why}"),
            None => format!("whether it is {} was not asked", property.name()),
        },
        Finite => {
            let variables = mentioned(circuit).into_iter();
            let mut variables = variables.map(|variable| circuit.variable(variable));
            let infinite = variables.find(|variable| variable.domain.size().is_none())?;
            format!("`{}` is {}", infinite.name, infinite.domain)
        }
        SecondHolds(_) | Compatible | MarginallyDeterministic | CompleteRows | Room => return None,
    };
    Some((reason, None))
}
