//! One look at all training rows, before anything is learned.

use super::leaf::Ranges;
use super::{LearnError, Rows};
use crate::data::{Column, MISSING_CODE, MISSING_SMALL, Table};
use pelton_compiler::circuit::Circuit;
use pelton_compiler::flow::is_tabular;
use std::hash::Hasher;

/// What is known of the training rows.
#[derive(Debug)]
pub(super) struct Survey {
    pub n_rows: usize,
    /// Whether a cell is missing.
    pub has_missing: bool,
    /// How often each value was observed, by variable; empty for those that are
    /// not counted.
    counts: Vec<Vec<f64>>,
    /// Moments and ends of columns.
    pub ranges: Ranges,
    /// Tells these rows from others.
    pub fingerprint: u64,
}

impl Survey {
    /// Reads all rows once.
    pub fn of(circuit: &Circuit, rows: &Rows) -> Result<Self, LearnError> {
        let counted = circuit.variables().iter().map(|variable| {
            let size = variable
                .domain
                .size()
                .filter(|_| is_tabular(&variable.domain));
            vec![0.0; size.unwrap_or(0) as usize]
        });
        let mut survey = Survey {
            n_rows: 0,
            has_missing: false,
            counts: counted.collect(),
            ranges: Ranges::new(circuit),
            fingerprint: 0,
        };
        let mut hasher = rustc_hash::FxHasher::default();
        let mut total_weight = 0.0;
        rows.for_each(|table, weights| {
            survey.add(table, weights, &mut hasher);
            survey.ranges.add(table, weights);
            total_weight += weights.map_or(table.n_rows() as f64, |weights| weights.iter().sum());
            Ok::<(), LearnError>(())
        })?;
        survey.fingerprint = hasher.finish();
        match survey.n_rows {
            0 => Err(LearnError::Data("there is no row to learn from".into())),
            _ if total_weight <= 0.0 => {
                Err(LearnError::Data("the weights of all rows are zero".into()))
            }
            _ => Ok(survey),
        }
    }

    fn add(&mut self, table: &Table, weights: Option<&[f64]>, hasher: &mut impl Hasher) {
        self.n_rows += table.n_rows();
        let weight = |row: usize| weights.map_or(1.0, |weights| weights[row]);
        for (column, counts) in table.columns().iter().zip(&mut self.counts) {
            let mut count = |row: usize, code: usize| {
                if let Some(count) = counts.get_mut(code) {
                    *count += weight(row);
                }
            };
            match column {
                Column::Missing => self.has_missing = true,
                Column::Small(cells) => {
                    hasher.write(cells);
                    for (row, &cell) in cells.iter().enumerate() {
                        match cell {
                            MISSING_SMALL => self.has_missing = true,
                            code => count(row, code.into()),
                        }
                    }
                }
                Column::Codes(cells) => {
                    for (row, &cell) in cells.iter().enumerate() {
                        hasher.write_u32(cell);
                        match cell {
                            MISSING_CODE => self.has_missing = true,
                            code => count(row, code as usize),
                        }
                    }
                }
                Column::Reals(cells) => {
                    self.has_missing |= cells.iter().any(|cell| cell.is_nan());
                    cells
                        .iter()
                        .for_each(|cell| hasher.write_u64(cell.to_bits()));
                }
                Column::Soft { weights, .. } => {
                    weights
                        .iter()
                        .for_each(|weight| hasher.write_u32(weight.to_bits()));
                }
            }
        }
        let weights = weights.unwrap_or(&[]);
        weights
            .iter()
            .for_each(|weight| hasher.write_u64(weight.to_bits()));
    }

    /// The distribution of each variable's observed cells; none if there are none.
    pub fn marginals(&self) -> Vec<Option<Vec<f64>>> {
        let marginal = |counts: &Vec<f64>| {
            let total: f64 = counts.iter().sum();
            (total > 0.0).then(|| counts.iter().map(|count| count / total).collect())
        };
        self.counts.iter().map(marginal).collect()
    }
}
