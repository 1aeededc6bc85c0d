//! What the commands take that run a circuit.

use super::named::{NamedChoice, named};
use super::{CircuitArguments, ReadingArguments};
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use pelton_compiler::kernel::Precision;
use pelton_compiler::parallel::thread_count;
use pelton_runtime::Engine;
use pelton_runtime::data::{HeaderMode, ReadOptions};
use std::path::PathBuf;

/// How a circuit is run.
#[derive(Clone, Debug, Default, Args)]
pub struct RunningArguments {
    /// Set the number of threads; by default as many as there are cores.
    #[arg(long, value_name = "N",
          value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..=1024))]
    pub threads: Option<usize>,

    /// Set the precision of the kernels; totals are f64 always. By default f32 for rows
    /// of data and f64 for single questions.
    #[arg(long, value_parser = named(PRECISIONS))]
    pub precision: Option<Precision>,

    /// Choose the engine that evaluates the circuit.
    #[arg(long, value_parser = engine_names(), default_value = Engine::Auto.name())]
    pub engine: Engine,

    /// Use no instructions that some CPUs of this architecture lack; slower.
    #[arg(long)]
    pub baseline: bool,
}

impl RunningArguments {
    /// Number of threads.
    pub fn n_threads(&self) -> usize {
        thread_count(self.threads.unwrap_or(0))
    }

    /// The same for single questions, which are not worth less than all digits.
    pub fn with_all_digits(&self) -> RunningArguments {
        RunningArguments {
            precision: self.precision.or(Some(Precision::F64)),
            ..self.clone()
        }
    }
}

/// Numbers that the kernels compute in.
pub const PRECISIONS: &[NamedChoice<Precision>] = &[
    ("f32", Precision::F32, "Single precision"),
    ("f64", Precision::F64, "Double precision"),
];

/// Reads the name of an engine; the table of engines has names and help.
fn engine_names() -> impl TypedValueParser<Value = Engine> {
    let values = Engine::ALL.iter();
    let values = values.map(|own| PossibleValue::new(own.name()).help(own.about()));
    PossibleValuesParser::new(values)
        .map(|name| Engine::named(&name).expect("only names of the table are possible"))
}

/// `pelton eval`
#[derive(Debug, Args)]
pub struct EvalCommand {
    /// The rows to evaluate; `-` is standard input.
    #[arg(long, value_name = "DATA", required_unless_present = "stream")]
    pub data: Option<PathBuf>,

    /// Answer requests from standard input, an object of JSON a line, until it ends.
    #[arg(long, conflicts_with_all = ["data", "weight_column", "per_row"])]
    pub stream: bool,

    /// Say whether columns have names: the first line of a text is a header.
    #[arg(long, value_parser = named(HEADERS), default_value = "auto")]
    pub header: HeaderMode,

    /// Weight rows by this column: its name, or its
    /// number from 1 where there is no header.
    #[arg(long, value_name = "NAME")]
    pub weight_column: Option<String>,

    /// Print the log-likelihood of each row, one a line; `-inf` for rows of probability zero.
    #[arg(long)]
    pub per_row: bool,

    /// Print unnormalized values: not divided by the circuit's mass where that is not 1.
    #[arg(long)]
    pub unnormalized: bool,

    #[command(flatten)]
    pub running: RunningArguments,

    #[command(flatten)]
    pub circuit: CircuitArguments,

    /// Print one JSON object, or with --per-row one for each row.
    #[arg(long)]
    pub json: bool,
}

/// How rows are read.
pub fn read_options(header: HeaderMode, weight_column: Option<&str>) -> ReadOptions {
    ReadOptions {
        header,
        weight_column: weight_column.map(str::to_string),
    }
}

/// Whether the first line is a header.
pub const HEADERS: &[NamedChoice<HeaderMode>] = &[
    ("auto", HeaderMode::Auto, "It is if it names variables"),
    (
        "yes",
        HeaderMode::Yes,
        "It is; variables that it does not name are missing",
    ),
    (
        "no",
        HeaderMode::No,
        "It is a row; columns are bound by order",
    ),
];

/// `pelton bench`
#[derive(Debug, Args)]
pub struct BenchCommand {
    /// A circuit to measure instead of the built-in set.
    #[arg(value_name = "MODEL")]
    pub model: Option<PathBuf>,

    /// Measure fewer repetitions of less work, for a first impression.
    #[arg(long)]
    pub quick: bool,

    #[command(flatten)]
    pub running: RunningArguments,

    #[command(flatten)]
    pub reading: ReadingArguments,

    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,
}

/// `pelton doctor`
#[derive(Debug, Args)]
pub struct DoctorCommand {
    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,
}
