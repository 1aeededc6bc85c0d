//! Columns of samples.

use crate::data::{Column, Table};
use pelton_compiler::circuit::{CircuitGraph, CircuitVariable};
use std::ops::Range;

/// Columns that are filled in any order; what is not filled is missing.
pub(super) struct SampleColumns {
    columns: Vec<Column>,
    firsts: Vec<f64>,
    pub n_rows: usize,
    filled: Vec<bool>,
}

impl SampleColumns {
    pub fn new(circuit: &CircuitGraph, n_rows: usize) -> Self {
        let column = |variable: &CircuitVariable| {
            let mut column = Column::for_domain(&variable.domain);
            column.resize(n_rows);
            column
        };
        let variables = circuit.variables().iter();
        SampleColumns {
            columns: variables.clone().map(column).collect(),
            firsts: variables.map(|variable| variable.domain.first()).collect(),
            n_rows,
            filled: vec![false; n_rows],
        }
    }

    pub fn set(&mut self, row: usize, values: &[f64]) {
        self.filled[row] = true;
        for ((column, &x), first) in self.columns.iter_mut().zip(values).zip(&self.firsts) {
            match column {
                _ if x.is_nan() => {}
                Column::Small(cells) => cells[row] = (x - first) as u8,
                Column::Codes(cells) => cells[row] = (x - first) as u32,
                Column::Reals(cells) => cells[row] = x,
                Column::Missing | Column::Soft { .. } => {}
            }
        }
    }

    /// Takes over the rows that another has filled.
    pub fn take(&mut self, other: SampleColumns) {
        if other.filled.iter().all(|is_filled| *is_filled) {
            *self = other;
            return;
        }
        for row in (0..self.n_rows).filter(|&row| other.filled[row]) {
            self.filled[row] = true;
            for (own, theirs) in self.columns.iter_mut().zip(&other.columns) {
                match (own, theirs) {
                    (Column::Small(own), Column::Small(theirs)) => own[row] = theirs[row],
                    (Column::Codes(own), Column::Codes(theirs)) => own[row] = theirs[row],
                    (Column::Reals(own), Column::Reals(theirs)) => own[row] = theirs[row],
                    _ => {}
                }
            }
        }
    }

    pub fn joined(circuit: &CircuitGraph, parts: Vec<SampleColumns>) -> SampleColumns {
        let mut all = SampleColumns::new(circuit, 0);
        for part in parts {
            all.n_rows += part.n_rows;
            for (own, theirs) in all.columns.iter_mut().zip(part.columns) {
                match (own, theirs) {
                    (Column::Small(own), Column::Small(theirs)) => own.extend(theirs),
                    (Column::Codes(own), Column::Codes(theirs)) => own.extend(theirs),
                    (Column::Reals(own), Column::Reals(theirs)) => own.extend(theirs),
                    _ => {}
                }
            }
        }
        all
    }

    pub fn into_table(self, rows: Range<usize>) -> Table {
        let is_all = rows == (0..self.n_rows);
        let table = Table::new(self.n_rows, self.columns);
        if is_all { table } else { table.slice(rows) }
    }
}
