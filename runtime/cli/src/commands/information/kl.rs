//! `pelton kl`

use super::{Asked, asked, method_text, n_states, n_threads, no_amount, print_estimate};
use crate::Failure;
use crate::arguments::{Kl, Messages};
use crate::exit::Exit;
use crate::inputs::check_stdin;
use crate::mass::Mass;
use crate::number::shown_number;
use pelton_compiler::circuit::Property;
use pelton_runtime::query::{self, Divergence, Method, Sampling};
use serde_json::json;
use std::io::Write;
use std::path::Path;

/// Prints how far one circuit is from another.
pub fn run(options: &Kl, messages: &Messages) -> Result<Exit, Failure> {
    check_stdin([options.first.as_path(), &options.second], "the circuits")?;
    let decide = [Property::Deterministic];
    let open = |path: &Path| asked(path, &options.reading, &decide, messages);
    // Both are told about before either ends the command.
    let (first, second) = (open(&options.first), open(&options.second));
    let (first, second) = (first?, second?);
    for circuit in [&first, &second] {
        Mass::noted(&circuit.checked, messages);
    }
    if let Some(sampling) = options.estimating.sampling(n_threads()) {
        return estimate(options, &first, &second, &sampling, messages);
    }
    let found = Found::of(&first, &second, options.cross, messages)?;
    let mut out = std::io::stdout().lock();
    match options.json {
        true => writeln!(out, "{}", found.to_json(options))?,
        false => found.tell(options, &mut out)?,
    }
    Ok(Exit::Ok)
}

fn estimate(
    options: &Kl,
    first: &Asked,
    second: &Asked,
    sampling: &Sampling,
    messages: &Messages,
) -> Result<Exit, Failure> {
    let values = [first, second].map(|asked| asked.checked.circuit().start_values());
    let (a, b) = (
        (&first.checked, &values[0][..]),
        (&second.checked, &values[1][..]),
    );
    let found = query::estimate_divergence(a, b, options.cross, sampling);
    let found = found.map_err(|error| first.failure(error, messages))?;
    let name = match options.cross {
        true => ("cross_entropy", "cross entropy"),
        false => ("kl", "divergence"),
    };
    print_estimate(name, &found, options.unit.base, options.json)
}

/// Everything that is known of the two circuits, in nats.
struct Found {
    divergence: Option<f64>,
    cross_entropy: f64,
    entropy: Option<f64>,
    method: Method,
}

impl Found {
    fn of(
        first: &Asked,
        second: &Asked,
        cross: bool,
        messages: &Messages,
    ) -> Result<Self, Failure> {
        let values = (
            first.checked.circuit().start_values(),
            second.checked.circuit().start_values(),
        );
        let (a, b) = (
            (&first.checked, &values.0[..]),
            (&second.checked, &values.1[..]),
        );
        let places = [first.place(), second.place()];
        let failure = |error| no_amount(error, &places, messages);
        let divergence: Option<Divergence> = match cross {
            true => None,
            false => Some(query::divergence(a, b, n_threads()).map_err(failure)?),
        };
        let cross_entropy = query::cross_entropy(a, b, n_threads()).map_err(failure)?;
        let entropy = query::entropy(a.0, a.1, n_threads()).ok();
        Ok(Found {
            divergence: divergence.map(|found| found.nats),
            cross_entropy: cross_entropy.nats,
            entropy: entropy.map(|found| found.nats),
            method: divergence.map_or(cross_entropy.method, |found| found.method),
        })
    }

    fn to_json(&self, options: &Kl) -> serde_json::Value {
        let base = options.unit.base;
        // A number that is not finite is null.
        let amount = |nats: Option<f64>| {
            nats.filter(|nats| nats.is_finite())
                .map(|n| base.of_nats(n))
        };
        json!({
            "kl": amount(self.divergence),
            "infinite": self.cross_entropy == f64::INFINITY,
            "cross_entropy": amount(Some(self.cross_entropy)),
            "entropy": amount(self.entropy),
            "unit": base.unit(),
            "method": self.method.name(),
            "states": n_states(self.method),
        })
    }

    fn tell(&self, options: &Kl, out: &mut dyn Write) -> std::io::Result<()> {
        let (base, unit) = (options.unit.base, options.unit.base.unit());
        let lines = [
            ("divergence", self.divergence),
            ("cross entropy", Some(self.cross_entropy)),
            ("entropy of A", self.entropy),
        ];
        for (label, nats) in lines {
            match nats {
                None => {}
                Some(f64::INFINITY) => writeln!(
                    out,
                    "{label:<20} {:>14} (A is positive where B is zero)",
                    "infinite"
                )?,
                Some(nats) => {
                    let amount = shown_number(base.of_nats(nats));
                    writeln!(out, "{label:<20} {amount:>14} {unit}")?;
                }
            }
        }
        writeln!(out, "{:<20} {}", "", method_text(self.method))
    }
}
