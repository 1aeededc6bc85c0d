//! What the commands take that measure what distributions know.

use super::Reading;
use clap::Args;
use pelton_runtime::query::Sampling;
use std::path::PathBuf;

/// The unit of an amount of information.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Base {
    /// Nats, natural logarithms.
    #[default]
    Natural,
    /// Logarithms of another base; bits for 2.
    Of(f64),
}

impl Base {
    /// An amount given in nats.
    pub fn of_nats(self, nats: f64) -> f64 {
        match self {
            // Nothing is 0, not -0.
            Base::Natural => nats + 0.0,
            Base::Of(base) => nats / base.ln() + 0.0,
        }
    }

    /// What amounts are counted in.
    pub fn unit(self) -> String {
        match self {
            Base::Natural => "nats".to_string(),
            Base::Of(2.0) => "bits".to_string(),
            Base::Of(base) => format!("base {base}"),
        }
    }
}

/// In which unit amounts are shown.
#[derive(Clone, Debug, Args)]
pub struct Unit {
    /// Set the base of logarithms: `e` for nats, 2 for bits, or another number above 1.
    #[arg(long, value_name = "BASE", default_value = "e", value_parser = base)]
    pub base: Base,
}

/// Estimates in place of exact answers.
#[derive(Clone, Debug, Args)]
pub struct Estimating {
    /// Estimate from this many samples, with the standard error.
    #[arg(long, value_name = "N",
          value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(2..=1_000_000_000))]
    pub samples: Option<usize>,

    /// Set the seed of the samples.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
}

impl Estimating {
    /// How samples are drawn, if they were asked for.
    pub fn sampling(&self, n_threads: usize) -> Option<Sampling> {
        let n_samples = self.samples?;
        Some(Sampling {
            n_samples,
            seed: self.seed,
            n_threads,
        })
    }
}

/// `pelton entropy`
#[derive(Debug, Args)]
pub struct Entropy {
    /// The circuit.
    #[arg(value_name = "MODEL")]
    pub model: PathBuf,

    /// Condition on this evidence, such as 'wet, temp <= 10', and measure what is left.
    #[arg(long, value_name = "EVENTS", default_value = "")]
    pub given: String,

    /// Measure the entropy of the variables and of the choices that sums make, together; for a
    /// circuit that is not deterministic more than that of the variables, and always exact.
    #[arg(long, conflicts_with = "samples")]
    pub joint: bool,

    /// Estimates in place of exact answers.
    #[command(flatten)]
    pub estimating: Estimating,

    /// In which unit amounts are shown.
    #[command(flatten)]
    pub unit: Unit,

    /// How the circuit is read.
    #[command(flatten)]
    pub reading: Reading,

    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,
}

/// `pelton kl`
#[derive(Debug, Args)]
pub struct Kl {
    /// The circuit that the mean is taken under.
    #[arg(value_name = "A")]
    pub first: PathBuf,

    /// The circuit that it is compared with.
    #[arg(value_name = "B")]
    pub second: PathBuf,

    /// Compute the cross entropy alone, which needs only B to be deterministic.
    #[arg(long)]
    pub cross: bool,

    /// Estimates in place of exact answers.
    #[command(flatten)]
    pub estimating: Estimating,

    /// In which unit amounts are shown.
    #[command(flatten)]
    pub unit: Unit,

    /// How the circuits are read.
    #[command(flatten)]
    pub reading: Reading,

    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,
}

/// `pelton mi`
#[derive(Debug, Args)]
pub struct Mi {
    /// The circuit.
    #[arg(value_name = "MODEL")]
    pub model: PathBuf,

    /// Variables, such as `rain` or `x[0],x[1]`; an array's name stands for all of it.
    #[arg(value_name = "X")]
    pub first: String,

    /// Other variables.
    #[arg(value_name = "Y")]
    pub second: String,

    /// Estimates in place of exact answers.
    #[command(flatten)]
    pub estimating: Estimating,

    /// In which unit amounts are shown.
    #[command(flatten)]
    pub unit: Unit,

    /// How the circuit is read.
    #[command(flatten)]
    pub reading: Reading,

    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,
}

/// `pelton moments`
#[derive(Debug, Args)]
pub struct Moments {
    /// The circuit.
    #[arg(value_name = "MODEL")]
    pub model: PathBuf,

    /// Condition on this evidence, such as 'wet, temp <= 10'.
    #[arg(long, value_name = "EVENTS", default_value = "")]
    pub given: String,

    /// Show covariances of all pairs of variables too.
    #[arg(long)]
    pub covariance: bool,

    /// Answer requests from standard input, an object of JSON a line, until it ends.
    #[arg(long)]
    pub stream: bool,

    /// How the circuit is read.
    #[command(flatten)]
    pub reading: Reading,

    /// Print JSON: one object for each variable, or with --covariance one for all.
    #[arg(long)]
    pub json: bool,
}

/// `pelton count`
#[derive(Debug, Args)]
pub struct Count {
    /// The circuit.
    #[arg(value_name = "MODEL")]
    pub model: PathBuf,

    /// Count only inputs for which this holds, such as 'rain || !wet'.
    #[arg(long, value_name = "EVENTS", default_value = "")]
    pub given: String,

    /// Compute the mass of all inputs, by the weights, instead of their number.
    #[arg(long)]
    pub weighted: bool,

    /// How the circuit is read.
    #[command(flatten)]
    pub reading: Reading,

    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,
}

/// `pelton queries`
#[derive(Debug, Args)]
pub struct Queries {
    /// A circuit to say it of; without one, what each question needs is listed.
    #[arg(value_name = "MODEL")]
    pub model: Option<PathBuf>,

    /// How the circuit is read.
    #[command(flatten)]
    pub reading: Reading,

    /// Print JSON, one object for each question.
    #[arg(long)]
    pub json: bool,
}

fn base(text: &str) -> Result<Base, String> {
    match (text, text.parse::<f64>()) {
        ("e", _) => Ok(Base::Natural),
        (_, Ok(base)) if base > 1.0 && base.is_finite() => Ok(Base::Of(base)),
        _ => Err("write `e` or a number above 1".to_string()),
    }
}
