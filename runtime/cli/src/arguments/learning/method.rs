//! How parameters are learned.

use super::number;
use crate::arguments::named::{NamedChoice, named};
use clap::Args;
use pelton_runtime::learn::{LearnOptions, Method, Softening, Start};

/// How parameters are learned. What is not given has the default of the runtime,
/// or of the paper with `--paper`.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Learning")]
pub struct LearningArguments {
    /// Choose the method [default: mle if the circuit is deterministic and
    /// the data are complete, else em].
    #[arg(long, value_parser = named(METHODS))]
    pub method: Option<Method>,

    /// Give every mini-batch the whole pseudocount instead of its share, and all rows as
    /// many as there are batches.
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true,
          default_missing_value = "true")]
    pub pseudocount_per_batch: Option<bool>,

    /// Choose what EM maximises if there is softness [default: virtual].
    #[arg(long, value_parser = named(SOFTENINGS))]
    pub softening: Option<Softening>,

    /// Draw the noise of softness from each column's marginal instead of evenly.
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true,
          default_missing_value = "true")]
    pub scale_by_marginal: Option<bool>,

    /// Run this many epochs of mini-batch EM, which come first [default: 0].
    #[arg(long, value_name = "N", value_parser = number(0))]
    pub minibatch_epochs: Option<usize>,

    /// Run at most this many epochs of full-batch EM [default: 100].
    #[arg(long, value_name = "N", value_parser = number(0))]
    pub fullbatch_epochs: Option<usize>,

    /// Set the size of a mini-batch in rows [default: 1024].
    #[arg(long, value_name = "B", value_parser = number(1))]
    pub batch_size: Option<usize>,

    /// Set the step size, the weight of what a mini-batch asks for: START in the first, falling
    /// linearly towards END over all mini-batches of all epochs [default: 0.9:0.1].
    #[arg(long, value_name = "START:END", value_parser = step_size)]
    pub step_size: Option<(f64, f64)>,

    /// Stop a phase early after this many epochs without a better validation likelihood,
    /// 1 at least [default: 4].
    #[arg(long, value_name = "N", value_parser = number(1))]
    pub patience: Option<usize>,

    /// End the phase as converged when a full-batch epoch raises the objective by less
    /// than TOLERANCE times its size (at least 1) [default: 0.000001].
    #[arg(long, value_name = "TOLERANCE", allow_negative_numbers = true)]
    pub tolerance: Option<f64>,

    /// Learn what the circuit gives as fixed, too; zeros stay.
    #[arg(long)]
    pub learn_all: bool,

    /// Choose how parameters are initialized [default: random].
    #[arg(long, value_parser = named(STARTS))]
    pub init: Option<Start>,

    /// Set the seed of everything random.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,

    /// Use the setting of the paper: 100 epochs of mini-batches of 1024 rows with
    /// --step-size 0.9:0.1, then 100 over all rows, --patience 4, --pseudocount 0.1
    /// --pseudocount-per-batch, --softness 0.002 --scale-by-marginal, --entropy 0.001. Other options override it.
    #[arg(long, requires = "valid")]
    pub paper: bool,
}

const METHODS: &[NamedChoice<Method>] = &[
    (
        "mle",
        Method::Mle,
        "In closed form; needs a deterministic circuit and complete data",
    ),
    (
        "em",
        Method::Em,
        "By expectation maximisation, step by step",
    ),
];

/// What EM maximises if there is softness.
const SOFTENINGS: &[NamedChoice<Softening>] = &[
    (
        "virtual",
        Softening::Virtual,
        "log E[p(x')] over the noise, as in the paper",
    ),
    (
        "geometric",
        Softening::Geometric,
        "A lower bound of E[log p(x')] that shrinks leaves away from 0 and 1",
    ),
    (
        "sampled",
        Softening::Sampled,
        "E[log p(x')] itself, by noise drawn again in every epoch",
    ),
];

/// Where learning starts.
const STARTS: &[NamedChoice<Start>] = &[
    (
        "random",
        Start::Random,
        "At weights and leaves drawn at random",
    ),
    (
        "kmeans",
        Start::KMeans,
        "Rows are clustered, and sums choose their children by cluster",
    ),
    ("keep", Start::Keep, "At the circuit's own values"),
];

impl LearningArguments {
    /// The options of the runtime, for so many threads.
    pub fn options(&self, threads: usize) -> LearnOptions {
        let base = if self.paper {
            LearnOptions::paper()
        } else {
            LearnOptions::default()
        };
        self.over(base, threads)
    }

    /// These options over others.
    pub fn over(&self, base: LearnOptions, threads: usize) -> LearnOptions {
        let marginal = self.scale_by_marginal;
        let per_batch = self.pseudocount_per_batch;
        LearnOptions {
            method: self.method.or(base.method),
            pseudocount_per_batch: per_batch.unwrap_or(base.pseudocount_per_batch),
            softening: self.softening.unwrap_or(base.softening),
            scale_by_marginal: marginal.unwrap_or(base.scale_by_marginal),
            minibatch_epochs: self.minibatch_epochs.unwrap_or(base.minibatch_epochs),
            fullbatch_epochs: self.fullbatch_epochs.unwrap_or(base.fullbatch_epochs),
            batch_size: self.batch_size.unwrap_or(base.batch_size),
            step_size: self.step_size.unwrap_or(base.step_size),
            patience: self.patience.unwrap_or(base.patience),
            tolerance: self.tolerance.unwrap_or(base.tolerance),
            start: self.init.unwrap_or(base.start),
            seed: self.seed,
            threads,
            ..base
        }
    }
}

/// `0.9:0.1`, or one number for both.
fn step_size(text: &str) -> Result<(f64, f64), String> {
    let (start, end) = text.split_once(':').unwrap_or((text, text));
    match (start.trim().parse(), end.trim().parse()) {
        (Ok(start), Ok(end)) => Ok((start, end)),
        _ => Err("write START:END, such as 0.9:0.1".to_string()),
    }
}
