//! One look at all training rows, before anything is learned.

use super::leaf::ObservedRanges;
use super::{LearnError, LearningRows};
use crate::data::{Column, Table};
use pelton_compiler::circuit::CircuitGraph;
use pelton_compiler::flow::is_tabular;
use rustc_hash::FxHasher;
use std::hash::Hasher;

/// What is known of the training rows.
#[derive(Debug)]
pub(super) struct TrainingSurvey {
    pub n_rows: usize,
    /// Weight of all rows.
    pub weight: f64,
    /// Whether a cell is missing.
    pub has_missing: bool,
    /// Whether a column is soft evidence already.
    pub has_soft: bool,
    /// How often each value was observed, by variable; empty for those that are
    /// not counted.
    counts: Vec<Vec<f64>>,
    /// Moments and ends of columns.
    pub ranges: ObservedRanges,
    /// Tells these rows from others.
    pub fingerprint: u64,
}

impl TrainingSurvey {
    /// Reads all rows once.
    pub fn of(circuit: &CircuitGraph, rows: &LearningRows) -> Result<Self, LearnError> {
        let counted = circuit.variables().iter().map(|variable| {
            let domain = &variable.domain;
            let size = domain.size().filter(|_| is_tabular(domain));
            vec![0.0; size.unwrap_or(0) as usize]
        });
        let mut survey = TrainingSurvey {
            n_rows: 0,
            weight: 0.0,
            has_missing: false,
            has_soft: false,
            counts: counted.collect(),
            ranges: ObservedRanges::new(circuit),
            fingerprint: 0,
        };
        // Part by part: values and missing cells, moments and ends of columns, and a hash.
        let mut hasher = FxHasher::default();
        rows.for_each(|table, weights| {
            survey.add(table, weights);
            hash(table, weights, &mut hasher);
            survey.ranges.add(table, weights);
            survey.weight += weights.map_or(table.n_rows() as f64, |weights| weights.iter().sum());
            Ok(())
        })?;
        survey.fingerprint = hasher.finish();
        let fault = match survey.n_rows {
            0 => "there is no row to learn from",
            n if n > u32::MAX as usize && !rows.is_stream() => {
                "there are more than 2^32 rows; they have to be read in parts"
            }
            _ if !survey.weight.is_finite() => {
                "the weights of all rows add up to more than a number can hold"
            }
            _ if survey.weight <= 0.0 => "the weights of all rows are zero",
            _ => return Ok(survey),
        };
        Err(LearnError::Data(fault.into()))
    }

    fn add(&mut self, table: &Table, weights: Option<&[f64]>) {
        self.n_rows += table.n_rows();
        let weight = |row: usize| weights.map_or(1.0, |weights| weights[row]);
        for (column, counts) in table.columns().iter().zip(&mut self.counts) {
            let count = |row: usize, code: u32| {
                if let Some(count) = counts.get_mut(code as usize) {
                    *count += weight(row);
                }
            };
            match column {
                Column::Missing => self.has_missing = true,
                Column::Small(_) | Column::Codes(_) => {
                    self.has_missing |= column.for_each_code(count);
                }
                Column::Reals(cells) => self.has_missing |= cells.iter().any(|x| x.is_nan()),
                Column::Soft { .. } => self.has_soft = true,
            }
        }
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

/// Tells rows from others. It depends on the parts that rows are read in.
pub(super) fn fingerprint(rows: &LearningRows) -> Result<u64, LearnError> {
    let mut hasher = FxHasher::default();
    rows.for_each(|table, weights| {
        hash(table, weights, &mut hasher);
        Ok(())
    })?;
    Ok(hasher.finish())
}

fn hash(table: &Table, weights: Option<&[f64]>, hasher: &mut FxHasher) {
    let write = |numbers: &[f64], hasher: &mut FxHasher| {
        let bits = numbers.iter().map(|number| number.to_bits());
        bits.for_each(|bits| hasher.write_u64(bits));
    };
    hasher.write_usize(table.n_rows());
    write(weights.unwrap_or(&[]), hasher);
    for column in table.columns() {
        match column {
            Column::Missing => hasher.write_u8(0),
            Column::Small(cells) => hasher.write(cells),
            Column::Codes(cells) => cells.iter().for_each(|&cell| hasher.write_u32(cell)),
            Column::Reals(cells) => write(cells, hasher),
            Column::Soft { weights, .. } => write(weights, hasher),
        }
    }
}
