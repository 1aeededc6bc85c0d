//! `pelton marginals`

use crate::arguments::{MarginalsCommand, MessageArguments};
use crate::asking::{
    AskedCircuit, chunks, name_width, no_answer, object, shown_value, text_number,
};
use crate::mass::Mass;
use crate::stream::{StreamReply, serve};
use crate::{CommandResult, Exit, report};
use pelton_compiler::circuit::{CircuitGraph, CircuitVariable, VarId};
use pelton_compiler::plan::TABLE_DOMAIN;
use pelton_runtime::query::{Posterior, Posteriors, marginals};
use serde_json::{Map, Value, json};
use std::io::Write;

/// Numbers that are kept at a time.
const MOST_NUMBERS: usize = 1 << 22;
/// Values that are shown of a variable with many.
const SHOWN: usize = 8;

pub fn run(options: &MarginalsCommand, messages: &MessageArguments) -> CommandResult<Exit> {
    let asked = options.asking.open(None, messages)?;
    if options.asking.rows.stream {
        return stream(&asked);
    }
    let (model, table) = (&asked.model, asked.rows());
    let has_rows = asked.table.is_some();
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let mut is_impossible = Vec::with_capacity(table.n_rows());
    // Few enough rows at a time for their numbers to be kept.
    let n_rows = (MOST_NUMBERS / n_numbers(model.circuit())).max(64);
    for (first, chunk) in chunks(&table, n_rows) {
        let found = marginals(
            model,
            &asked.parameters,
            &asked.given,
            &chunk,
            asked.threads,
        )
        .map_err(no_answer)?;
        is_impossible.extend(found.logs.iter().map(|&log| log == f64::NEG_INFINITY));
        for row in 0..chunk.n_rows() {
            let is_known = has_rows || !is_impossible[first + row];
            let number = has_rows.then_some(first + row);
            match options.json {
                _ if !is_known => {}
                true => print_json(
                    (model.circuit(), asked.mass),
                    &found,
                    (row, number),
                    &mut out,
                )?,
                false => print_text(model.circuit(), &found, (row, number), &mut out)?,
            }
        }
    }
    out.flush()?;
    asked.note_impossible(is_impossible, messages)?;
    Ok(Exit::Ok)
}

fn stream(own: &AskedCircuit) -> CommandResult<Exit> {
    let (model, circuit) = (&own.model, own.model.circuit());
    serve(circuit, &["given", "row", "rows"], |asked| {
        asked.check_size(n_numbers(circuit))?;
        let given = asked.request.given(circuit, &own.given)?;
        let found = marginals(model, &own.parameters, &given, &asked.rows(), own.threads)?;
        let reply = |row| {
            let of_row = circuit
                .variables()
                .iter()
                .enumerate()
                .map(|(at, variable)| {
                    let posterior = found.of(row, VarId::new(at));
                    let fields = posterior_json(variable, posterior);
                    (variable.name.clone(), Value::Object(fields))
                });
            let all: Value = of_row.collect();
            let mut fields = object(json!({"marginals": all, "log_evidence": found.logs[row]}));
            own.mass.put(&mut fields);
            StreamReply {
                fields,
                is_possible: found.logs[row] > f64::NEG_INFINITY,
            }
        };
        Ok((0..found.n_rows()).map(reply).collect())
    })
}

/// Numbers that a row is answered with.
fn n_numbers(circuit: &CircuitGraph) -> usize {
    let sizes = circuit.variables().iter().map(|variable| {
        let size = variable.domain.size().filter(|&size| size <= TABLE_DOMAIN);
        size.unwrap_or(2) as usize
    });
    sizes.sum::<usize>().max(1)
}

fn print_text(
    circuit: &CircuitGraph,
    found: &Posteriors,
    (row, number): (usize, Option<usize>),
    out: &mut dyn Write,
) -> std::io::Result<()> {
    let out = &mut report::VisibleWriter(out);
    if let Some(number) = number {
        writeln!(out, "row {}", number + 1)?;
    }
    let width = name_width(circuit);
    for (at, variable) in circuit.variables().iter().enumerate() {
        let text = text(variable, found.of(row, VarId::new(at)));
        writeln!(out, "{:<width$}  {text}", variable.name)?;
    }
    Ok(())
}

fn text(variable: &CircuitVariable, posterior: Posterior<'_>) -> String {
    match posterior {
        Posterior::Unmentioned => "no leaf mentions it".to_string(),
        Posterior::Probabilities([first, ..]) if first.is_nan() => "undefined".to_string(),
        Posterior::Spread { mean, .. } if mean.is_nan() => "undefined".to_string(),
        Posterior::Spread { mean, sd } => {
            format!("mean {}, sd {}", text_number(mean), text_number(sd))
        }
        Posterior::Probabilities(probabilities) => listed(variable, probabilities),
    }
}

/// The probabilities of all values, or of the likeliest ones.
fn listed(variable: &CircuitVariable, probabilities: &[f64]) -> String {
    // Few values are listed in the order of the domain, of many the likeliest.
    let mut values: Vec<usize> = (0..probabilities.len()).collect();
    let n_hidden = values.len().saturating_sub(SHOWN);
    if n_hidden > 0 {
        values.sort_by(|&a, &b| probabilities[b].total_cmp(&probabilities[a]));
        values.truncate(SHOWN);
    }
    let first = variable.domain.first();
    let shown = values.iter().map(|&at| {
        let value = shown_value(&variable.domain, first + at as f64);
        format!("{value} {}", text_number(probabilities[at]))
    });
    let mut text = shown.collect::<Vec<String>>().join(", ");
    if n_hidden > 0 {
        text.push_str(&format!(", {n_hidden} more"));
    }
    text
}

fn print_json(
    (circuit, mass): (&CircuitGraph, Mass),
    found: &Posteriors,
    (row, number): (usize, Option<usize>),
    out: &mut dyn Write,
) -> std::io::Result<()> {
    for (at, variable) in circuit.variables().iter().enumerate() {
        let mut line = Map::new();
        line.extend(number.map(|number| ("row".to_string(), json!(number + 1))));
        line.insert("variable".into(), json!(variable.name));
        line.extend(posterior_json(variable, found.of(row, VarId::new(at))));
        mass.put(&mut line);
        writeln!(out, "{}", Value::Object(line))?;
    }
    Ok(())
}

fn posterior_json(variable: &CircuitVariable, posterior: Posterior<'_>) -> Map<String, Value> {
    object(match posterior {
        Posterior::Unmentioned => json!({"probabilities": null}),
        Posterior::Spread { mean, sd } => json!({"mean": mean, "sd": sd}),
        Posterior::Probabilities(probabilities) => {
            let first = variable.domain.first();
            let pairs = (0..).zip(probabilities).map(|(at, &p)| {
                let value = shown_value(&variable.domain, first + f64::from(at));
                (value, json!(p))
            });
            json!({"probabilities": pairs.collect::<Value>()})
        }
    })
}
