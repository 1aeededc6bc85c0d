//! Samples of what goes with each row.

use crate::data::{Column, Table};
use crate::model::{Model, Parameters, RowSampling, draws, draws_beyond};
use crate::query::boxes::given_boxes;
use crate::query::overlay::BoxOverlay;
use crate::query::probability::log_masses;
use crate::query::{QueryFailure, ValueBox};
use pelton_compiler::choice::AliasTable;
use pelton_compiler::circuit::{CircuitGraph, Event};
use pelton_compiler::reference::RowLog;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// For each row of a table `n_each` samples of what it goes with, given an event; nothing
/// for a row that is impossible. What is drawn for a row depends on its number, counted
/// from `first_row`, and the seed alone.
pub fn sample_rows(
    model: &Model,
    parameters: &Parameters,
    given: &Event,
    table: &Table,
    options: &RowSampling,
) -> Result<Vec<Option<Vec<Vec<f64>>>>, QueryFailure> {
    let n_variables = model.circuit().variables().len();
    let boxes = given_boxes(model.circuit(), given)?;
    let mut logs = vec![Vec::new(); table.n_rows()];
    if boxes.len() > 1 {
        for part in &boxes {
            let (_, own) = log_masses(model, parameters, part, table, options.threads);
            let pairs = logs.iter_mut().zip(own);
            pairs.for_each(|(logs, log)| logs.push(log));
        }
    }
    let chosen = choose_boxes(&logs, options);
    let mut all: Vec<Option<Vec<Vec<f64>>>> = vec![None; table.n_rows()];
    for (at, part) in boxes.iter().enumerate() {
        let found = draw_box(model, parameters, part, table, options)?;
        for (row, own) in found.into_iter().enumerate() {
            let Some(own) = own else { continue };
            let samples = own.chunks_exact(n_variables.max(1)).enumerate();
            let is_own = |sample: usize| boxes.len() == 1 || chosen[row][sample] == at;
            for (sample, values) in samples.filter(|(sample, _)| is_own(*sample)) {
                let rows = all[row].get_or_insert_with(|| vec![Vec::new(); options.n_each]);
                rows[sample] = values.to_vec();
            }
        }
    }
    Ok(all)
}

/// Which box each sample of each row falls into.
fn choose_boxes(logs: &[Vec<RowLog>], options: &RowSampling) -> Vec<Vec<usize>> {
    let rows = logs.iter().enumerate().map(|(row, logs)| {
        if logs.iter().all(|log| log.is_zero()) {
            return vec![0; options.n_each];
        }
        let choice = AliasTable::from_logs(&RowLog::relative(logs));
        let mut random = ChaCha8Rng::seed_from_u64(options.seed ^ u64::from_be_bytes(*b"in a box"));
        random.set_stream(options.first_row + row as u64);
        let draws = (0..options.n_each).map(|_| choice.draw(&mut random));
        draws.collect()
    });
    rows.collect()
}

fn draw_box(
    model: &Model,
    parameters: &Parameters,
    part: &ValueBox,
    table: &Table,
    options: &RowSampling,
) -> Result<Vec<Option<Vec<f64>>>, QueryFailure> {
    let overlay = BoxOverlay::new(model.circuit(), table, part);
    if is_beyond(model.circuit(), parameters, &overlay) {
        return Err(QueryFailure::TooLarge);
    }
    let parameters = parameters.within(overlay.within.clone());
    let mut found = draws(model, &parameters, &overlay.table, options);
    for (row, own) in found.iter_mut().enumerate() {
        if !overlay.is_possible(row) {
            *own = None;
        }
    }
    Ok(found)
}

/// Whether a leaf of a variable with missing cells has mass on values that are too large.
fn is_beyond(circuit: &CircuitGraph, parameters: &Parameters, overlay: &BoxOverlay) -> bool {
    let columns = overlay.table.columns().iter();
    let is_missing = columns.map(|column| match column {
        Column::Reals(cells) => cells.iter().any(|x| x.is_nan()),
        Column::Missing => true,
        Column::Small(_) | Column::Codes(_) | Column::Soft { .. } => false,
    });
    let is_missing: Vec<bool> = is_missing.collect();
    let mut leaves = circuit.leaves().iter();
    leaves.any(|leaf| {
        let cell = overlay.within.cell(circuit, leaf.variable);
        is_missing[leaf.variable.index()] && draws_beyond(circuit, parameters.values(), leaf, &cell)
    })
}
