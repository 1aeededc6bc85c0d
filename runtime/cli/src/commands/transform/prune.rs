//! `pelton prune`

use super::target;
use crate::arguments::{MessageArguments, PruneCommand, read_options};
use crate::commands::note_unset;
use crate::inputs::{check_stdin, read_file};
use crate::number::shown_number;
use crate::{CommandFailure, CommandResult, Exit, engine, model};
use pelton_compiler::check::Checked;
use pelton_compiler::circuit::{CircuitGraph, UnitId};
use pelton_compiler::transform::{PrunedCircuit, prune};
use pelton_grammar::diagnostic::counted;
use pelton_runtime::FlowOptions;
use pelton_runtime::data::Table;
use serde_json::json;
use std::path::PathBuf;

pub fn run(options: &PruneCommand, messages: &MessageArguments) -> CommandResult<Exit> {
    target::check(&options.target)?;
    let inputs = options.data.iter().chain([&options.circuit.model]);
    check_stdin(inputs.map(PathBuf::as_path), "the inputs")?;
    let checked = model::checked(&options.circuit.model, &options.circuit.reading, messages)?;
    note_unset(checked.circuit(), messages);
    let table = rows(options, checked.circuit(), messages)?;
    let pruned = match &table {
        Some(table) => by_flow(options, &checked, table)?,
        None => by_weight(&checked, options.below),
    };
    let likelihoods = match &table {
        Some(table) => {
            let after = pruned.circuit.checked.clone();
            Some([
                mean(options, checked.clone(), table)?,
                mean(options, after, table)?,
            ])
        }
        None => None,
    };
    tell(&checked, &pruned, likelihoods, messages);
    let facts = json!({
        "edges_before": checked.circuit().n_edges(),
        "dropped": pruned.n_dropped,
        "tied": pruned.n_tied,
        "divergence_bound": pruned.divergence_bound.filter(|bound| bound.is_finite()),
        "mean_log_likelihood_before": likelihoods.and_then(|[before, _]| before.mean),
        "mean_log_likelihood": likelihoods.and_then(|[_, after]| after.mean),
        "zero_rows_before": likelihoods.map(|[before, _]| before.n_zero),
        "zero_rows": likelihoods.map(|[_, after]| after.n_zero),
    });
    target::write(
        &options.target,
        &pruned.circuit,
        facts,
        &options.circuit.reading,
        messages,
    )
}

fn rows(
    options: &PruneCommand,
    circuit: &CircuitGraph,
    messages: &MessageArguments,
) -> CommandResult<Option<Table>> {
    let Some(path) = &options.data else {
        return Ok(None);
    };
    let data = read_file(path, circuit, &read_options(options.header, None), messages)?;
    match data.table.n_rows() {
        0 => Err(CommandFailure::Unfit(format!(
            "`{}` has no rows",
            path.display()
        ))),
        _ => Ok(Some(data.table)),
    }
}

fn by_weight(checked: &Checked, below: f64) -> PrunedCircuit {
    let circuit = checked.circuit();
    let values = circuit.start_values();
    prune(checked, &values, below, |sum, at| {
        let weight = circuit.child(sum, at).weight;
        weight.map_or(1.0, |weight| {
            values[circuit.entry_position(weight)].linear()
        })
    })
}

/// By the part of the rows that takes an edge. Numbers that are written in several places
/// are one parameter, whose flows are added up; where all is learned, each place has its
/// own.
fn by_flow(
    options: &PruneCommand,
    checked: &Checked,
    table: &Table,
) -> CommandResult<PrunedCircuit> {
    // Each place gets a parameter of its own, so that its flow is seen alone.
    let untied = checked.clone().learn_all();
    let values = untied.circuit().start_values();
    let (model, _) = engine::compile(untied.clone(), &options.running)?;
    let flow_options = FlowOptions {
        threads: options.running.n_threads(),
        ..FlowOptions::default()
    };
    let totals = model.flows(&model.parameters(values), table, &flow_options);
    if totals.weight == 0.0 {
        let message = "all rows have probability zero: their flows say nothing";
        return Err(CommandFailure::Unfit(message.to_string()));
    }
    let circuit = untied.circuit();
    let score = |sum: UnitId, at: usize| {
        let weight = circuit.child(sum, at).weight;
        weight.map_or(1.0, |weight| {
            totals.flows.entries[circuit.entry_position(weight)] / totals.weight
        })
    };
    let values = checked.circuit().start_values();
    Ok(prune(checked, &values, options.below, score))
}

/// How likely rows are.
#[derive(Clone, Copy)]
struct Likelihood {
    /// Over the rows that are possible.
    mean: Option<f64>,
    n_zero: usize,
}

fn mean(options: &PruneCommand, checked: Checked, table: &Table) -> CommandResult<Likelihood> {
    let (model, _) = engine::compile(checked, &options.running)?;
    let parameters = model.start_parameters();
    let threads = options.running.n_threads();
    let found = model.log_likelihoods(&parameters, table, threads);
    // Where there is no mass, all rows are impossible.
    let logs = found
        .over(model.log_divisor(&parameters).unwrap_or(0.0))
        .logs;
    let possible: Vec<f64> = logs.iter().copied().filter(|log| log.is_finite()).collect();
    let sum: f64 = possible.iter().sum();
    Ok(Likelihood {
        mean: (!possible.is_empty()).then(|| sum / possible.len() as f64),
        n_zero: logs.len() - possible.len(),
    })
}

fn tell(
    checked: &Checked,
    pruned: &PrunedCircuit,
    likelihoods: Option<[Likelihood; 2]>,
    messages: &MessageArguments,
) {
    let (before, after) = (
        checked.circuit().n_edges(),
        pruned.circuit.checked.circuit().n_edges(),
    );
    let dropped = counted(pruned.n_dropped, "edge of a sum", "edges of sums");
    messages.note(format!(
        "{dropped} left out: {before} edges before, {after} now"
    ));
    if pruned.n_tied > 0 {
        let sums = counted(pruned.n_tied, "sum", "sums");
        messages.note(format!(
            "{sums} kept all edges, because parts of tied weights cannot go"
        ));
    }
    if let Some(bound) = pruned.divergence_bound {
        messages.note(format!(
            "KL(pruned || original) is at most {}",
            shown_number(bound)
        ));
    }
    if let Some([before, after]) = likelihoods {
        let shown = |of: Likelihood| of.mean.map_or("none".to_string(), shown_number);
        messages.note(format!(
            "mean log-likelihood {} before, {} now; rows of probability zero: {} before, {} now",
            shown(before),
            shown(after),
            before.n_zero,
            after.n_zero,
        ));
    }
}
