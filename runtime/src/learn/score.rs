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
    let (mut sum, mut total_weight) = (0.0, 0.0);
    let (mut n_zero, mut n_rows) = (0, 0);
    rows.for_each(|table, weights| {
        for from in (0..table.n_rows()).step_by(PIECE) {
            let piece = table.slice(from..table.n_rows().min(from + PIECE));
            let found = model.log_likelihoods(&parameters, &piece, threads);
            for (row, log) in found.over(log_divisor).logs.into_iter().enumerate() {
                let weight = weights.map_or(1.0, |weights| weights[from + row]);
                match log {
                    // Counts for nothing, be it possible or not.
                    _ if weight == 0.0 => {}
                    f64::NEG_INFINITY => n_zero += 1,
                    _ => {
                        sum += log * weight;
                        total_weight += weight;
                    }
                }
            }
            n_rows += piece.n_rows();
        }
        Ok(())
    })?;
    if !f64::is_finite(sum) {
        let message = "the likelihood of a row is not a finite number; are densities too large?";
        return Err(LearnError::Numeric(message.into()));
    }
    let mean = sum / total_weight;
    Ok(Score {
        mean,
        n_zero,
        n_rows,
    })
}
