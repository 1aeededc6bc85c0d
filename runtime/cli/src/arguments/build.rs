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
    #[arg(long, value_enum, default_value_t = PrecisionName::F32)]
    pub precision: PrecisionName,

    /// Choose where the values of parameters are stored.
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
