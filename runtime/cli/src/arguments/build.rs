//! What `pelton build` takes.

use super::CircuitArguments;
use super::named::{NamedChoice, named};
use super::running::PRECISIONS;
use clap::Args;
use pelton_compiler::codegen::ahead::{BuildTarget, WeightsAre};
use pelton_compiler::kernel::Precision;
use std::path::PathBuf;

/// `pelton build`
#[derive(Debug, Args)]
pub struct BuildCommand {
    /// Write to this folder, which is made if there is none.
    #[arg(short, long, value_name = "DIR")]
    pub output: PathBuf,

    /// Choose the target: `host`, `x86_64`, `x86_64-v3` (with AVX2 and fused
    /// multiply-add) or `aarch64`.
    #[arg(long, value_name = "T", default_value = "host")]
    pub target: BuildTarget,

    /// Name files and functions; by default as the file of the circuit.
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,

    /// Set the precision of the code; results are f64 always.
    #[arg(long, value_parser = named(PRECISIONS), default_value = "f32")]
    pub precision: Precision,

    /// Choose where the values of parameters are stored.
    #[arg(long, value_parser = named(WEIGHTS), default_value = "bake")]
    pub weights: WeightsAre,

    #[command(flatten)]
    pub circuit: CircuitArguments,

    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,
}

/// Where the values of parameters are.
const WEIGHTS: &[NamedChoice<WeightsAre>] = &[
    ("bake", WeightsAre::Baked, "In the object"),
    (
        "load",
        WeightsAre::Loaded,
        "In a file of their own, which the program loads",
    ),
];
