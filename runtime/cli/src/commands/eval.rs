//! `pelton eval`

use crate::arguments::{EvalCommand, MessageArguments, RunningArguments, read_options};
use crate::asking::{check_stream, chunks, object};
use crate::inputs::{check_stdin, read_file};
use crate::learning::observes_reals;
use crate::mass::Mass;
use crate::number::shown_number;
use crate::progress::ProgressLine;
use crate::stream::{RequestFault, StreamReply, serve};
use crate::{CommandFailure, CommandResult, Exit, engine, model};
use pelton_compiler::check::Checked;
use pelton_compiler::circuit::{CircuitGraph, ParamId, ParamKind};
use pelton_grammar::diagnostic::{counted, thousands};
use pelton_runtime::data::{DataSet, Table};
use pelton_runtime::{Likelihoods, Model};
use serde_json::{Map, Value, json};
use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Rows that are evaluated between two looks at the clock.
const CHUNK: usize = 1 << 16;

pub fn run(options: &EvalCommand, messages: &MessageArguments) -> CommandResult<Exit> {
    check_stream(&options.circuit.model, options.stream)?;
    let inputs = options.data.iter().chain([&options.circuit.model]);
    check_stdin(inputs.map(PathBuf::as_path), "the circuit and the data")?;
    let checked = model::checked(&options.circuit.model, &options.circuit.reading, messages)?;
    note_unset(checked.circuit(), messages);
    let mass = divisor(&checked, options, messages)?;
    let Some(path) = &options.data else {
        return stream(checked, mass, &options.running);
    };
    let data = read_file(
        path,
        checked.circuit(),
        &read_options(options.header, options.weight_column.as_deref()),
        messages,
    )?;
    let outcome = evaluate(checked, mass, &data, options, messages)?;
    outcome.note_zeros(messages);
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    match (options.per_row, options.json) {
        (true, is_json) => outcome.print_rows(is_json, &mut out)?,
        (false, true) => writeln!(out, "{}", outcome.to_json(&options.running))?,
        (false, false) => outcome.tell(&options.running, &mut out)?,
    }
    out.flush()?;
    Ok(Exit::Ok)
}

/// What values are divided by: nothing if they are asked for as they are.
fn divisor(
    checked: &Checked,
    options: &EvalCommand,
    messages: &MessageArguments,
) -> CommandResult<Option<Mass>> {
    if options.unnormalized || checked.circuit().is_counting() {
        return Ok(None);
    }
    let mass = Mass::of(checked).map_err(|error| {
        let message = format!("{error}; `--unnormalized` gives the values themselves");
        match CommandFailure::from(error) {
            CommandFailure::Unfit(_) => CommandFailure::Unfit(message),
            _ => CommandFailure::Numeric(message),
        }
    })?;
    let what = "likelihoods are divided by it, values with `--unnormalized` are not";
    mass.note(what, messages);
    Ok(Some(mass))
}

fn stream(checked: Checked, mass: Option<Mass>, running: &RunningArguments) -> CommandResult<Exit> {
    let (model, _) = engine::compile(checked, &running.with_all_digits())?;
    let (parameters, threads) = (model.start_parameters(), running.n_threads());
    serve(model.circuit(), &["row", "rows"], |asked| {
        let found = model.log_likelihoods(&parameters, &asked.rows(), threads);
        let found = found.over(mass.map_or(0.0, |mass| mass.log_divisor()));
        if let Some(at) = found.logs.iter().position(is_none) {
            return Err(RequestFault::numeric(none_text(at)));
        }
        let replies = found
            .logs
            .iter()
            .map(|&log| StreamReply::new(row_json(log, mass)));
        Ok(replies.collect())
    })
}

/// Whether a logarithm is no number that a likelihood has.
fn is_none(log_p: &f64) -> bool {
    log_p.is_nan() || *log_p == f64::INFINITY
}

fn none_text(row: usize) -> String {
    format!(
        "the log-likelihood of row {} is not a finite number; are weights or densities too large?",
        row + 1
    )
}

/// Compiles a circuit and evaluates rows; their weights say how much each counts.
fn evaluate(
    checked: Checked,
    mass: Option<Mass>,
    data: &DataSet,
    options: &EvalCommand,
    messages: &MessageArguments,
) -> CommandResult<EvalReport> {
    let (table, weights) = (&data.table, data.weights.as_deref());
    let kind = if observes_reals(checked.circuit(), table) {
        "density"
    } else {
        "probability"
    };
    let (model, compile_time) = engine::compile(checked, &options.running)?;
    let start = Instant::now();
    let log_divisor = mass.map_or(0.0, |mass| mass.log_divisor());
    let (mut summary, mut kept) = (EvalSummary::default(), Vec::new());
    each_chunk(&model, table, &options.running, messages, |found| {
        let logs = found.over(log_divisor).logs;
        summary.add(&logs, weights)?;
        // They take eight times as much as the rows of a variable of few values.
        if options.per_row {
            kept.extend(logs);
        }
        Ok(())
    })?;
    Ok(EvalReport {
        time: start.elapsed(),
        summary,
        log_likelihoods: kept,
        mass,
        kind,
        compile_time,
    })
}

/// Learned parameters without a value are evaluated at the start of learning.
pub fn note_unset(circuit: &CircuitGraph, messages: &MessageArguments) {
    let n_unset: usize = (0..circuit.parameters().len())
        .map(ParamId::new)
        .map(|param| {
            let entries = circuit.entries(param).iter();
            let n_unset = entries.filter(|entry| entry.value.is_none()).count();
            match circuit.parameter(param).kind {
                // A probability and what is left to 1 are one number.
                ParamKind::Unit => n_unset.min(1),
                _ => n_unset,
            }
        })
        .sum();
    if n_unset > 0 {
        let (one, many) = ("number to be learned has", "numbers to be learned have");
        messages.note(format!(
            "{} no value yet; evaluated with equal shares, 1 or 0",
            counted(n_unset, one, many)
        ));
    }
}

/// Hands the likelihoods of all rows to `each`, some at a time.
fn each_chunk(
    model: &Model,
    table: &Table,
    running: &RunningArguments,
    messages: &MessageArguments,
    mut each: impl FnMut(Likelihoods) -> CommandResult<()>,
) -> CommandResult<()> {
    let parameters = model.start_parameters();
    let (n_rows, n_threads) = (table.n_rows(), running.n_threads());
    if n_rows <= CHUNK {
        return each(model.log_likelihoods(&parameters, table, n_threads));
    }
    let mut line = ProgressLine::new(Duration::from_secs(5), messages);
    for (first, chunk) in chunks(table, CHUNK) {
        each(model.log_likelihoods(&parameters, &chunk, n_threads))?;
        let done = (first + chunk.n_rows()) as f64;
        let (percent, seconds) = (100.0 * done / n_rows as f64, line.elapsed().as_secs_f64());
        let rate = done / seconds.max(1e-9);
        line.show(|| format!("evaluating {percent:.0} %, {rate:.0} rows/s"));
    }
    Ok(())
}

/// What the rows amount to.
#[derive(Default)]
struct EvalSummary {
    n_rows: usize,
    /// Over rows whose probability is not zero, by weight.
    total: f64,
    total_weight: f64,
    n_zero: usize,
    first_zero: Option<usize>,
}

impl EvalSummary {
    /// Adds the rows that come next; `weights` are those of all rows.
    fn add(&mut self, log_likelihoods: &[f64], weights: Option<&[f64]>) -> CommandResult<()> {
        if let Some(at) = log_likelihoods.iter().position(is_none) {
            return Err(CommandFailure::Numeric(none_text(self.n_rows + at)));
        }
        // Rows of probability zero are counted: one of them would make every mean -inf.
        for &log_p in log_likelihoods {
            let row = self.n_rows;
            self.n_rows += 1;
            if log_p == f64::NEG_INFINITY {
                self.n_zero += 1;
                self.first_zero.get_or_insert(row);
                continue;
            }
            let weight = weights.map_or(1.0, |weights| weights[row]);
            self.total += weight * log_p;
            self.total_weight += weight;
        }
        Ok(())
    }

    /// The mean over rows whose probability is not zero; none if there are none.
    fn mean(&self) -> Option<f64> {
        (self.total_weight > 0.0).then(|| self.total / self.total_weight)
    }
}

struct EvalReport {
    log_likelihoods: Vec<f64>,
    summary: EvalSummary,
    /// What values were divided by.
    mass: Option<Mass>,
    kind: &'static str,
    compile_time: Duration,
    time: Duration,
}

impl EvalReport {
    fn note_zeros(&self, messages: &MessageArguments) {
        let Some(first) = self.summary.first_zero else {
            return;
        };
        let (n_zero, n_rows) = (self.summary.n_zero, thousands(self.summary.n_rows));
        let note = match n_zero {
            1 => format!(
                "row {} of {n_rows} has probability zero; the mean leaves it out",
                first + 1
            ),
            _ => format!(
                "{} of {n_rows} rows have probability zero, row {} is the first; the mean leaves them out",
                thousands(n_zero),
                first + 1
            ),
        };
        messages.note(&note);
    }

    fn print_rows(&self, is_json: bool, out: &mut dyn Write) -> std::io::Result<()> {
        for (at, log_p) in self.log_likelihoods.iter().enumerate() {
            if is_json {
                let mut row = object(json!({"row": at + 1}));
                row.extend(row_json(*log_p, self.mass));
                writeln!(out, "{}", Value::Object(row))?;
            } else {
                writeln!(out, "{log_p}")?
            }
        }
        Ok(())
    }

    fn rows_per_second(&self) -> f64 {
        self.summary.n_rows as f64 / self.time.as_secs_f64().max(1e-9)
    }

    fn to_json(&self, running: &RunningArguments) -> Value {
        let mut object = json!({
            "rows": self.summary.n_rows,
            "mean_log_likelihood": self.summary.mean(),
            "zero_rows": self.summary.n_zero,
            "kind": self.kind,
            "threads": running.n_threads(),
            "precision": engine::precision(running).name(),
            "compile_seconds": self.compile_time.as_secs_f64(),
            "seconds": self.time.as_secs_f64(),
            "rows_per_second": self.rows_per_second(),
        });
        if let (Some(mass), Some(fields)) = (self.mass, object.as_object_mut()) {
            mass.put(fields);
        }
        object
    }

    fn tell(&self, running: &RunningArguments, out: &mut dyn Write) -> std::io::Result<()> {
        let summary = &self.summary;
        writeln!(out, "{:<20} {:>14}", "rows", thousands(summary.n_rows))?;
        let label = match self.kind {
            "density" => "mean log-density",
            _ => "mean log-likelihood",
        };
        match summary.mean() {
            Some(mean) => writeln!(out, "{label:<20} {:>14}", shown_number(mean))?,
            None => writeln!(out, "{label:<20} {:>14}", "none")?,
        }
        writeln!(out, "{:<20} {:>14}", "zero rows", thousands(summary.n_zero))?;
        writeln!(
            out,
            "compiled in {:.3} s, evaluated in {:.3} s: {} rows/s ({}, {})",
            self.compile_time.as_secs_f64(),
            self.time.as_secs_f64(),
            thousands(self.rows_per_second() as usize),
            counted(running.n_threads(), "thread", "threads"),
            engine::precision(running).name(),
        )
    }
}

fn row_json(log_p: f64, mass: Option<Mass>) -> Map<String, Value> {
    let is_zero = log_p == f64::NEG_INFINITY;
    let mut row = object(json!({"log_likelihood": log_p, "zero": is_zero}));
    if let Some(mass) = mass {
        mass.put(&mut row);
    }
    row
}
