//! `pelton count`

use super::{asked, n_states, n_threads};
use crate::Failure;
use crate::arguments::{Count, Messages};
use crate::exit::Exit;
use crate::number::shown_number;
use pelton_compiler::circuit::{Circuit, Property};
use pelton_compiler::leaf::log_sum_exp;
use pelton_runtime::query::{self, InformationError, Scaled, ValueBox};
use serde_json::json;
use std::io::Write;

/// Prints for how many inputs a circuit is positive, or what these weigh.
pub fn run(options: &Count, messages: &Messages) -> Result<Exit, Failure> {
    let decide: &[Property] = match options.weighted {
        true => &[],
        false => &[Property::Deterministic],
    };
    let asked = asked(&options.model, &options.reading, decide, messages)?;
    let circuit = asked.checked.circuit();
    let parts = asked.given(&options.given, messages)?;
    let mut out = std::io::stdout().lock();
    if options.weighted {
        let log = log_mass(circuit, &parts).map_err(|error| asked.failure(error, messages))?;
        let is_zero = log == f64::NEG_INFINITY;
        let mass = Some(log.exp()).filter(|mass| mass.is_finite() && (is_zero || *mass > 0.0));
        match (options.json, mass) {
            (true, _) => writeln!(
                out,
                "{}",
                json!({"mass": mass, "log": log.is_finite().then_some(log)})
            )?,
            (false, Some(mass)) => writeln!(out, "{}", shown_number(mass))?,
            (false, None) => writeln!(out, "exp({})", shown_number(log))?,
        }
        return Ok(Exit::Ok);
    }
    let found = query::count(&asked.checked, &parts, n_threads());
    let found = found.map_err(|error| asked.failure(error, messages))?;
    match options.json {
        // As text: most readers of JSON round large numbers.
        true => {
            let object = json!({
                "models": found.models.to_string(),
                "method": found.method.name(),
                "states": n_states(found.method),
            });
            writeln!(out, "{object}")?;
        }
        false => writeln!(out, "{}", found.models)?,
    }
    Ok(Exit::Ok)
}

/// The logarithm of the mass of all parts.
fn log_mass(circuit: &Circuit, parts: &[ValueBox]) -> Result<f64, InformationError> {
    let values = circuit.start_values();
    // What is zero or infinite as a whole is told as such.
    Scaled::new(circuit, &values, &ValueBox::default())?;
    let masses = parts
        .iter()
        .map(|part| query::log_mass(circuit, &values, part));
    Ok(log_sum_exp(masses))
}
