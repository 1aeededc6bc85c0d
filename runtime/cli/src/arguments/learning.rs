//! What the commands take that learn from data.

use super::Reading;
use super::running::{HeaderName, Running};
use clap::builder::RangedU64ValueParser;
use clap::{Args, ValueEnum};
use pelton_runtime::data::ReadOptions;
use pelton_runtime::learn::{Grid, LearnOptions, Method, Softening, Start};
use std::path::{Path, PathBuf};

const DATA: &str = "Data";
const RESULTS: &str = "Results";
const REGULARIZATION: &str = "Regularization";
const LEARNING: &str = "Learning";

/// `pelton fit`
#[derive(Debug, Args)]
pub struct Fit {
    /// The circuit.
    #[arg(value_name = "MODEL")]
    pub model: PathBuf,

    /// What is learned from.
    #[command(flatten)]
    pub splits: Splits,

    /// What is written.
    #[command(flatten)]
    pub outputs: Outputs,

    /// Save the state of the run here after epochs, at most once a second.
    ///
    /// The file is also a model, that of the best epoch so far.
    #[arg(long, value_name = "FILE", help_heading = RESULTS)]
    pub checkpoint: Option<PathBuf>,

    /// Go on from the checkpoint if there is one; the result is that of a single run.
    #[arg(long, requires = "checkpoint", help_heading = RESULTS)]
    pub resume: bool,

    /// Rows that every vector of probabilities is given in advance, spread evenly
    /// over its entries [default: 0.1]
    #[arg(long, value_name = "A", allow_negative_numbers = true, help_heading = REGULARIZATION)]
    pub pseudocount: Option<f64>,

    /// How much of every observed cell of a finite domain is taken for noise
    /// [default: 0]
    #[arg(long, value_name = "S", allow_negative_numbers = true, help_heading = REGULARIZATION)]
    pub softness: Option<f64>,

    /// How much the circuit's entropy counts beside the mean log-likelihood
    /// [default: 0]
    #[arg(long, value_name = "TAU", allow_negative_numbers = true, help_heading = REGULARIZATION)]
    pub entropy: Option<f64>,

    /// How parameters are learned.
    #[command(flatten)]
    pub learning: Learning,

    /// How the circuit is run.
    #[command(flatten, next_help_heading = "Running")]
    pub running: Running,

    /// How the circuit is read.
    #[command(flatten, next_help_heading = "Reading the circuit")]
    pub reading: Reading,
}

/// `pelton tune`
#[derive(Debug, Args)]
pub struct Tune {
    /// The circuit.
    #[arg(value_name = "MODEL")]
    pub model: PathBuf,

    /// What is learned from.
    #[command(flatten)]
    pub splits: Splits,

    /// What is written.
    #[command(flatten)]
    pub outputs: Outputs,

    /// Rows that every vector of probabilities is given in advance
    /// [default: 0.1,0.4,1,2,4,10]
    #[arg(long, value_name = "A,…", value_delimiter = ',', allow_negative_numbers = true,
          help_heading = REGULARIZATION)]
    pub pseudocount: Vec<f64>,

    /// How much of every observed cell of a finite domain is taken for noise
    /// [default: 0,0.0004,0.001,0.004]
    #[arg(long, value_name = "S,…", value_delimiter = ',', allow_negative_numbers = true,
          help_heading = REGULARIZATION)]
    pub softness: Vec<f64>,

    /// How much the circuit's entropy counts beside the mean log-likelihood
    /// [default: 0,0.001,0.01,0.1]
    #[arg(long, value_name = "TAU,…", value_delimiter = ',', allow_negative_numbers = true,
          help_heading = REGULARIZATION)]
    pub entropy: Vec<f64>,

    /// How parameters are learned.
    #[command(flatten)]
    pub learning: Learning,

    /// How the circuit is run.
    #[command(flatten, next_help_heading = "Running")]
    pub running: Running,

    /// How the circuit is read.
    #[command(flatten, next_help_heading = "Reading the circuit")]
    pub reading: Reading,
}

/// What every command that learns is given.
#[derive(Clone, Copy, Debug)]
pub struct Job<'a> {
    /// The circuit.
    pub model: &'a Path,
    /// What is learned from.
    pub splits: &'a Splits,
    /// What is written.
    pub outputs: &'a Outputs,
    /// How parameters are learned.
    pub learning: &'a Learning,
    /// How the circuit is run.
    pub running: &'a Running,
    /// How the circuit is read.
    pub reading: &'a Reading,
}

/// The data.
#[derive(Debug, Args)]
#[command(next_help_heading = DATA)]
pub struct Splits {
    /// Rows to learn from; `-` is standard input.
    #[arg(long, value_name = "DATA")]
    pub train: PathBuf,

    /// Rows that decide which epoch is the best, and when to stop.
    #[arg(long, value_name = "DATA")]
    pub valid: Option<PathBuf>,

    /// Rows that are evaluated once, at the end.
    #[arg(long, value_name = "DATA")]
    pub test: Option<PathBuf>,

    /// Whether the first line of the data is a header.
    #[arg(long, value_enum, default_value_t = HeaderName::Auto)]
    pub header: HeaderName,

    /// The column that says how much each row counts, in every file: its name, or
    /// its number from 1 where there is no header.
    #[arg(long, value_name = "NAME")]
    pub weight_column: Option<String>,

    /// Read the training data anew in every epoch, so many rows at a time, for data
    /// larger than memory.
    #[arg(long, value_name = "N", value_parser = number(1))]
    pub chunk_rows: Option<usize>,
}

/// What is written.
#[derive(Debug, Args)]
#[command(next_help_heading = RESULTS)]
pub struct Outputs {
    /// Where the learned model goes: OUT.pelton is a model file, OUT.pcirc is source
    /// with values. Give it twice to get both.
    #[arg(short, long = "output", value_name = "OUT")]
    pub output: Vec<PathBuf>,

    /// Write the report here, the object that --json prints.
    #[arg(long, value_name = "FILE.json")]
    pub report: Option<PathBuf>,

    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,
}

/// How parameters are learned. What is not given has the default of the runtime,
/// or of the paper with `--paper`.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = LEARNING)]
pub struct Learning {
    /// How parameters are learned [default: mle if the circuit is deterministic and
    /// the data are complete, else em].
    #[arg(long, value_enum)]
    pub method: Option<MethodName>,

    /// What EM maximises if there is softness [default: virtual].
    #[arg(long, value_enum)]
    pub softening: Option<SofteningName>,

    /// Draw the noise of softness from each column's marginal instead of evenly.
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true,
          default_missing_value = "true")]
    pub scale_by_marginal: Option<bool>,

    /// Epochs of EM over mini-batches, which come first [default: 0].
    #[arg(long, value_name = "N", value_parser = number(0))]
    pub minibatch_epochs: Option<usize>,

    /// Epochs of EM over all rows at once [default: 100].
    #[arg(long, value_name = "N", value_parser = number(0))]
    pub fullbatch_epochs: Option<usize>,

    /// Rows of a mini-batch [default: 1024].
    #[arg(long, value_name = "B", value_parser = number(1))]
    pub batch_size: Option<usize>,

    /// Weight of the new parameters in the first and in the last mini-batch
    /// [default: 0.9:0.1].
    #[arg(long, value_name = "START:END", value_parser = step_size)]
    pub step_size: Option<(f64, f64)>,

    /// Epochs without a better validation likelihood after which a phase ends
    /// [default: 4].
    #[arg(long, value_name = "N", value_parser = number(0))]
    pub patience: Option<usize>,

    /// A full-batch epoch that raises the objective by less ends the phase
    /// [default: 0.000001].
    #[arg(long, value_name = "X", allow_negative_numbers = true)]
    pub tolerance: Option<f64>,

    /// Learn what the circuit gives as fixed, too; zeros stay.
    #[arg(long)]
    pub learn_all: bool,

    /// Where learning starts [default: random].
    #[arg(long, value_enum)]
    pub init: Option<StartName>,

    /// The seed of everything that is drawn.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,

    /// The setting of the paper: 100 epochs of mini-batches of 1024 rows with
    /// --step-size 0.9:0.1, then 100 over all rows, --patience 4, --pseudocount 0.1,
    /// --softness 0.002 --scale-by-marginal, --entropy 0.001. Other options override it.
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
    /// E[log p(x')] itself, by noise drawn anew in every epoch.
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

impl Splits {
    /// How the data are read.
    pub fn read_options(&self) -> ReadOptions {
        ReadOptions {
            header: self.header.into(),
            weight_column: self.weight_column.clone(),
        }
    }

    /// All files that are given.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        let train = Some(self.train.as_path());
        let all = [train, self.valid.as_deref(), self.test.as_deref()];
        all.into_iter().flatten()
    }
}

impl Fit {
    /// What it has in common with other commands.
    pub fn job(&self) -> Job<'_> {
        Job {
            model: &self.model,
            splits: &self.splits,
            outputs: &self.outputs,
            learning: &self.learning,
            running: &self.running,
            reading: &self.reading,
        }
    }

    /// The options of the runtime.
    pub fn options(&self) -> LearnOptions {
        let options = self.job().options();
        LearnOptions {
            pseudocount: self.pseudocount.unwrap_or(options.pseudocount),
            softness: self.softness.unwrap_or(options.softness),
            entropy: self.entropy.unwrap_or(options.entropy),
            ..options
        }
    }
}

impl Tune {
    /// What it has in common with other commands.
    pub fn job(&self) -> Job<'_> {
        Job {
            model: &self.model,
            splits: &self.splits,
            outputs: &self.outputs,
            learning: &self.learning,
            running: &self.running,
            reading: &self.reading,
        }
    }

    /// What is tried: the lists that are given, the default where there is none.
    pub fn grid(&self) -> Grid {
        let or = |given: &Vec<f64>, default| match given.is_empty() {
            true => default,
            false => given.clone(),
        };
        let default = Grid::default();
        Grid {
            pseudocounts: or(&self.pseudocount, default.pseudocounts),
            softnesses: or(&self.softness, default.softnesses),
            entropies: or(&self.entropy, default.entropies),
        }
    }
}

impl Job<'_> {
    /// The options of the runtime.
    pub fn options(&self) -> LearnOptions {
        self.learning.options(self.running.n_threads())
    }
}

impl Learning {
    /// The options of the runtime, for so many threads.
    pub fn options(&self, threads: usize) -> LearnOptions {
        let base = match self.paper {
            true => LearnOptions::paper(),
            false => LearnOptions::default(),
        };
        let marginal = self.scale_by_marginal;
        LearnOptions {
            method: self.method.map(Method::from),
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

/// A number of epochs or rows, `least` at least.
fn number(least: u64) -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(least..=1_000_000_000)
}

/// `0.9:0.1`, or one number for both.
fn step_size(text: &str) -> Result<(f64, f64), String> {
    let (start, end) = text.split_once(':').unwrap_or((text, text));
    match (start.trim().parse(), end.trim().parse()) {
        (Ok(start), Ok(end)) => Ok((start, end)),
        _ => Err("write START:END, such as 0.9:0.1".to_string()),
    }
}
