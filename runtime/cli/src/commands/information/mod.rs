//! Commands that measure what distributions know.

pub mod count;
pub mod entropy;
pub mod kl;
pub mod mi;
pub mod moments;
pub mod queries;
mod variables;

use crate::arguments::{Messages, Reading};
use crate::commands::eval::note_unset;
use crate::exit::Exit;
use crate::{Failure, model, report};
use pelton_compiler::Options;
use pelton_compiler::check::Checked;
use pelton_compiler::check::determinism::refuted;
use pelton_compiler::circuit::{Property, VarId};
use pelton_grammar::diagnostic::{Diagnostics, Severity};
use pelton_runtime::information::{InformationError, Method};
use std::path::Path;

/// A circuit to ask, with what its messages need.
struct Asked {
    checked: Checked,
    sources: pelton_grammar::source::SourceMap,
}

/// Reads a circuit and decides these properties; if it is wrong, that has been told.
fn asked(
    path: &Path,
    reading: &Reading,
    decide: &[Property],
    messages: &Messages,
) -> Result<Result<Asked, Exit>, Failure> {
    let options = Options {
        decide: decide.to_vec(),
        ..model::options(reading)
    };
    let opened = model::opened_with(path, &options, messages)?;
    Ok(opened.map(|opened| {
        note_unset(opened.checked.circuit(), messages);
        Asked {
            checked: opened.checked,
            sources: opened.program.sources,
        }
    }))
}

impl Asked {
    /// Tells why there is no answer. A sum that is not deterministic is shown with its
    /// place and an input.
    fn failure(&self, error: InformationError, messages: &Messages) -> Failure {
        if let InformationError::Structure {
            refutation: Some(why),
            ..
        } = &error
        {
            let mut found = Diagnostics::new();
            let shown = refuted(self.checked.circuit(), why, None);
            found.push(shown.severity(Severity::Note));
            report::to_stderr(&found, &self.sources, messages);
        }
        match error {
            InformationError::Structure { message, .. } => Failure::Wrong(message),
            InformationError::Mismatch(message) => Failure::Usage(message),
            InformationError::Impossible(message) => Failure::Unfit(message),
            InformationError::Numeric(message) => Failure::Numeric(message),
            InformationError::Compile(error) => Failure::Usage(error.to_string()),
        }
    }

    /// Whether amounts are differential: with respect to real variables.
    fn kind(&self, variables: &[VarId]) -> &'static str {
        let circuit = self.checked.circuit();
        let mut domains = variables.iter().map(|&v| &circuit.variable(v).domain);
        match domains.all(|domain| domain.is_discrete()) {
            true => "shannon",
            false => "differential",
        }
    }
}

/// Threads that visit states.
fn n_threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// How an answer was found, in words.
fn method_text(method: Method) -> String {
    match method {
        Method::Structure => "exact, by the structure of the circuit".to_string(),
        Method::Enumeration { n_states } => format!(
            "exact, by visiting {} states",
            pelton_grammar::diagnostic::thousands(n_states as usize)
        ),
    }
}

/// The number of states that were visited.
fn n_states(method: Method) -> Option<u64> {
    match method {
        Method::Structure => None,
        Method::Enumeration { n_states } => Some(n_states),
    }
}
