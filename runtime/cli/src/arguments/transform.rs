//! What the commands take that make circuits of circuits.

use super::named::named;
use super::running::{HEADERS, RunningArguments};
use super::{CircuitArguments, ReadingArguments};
use clap::Args;
use pelton_runtime::data::HeaderMode;
use std::path::PathBuf;

/// Where a circuit goes.
#[derive(Debug, Args)]
pub struct TransformOutput {
    /// Write the circuit here: OUT.pcirc is source, OUT.pelton a model file; without it, or
    /// with `-`, source is printed.
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,

    /// Print what was done as one JSON object.
    #[arg(long, requires = "output")]
    pub json: bool,
}

/// `pelton condition`
#[derive(Debug, Args)]
pub struct ConditionCommand {
    /// The circuit.
    #[arg(value_name = "MODEL")]
    pub model: PathBuf,

    /// The evidence, such as `wet, 10 <= temp < 20` or `sky in {clear, cloudy}`.
    #[arg(value_name = "EVENT")]
    pub event: String,

    /// Keep variables of an observed value, as indicators.
    #[arg(long)]
    pub keep: bool,

    #[command(flatten)]
    pub target: TransformOutput,

    #[command(flatten)]
    pub reading: ReadingArguments,
}

/// `pelton marginalize`
#[derive(Debug, Args)]
pub struct MarginalizeCommand {
    /// Keep these variables; the name of an array stands for all of it.
    #[arg(
        long,
        value_name = "NAMES",
        required_unless_present = "out",
        conflicts_with = "out"
    )]
    pub onto: Option<String>,

    /// Sum out these variables.
    #[arg(long, value_name = "NAMES")]
    pub out: Option<String>,

    #[command(flatten)]
    pub target: TransformOutput,

    #[command(flatten)]
    pub circuit: CircuitArguments,
}

/// `pelton multiply`
#[derive(Debug, Args)]
pub struct MultiplyCommand {
    /// The first circuit.
    #[arg(value_name = "A")]
    pub left: PathBuf,

    /// The second circuit.
    #[arg(value_name = "B")]
    pub right: PathBuf,

    /// Scale the product to a mass of 1.
    #[arg(long)]
    pub normalize: bool,

    #[command(flatten)]
    pub target: TransformOutput,

    #[command(flatten)]
    pub reading: ReadingArguments,
}

/// `pelton smooth`
#[derive(Debug, Args)]
pub struct SmoothCommand {
    /// Fill in the indicator of all values, of mass |domain|, instead of a uniform
    /// distribution.
    #[arg(long)]
    pub logic: bool,

    #[command(flatten)]
    pub target: TransformOutput,

    #[command(flatten)]
    pub circuit: CircuitArguments,
}

/// `pelton prune`
#[derive(Debug, Args)]
pub struct PruneCommand {
    /// Drop edges of sums whose weight is below this, or with --data whose flow is: the
    /// expected part of the rows that takes them.
    #[arg(long, value_name = "BOUND", value_parser = bound)]
    pub below: f64,

    /// Decide by the flows of these rows instead of weights; `-` is standard input.
    #[arg(long, value_name = "DATA")]
    pub data: Option<PathBuf>,

    /// Say whether columns have names.
    #[arg(long, value_parser = named(HEADERS), default_value = "auto")]
    pub header: HeaderMode,

    #[command(flatten)]
    pub target: TransformOutput,

    #[command(flatten)]
    pub running: RunningArguments,

    #[command(flatten)]
    pub circuit: CircuitArguments,
}

/// `pelton mix`
#[derive(Debug, Args)]
pub struct MixCommand {
    /// The circuits, over the same variables.
    #[arg(value_name = "MODEL", required = true, num_args = 2..)]
    pub models: Vec<PathBuf>,

    /// Set the weight of each member; without it, all count alike.
    #[arg(
        long,
        value_name = "W,…",
        value_delimiter = ',',
        conflicts_with = "fit"
    )]
    pub weights: Option<Vec<f64>>,

    /// Learn the weights from these rows by EM; `-` is standard input.
    #[arg(long, value_name = "DATA")]
    pub fit: Option<PathBuf>,

    /// Say whether columns have names.
    #[arg(long, value_parser = named(HEADERS), default_value = "auto")]
    pub header: HeaderMode,

    #[command(flatten)]
    pub target: TransformOutput,

    #[command(flatten)]
    pub running: RunningArguments,

    #[command(flatten)]
    pub reading: ReadingArguments,
}

fn bound(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(bound) if bound >= 0.0 && f64::is_finite(bound) => Ok(bound),
        _ => Err("write a number from 0 up".to_string()),
    }
}
