//! How parameters are learned.

use super::number;
use clap::{Args, ValueEnum};
use pelton_runtime::learn::{LearnOptions, Method, Softening, Start};

/// How parameters are learned. What is not given has the default of the runtime,
/// or of the paper with `--paper`.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Learning")]
pub struct Learning {
    /// Choose the method [default: mle if the circuit is deterministic and
    /// the data are complete, else em].
    #[arg(long, value_enum)]
    pub method: Option<MethodName>,

    /// Give every mini-batch the whole pseudocount instead of its share, and all rows as
    /// many as there are batches.
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true,
          default_missing_value = "true")]
    pub pseudocount_per_batch: Option<bool>,

    /// Choose what EM maximises if there is softness [default: virtual].
    #[arg(long, value_enum)]
    pub softening: Option<SofteningName>,

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
    #[arg(long, value_enum)]
    pub init: Option<StartName>,

    /// Set the seed of everything random.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,

    /// Use the setting of the paper: 100 epochs of mini-batches of 1024 rows with
    /// --step-size 0.9:0.1, then 100 over all rows, --patience 4, --pseudocount 0.1
    /// --pseudocount-per-batch, --softness 0.002 --scale-by-marginal, --entropy 0.001. Other options override it.
    #[arg(long, requires = "valid")]
    pub paper: bool,
}

/// How parameters are learned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum MethodName {
    /// In closed form; needs a deterministic circuit and complete data.
    Mle,
    /// By expectation maximisation, step by step.
    Em,
}

/// What EM maximises if there is softness.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SofteningName {
    /// log E[p(x')] over the noise, as in the paper.
    Virtual,
    /// A lower bound of E[log p(x')] that shrinks leaves away from 0 and 1.
    Geometric,
    /// E[log p(x')] itself, by noise drawn again in every epoch.
    Sampled,
}

/// Where learning starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum StartName {
    /// At weights and leaves drawn at random.
    Random,
    /// Rows are clustered, and sums choose their children by cluster.
    Kmeans,
    /// At the circuit's own values.
    Keep,
}

impl Learning {
    /// The options of the runtime, for so many threads.
    pub fn options(&self, threads: usize) -> LearnOptions {
        let base = match self.paper {
            true => LearnOptions::paper(),
            false => LearnOptions::default(),
        };
        self.over(base, threads)
    }

    /// These options over others.
    pub fn over(&self, base: LearnOptions, threads: usize) -> LearnOptions {
        let marginal = self.scale_by_marginal;
        let per_batch = self.pseudocount_per_batch;
        LearnOptions {
            method: self.method.map(Method::from).or(base.method),
            pseudocount_per_batch: per_batch.unwrap_or(base.pseudocount_per_batch),
            softening: self.softening.map_or(base.softening, Softening::from),
            scale_by_marginal: marginal.unwrap_or(base.scale_by_marginal),
            minibatch_epochs: self.minibatch_epochs.unwrap_or(base.minibatch_epochs),
            fullbatch_epochs: self.fullbatch_epochs.unwrap_or(base.fullbatch_epochs),
            batch_size: self.batch_size.unwrap_or(base.batch_size),
            step_size: self.step_size.unwrap_or(base.step_size),
            patience: self.patience.unwrap_or(base.patience),
            tolerance: self.tolerance.unwrap_or(base.tolerance),
            start: self.init.map_or(base.start, Start::from),
            seed: self.seed,
            threads,
            ..base
        }
    }
}

impl From<MethodName> for Method {
    fn from(name: MethodName) -> Self {
        match name {
            MethodName::Mle => Method::Mle,
            MethodName::Em => Method::Em,
        }
    }
}

impl From<SofteningName> for Softening {
    fn from(name: SofteningName) -> Self {
        match name {
            SofteningName::Virtual => Softening::Virtual,
            SofteningName::Geometric => Softening::Geometric,
            SofteningName::Sampled => Softening::Sampled,
        }
    }
}

impl From<StartName> for Start {
    fn from(name: StartName) -> Self {
        match name {
            StartName::Random => Start::Random,
            StartName::Kmeans => Start::KMeans,
            StartName::Keep => Start::Keep,
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
