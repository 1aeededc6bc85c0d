//! What the command line takes.

use clap::builder::RangedU64ValueParser;
use clap::{Parser, ValueEnum};
use pelton_cli::arguments::{MessageArguments, RunningArguments, time};
use std::path::PathBuf;
use std::time::Duration;

/// Repeats the experiments of "Tractable Regularization of Probabilistic Circuits".
///
/// Learns circuits for each data set in DIR, prints the table of test likelihoods and the
/// figures as Markdown, and keeps every result: the same command goes on where it ended.
#[derive(Debug, Parser)]
#[command(name = "pelton-reproduce", version)]
pub struct Reproduce {
    /// Folder with a folder for each data set, in which are train.data, valid.data and
    /// test.data.
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,

    /// Data sets, by the names of their folders [default: those of the twenty
    /// benchmarks that are there; binarized_mnist for em, protein_cm for protein].
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    pub data: Vec<String>,

    /// How the circuits of the table are learned.
    #[arg(long, value_enum, default_value_t = SettingName::Paper)]
    pub setting: SettingName,

    /// Runs of each data set, with seeds from 0 up [default: 3; 5 for protein].
    #[arg(long, value_name = "N", value_parser = number(1_000))]
    pub seeds: Option<usize>,

    /// Time for the search of each run of --setting best, such as 90s, 10m or 1h30m.
    #[arg(long, value_name = "TIME", default_value = "10m", value_parser = time)]
    pub budget: Duration,

    /// Which parts [default: the table, then every figure whose data are there].
    #[arg(long, value_enum, value_name = "PART,…", value_delimiter = ',')]
    pub only: Vec<PartName>,

    /// Epochs of each run of the figures em and protein [default: 60 for em, 200 for
    /// protein].
    #[arg(long, value_name = "N", value_parser = number(1_000_000))]
    pub epochs: Option<usize>,

    /// Folder with deterministic circuits, such as NAME.psdd for the data set NAME, that the
    /// figure deterministic tries beside Chow-Liu trees.
    #[arg(long, value_name = "DIR")]
    pub circuits: Option<PathBuf>,

    /// Folder for the results; those that are there are not computed again.
    #[arg(short, long, value_name = "OUT", default_value = "pelton-reproduce")]
    pub output: PathBuf,

    /// How the circuits are run.
    #[command(flatten)]
    pub running: RunningArguments,

    /// Print one JSON object instead of Markdown.
    #[arg(long)]
    pub json: bool,

    /// How messages are shown.
    #[command(flatten)]
    pub messages: MessageArguments,
}

/// How the circuits of the table are learned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SettingName {
    /// As in the paper: 4 trees of 12 states, mini-batches, then all rows.
    Paper,
    /// The ensemble that a search by validation finds within the budget.
    Best,
}

impl SettingName {
    /// The word on the command line.
    pub fn name(self) -> &'static str {
        match self {
            SettingName::Paper => "paper",
            SettingName::Best => "best",
        }
    }
}

/// A part of what is reproduced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PartName {
    /// Test likelihoods of the twenty benchmarks (Table 1).
    Table,
    /// EM by mini-batches, by full batches, and by both (Fig. 3).
    Em,
    /// Pseudocounts against all regularization on protein sequences (Fig. 6).
    Protein,
    /// What regularization gains in deterministic circuits (Fig. 5).
    Deterministic,
}

/// A number from 1 up.
fn number(most: u64) -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(1..=most)
}
