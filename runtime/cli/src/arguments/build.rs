//! What `pelton build` takes.

use super::{PrecisionName, Reading};
use clap::{Args, ValueEnum};
use pelton_compiler::codegen::ahead::{BuildTarget, WeightsAre};
use std::path::PathBuf;

/// `pelton build`
#[derive(Debug, Args)]
pub struct Build {
    /// The circuit.
    #[arg(value_name = "MODEL")]
    pub model: PathBuf,

    /// The folder to write to; it is made if there is none.
    #[arg(short, long, value_name = "DIR")]
    pub output: PathBuf,

    /// The machine to build for: `host`, `x86_64`, `x86_64-v3` (with AVX2 and fused
    /// multiply-add) or `aarch64`.
    #[arg(long, value_name = "T", default_value = "host")]
    pub target: BuildTarget,

    /// What files and functions are called; by default what the file of the circuit is.
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,

    /// Numbers that the code computes in; results are f64 always.
    #[arg(long, value_enum, default_value_t = PrecisionName::F32)]
    pub precision: PrecisionName,

    /// Whether the values of parameters are part of the object.
    #[arg(long, value_enum, default_value_t = WeightsName::Bake)]
    pub weights: WeightsName,

    /// How the circuit is read.
    #[command(flatten)]
    pub reading: Reading,

    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,
}

/// Where the values of parameters are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum WeightsName {
    /// In the object.
    #[default]
    Bake,
    /// In a file of their own, which the program loads.
    Load,
}

impl From<WeightsName> for WeightsAre {
    fn from(name: WeightsName) -> Self {
        match name {
            WeightsName::Bake => WeightsAre::Baked,
            WeightsName::Load => WeightsAre::Loaded,
        }
    }
}
