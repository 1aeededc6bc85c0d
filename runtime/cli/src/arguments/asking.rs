//! What the commands take that ask a circuit.

use super::named::named;
use super::running::{HEADERS, RunningArguments};
use super::{CircuitArguments, ReadingArguments};
use clap::Args;
use pelton_runtime::data::HeaderMode;
use std::path::PathBuf;

/// Rows that are asked about.
#[derive(Clone, Debug, Args)]
pub struct RowArguments {
    /// Answer for each row of evidence; missing cells are summed out, `-` is standard input.
    #[arg(long, value_name = "DATA")]
    pub data: Option<PathBuf>,

    /// Say whether columns have names: the first line of a text is a header.
    #[arg(long, value_parser = named(HEADERS), default_value = "auto")]
    pub header: HeaderMode,

    /// Take soft evidence beside or instead of the data: a CSV or Parquet file or a .npy with a
    /// weight in each cell; columns are called `name=value`.
    #[arg(long, value_name = "FILE")]
    pub soft: Option<PathBuf>,

    /// Answer requests from standard input, an object of JSON a line, until it ends.
    #[arg(long, conflicts_with_all = ["data", "soft"])]
    pub stream: bool,
}

/// `pelton query`
#[derive(Debug, Args)]
pub struct QueryCommand {
    /// The circuit.
    #[arg(value_name = "MODEL")]
    pub model: PathBuf,

    /// Queries such as 'P(rain | wet, temp <= 10)'; without any, those of the file.
    #[arg(value_name = "QUERY")]
    pub queries: Vec<String>,

    #[command(flatten)]
    pub rows: RowArguments,

    #[command(flatten)]
    pub running: RunningArguments,

    #[command(flatten)]
    pub reading: ReadingArguments,

    /// Print JSON, one object a line.
    #[arg(long)]
    pub json: bool,
}

/// A circuit, what is given, and the rows to ask about.
#[derive(Clone, Debug, Args)]
pub struct AskingArguments {
    /// Condition on this evidence, such as 'wet, temp <= 10'.
    #[arg(long, value_name = "EVENTS", default_value = "")]
    pub given: String,

    #[command(flatten)]
    pub rows: RowArguments,

    #[command(flatten)]
    pub running: RunningArguments,

    #[command(flatten)]
    pub circuit: CircuitArguments,
}

/// `pelton marginals`
#[derive(Debug, Args)]
pub struct MarginalsCommand {
    #[command(flatten)]
    pub asking: AskingArguments,

    /// Print JSON, one object a line.
    #[arg(long)]
    pub json: bool,
}

/// `pelton map`
#[derive(Debug, Args)]
pub struct MapCommand {
    #[command(flatten)]
    pub asking: AskingArguments,

    /// Try this many samples for each row where no exact method applies.
    #[arg(long, value_name = "N", default_value_t = 100,
          value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(0..=16_384))]
    pub samples: usize,

    /// Set the seed of the samples.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,

    /// Print JSON, one object a line.
    #[arg(long)]
    pub json: bool,
}

/// `pelton sample`
#[derive(Debug, Args)]
pub struct SampleCommand {
    #[command(flatten)]
    pub asking: AskingArguments,

    /// Draw this many samples; with --data, for each row.
    #[arg(short, value_name = "N", default_value_t = 1)]
    pub n: usize,

    /// Set the seed: the same one gives the same samples, on any number of threads.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,

    /// Write to this file instead of standard output, which `-` stands for, too.
    #[arg(short, long, value_name = "FILE", conflicts_with = "stream")]
    pub output: Option<PathBuf>,
}
