//! Likelihoods in results.

use pelton_runtime::learn::Score;
use serde_json::{Value as Json, json};

/// The mean of all rows: none if one of them is impossible, because the mean of the
/// others would look better than what was learned.
pub fn mean(score: &Score) -> Option<f64> {
    let is_whole = score.n_zero == 0 && score.mean.is_finite();
    is_whole.then_some(score.mean)
}

/// Adds a score to a result, under the names of reports.
pub fn add(result: &mut Json, name: &str, score: &Score) {
    result[format!("{name}_ll")] = json!(mean(score));
    result[format!("{name}_zero_rows")] = json!(score.n_zero);
}
