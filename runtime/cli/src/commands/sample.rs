//! `pelton sample`

use crate::arguments::{MessageArguments, SampleCommand};
use crate::asking::{AskedCircuit, chunks, json_value, no_answer, note_impossible, object};
use crate::inputs::is_standard;
use crate::stream::{StreamReply, serve};
use crate::{CommandResult, Exit, write};
use pelton_compiler::circuit::{CircuitGraph, CircuitVariable, Domain};
use pelton_runtime::data::{Column, MISSING_CODE, MISSING_SMALL, Table};
use pelton_runtime::query::{CircuitSampler, RowSampling, sample_rows};
use serde_json::{Map, Value, json};
use std::io::{Error, Write};

/// Samples that are drawn at a time.
const CHUNK: usize = 1 << 16;

pub fn run(options: &SampleCommand, messages: &MessageArguments) -> CommandResult<Exit> {
    let asked = options.asking.open(None, messages)?;
    if options.asking.rows.stream {
        return stream(&asked, options);
    }
    let fill = |out: &mut dyn Write| draw(&asked, options, messages, out);
    let file = options.output.as_deref();
    match file.filter(|path| !is_standard(path)) {
        Some(path) => write::atomically(path, fill)?,
        None => {
            let mut out = std::io::BufWriter::new(std::io::stdout().lock());
            fill(&mut out)?;
            out.flush()?;
        }
    }
    Ok(Exit::Ok)
}

fn stream(own: &AskedCircuit, options: &SampleCommand) -> CommandResult<Exit> {
    let circuit = own.model.circuit();
    let n_variables = circuit.variables().len();
    serve(circuit, &["given", "row", "rows", "n", "seed"], |asked| {
        let n = asked.request.number("n", options.n as u64)?;
        let n = usize::try_from(n).unwrap_or(usize::MAX);
        let seed = asked.request.number("seed", options.seed)?;
        asked.check_size(n.saturating_mul(n_variables.max(1)))?;
        let given = asked.request.given(circuit, &own.given)?;
        let Some(table) = &asked.table else {
            let sampler = CircuitSampler::new(&own.model, &own.parameters, &given)?;
            let mut cells = Vec::new();
            let drawn = sampler.draw(0..n, seed, own.threads);
            drawn.append_assignments(circuit, &mut cells);
            let samples = (0..n).map(|at| &cells[at * n_variables..][..n_variables]);
            return Ok(vec![StreamReply::new(samples_json(circuit, Some(samples)))]);
        };
        let sampling = RowSampling {
            n_each: n,
            seed,
            first_row: 0,
            threads: own.threads,
        };
        let found = sample_rows(&own.model, &own.parameters, &given, table, &sampling)?;
        let reply = |samples: &Option<Vec<Vec<f64>>>| {
            let own = samples.as_ref().map(|own| own.iter().map(Vec::as_slice));
            StreamReply {
                fields: samples_json(circuit, own),
                is_possible: samples.is_some(),
            }
        };
        Ok(found.iter().map(reply).collect())
    })
}

/// Samples as objects; null if there are none.
fn samples_json<'a>(
    circuit: &CircuitGraph,
    samples: Option<impl Iterator<Item = &'a [f64]>>,
) -> Map<String, Value> {
    let assignment = |sample: &[f64]| {
        let pairs = circuit.variables().iter().zip(sample);
        pairs
            .map(|(own, &x)| (own.name.clone(), json_value(&own.domain, x)))
            .collect::<Value>()
    };
    let all = samples.map(|samples| samples.map(assignment).collect::<Vec<Value>>());
    object(json!({"samples": all}))
}

/// Draws all samples; what is no fault of the output is a failure inside of the error.
fn draw(
    asked: &AskedCircuit,
    options: &SampleCommand,
    messages: &MessageArguments,
    out: &mut dyn Write,
) -> std::io::Result<()> {
    if let Some(table) = &asked.table {
        return by_rows(asked, table, options, messages, out);
    }
    let sampler = CircuitSampler::new(&asked.model, &asked.parameters, &asked.given)
        .map_err(|gap| Error::other(no_answer(gap)))?;
    let circuit = asked.model.circuit();
    write_header(circuit, out)?;
    for first in (0..options.n).step_by(CHUNK) {
        let samples = first..options.n.min(first + CHUNK);
        let table = sampler.draw(samples, options.seed, asked.threads);
        write_rows(circuit, &table, out)?;
    }
    Ok(())
}

fn by_rows(
    asked: &AskedCircuit,
    table: &Table,
    options: &SampleCommand,
    messages: &MessageArguments,
    out: &mut dyn Write,
) -> std::io::Result<()> {
    let circuit = asked.model.circuit();
    write_header(circuit, out)?;
    let step = (CHUNK / options.n.max(1)).max(1);
    let mut is_impossible = Vec::with_capacity(table.n_rows());
    for (first, chunk) in chunks(table, step) {
        let sampling = RowSampling {
            n_each: options.n,
            seed: options.seed,
            first_row: first as u64,
            threads: asked.threads,
        };
        let found = sample_rows(
            &asked.model,
            &asked.parameters,
            &asked.given,
            &chunk,
            &sampling,
        )
        .map_err(|gap| Error::other(no_answer(gap)))?;
        is_impossible.extend(found.iter().map(Option::is_none));
        // A row that is impossible has as many samples as others, with nothing in them.
        let nothing = || vec![vec![f64::NAN; circuit.variables().len()]; options.n];
        let samples = found
            .into_iter()
            .flat_map(|own| own.unwrap_or_else(nothing));
        let samples: Vec<Vec<f64>> = samples.collect();
        write_rows(circuit, &Table::from_assignments(circuit, &samples), out)?;
    }
    let is_impossible = is_impossible.into_iter().filter(|_| options.n > 0);
    note_impossible(is_impossible, messages).map_err(Error::other)
}

fn write_header(circuit: &CircuitGraph, out: &mut dyn Write) -> std::io::Result<()> {
    let name = |variable: &CircuitVariable| {
        let column = variable.binding.column.as_ref();
        quoted(column.unwrap_or(&variable.name))
    };
    let names: Vec<String> = circuit.variables().iter().map(name).collect();
    writeln!(out, "{}", names.join(","))
}

fn write_rows(circuit: &CircuitGraph, table: &Table, out: &mut dyn Write) -> std::io::Result<()> {
    let is_alone = circuit.variables().len() == 1;
    let mut cells: Vec<SampleColumn<'_>> = circuit
        .variables()
        .iter()
        .zip(table.columns())
        .map(|(variable, column)| SampleColumn::new(variable, column, is_alone))
        .collect();
    let mut line = Vec::new();
    for row in 0..table.n_rows() {
        line.clear();
        for (at, cells) in cells.iter_mut().enumerate() {
            if at > 0 {
                line.push(b',');
            }
            cells.write(row, &mut line);
        }
        line.push(b'\n');
        out.write_all(&line)?;
    }
    Ok(())
}

struct SampleColumn<'a> {
    column: &'a Column,
    first: f64,
    /// The texts of values with small codes.
    texts: Vec<String>,
    /// The text of a cell that is missing.
    missing: &'static str,
}

impl<'a> SampleColumn<'a> {
    fn new(variable: &CircuitVariable, column: &'a Column, is_alone: bool) -> Self {
        let domain = &variable.domain;
        // Texts of the first codes are made once, those of others as they come.
        let n = match domain {
            Domain::Categories(names) => names.len(),
            domain => domain.size().map_or(0, |size| size.min(256) as usize),
        };
        let text = |at: usize| match domain {
            Domain::Bool => at.to_string(),
            Domain::Categories(names) => quoted(&names[at]),
            _ => (domain.first() + at as f64).to_string(),
        };
        SampleColumn {
            column,
            first: domain.first(),
            texts: (0..n).map(text).collect(),
            missing: missing_text(domain, is_alone),
        }
    }

    fn write(&self, row: usize, line: &mut Vec<u8>) {
        let number = |x: f64, line: &mut Vec<u8>| line.extend(x.to_string().bytes());
        match self.column {
            Column::Small(cells) if cells[row] != MISSING_SMALL => {
                line.extend(self.texts[usize::from(cells[row])].bytes());
            }
            Column::Codes(cells) if cells[row] != MISSING_CODE => {
                match self.texts.get(cells[row] as usize) {
                    Some(text) => line.extend(text.bytes()),
                    None => number(self.first + f64::from(cells[row]), line),
                }
            }
            Column::Reals(cells) if !cells[row].is_nan() => number(cells[row], line),
            _ => line.extend(self.missing.bytes()),
        }
    }
}

/// What is read as a missing cell: nothing, unless a category is called so or the column is
/// the only one, whose lines would be blank.
fn missing_text(domain: &Domain, is_alone: bool) -> &'static str {
    let is_taken = |text: &str| match domain {
        Domain::Categories(names) => names.iter().any(|name| name == text),
        _ => false,
    };
    let mut texts = ["", "?", "NA", "nan", "NaN", "NAN"].into_iter();
    let is_read_otherwise = |text: &str| is_taken(text) || (text.is_empty() && is_alone);
    texts.find(|text| !is_read_otherwise(text)).unwrap_or("")
}

/// A cell of CSV, in quotes if it needs them: if it would be cut or trimmed, or if a file
/// that begins with it would be taken for another kind.
fn quoted(text: &str) -> String {
    let is_plain = !text.contains([',', ';', '\t', '"', '\n', '\r'])
        && text.trim() == text
        && !["\u{feff}", "PAR1"].iter().any(|own| text.starts_with(own))
        && !text.is_empty();
    if is_plain {
        text.to_string()
    } else {
        format!("\"{}\"", text.replace('"', "\"\""))
    }
}
