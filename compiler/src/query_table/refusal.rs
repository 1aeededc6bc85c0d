//! Why a question has no exact answer.

use super::{Need, QueryKind, REFUSED, Rule};
use crate::check::report::refuted;
use crate::check::{Facts, Refutation, Verdict};
use crate::circuit::{Circuit, Property, UnitId, mentioned};
use pelton_grammar::diagnostic::{Code, Diagnostic, Diagnostics, Severity};
use std::fmt;

/// What is said of a circuit that is zero everywhere, whatever it is asked.
pub const ZERO_MASS: &str =
    "the circuit is zero for every input, so that there is nothing to ask of it";

/// What is said of evidence that cannot be, whatever is asked.
pub const ZERO_EVIDENCE: &str =
    "what is known has probability zero, so that nothing follows from it";

/// Which of the circuits that a question is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The first, or the only one.
    First,
    /// The second.
    Second,
}

/// A unit that stands in the way.
#[derive(Clone, Debug, PartialEq)]
pub struct Culprit {
    /// The circuit it is in.
    pub side: Side,
    /// The unit.
    pub unit: UnitId,
    /// Where it is a sum whose children overlap: which, and an input that shows it.
    pub refutation: Option<Refutation>,
}

/// Why a question has no exact answer by structure: the need that is not met, the reason,
/// and the units at fault. As text, one sentence that says what would work, too.
#[derive(Clone, Debug, PartialEq)]
pub struct Refusal {
    kind: QueryKind,
    need: Need,
    reason: String,
    more: Option<String>,
    culprits: Vec<Culprit>,
}

impl Refusal {
    /// The question.
    pub fn kind(&self) -> QueryKind {
        self.kind
    }

    /// What is not met.
    pub fn need(&self) -> Need {
        self.need
    }

    /// The units at fault, where single ones are.
    pub fn culprits(&self) -> &[Culprit] {
        &self.culprits
    }

    /// The same where what happens otherwise is impossible too, for this reason.
    pub fn because(self, more: String) -> Refusal {
        let more = Some(more);
        Refusal { more, ..self }
    }

    /// The units at fault in one of the circuits, as notes with their places.
    pub fn shown(&self, side: Side, circuit: &Circuit) -> Diagnostics {
        let mut found = Diagnostics::new();
        for culprit in self.culprits.iter().filter(|own| own.side == side) {
            let note = match &culprit.refutation {
                Some(why) => refuted(circuit, why, None),
                None => self.note(circuit, culprit),
            };
            found.push(note.severity(Severity::Note));
        }
        found
    }

    fn note(&self, circuit: &Circuit, culprit: &Culprit) -> Diagnostic {
        let name = circuit.describe(culprit.unit);
        let span = circuit.span(culprit.unit);
        let (code, which) = match (self.need, culprit.side) {
            (Need::Compatible, Side::First) => (Code::NotStructured, " of the first circuit"),
            (Need::Compatible, Side::Second) => (Code::NotStructured, " of the second circuit"),
            _ => (Code::NotDeterministic, ""),
        };
        let message = format!("{name}{which} stands in the way");
        Diagnostic::new(code, span, message).at(self.reason.clone())
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rule = self.kind.rule();
        let Rule {
            name,
            otherwise,
            way_out,
            ..
        } = rule;
        write!(
            f,
            "the {name} is exact {}, but {}",
            rule.when(),
            self.reason
        )?;
        if *otherwise != REFUSED {
            write!(f, "; elsewhere {otherwise}")?;
        }
        if let Some(more) = &self.more {
            write!(f, ", but {more}")?;
        }
        match way_out.is_empty() {
            true => Ok(()),
            false => write!(f, "; {way_out}"),
        }
    }
}

impl std::error::Error for Refusal {}

impl QueryKind {
    /// Why a circuit gives no exact answer by its structure; `None` if it does, as far as
    /// that depends on this circuit.
    pub fn refusal(self, circuit: &Circuit, facts: &Facts) -> Option<Refusal> {
        self.refusal_of(Side::First, circuit, facts)
    }

    /// The same for the circuit that is on this side of the question.
    pub fn refusal_of(self, side: Side, circuit: &Circuit, facts: &Facts) -> Option<Refusal> {
        let mut needs = self.rule().needs.iter();
        needs.find_map(|&need| {
            let (reason, refutation) = match (need, side) {
                (Need::SecondHolds(property), Side::Second) => {
                    unmet(Need::Holds(property), circuit, facts)
                }
                (_, Side::First) => unmet(need, circuit, facts),
                (_, Side::Second) => None,
            }?;
            let culprits = refutation.map(|why| Culprit {
                side,
                unit: why.unit,
                refutation: Some(why),
            });
            Some(self.refused(need, reason, culprits.into_iter().collect()))
        })
    }

    /// A refusal by whoever looked at a need that one circuit alone does not decide.
    pub fn refused(self, need: Need, reason: String, culprits: Vec<Culprit>) -> Refusal {
        debug_assert!(
            self.rule().needs.contains(&need),
            "{self:?} does not need {need:?}"
        );
        Refusal {
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
    need: Need,
    circuit: &Circuit,
    facts: &Facts,
) -> Option<(String, Option<Refutation>)> {
    match need {
        Need::Holds(property) => match facts.verdict(property) {
            Some(Verdict::Proven) => None,
            Some(Verdict::Refuted(why)) => {
                let name = circuit.describe(why.unit);
                let reason = format!("the {name} is not {}", property.name());
                let shows = property == Property::Deterministic;
                Some((reason, shows.then(|| why.clone())))
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
        Need::SecondHolds(_)
        | Need::Compatible
        | Need::MarginallyDeterministic
        | Need::CompleteRows
        | Need::Room => None,
    }
}
