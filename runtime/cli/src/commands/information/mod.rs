//! Commands that measure what distributions know.

pub mod count;
pub mod entropy;
pub mod kl;
pub mod mi;
pub mod moments;
pub mod queries;
mod variables;

use crate::arguments::{Base, Messages, Reading};
use crate::asking::{no_answer, understood};
use crate::commands::note_unset;
use crate::exit::Exit;
use crate::number::shown_number;
use crate::refusal::{Place, refused};
use crate::{Failure, model};
use pelton_compiler::Options;
use pelton_compiler::check::Checked;
use pelton_compiler::circuit::{Circuit, Event, Property, VarId};
use pelton_compiler::parallel::thread_count;
use pelton_grammar::diagnostic::{counted, thousands};
use pelton_runtime::information::{Estimate, InformationError, Method};
use pelton_runtime::query::{Evidence, ask_given, given_parts};
use serde_json::json;
use std::io::Write;
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
    /// Tells why there is no answer.
    fn failure(&self, error: InformationError, messages: &Messages) -> Failure {
        no_amount(error, &[self.place()], messages)
    }

    /// The circuit and the texts it comes from.
    fn place(&self) -> Place<'_> {
        (self.checked.circuit(), &self.sources)
    }

    /// What is known, as parts that exclude each other; if the text is wrong, that has
    /// been told.
    fn given(
        &self,
        text: &str,
        messages: &Messages,
    ) -> Result<Result<Vec<Evidence>, Exit>, Failure> {
        let circuit = self.checked.circuit();
        let given = match self.event(text, messages) {
            Ok(given) => given,
            Err(exit) => return Ok(Err(exit)),
        };
        given_parts(circuit, &given).map(Ok).map_err(no_answer)
    }

    /// What is known, as an event; if the text is wrong, that has been told.
    fn event(&self, text: &str, messages: &Messages) -> Result<Event, Exit> {
        understood(ask_given(self.checked.circuit(), text), messages)
    }

    /// Whether amounts are differential: with respect to real variables.
    fn kind(&self, variables: &[VarId]) -> &'static str {
        kind_of(self.checked.circuit(), variables)
    }
}

/// Whether amounts about these variables are differential.
fn kind_of(circuit: &Circuit, variables: &[VarId]) -> &'static str {
    let mut domains = variables.iter().map(|&v| &circuit.variable(v).domain);
    match domains.all(|domain| domain.is_discrete()) {
        true => "shannon",
        false => "differential",
    }
}

/// Tells why these circuits give no answer.
fn no_amount(error: InformationError, places: &[Place], messages: &Messages) -> Failure {
    match error {
        InformationError::Refused(refusal) => refused(&refusal, places, messages),
        error => error.into(),
    }
}

/// Threads that visit states.
fn n_threads() -> usize {
    thread_count(0)
}

/// How an answer was found, in words.
fn method_text(method: Method) -> String {
    match method {
        Method::Structure => "exact, by the structure of the circuit".to_string(),
        Method::Enumeration { n_states } => {
            format!("exact, by visiting {} states", thousands(n_states as usize))
        }
        Method::Mixed { n_states } => format!(
            "exact, by the structure of the circuit and by visiting {} states",
            thousands(n_states as usize)
        ),
    }
}

/// Prints an estimate under a name.
fn print_estimate(
    (name, label): (&str, &str),
    found: &Estimate,
    base: Base,
    is_json: bool,
) -> Result<Exit, Failure> {
    let mut out = std::io::stdout().lock();
    let (amount, error) = (base.of_nats(found.nats), base.of_nats(found.standard_error));
    let (unit, n_samples) = (base.unit(), found.n_samples);
    if is_json {
        let is_finite = amount.is_finite();
        let object = json!({
            name: is_finite.then_some(amount),
            "infinite": !is_finite,
            "standard_error": is_finite.then_some(error),
            "unit": unit,
            "method": "samples",
            "samples": n_samples,
        });
        writeln!(out, "{object}")?;
        return Ok(Exit::Ok);
    }
    let samples = counted(n_samples, "sample", "samples");
    match amount.is_finite() {
        true => {
            let (amount, error) = (shown_number(amount), shown_number(error));
            writeln!(out, "{label:<20} {amount:>14} {unit}")?;
            writeln!(
                out,
                "{:<20} an estimate from {samples}, standard error {error}",
                ""
            )?;
        }
        false => {
            writeln!(out, "{label:<20} {:>14}", "infinite")?;
            writeln!(out, "{:<20} one of {samples} shows it", "")?;
        }
    }
    Ok(Exit::Ok)
}

/// The number of states that were visited.
fn n_states(method: Method) -> Option<u64> {
    match method {
        Method::Structure => None,
        Method::Enumeration { n_states } | Method::Mixed { n_states } => Some(n_states),
    }
}
