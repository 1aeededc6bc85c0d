//! Likelihoods of sets of rows.

use super::report::Score;
use super::{LearnError, LearningRows};
use crate::model::Model;
use pelton_compiler::circuit::ParameterValue;

/// Rows whose likelihoods are in memory at a time: they may take more of it than the rows.
const PIECE: usize = 1 << 16;

/// The mean log-likelihood of rows under given parameters.
pub fn score(
    model: &Model,
    values: &[ParameterValue],
    rows: &LearningRows,
    threads: usize,
) -> Result<Score, LearnError> {
    let parameters = model.parameters(values.to_vec());
    let log_divisor = model.log_divisor(&parameters)?;
    let mut total = ScoreTotal::default();
    rows.for_each(|table, weights| {
        for from in (0..table.n_rows()).step_by(PIECE) {
            let piece = table.slice(from..table.n_rows().min(from + PIECE));
            let found = model.log_likelihoods(&parameters, &piece, threads);
            for (row, log) in found.over(log_divisor).logs.into_iter().enumerate() {
                total.add(log, weights.map_or(1.0, |weights| weights[from + row]));
            }
        }
        Ok::<(), LearnError>(())
    })?;
    total.score()
}

#[derive(Default)]
struct ScoreTotal {
    sum: f64,
    weight: f64,
    n_zero: usize,
    n_rows: usize,
}

impl ScoreTotal {
    fn add(&mut self, log: f64, weight: f64) {
        self.n_rows += 1;
        if weight == 0.0 {
            return; // counts for nothing, be it possible or not
        }
        if log == f64::NEG_INFINITY {
            self.n_zero += 1
        } else {
            self.sum += log * weight;
            self.weight += weight;
        }
    }

    fn score(self) -> Result<Score, LearnError> {
        let mean = self.sum / self.weight;
        if self.sum.is_finite() {
            Ok(Score {
                mean,
                n_zero: self.n_zero,
                n_rows: self.n_rows,
            })
        } else {
            Err(LearnError::Numeric(
                "the likelihood of a row is not a finite number; are densities too large?".into(),
            ))
        }
    }
}
