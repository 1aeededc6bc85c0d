//! Random evidence, as tables and as the cells of the reference.

use super::draw::draw;
use super::{Features, Workload};
use crate::dice::Dice;
use pelton_compiler::circuit::{CircuitGraph, Domain};
use pelton_compiler::flow::is_tabular;
use pelton_compiler::reference::EvidenceCell;
use pelton_runtime::data::{Column, MISSING_CODE, MISSING_SMALL, Table};

/// What is known in the rows of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EvidenceKind {
    /// A value of every variable.
    Hard,
    /// Values, with gaps.
    Partial,
    /// Nothing at all.
    Missing,
    /// Weights for the values of finite domains.
    Soft,
    /// Columns of all kinds.
    Mixed,
}

/// All kinds of evidence.
pub const EVIDENCE: [EvidenceKind; 5] = [
    EvidenceKind::Hard,
    EvidenceKind::Partial,
    EvidenceKind::Missing,
    EvidenceKind::Soft,
    EvidenceKind::Mixed,
];

/// A table of `n_rows` rows of evidence; what occurs in it is counted.
pub fn evidence(
    workload: &Workload,
    kind: EvidenceKind,
    n_rows: usize,
    dice: &mut Dice,
    features: &mut Features,
) -> Table {
    let (circuit, values) = (&workload.circuit, &workload.values);
    let variables = circuit.variables().iter();
    let soft: Vec<bool> = variables
        .map(|variable| {
            let wanted = match kind {
                EvidenceKind::Soft => true,
                EvidenceKind::Mixed => dice.chance(40),
                _ => false,
            };
            wanted && is_tabular(&variable.domain)
        })
        .collect();
    let mut rows = Vec::with_capacity(n_rows);
    for _ in 0..n_rows {
        let drawn = draw(circuit, values, dice);
        let cells = drawn.iter().enumerate().map(|(at, &x)| {
            let domain = &circuit.variables()[at].domain;
            let cell = match (kind, soft[at]) {
                (_, true) => softened(domain, x, dice),
                (EvidenceKind::Missing, _) => EvidenceCell::Missing,
                (EvidenceKind::Partial | EvidenceKind::Mixed, _) if dice.chance(30) => {
                    EvidenceCell::Missing
                }
                _ => EvidenceCell::Value(x),
            };
            *features.entry(name(&cell)).or_default() += 1;
            cell
        });
        rows.push(cells.collect());
    }
    table(circuit, &rows)
}

fn name(cell: &EvidenceCell) -> &'static str {
    match cell {
        EvidenceCell::Missing => "missing cell",
        EvidenceCell::Value(_) => "hard cell",
        EvidenceCell::Soft(_) => "soft cell",
        EvidenceCell::In(_) => "cell in a set",
    }
}

/// Most of the weight on `x`, or anywhere. Weights have the digits of single precision, so
/// that engines of either precision take the same ones.
fn softened(domain: &Domain, x: f64, dice: &mut Dice) -> EvidenceCell {
    let size = domain.size().expect("softened domains are finite") as usize;
    let own = (x - domain.first()) as usize;
    let mut weights: Vec<f64> = match dice.below(4) {
        0 => (0..size).map(|at| f64::from(u8::from(at == own))).collect(),
        1 => (0..size).map(|_| dice.fraction()).collect(),
        _ => {
            let softness = 0.1 * dice.fraction();
            let other = softness / (size.max(2) - 1) as f64;
            (0..size)
                .map(|at| if at == own { 1.0 - softness } else { other })
                .collect()
        }
    };
    for weight in &mut weights {
        *weight = f64::from(*weight as f32);
    }
    EvidenceCell::Soft(weights)
}

/// A table of some rows of cells. A column is soft if one of its cells is; one
/// without any value is left out if its number is even.
pub fn table(circuit: &CircuitGraph, rows: &[Vec<EvidenceCell>]) -> Table {
    let variables = circuit.variables().iter().enumerate();
    let columns = variables.map(|(at, variable)| {
        let cells: Vec<&EvidenceCell> = rows.iter().map(|row| &row[at]).collect();
        let is_soft = cells
            .iter()
            .any(|cell| matches!(cell, EvidenceCell::Soft(_)));
        match cells.iter().all(|cell| **cell == EvidenceCell::Missing) {
            true if at % 2 == 0 => Column::Missing,
            _ if is_soft => soft_column(&variable.domain, &cells),
            _ => hard_column(&variable.domain, &cells),
        }
    });
    Table::new(rows.len(), columns.collect())
}

fn soft_column(domain: &Domain, cells: &[&EvidenceCell]) -> Column {
    let n_values = domain.size().expect("soft evidence is of finite domains") as usize;
    let mut all = Vec::with_capacity(cells.len() * n_values);
    for cell in cells {
        match cell {
            EvidenceCell::Soft(weights) => all.extend(weights),
            EvidenceCell::Missing | EvidenceCell::In(_) => all.extend(vec![1.0; n_values]),
            EvidenceCell::Value(x) => {
                let own = (x - domain.first()) as usize;
                all.extend((0..n_values).map(|at| f64::from(u8::from(at == own))));
            }
        }
    }
    Column::Soft {
        n_values,
        weights: all,
    }
}

fn hard_column(domain: &Domain, cells: &[&EvidenceCell]) -> Column {
    let first = domain.first();
    let code = |cell: &EvidenceCell| match cell {
        EvidenceCell::Value(x) => Some(x - first),
        EvidenceCell::Missing | EvidenceCell::Soft(_) | EvidenceCell::In(_) => None,
    };
    let codes = cells.iter().map(|cell| code(cell));
    match Column::for_domain(domain) {
        Column::Small(_) => Column::Small(
            codes
                .map(|code| code.map_or(MISSING_SMALL, |x| x as u8))
                .collect(),
        ),
        Column::Codes(_) => Column::Codes(
            codes
                .map(|code| code.map_or(MISSING_CODE, |x| x as u32))
                .collect(),
        ),
        _ => Column::Reals(
            codes
                .map(|code| code.map_or(f64::NAN, |x| x + first))
                .collect(),
        ),
    }
}

/// One row of a table as the reference takes it.
pub fn cells_of(circuit: &CircuitGraph, table: &Table, row: usize) -> Vec<EvidenceCell> {
    let columns = table.columns().iter().zip(circuit.variables());
    columns
        .map(|(column, variable)| {
            let first = variable.domain.first();
            let coded = |code: u32, missing: u32| {
                if code == missing {
                    EvidenceCell::Missing
                } else {
                    EvidenceCell::Value(first + f64::from(code))
                }
            };
            match column {
                Column::Missing => EvidenceCell::Missing,
                Column::Small(codes) => coded(codes[row].into(), MISSING_SMALL.into()),
                Column::Codes(codes) => coded(codes[row], MISSING_CODE),
                Column::Reals(numbers) if numbers[row].is_nan() => EvidenceCell::Missing,
                Column::Reals(numbers) => EvidenceCell::Value(numbers[row]),
                Column::Soft { n_values, weights } => {
                    EvidenceCell::Soft(weights[row * n_values..][..*n_values].to_vec())
                }
            }
        })
        .collect()
}
