//! Why a question has no answer, with what there is to show.

use crate::{Circuit, Error};
use pelton_compiler::circuit::CircuitGraph as CheckedCircuit;
use pelton_compiler::tractability::CircuitOperand;
use pelton_grammar::diagnostic::SourceDiagnostics;
use pelton_runtime::query::{InformationError, NotUnderstood, QueryFailure};

/// Why a question has no answer.
#[derive(Debug)]
pub enum NoAnswer {
    /// The text of an event cannot be understood.
    NotUnderstood(Box<NotUnderstood>),
    /// What is given, of which this is the text, leaves none.
    Given(String, QueryFailure),
    /// The circuits do not have what it needs: the error, and the units at fault in each.
    Refused(Error, Vec<SourceDiagnostics>),
    /// For another reason.
    Other(Error),
}

impl NoAnswer {
    /// Of these circuits.
    pub(super) fn of(error: InformationError, circuits: &[&CheckedCircuit]) -> NoAnswer {
        let InformationError::Refused(refusal) = &error else {
            return NoAnswer::Other(error.into());
        };
        let sides = [CircuitOperand::First, CircuitOperand::Second]
            .into_iter()
            .zip(circuits);
        let shown = sides.map(|(side, circuit)| refusal.shown(side, circuit));
        let shown = shown.collect();
        NoAnswer::Refused(error.into(), shown)
    }

    /// As the one error of the library, with messages about these circuits.
    pub(super) fn into_error(self, circuits: &[&Circuit]) -> Error {
        match self {
            NoAnswer::NotUnderstood(why) => (*why).into(),
            NoAnswer::Given(text, gap) => Error::gap(&text, gap),
            NoAnswer::Refused(error, shown) => {
                error.with_diagnostics(shown.iter().zip(circuits).map(|(own, circuit)| {
                    let sources = &circuit.compiled.program.sources;
                    (own, sources, circuit.options().words())
                }))
            }
            NoAnswer::Other(error) => error,
        }
    }
}

impl From<Error> for NoAnswer {
    fn from(error: Error) -> Self {
        NoAnswer::Other(error)
    }
}
