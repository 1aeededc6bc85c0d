//! `pelton entropy`

use super::{asked, method_text, n_states, n_threads, print_estimate};
use crate::Failure;
use crate::arguments::{Entropy, Messages};
use crate::exit::Exit;
use crate::number::shown_number;
use pelton_compiler::circuit::Property;
use pelton_runtime::information::{self, Method, mentioned};
use serde_json::json;
use std::io::Write;

/// Prints the entropy of a circuit.
pub fn run(options: &Entropy, messages: &Messages) -> Result<Exit, Failure> {
    let decide = [Property::Deterministic];
    let asked = match asked(&options.model, &options.reading, &decide, messages)? {
        Ok(asked) => asked,
        Err(exit) => return Ok(exit),
    };
    let circuit = asked.checked.circuit();
    let values = circuit.start_values();
    if let Some(sampling) = options.estimating.sampling(n_threads()) {
        let found = information::estimate_entropy((&asked.checked, &values), &sampling);
        let found = found.map_err(|error| asked.failure(error, messages))?;
        return print_estimate(
            ("entropy", "entropy"),
            &found,
            options.unit.base,
            options.json,
        );
    }
    let found = match options.joint {
        true => information::joint_entropy(circuit, &values).map(|nats| (nats, Method::Structure)),
        false => information::entropy(&asked.checked, &values, n_threads())
            .map(|found| (found.nats, found.method)),
    };
    let (nats, method) = found.map_err(|error| asked.failure(error, messages))?;
    let (amount, unit) = (options.unit.base.of_nats(nats), options.unit.base.unit());
    let of = match options.joint {
        true => "variables and choices",
        false => "variables",
    };
    let kind = asked.kind(&mentioned(circuit));
    let mut out = std::io::stdout().lock();
    if options.json {
        let object = json!({
            "entropy": amount,
            "unit": unit,
            "kind": kind,
            "of": of,
            "method": method.name(),
            "states": n_states(method),
        });
        writeln!(out, "{object}")?;
        return Ok(Exit::Ok);
    }
    let label = match kind {
        "differential" => "differential entropy",
        _ => "entropy",
    };
    writeln!(out, "{label:<20} {:>14} {unit}", shown_number(amount))?;
    writeln!(out, "{:<20} of {of}; {}", "", method_text(method))?;
    Ok(Exit::Ok)
}
