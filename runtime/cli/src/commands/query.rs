//! `pelton query`

use crate::arguments::{Messages, Query};
use crate::asking::{check_inputs, note_impossible, read_rows, text_number, understood};
use crate::commands::note_unset;
use crate::exit::Exit;
use crate::mass::Mass;
use crate::stream::{Reply, serve};
use crate::{Failure, engine, model, report};
use pelton_compiler::check::Checked;
use pelton_compiler::circuit::{self, Circuit};
use pelton_runtime::data::Table;
use pelton_runtime::query::{Answer, Gap, RowAnswer, answer, answer_rows, ask};
use serde_json::{Map, Value, json};
use std::io::Write;

/// Rows that are asked about at a time.
const CHUNK: usize = 1 << 16;

/// Answers questions, at large or for every row of data.
pub fn run(options: &Query, messages: &Messages) -> Result<Exit, Failure> {
    check_inputs(&options.model, &options.rows)?;
    let checked = model::checked(&options.model, &options.reading, messages)?;
    note_unset(checked.circuit(), messages);
    let mass = Mass::noted(&checked, messages);
    if options.rows.stream {
        return stream(checked, mass, options, messages);
    }
    let queries = questions(options, checked.circuit(), messages)?;
    match read_rows(&options.rows, checked.circuit(), messages)? {
        None => single(&queries, (checked.circuit(), mass), options),
        Some(table) => by_rows(&queries, (checked, mass), &table, options, messages),
    }
}

/// Answers the questions of requests.
fn stream(
    checked: Checked,
    mass: Mass,
    options: &Query,
    messages: &Messages,
) -> Result<Exit, Failure> {
    let otherwise = match options.queries.as_slice() {
        [] => None,
        [text] => Some(understood(ask(checked.circuit(), text), messages)?),
        _ => {
            return Err(Failure::Usage(
                "with --stream, write one query at most; requests may have their own".to_string(),
            ));
        }
    };
    let (model, _) = engine::compile(checked, &options.running.with_all_digits())?;
    let (parameters, threads) = (model.start_parameters(), options.running.n_threads());
    let circuit = model.circuit();
    let values = circuit.start_values();
    serve(circuit, &["query", "row", "rows"], |asked| {
        let query = asked.request.query(circuit, otherwise.as_ref())?;
        let Some(table) = &asked.table else {
            let found = answer(circuit, &values, &query);
            return match fault(&found) {
                Some(failure) => Err(failure.into()),
                None => Ok(vec![Reply::new(row_json(&query, found.row(), mass))]),
            };
        };
        let queries = std::slice::from_ref(&query);
        let answers = answer_rows(&model, &parameters, queries, table, threads);
        match structural_gap(&answers) {
            Some((_, gap)) => Err(Failure::Wrong(format!("{} {gap}", query.text)).into()),
            None => Ok(answers
                .into_iter()
                .flatten()
                .map(|own| reply(&query, own, mass))
                .collect()),
        }
    })
}

fn reply(query: &circuit::Query, answer: RowAnswer, mass: Mass) -> Reply {
    Reply {
        fields: row_json(query, answer, mass),
        is_possible: answer.log.is_ok(),
    }
}

/// The questions of the command line, or of the file if there are none.
fn questions(
    options: &Query,
    circuit: &Circuit,
    messages: &Messages,
) -> Result<Vec<circuit::Query>, Failure> {
    if options.queries.is_empty() {
        let own = circuit.queries().to_vec();
        return match own.is_empty() {
            true => Err(Failure::Usage(
                "there is no query; write one such as 'P(rain | wet)', or `query P(rain | wet);` \
                 into the circuit"
                    .to_string(),
            )),
            false => Ok(own),
        };
    }
    // All are told about before one of them ends the command.
    let texts = options.queries.iter();
    let read: Vec<_> = texts
        .map(|text| understood(ask(circuit, text), messages))
        .collect();
    read.into_iter().collect()
}

fn single(
    queries: &[circuit::Query],
    (circuit, mass): (&Circuit, Mass),
    options: &Query,
) -> Result<Exit, Failure> {
    let values = circuit.start_values();
    let mut out = std::io::stdout().lock();
    let mut failure = None;
    for query in queries {
        let found = answer(circuit, &values, query);
        match options.json {
            true => {
                let row = row_json(query, found.row(), mass);
                writeln!(out, "{}", Value::Object(row))?;
            }
            false if found.log.is_ok() => writeln!(report::Visible(&mut out), "{found}")?,
            false => {}
        }
        failure = failure.or(fault(&found));
    }
    failure.map_or(Ok(Exit::Ok), Err)
}

/// Why a question has no answer that is a number.
fn fault(answer: &Answer) -> Option<Failure> {
    match answer.log {
        Ok(log) if log.is_nan() || log == f64::INFINITY => {
            let message = format!("{} is not a finite number", answer.query);
            Some(Failure::Numeric(message))
        }
        Ok(_) => None,
        Err(Gap::ImpossibleGiven | Gap::ZeroMass) => Some(Failure::Unfit(answer.to_string())),
        Err(_) => Some(Failure::Wrong(answer.to_string())),
    }
}

fn by_rows(
    queries: &[circuit::Query],
    (checked, mass): (Checked, Mass),
    table: &Table,
    options: &Query,
    messages: &Messages,
) -> Result<Exit, Failure> {
    let (model, _) = engine::compile(checked, &options.running)?;
    let (parameters, threads) = (model.start_parameters(), options.running.n_threads());
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let mut is_impossible = Vec::with_capacity(table.n_rows());
    for first in (0..table.n_rows()).step_by(CHUNK) {
        let chunk = table.slice(first..table.n_rows().min(first + CHUNK));
        let answers = answer_rows(&model, &parameters, queries, &chunk, threads);
        if let Some((at, gap)) = structural_gap(&answers) {
            return Err(Failure::Wrong(format!("{} {gap}", queries[at].text)));
        }
        for row in 0..chunk.n_rows() {
            let own: Vec<RowAnswer> = answers.iter().map(|rows| rows[row]).collect();
            is_impossible.push(own.iter().any(|answer| answer.log.is_err()));
            match options.json {
                true => print_json(queries, (&own, mass), first + row, &mut out)?,
                false => print_row(&own, &mut out)?,
            }
        }
    }
    out.flush()?;
    note_impossible(is_impossible.into_iter(), messages)?;
    Ok(Exit::Ok)
}

/// A question that cannot be answered whatever the row.
fn structural_gap(answers: &[Vec<RowAnswer>]) -> Option<(usize, Gap)> {
    let gaps = answers.iter().enumerate().flat_map(|(at, rows)| {
        let gaps = rows.iter().filter_map(|answer| answer.log.err());
        gaps.map(move |gap| (at, gap))
    });
    let mut gaps = gaps.filter(|(_, gap)| *gap != Gap::ImpossibleGiven);
    gaps.next()
}

fn print_row(answers: &[RowAnswer], out: &mut dyn Write) -> std::io::Result<()> {
    let shown: Vec<String> = answers
        .iter()
        .map(|answer| match answer.log {
            Ok(log) => text_number(log.exp()),
            Err(_) => "undefined".to_string(),
        })
        .collect();
    writeln!(out, "{}", shown.join("\t"))
}

fn print_json(
    queries: &[circuit::Query],
    (answers, mass): (&[RowAnswer], Mass),
    row: usize,
    out: &mut dyn Write,
) -> std::io::Result<()> {
    for (query, answer) in queries.iter().zip(answers) {
        let mut line = Map::from_iter([("row".to_string(), json!(row + 1))]);
        line.extend(row_json(query, *answer, mass));
        writeln!(out, "{}", Value::Object(line))?;
    }
    Ok(())
}

/// What is printed of the answer for a row.
fn row_json(query: &circuit::Query, answer: RowAnswer, mass: Mass) -> Map<String, Value> {
    let mut row = answer.to_json(&query.text);
    mass.put(&mut row);
    row
}
