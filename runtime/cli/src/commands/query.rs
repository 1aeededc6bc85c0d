//! `pelton query`

use crate::arguments::{MessageArguments, QueryCommand};
use crate::asking::{
    check_inputs, chunks, note_impossible, object, read_rows, text_number, understood,
};
use crate::commands::note_unset;
use crate::mass::Mass;
use crate::stream::{StreamReply, serve};
use crate::{CommandFailure, CommandResult, Exit, engine, model, report};
use pelton_compiler::check::Checked;
use pelton_compiler::circuit::{CircuitGraph, DeclaredQuery};
use pelton_runtime::data::Table;
use pelton_runtime::query::{QueryAnswer, QueryFailure, RowAnswer, answer, answer_rows, ask};
use serde_json::{Map, Value, json};
use std::io::Write;

/// Rows that are asked about at a time.
const CHUNK: usize = 1 << 16;

pub fn run(options: &QueryCommand, messages: &MessageArguments) -> CommandResult<Exit> {
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

fn stream(
    checked: Checked,
    mass: Mass,
    options: &QueryCommand,
    messages: &MessageArguments,
) -> CommandResult<Exit> {
    let otherwise = match options.queries.as_slice() {
        [] => None,
        [text] => Some(understood(ask(checked.circuit(), text), messages)?),
        _ => {
            return Err(CommandFailure::Usage(
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
                None => Ok(vec![StreamReply::new(row_json(&query, found.row(), mass))]),
            };
        };
        let queries = std::slice::from_ref(&query);
        let answers = answer_rows(&model, &parameters, queries, table, threads);
        match structural_gap(&answers) {
            Some((_, gap)) => Err(CommandFailure::Wrong(format!("{} {gap}", query.text)).into()),
            None => Ok(answers
                .into_iter()
                .flatten()
                .map(|own| StreamReply {
                    fields: row_json(&query, own, mass),
                    is_possible: own.log.is_ok(),
                })
                .collect()),
        }
    })
}

/// The questions of the command line, or of the file if there are none.
fn questions(
    options: &QueryCommand,
    circuit: &CircuitGraph,
    messages: &MessageArguments,
) -> CommandResult<Vec<DeclaredQuery>> {
    if options.queries.is_empty() {
        let own = circuit.queries().to_vec();
        return if own.is_empty() {
            Err(CommandFailure::Usage(
                "there is no query; write one such as 'P(rain | wet)', or `query P(rain | wet);` \
                 into the circuit"
                    .to_string(),
            ))
        } else {
            Ok(own)
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
    queries: &[DeclaredQuery],
    (circuit, mass): (&CircuitGraph, Mass),
    options: &QueryCommand,
) -> CommandResult<Exit> {
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
            false if found.log.is_ok() => writeln!(report::VisibleWriter(&mut out), "{found}")?,
            false => {}
        }
        failure = failure.or(fault(&found));
    }
    failure.map_or(Ok(Exit::Ok), Err)
}

/// Why a question has no answer that is a number.
fn fault(answer: &QueryAnswer) -> Option<CommandFailure> {
    match answer.log {
        Ok(log) if log.is_nan() || log == f64::INFINITY => {
            let message = format!("{} is not a finite number", answer.query);
            Some(CommandFailure::Numeric(message))
        }
        Ok(_) => None,
        Err(QueryFailure::ImpossibleGiven | QueryFailure::ZeroMass) => {
            Some(CommandFailure::Unfit(answer.to_string()))
        }
        Err(_) => Some(CommandFailure::Wrong(answer.to_string())),
    }
}

fn by_rows(
    queries: &[DeclaredQuery],
    (checked, mass): (Checked, Mass),
    table: &Table,
    options: &QueryCommand,
    messages: &MessageArguments,
) -> CommandResult<Exit> {
    let (model, _) = engine::compile(checked, &options.running)?;
    let (parameters, threads) = (model.start_parameters(), options.running.n_threads());
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let mut is_impossible = Vec::with_capacity(table.n_rows());
    for (first, chunk) in chunks(table, CHUNK) {
        let answers = answer_rows(&model, &parameters, queries, &chunk, threads);
        if let Some((at, gap)) = structural_gap(&answers) {
            return Err(CommandFailure::Wrong(format!("{} {gap}", queries[at].text)));
        }
        // Answers come query by query and are printed row by row.
        for row in 0..chunk.n_rows() {
            let own = || answers.iter().map(|rows| rows[row]);
            is_impossible.push(own().any(|answer| answer.log.is_err()));
            if options.json {
                for (query, answer) in queries.iter().zip(own()) {
                    let mut line = object(json!({"row": first + row + 1}));
                    line.extend(row_json(query, answer, mass));
                    writeln!(out, "{}", Value::Object(line))?;
                }
            } else {
                let shown = own().map(|answer| match answer.log {
                    Ok(log) => text_number(log.exp()),
                    Err(_) => "undefined".to_string(),
                });
                writeln!(out, "{}", shown.collect::<Vec<_>>().join("\t"))?;
            }
        }
    }
    out.flush()?;
    note_impossible(is_impossible.into_iter(), messages)?;
    Ok(Exit::Ok)
}

/// A question that cannot be answered whatever the row.
fn structural_gap(answers: &[Vec<RowAnswer>]) -> Option<(usize, QueryFailure)> {
    let gaps = answers.iter().enumerate().flat_map(|(at, rows)| {
        let gaps = rows.iter().filter_map(|answer| answer.log.err());
        gaps.map(move |gap| (at, gap))
    });
    let mut gaps = gaps.filter(|(_, gap)| *gap != QueryFailure::ImpossibleGiven);
    gaps.next()
}

fn row_json(query: &DeclaredQuery, answer: RowAnswer, mass: Mass) -> Map<String, Value> {
    let mut row = answer.to_json(&query.text);
    mass.put(&mut row);
    row
}
