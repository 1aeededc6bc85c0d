//! Writes a tile's evidence.

mod soft;

use super::{Model, Parameters};
use crate::data::{Column, MISSING_CODE, MISSING_SMALL, SoftColumn, Table};
use pelton_compiler::circuit::{CircuitGraph, VarId};
use pelton_compiler::evidence::EvidenceCell;
use pelton_compiler::kernel::{Real, Tile};
use pelton_compiler::plan::{EvidenceLayout, Plan, PlanRow};
use std::ops::Range;

/// Writes rows `first..first + LANES` of a table into a tile; lanes beyond the
/// last row repeat it, so that they cost nothing and cannot fail. Missing cells lie
/// where the parameters say, as far as that is not packed with the weights.
pub(super) fn fill<T: Real>(
    tile: &mut Tile<T>,
    model: &Model,
    parameters: &Parameters,
    table: &Table,
    first: usize,
) {
    let (circuit, within) = (model.circuit(), parameters.known());
    tile.clear_scales();
    let plan = tile.plan().clone();
    let lanes = FilledLanes {
        first,
        last: table.n_rows() - 1,
    };
    let columns = table.columns().iter().zip(circuit.variables());
    for (at, ((column, variable), layout)) in columns.zip(plan.evidence()).enumerate() {
        let noise = table.softness().and_then(|softness| softness.column(at));
        if noise.is_some_and(soft::vanishes::<T>) {
            tile.lose_evidence();
        }
        if let Column::Soft { n_values, weights } = column {
            soft::fill(tile, layout, (weights, *n_values), lanes);
            continue;
        }
        match *layout {
            EvidenceLayout::Unused => {}
            EvidenceLayout::Weights { first, n_values } => {
                let set = within.set(VarId::new(at));
                let start = variable.domain.first();
                for code in 0..n_values {
                    let is_free = set.is_none_or(|set| set.contains(start + f64::from(code)));
                    let weights = CodeWeights::of(noise, code, is_free);
                    let row = tile.weight_row(PlanRow(first.0 + code));
                    fill_weights(row, column, lanes, &weights);
                }
            }
            EvidenceLayout::Codes { row, n_values } => match noise {
                Some(noise) if *column != Column::Missing => {
                    fill_noisy_codes(tile, column, noise, lanes, row);
                }
                _ => match within.set(VarId::new(at)) {
                    Some(set) => {
                        let start = variable.domain.first();
                        fill_codes_within(tile, column, lanes, row, |code| {
                            set.contains(start + code as f64)
                        });
                    }
                    None => fill_codes(tile, column, lanes, row, n_values),
                },
            },
            EvidenceLayout::Reals { row } => {
                fill_reals(tile, column, lanes, row, variable.domain.first());
            }
        }
    }
}

/// Which rows of the table a tile holds.
#[derive(Clone, Copy)]
struct FilledLanes {
    first: usize,
    last: usize,
}

/// As many lanes as a tile has at most.
const MOST_LANES: usize = 64;

impl FilledLanes {
    fn row(self, lane: usize) -> usize {
        (self.first + lane).min(self.last)
    }

    /// The cells of a tile. All tiles but the last are runs of their column, which
    /// loops take faster than cells one by one.
    fn of<'c, C: Copy>(self, cells: &'c [C], spare: &'c mut [C; MOST_LANES], n: usize) -> &'c [C] {
        if let Some(run) = cells.get(self.first..self.first + n) {
            return run;
        }
        for (lane, cell) in spare.iter_mut().take(n).enumerate() {
            *cell = cells[self.row(lane)];
        }
        &spare[..n]
    }
}

/// What a value of a small domain weighs.
struct CodeWeights<T> {
    code: u32,
    observed: T,
    /// Where another one was.
    other: T,
    /// Where none was.
    missing: T,
}

impl<T: Real> CodeWeights<T> {
    fn of(noise: Option<&SoftColumn>, code: u32, is_free: bool) -> Self {
        let at = code as usize;
        CodeWeights {
            code,
            observed: noise.map_or(T::ONE, |noise| T::from_f64(noise.observed[at])),
            other: noise.map_or(T::ZERO, |noise| T::from_f64(noise.other[at])),
            missing: if is_free { T::ONE } else { T::ZERO },
        }
    }
}

fn fill_weights<T: Real>(
    row: &mut [T],
    column: &Column,
    lanes: FilledLanes,
    weights: &CodeWeights<T>,
) {
    let (code, missing) = (weights.code, weights.missing);
    let (observed, other) = (weights.observed, weights.other);
    match column {
        Column::Missing | Column::Reals(_) | Column::Soft { .. } => row.fill(missing),
        Column::Small(cells) => {
            let mut spare = [0; MOST_LANES];
            let cells = lanes.of(cells, &mut spare, T::LANES);
            for (lane, &cell) in row.iter_mut().zip(cells) {
                let known = if cell == code as u8 { observed } else { other };
                *lane = if cell == MISSING_SMALL {
                    missing
                } else {
                    known
                };
            }
        }
        Column::Codes(cells) => {
            let mut spare = [0; MOST_LANES];
            let cells = lanes.of(cells, &mut spare, T::LANES);
            for (lane, &cell) in row.iter_mut().zip(cells) {
                let known = if cell == code { observed } else { other };
                *lane = if cell == MISSING_CODE { missing } else { known };
            }
        }
    }
}

fn fill_codes<T: Real>(
    tile: &mut Tile<T>,
    column: &Column,
    lanes: FilledLanes,
    row: u32,
    n_values: u32,
) {
    let missing = n_values;
    match column {
        Column::Missing | Column::Reals(_) | Column::Soft { .. } => {
            tile.set_codes(row, std::iter::repeat_n(missing, T::LANES));
        }
        Column::Small(cells) => {
            let mut spare = [0; MOST_LANES];
            let cells = lanes.of(cells, &mut spare, T::LANES).iter();
            let codes = cells.map(|&cell| match cell {
                MISSING_SMALL => missing,
                code => code.into(),
            });
            tile.set_codes(row, codes);
        }
        Column::Codes(cells) => {
            let mut spare = [0; MOST_LANES];
            let cells = lanes.of(cells, &mut spare, T::LANES);
            tile.set_codes(row, cells.iter().copied());
        }
    }
}

/// Missing cells that lie in a set are soft evidence: tables may be shared among
/// variables, so that there is no entry to keep their mass in.
fn fill_codes_within<T: Real>(
    tile: &mut Tile<T>,
    column: &Column,
    lanes: FilledLanes,
    row: u32,
    is_inside: impl Fn(usize) -> bool,
) {
    for (value, lane_row) in tile.soft_rows(row).enumerate() {
        let free = is_inside(value);
        for (at, lane) in lane_row.iter_mut().enumerate() {
            let code = column.code(lanes.row(at));
            let is_possible = code.map_or(free, |code| code == value);
            *lane = if is_possible { T::ONE } else { T::ZERO };
        }
    }
}

/// Noisy cells of a larger domain are soft evidence.
fn fill_noisy_codes<T: Real>(
    tile: &mut Tile<T>,
    column: &Column,
    noise: &SoftColumn,
    lanes: FilledLanes,
    row: u32,
) {
    for (value, lane_row) in tile.soft_rows(row).enumerate() {
        for (at, lane) in lane_row.iter_mut().enumerate() {
            *lane = T::from_f64(match column.code(lanes.row(at)) {
                Some(code) => noise.weight(value, code),
                None => 1.0,
            });
        }
    }
}

fn fill_reals<T: Real>(
    tile: &mut Tile<T>,
    column: &Column,
    lanes: FilledLanes,
    row: u32,
    domain_first: f64,
) {
    let numbers = tile.real_row(row);
    match column {
        Column::Reals(cells) => {
            let mut spare = [0.0; MOST_LANES];
            numbers.copy_from_slice(lanes.of(cells, &mut spare, T::LANES));
        }
        // A range that is too large for tables.
        Column::Codes(cells) => {
            let mut spare = [0; MOST_LANES];
            let cells = lanes.of(cells, &mut spare, T::LANES);
            for (lane, &cell) in numbers.iter_mut().zip(cells) {
                *lane = match cell {
                    MISSING_CODE => f64::NAN,
                    code => domain_first + f64::from(code),
                };
            }
        }
        Column::Missing | Column::Small(_) | Column::Soft { .. } => numbers.fill(f64::NAN),
    }
}

/// Whether kernels can take the table's evidence: soft evidence needs a table.
pub(super) fn is_tabular(plan: &Plan, table: &Table) -> bool {
    let mut columns = table.columns().iter().zip(plan.evidence());
    !columns.any(|pair| matches!(pair, (Column::Soft { .. }, EvidenceLayout::Reals { .. })))
}

/// One row of a table as the reference takes it.
pub(super) fn cells(
    model: &Model,
    parameters: &Parameters,
    table: &Table,
    row: usize,
) -> Vec<EvidenceCell> {
    let cell = |at| cell(model, parameters, table, (row, VarId::new(at)));
    (0..model.circuit().variables().len()).map(cell).collect()
}

/// One cell of a table as the reference takes it.
pub(super) fn cell(
    model: &Model,
    parameters: &Parameters,
    table: &Table,
    (row, variable): (usize, VarId),
) -> EvidenceCell {
    let circuit = model.circuit();
    let column = &table.columns()[variable.index()];
    match noise(table, variable).zip(column.code(row)) {
        Some((noise, code)) => EvidenceCell::Soft(noise.weights(code).collect()),
        None => match column.cell(row, circuit.variable(variable).domain.first()) {
            EvidenceCell::Missing => parameters.known().cell(circuit, variable),
            cell => cell,
        },
    }
}

/// The values that were observed in each of some rows; NaN where none was.
pub(super) fn observed(circuit: &CircuitGraph, table: &Table, rows: Range<usize>) -> Vec<Vec<f64>> {
    let mut all = vec![vec![f64::NAN; circuit.variables().len()]; rows.len()];
    let columns = table.columns().iter().zip(circuit.variables()).enumerate();
    for (at, (column, variable)) in columns {
        let first = variable.domain.first();
        let each = all.iter_mut().zip(rows.clone());
        match column {
            Column::Reals(cells) => each.for_each(|(values, row)| values[at] = cells[row]),
            _ if noise(table, VarId::new(at)).is_some() => {}
            _ => each.for_each(|(values, row)| {
                if let Some(code) = column.code(row) {
                    values[at] = first + code as f64;
                }
            }),
        }
    }
    all
}

fn noise(table: &Table, variable: VarId) -> Option<&SoftColumn> {
    let softness = table.softness()?;
    softness.column(variable.index())
}

impl Column {
    /// The code of an observed cell; none if it is missing, soft or a number.
    pub(crate) fn code(&self, row: usize) -> Option<usize> {
        match self {
            Column::Small(cells) if cells[row] != MISSING_SMALL => Some(cells[row].into()),
            Column::Codes(cells) if cells[row] != MISSING_CODE => Some(cells[row] as usize),
            _ => None,
        }
    }

    /// One cell; the domain begins with `first`.
    pub(crate) fn cell(&self, row: usize, first: f64) -> EvidenceCell {
        let value = |code: f64| EvidenceCell::Value(first + code);
        match self {
            Column::Missing => EvidenceCell::Missing,
            Column::Small(cells) if cells[row] == MISSING_SMALL => EvidenceCell::Missing,
            Column::Small(cells) => value(cells[row].into()),
            Column::Codes(cells) if cells[row] == MISSING_CODE => EvidenceCell::Missing,
            Column::Codes(cells) => value(cells[row].into()),
            Column::Reals(cells) if cells[row].is_nan() => EvidenceCell::Missing,
            Column::Reals(cells) => EvidenceCell::Value(cells[row]),
            Column::Soft { n_values, weights } => {
                EvidenceCell::Soft(weights[row * n_values..][..*n_values].to_vec())
            }
        }
    }
}
