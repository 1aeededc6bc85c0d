//! What the commands take that learn from data.

mod learn;
mod method;
mod splits;

pub use learn::LearnCommand;
pub use method::LearningArguments;
pub use splits::SplitArguments;

use super::ReadingArguments;
use super::running::RunningArguments;
use clap::Args;
use clap::builder::RangedU64ValueParser;
use pelton_runtime::learn::{Grid, LearnOptions};
use std::path::{Path, PathBuf};

const REGULARIZATION: &str = "Regularization";

/// The heading of options that name files to be written.
const RESULTS: &str = "Results";

/// `pelton fit`
pub type FitCommand = LearningCommand<FitOptions>;

/// `pelton tune`
pub type TuneCommand = LearningCommand<TuneOptions>;

/// A command that learns; `Own` is what only this one takes.
#[derive(Debug, Args)]
pub struct LearningCommand<Own: Args> {
    /// The circuit.
    #[arg(value_name = "MODEL")]
    pub model: PathBuf,

    #[command(flatten)]
    pub splits: SplitArguments,

    #[command(flatten)]
    pub outputs: OutputArguments,

    #[command(flatten)]
    pub own: Own,

    #[command(flatten)]
    pub learning: LearningArguments,

    #[command(flatten, next_help_heading = "Running")]
    pub running: RunningArguments,

    #[command(flatten, next_help_heading = "Reading the circuit")]
    pub reading: ReadingArguments,
}

/// What is written.
#[derive(Debug, Args)]
#[command(next_help_heading = RESULTS)]
pub struct OutputArguments {
    /// Write the learned model here: OUT.pelton is a model file, OUT.pcirc is source
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

/// What only `pelton fit` takes.
#[derive(Debug, Args)]
pub struct FitOptions {
    /// Save the state of the run here after epochs, at most once a second.
    ///
    /// The file is also a model, that of the best epoch so far.
    #[arg(long, value_name = "FILE", help_heading = RESULTS)]
    pub checkpoint: Option<PathBuf>,

    /// Resume from the checkpoint if there is one; the result is that of a single run.
    #[arg(long, requires = "checkpoint", help_heading = RESULTS)]
    pub resume: bool,

    /// Add this many pseudo-observations to every vector of probabilities, spread evenly
    /// over its entries [default: 0.1]
    #[arg(long, value_name = "A", allow_negative_numbers = true, help_heading = REGULARIZATION)]
    pub pseudocount: Option<f64>,

    /// Soften the data: take this part of every observed cell of a finite domain for noise
    /// [default: 0]
    #[arg(long, value_name = "S", allow_negative_numbers = true, help_heading = REGULARIZATION)]
    pub softness: Option<f64>,

    /// Weight the circuit's entropy by this beside the mean log-likelihood
    /// [default: 0]
    #[arg(long, value_name = "TAU", allow_negative_numbers = true, help_heading = REGULARIZATION)]
    pub entropy: Option<f64>,
}

/// What only `pelton tune` takes.
#[derive(Debug, Args)]
pub struct TuneOptions {
    /// Try these pseudocounts of every vector of probabilities
    /// [default: 0.1,0.4,1,2,4,10]
    #[arg(long, value_name = "A,…", value_delimiter = ',', allow_negative_numbers = true,
          help_heading = REGULARIZATION)]
    pub pseudocount: Vec<f64>,

    /// Try these parts of every observed cell of a finite domain as noise
    /// [default: 0,0.0004,0.001,0.004]
    #[arg(long, value_name = "S,…", value_delimiter = ',', allow_negative_numbers = true,
          help_heading = REGULARIZATION)]
    pub softness: Vec<f64>,

    /// Try these weights of the circuit's entropy beside the mean log-likelihood
    /// [default: 0,0.001,0.01,0.1]
    #[arg(long, value_name = "TAU,…", value_delimiter = ',', allow_negative_numbers = true,
          help_heading = REGULARIZATION)]
    pub entropy: Vec<f64>,
}

/// What every command that learns is given.
#[derive(Clone, Copy, Debug)]
pub struct LearningJob<'a> {
    /// The circuit; none if it is learned, too.
    pub model: Option<&'a Path>,
    pub splits: &'a SplitArguments,
    pub outputs: &'a OutputArguments,
    pub learning: &'a LearningArguments,
    pub running: &'a RunningArguments,
    pub reading: &'a ReadingArguments,
}

impl<Own: Args> LearningCommand<Own> {
    pub fn job(&self) -> LearningJob<'_> {
        LearningJob {
            model: Some(&self.model),
            splits: &self.splits,
            outputs: &self.outputs,
            learning: &self.learning,
            running: &self.running,
            reading: &self.reading,
        }
    }
}

impl FitCommand {
    pub fn options(&self) -> LearnOptions {
        self.own.applied(self.job().options())
    }
}

impl FitOptions {
    /// These options over others.
    fn applied(&self, options: LearnOptions) -> LearnOptions {
        LearnOptions {
            pseudocount: self.pseudocount.unwrap_or(options.pseudocount),
            softness: self.softness.unwrap_or(options.softness),
            entropy: self.entropy.unwrap_or(options.entropy),
            ..options
        }
    }
}

impl TuneCommand {
    /// What is tried: the lists that are given, the default where there is none.
    pub fn grid(&self) -> Grid {
        let or = |given: &Vec<f64>, default| {
            if given.is_empty() {
                default
            } else {
                given.clone()
            }
        };
        let default = Grid::default();
        Grid {
            pseudocounts: or(&self.own.pseudocount, default.pseudocounts),
            softnesses: or(&self.own.softness, default.softnesses),
            entropies: or(&self.own.entropy, default.entropies),
        }
    }

    /// The options with each value that was given. Of the default grid, what the
    /// circuit does not allow is left out; what was asked for has to be possible.
    pub fn given<'a>(&'a self, base: &'a LearnOptions) -> impl Iterator<Item = LearnOptions> + 'a {
        let softnesses = self.own.softness.iter();
        softnesses.map(|&softness| LearnOptions {
            softness,
            ..base.clone()
        })
    }
}

impl LearningJob<'_> {
    pub fn options(&self) -> LearnOptions {
        self.learning.options(self.running.n_threads())
    }
}

/// A number of epochs or rows, `least` at least.
fn number(least: u64) -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(least..=1_000_000_000)
}
