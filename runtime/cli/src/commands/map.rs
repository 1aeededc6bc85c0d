//! `pelton map`

use crate::arguments::{
    AskingArguments, MapCommand as Arguments, MessageArguments, RunningArguments,
};
use crate::asking::{
    AskedCircuit, chunks, json_value, name_width, no_answer, object, shown_value, text_number,
};
use crate::stream::{RequestFault, StreamReply, serve};
use crate::{CommandFailure, CommandResult, Exit, report};
use pelton_compiler::circuit::{CircuitGraph, Domain, Event, VarId};
use pelton_compiler::kernel::Precision;
use pelton_grammar::diagnostic::counted;
use pelton_runtime::data::{Column, Table};
use pelton_runtime::query::{
    MapOptions, MostProbable, ProbabilityKind, ValueBox, given_boxes, most_probable,
};
use pelton_runtime::tractability::QueryKind;
use serde_json::{Map, Value, json};
use std::io::Write;

/// Rows that are completed at a time.
const CHUNK: usize = 1 << 14;

pub fn run(options: &Arguments, messages: &MessageArguments) -> CommandResult<Exit> {
    // A maximum may be far smaller than the sum beside which single precision bounds what
    // was lost; rows would go to the reference one by one.
    let running = RunningArguments {
        precision: Some(Precision::F64),
        ..options.asking.running.clone()
    };
    let asking = AskingArguments {
        running,
        ..options.asking.clone()
    };
    let asked = asking.open(Some(QueryKind::Map), messages)?;
    if options.asking.rows.stream {
        return stream(&asked, options);
    }
    let (circuit, table) = (asked.model.circuit(), asked.rows());
    let has_rows = asked.table.is_some();
    let fixed = fixed_by(circuit, &asked.given);
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let mut is_impossible = Vec::with_capacity(table.n_rows());
    let mut is_exact = true;
    let mut unbounded = Vec::new();
    // Chunks are numbered by their first row, so that samples do not depend on how rows are cut.
    for (first, chunk) in chunks(&table, CHUNK) {
        let map_options = MapOptions {
            samples: options.samples,
            seed: options.seed,
            first_row: first as u64,
            threads: asked.threads,
        };
        let found = most_probable(
            &asked.model,
            &asked.parameters,
            &asked.given,
            &chunk,
            &map_options,
        );
        for (row, found) in found.map_err(no_answer)?.iter().enumerate() {
            is_impossible.push(found.is_none());
            is_exact &= found.as_ref().is_none_or(|found| found.is_exact);
            let endless = found.as_ref().and_then(|found| found.unbounded);
            unbounded.extend(endless.map(|variable| (first + row, variable)));
            // A single question without an answer prints nothing here; notes below say why.
            if !has_rows && (found.is_none() || endless.is_some()) {
                continue;
            }
            let number = has_rows.then_some(first + row);
            let kind = kind(circuit, &fixed, &chunk, row);
            if options.json {
                let mut line = Map::new();
                line.extend(number.map(|number| ("row".to_string(), json!(number + 1))));
                line.extend(to_json(circuit, found.as_ref(), kind));
                asked.mass.put(&mut line);
                writeln!(out, "{}", Value::Object(line))?;
            } else {
                tell(circuit, found.as_ref(), number, kind, &mut out)?;
            }
        }
    }
    out.flush()?;
    if !is_exact {
        asked.note_refusal(messages);
    }
    let n_rows = is_impossible.len();
    asked.note_impossible(is_impossible, messages)?;
    note_unbounded(circuit, &unbounded, n_rows, messages)?;
    Ok(Exit::Ok)
}

/// Says which rows have no most probable completion; if none has one, that is a failure.
fn note_unbounded(
    circuit: &CircuitGraph,
    rows: &[(usize, VarId)],
    n_rows: usize,
    messages: &MessageArguments,
) -> CommandResult<()> {
    let Some(&(first, variable)) = rows.first() else {
        return Ok(());
    };
    let why = no_maximum(circuit, variable);
    if rows.len() == n_rows {
        return Err(CommandFailure::Numeric(why));
    }
    let n = counted(rows.len(), "row has", "rows have");
    messages.note(format!("{n} no maximum; of row {}: {why}", first + 1));
    Ok(())
}

/// Why there is no most probable completion, and what can be asked instead.
fn no_maximum(circuit: &CircuitGraph, variable: VarId) -> String {
    let name = &circuit.variable(variable).name;
    format!(
        "there is no most probable completion: the density grows without bound as `{name}` \
         approaches 0, where a gamma distribution of a shape below 1 has no maximum; give \
         `{name}` a value or an interval away from 0, or ask for `pelton marginals`"
    )
}

fn stream(own: &AskedCircuit, options: &Arguments) -> CommandResult<Exit> {
    let circuit = own.model.circuit();
    serve(circuit, &["given", "row", "rows", "seed"], |asked| {
        asked.check_size(circuit.variables().len())?;
        let given = asked.request.given(circuit, &own.given)?;
        let rows = asked.rows();
        let map_options = MapOptions {
            samples: options.samples,
            seed: asked.request.number("seed", options.seed)?,
            first_row: 0,
            threads: own.threads,
        };
        let found = most_probable(&own.model, &own.parameters, &given, &rows, &map_options)?;
        let fixed = fixed_by(circuit, &given);
        let endless = found.iter().flatten().find_map(|found| found.unbounded);
        if let (Some(variable), 1) = (endless, found.len()) {
            return Err(RequestFault::numeric(no_maximum(circuit, variable)));
        }
        let reply = |(row, found): (usize, &Option<MostProbable>)| {
            let kind = kind(circuit, &fixed, &rows, row);
            let mut fields = to_json(circuit, found.as_ref(), kind);
            own.mass.put(&mut fields);
            StreamReply {
                fields,
                is_possible: found.is_some(),
            }
        };
        Ok(found.iter().enumerate().map(reply).collect())
    })
}

/// By variable, whether what is given says its exact value.
fn fixed_by(circuit: &CircuitGraph, given: &Event) -> Vec<bool> {
    let parts = given_boxes(circuit, given).unwrap_or_default();
    let is_point = |variable| {
        let is_exact = |part: &ValueBox| part.exact(circuit, variable).is_some();
        !parts.is_empty() && parts.iter().all(is_exact)
    };
    let variables = (0..circuit.variables().len()).map(VarId::new);
    variables.map(is_point).collect()
}

/// Reals that are neither observed nor given have densities.
fn kind(circuit: &CircuitGraph, fixed: &[bool], table: &Table, row: usize) -> ProbabilityKind {
    let columns = circuit.variables().iter().zip(table.columns()).zip(fixed);
    let is_open = |column: &Column| match column {
        Column::Reals(cells) => cells[row].is_nan(),
        _ => true,
    };
    let mut reals = columns.filter(|((variable, _), _)| variable.domain == Domain::Real);
    ProbabilityKind::of(reals.any(|((_, column), fixed)| !fixed && is_open(column)))
}

fn tell(
    circuit: &CircuitGraph,
    found: Option<&MostProbable>,
    number: Option<usize>,
    kind: ProbabilityKind,
    out: &mut dyn Write,
) -> std::io::Result<()> {
    let out = &mut report::VisibleWriter(out);
    if let Some(number) = number {
        writeln!(out, "row {}", number + 1)?;
    }
    let indent = if number.is_some() { "  " } else { "" };
    let found = match found {
        None => return writeln!(out, "{indent}undefined"),
        Some(found) if found.unbounded.is_some() => return writeln!(out, "{indent}no maximum"),
        Some(found) => found,
    };
    let width = name_width(circuit);
    for (variable, &x) in circuit.variables().iter().zip(&found.values) {
        let value = shown_value(&variable.domain, x);
        writeln!(out, "{indent}{:<width$} = {value}", variable.name)?;
    }
    let exactness = if found.is_exact {
        "exact"
    } else {
        "approximate"
    };
    let p = text_number(found.log.exp());
    writeln!(out, "{indent}{} {p} ({exactness})", kind.name())
}

fn to_json(
    circuit: &CircuitGraph,
    found: Option<&MostProbable>,
    kind: ProbabilityKind,
) -> Map<String, Value> {
    let endless = found.and_then(|found| found.unbounded);
    let found = found.filter(|found| found.unbounded.is_none());
    let values = found.map(|found| {
        let pairs = circuit.variables().iter().zip(&found.values);
        pairs
            .map(|(own, &x)| (own.name.clone(), json_value(&own.domain, x)))
            .collect::<Value>()
    });
    let log = found.map_or(f64::NAN, |found| found.log);
    let mut line = object(json!({
        "values": values,
        "value": log.exp(),
        "log": log,
        "kind": kind.name(),
        "exact": found.map(|found| found.is_exact),
    }));
    if let Some(variable) = endless {
        let name = circuit.variable(variable).name.clone();
        line.insert("unbounded".into(), json!(name));
    }
    line
}
