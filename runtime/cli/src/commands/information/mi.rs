//! `pelton mi`

use super::variables::named;
use super::{asked, method_text, n_states, n_threads, print_estimate};
use crate::Failure;
use crate::arguments::{Messages, Mi};
use crate::exit::Exit;
use crate::mass::Mass;
use crate::model;
use crate::number::shown_number;
use pelton_runtime::query::{MutualInformation, estimate_mutual_information, mutual_information};
use serde_json::json;
use std::io::Write;

/// Prints what some variables tell about others.
pub fn run(options: &Mi, messages: &Messages) -> Result<Exit, Failure> {
    let asked = asked(&options.model, &options.reading, &[], messages)?;
    Mass::noted(&asked.checked, messages);
    let circuit = asked.checked.circuit();
    let (first, second) = (
        named(circuit, &options.first)?,
        named(circuit, &options.second)?,
    );
    let limits = model::options(&options.reading).limits;
    let values = circuit.start_values();
    let sets = (&first[..], &second[..]);
    if let Some(sampling) = options.estimating.sampling(n_threads()) {
        let found = estimate_mutual_information((&asked.checked, &values), sets, &sampling);
        let found = found.map_err(|error| asked.failure(error, messages))?;
        let name = ("mutual_information", "mutual information");
        return print_estimate(name, &found, options.unit.base, options.json);
    }
    let found = mutual_information(&asked.checked, &values, sets, &limits, n_threads());
    let found = found.map_err(|error| asked.failure(error, messages))?;
    let kind = asked.kind(&[&first[..], &second[..]].concat());
    let mut out = std::io::stdout().lock();
    match options.json {
        true => writeln!(out, "{}", to_json(&found, kind, options))?,
        false => tell(&found, options, &mut out)?,
    }
    Ok(Exit::Ok)
}

fn to_json(found: &MutualInformation, kind: &str, options: &Mi) -> serde_json::Value {
    let base = options.unit.base;
    json!({
        "mutual_information": base.of_nats(found.nats),
        "entropy_x": base.of_nats(found.first),
        "entropy_y": base.of_nats(found.second),
        "entropy_xy": base.of_nats(found.both),
        "unit": base.unit(),
        "kind": kind,
        "method": found.method.name(),
        "states": n_states(found.method),
    })
}

fn tell(found: &MutualInformation, options: &Mi, out: &mut dyn Write) -> std::io::Result<()> {
    let (base, unit) = (options.unit.base, options.unit.base.unit());
    for (label, nats) in [
        ("mutual information", found.nats),
        ("entropy of X", found.first),
        ("entropy of Y", found.second),
        ("entropy of both", found.both),
    ] {
        writeln!(
            out,
            "{label:<20} {:>14} {unit}",
            shown_number(base.of_nats(nats))
        )?;
    }
    writeln!(out, "{:<20} {}", "", method_text(found.method))
}
