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
            let size = variable
                .domain
                .size()
                .filter(|_| is_tabular(&variable.domain));
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
            Ok::<(), LearnError>(())
        })?;
        survey.fingerprint = hasher.finish();
        match survey.n_rows {
            0 => Err(LearnError::Data("there is no row to learn from".into())),
            n if n > u32::MAX as usize && !rows.is_stream() => Err(LearnError::Data(
                "there are more than 2^32 rows; they have to be read in parts".into(),
            )),
            _ if !survey.weight.is_finite() => Err(LearnError::Data(
                "the weights of all rows add up to more than a number can hold".into(),
            )),
            _ if survey.weight <= 0.0 => {
                Err(LearnError::Data("the weights of all rows are zero".into()))
            }
            _ => Ok(survey),
        }
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
        Ok::<(), LearnError>(())
    })?;
    Ok(hasher.finish())
}

fn hash(table: &Table, weights: Option<&[f64]>, hasher: &mut FxHasher) {
    hasher.write_usize(table.n_rows());
    let weights = weights.unwrap_or(&[]);
    weights
        .iter()
        .for_each(|weight| hasher.write_u64(weight.to_bits()));
    for column in table.columns() {
        match column {
            Column::Missing => hasher.write_u8(0),
            Column::Small(cells) => hasher.write(cells),
            Column::Codes(cells) => cells.iter().for_each(|&cell| hasher.write_u32(cell)),
            Column::Reals(cells) => cells.iter().for_each(|x| hasher.write_u64(x.to_bits())),
            Column::Soft { weights, .. } => {
                weights
                    .iter()
                    .for_each(|weight| hasher.write_u64(weight.to_bits()));
            }
        }
    }
}
