//! What is known of a run of learning.

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Value as Json, json};
use std::cmp::Ordering;

/// A part of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// Closed form.
    Mle,
    /// EM over mini-batches.
    MiniBatch,
    /// EM over all rows.
    FullBatch,
}

impl Phase {
    /// The word in reports.
    pub fn name(self) -> &'static str {
        match self {
            Phase::Mle => "mle",
            Phase::MiniBatch => "minibatch",
            Phase::FullBatch => "fullbatch",
        }
    }
}

/// One epoch: a pass over the training data and what it did.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Epoch {
    /// The phase it belongs to.
    pub phase: Phase,
    /// Its number in the run, from 1.
    pub epoch: usize,
    /// Time since the run began, all of its parts together if it was resumed.
    pub seconds: f64,
    /// Mean log-likelihood of the training data as the pass saw them: softened,
    /// and with the parameters from before it. A closed form has that of the rows as
    /// they are, and of the parameters that it found.
    #[serde(deserialize_with = "finite_or_nan")]
    pub train_ll: f64,
    /// Mean log-likelihood of the validation data after it.
    pub valid_ll: Option<f64>,
    /// What is maximised, with the parameters from before the pass: the mean
    /// log-likelihood with its pseudocounts, and the entropy. Mini-batches have none;
    /// that of a closed form is the maximum, of softened data up to a constant.
    pub objective: Option<f64>,
}

impl Epoch {
    /// The epoch as reports show it.
    pub fn to_json(&self) -> Json {
        json!(self)
    }
}

/// Reads a number that was written as none because it was not finite.
fn finite_or_nan<'de, D: Deserializer<'de>>(reader: D) -> Result<f64, D::Error> {
    Option::deserialize(reader).map(|number| number.unwrap_or(f64::NAN))
}

/// JSON has no words for other numbers.
pub(super) fn finite(number: f64) -> Option<f64> {
    number.is_finite().then_some(number)
}

/// Why a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StopReason {
    /// The closed form was computed.
    ClosedForm,
    /// The objective rose by less than the tolerance.
    Converged,
    /// Early stopping: the validation likelihood did not improve for as many epochs as patience allows.
    Validation,
    /// All epochs were done.
    Epochs,
    /// The time budget of a search was used up.
    Budget,
    /// The observer asked for it.
    Cancelled,
}

impl StopReason {
    /// The word in reports.
    pub fn name(self) -> &'static str {
        match self {
            StopReason::ClosedForm => "closed_form",
            StopReason::Converged => "converged",
            StopReason::Validation => "validation",
            StopReason::Epochs => "epochs",
            StopReason::Budget => "budget",
            StopReason::Cancelled => "cancelled",
        }
    }

    /// What happened, in words.
    pub fn describe(self) -> &'static str {
        match self {
            StopReason::ClosedForm => "the closed form was computed",
            StopReason::Converged => "converged: the objective rose by less than the tolerance",
            StopReason::Validation => "early stopping: the validation likelihood did not improve",
            StopReason::Epochs => "all epochs were done",
            StopReason::Budget => "the time budget was used up",
            StopReason::Cancelled => "it was interrupted",
        }
    }
}

/// Likelihoods of one set of rows.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Score {
    /// Mean log-likelihood of possible rows, by weight.
    pub mean: f64,
    /// Rows of probability zero.
    pub n_zero: usize,
    /// Number of rows.
    pub n_rows: usize,
}

impl Score {
    /// Whether it is better: fewer impossible rows, then a higher likelihood.
    pub fn beats(&self, other: &Score) -> bool {
        if self.n_zero == other.n_zero {
            self.mean > other.mean || (other.mean.is_nan() && !self.mean.is_nan())
        } else {
            self.n_zero < other.n_zero
        }
    }

    /// An order in which the better one comes first.
    pub fn better_first(&self, other: &Score) -> Ordering {
        // `false` comes before `true`.
        other.beats(self).cmp(&self.beats(other))
    }
}

/// What is known of a run that has ended.
#[derive(Clone, Debug)]
pub struct Report {
    /// All epochs.
    pub epochs: Vec<Epoch>,
    /// The epoch whose parameters were kept: the one with the best validation
    /// likelihood, without validation data the last.
    pub best_epoch: usize,
    /// Why it ended.
    pub stop_reason: StopReason,
    /// The training data, as they are, under the parameters that were kept.
    pub train: Score,
    /// The validation data.
    pub valid: Option<Score>,
    /// The test data, which nothing else has looked at.
    pub test: Option<Score>,
    /// Entropy of the circuit, of observed and hidden variables together; none
    /// where it is not defined.
    pub entropy: Option<f64>,
    /// The method that was used.
    pub method: super::Method,
    /// Edges of sums in the circuit.
    pub sum_edges: usize,
    /// Threads that were used.
    pub threads: usize,
    /// The options that were given.
    pub options: super::LearnOptions,
    /// What the user should know: rows left out, parameters at a bound.
    pub notes: Vec<String>,
}

impl Report {
    /// The report as one object.
    pub fn to_json(&self) -> Json {
        let mean = |score: Option<Score>| score.and_then(|score| finite(score.mean));
        let mut options = self.options.to_json();
        options["method"] = json!(self.method.name());
        json!({
            "epochs": self.epochs,
            "best_epoch": self.best_epoch,
            "stop_reason": self.stop_reason.name(),
            "train_ll": finite(self.train.mean),
            "valid_ll": mean(self.valid),
            "test_ll": mean(self.test),
            "train_zero_rows": self.train.n_zero,
            "valid_zero_rows": self.valid.map(|score| score.n_zero),
            "test_zero_rows": self.test.map(|score| score.n_zero),
            "entropy": self.entropy.and_then(finite),
            "rows": self.train.n_rows,
            "sum_edges": self.sum_edges,
            "threads": self.threads,
            "seed": self.options.seed,
            "options": options,
            "notes": self.notes,
        })
    }
}
