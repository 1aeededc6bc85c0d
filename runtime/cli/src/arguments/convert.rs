//! What `pelton convert` takes.

use super::Reading;
use clap::{Args, ValueEnum};
use pelton_compiler::import::Format;
use std::path::{Path, PathBuf};

/// `pelton convert`
#[derive(Debug, Args)]
pub struct Convert {
    /// The circuit: source, a model file, or a file of another tool, plain or gzipped.
    #[arg(value_name = "IN")]
    pub input: PathBuf,

    /// The file to write; its ending says in which format. `-` is standard output.
    #[arg(value_name = "OUT")]
    pub output: PathBuf,

    /// The format to write, whatever the ending is.
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub to: Option<Target>,

    /// How the circuit is read.
    #[command(flatten)]
    pub reading: Reading,
}

/// A format that circuits are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Target {
    /// Circuit source.
    Pcirc,
    /// A model file: circuit and parameters.
    Pelton,
    /// A PSDD, with its vtree beside it.
    Psdd,
    /// A circuit of Juice.
    Jpc,
    /// A sum-product network of Juice.
    Spn,
    /// A Chow-Liu tree.
    Clt,
    /// A circuit of c2d.
    Nnf,
    /// A circuit of d4.
    #[value(alias = "ddnnf")]
    D4,
    /// An SDD.
    Sdd,
    /// The text form of SPFlow.
    Spflow,
    /// A network of deeprob-kit.
    Deeprob,
    /// A UAI network.
    Uai,
    /// A Bayesian network.
    Bif,
    /// A formula.
    Cnf,
}

impl Target {
    /// The format that a file's ending stands for.
    pub fn of_ending(path: &Path) -> Option<Target> {
        let ending = path.extension()?.to_str()?.to_lowercase();
        Some(match ending.as_str() {
            "pcirc" => Target::Pcirc,
            "pelton" => Target::Pelton,
            "psdd" => Target::Psdd,
            "jpc" => Target::Jpc,
            "spn" => Target::Spn,
            "clt" => Target::Clt,
            "nnf" => Target::Nnf,
            "ddnnf" | "d4" => Target::D4,
            "sdd" => Target::Sdd,
            "spflow" => Target::Spflow,
            "json" => Target::Deeprob,
            "uai" => Target::Uai,
            "bif" => Target::Bif,
            "cnf" | "dnf" => Target::Cnf,
            _ => return None,
        })
    }

    /// The other tool's format; none for our own two.
    pub fn format(self) -> Option<Format> {
        Some(match self {
            Target::Pcirc | Target::Pelton => return None,
            Target::Psdd => Format::Psdd,
            Target::Jpc => Format::Jpc,
            Target::Spn => Format::Spn,
            Target::Clt => Format::Clt,
            Target::Nnf => Format::Nnf,
            Target::D4 => Format::D4,
            Target::Sdd => Format::Sdd,
            Target::Spflow => Format::Spflow,
            Target::Deeprob => Format::Deeprob,
            Target::Uai => Format::Uai,
            Target::Bif => Format::Bif,
            Target::Cnf => Format::Cnf,
        })
    }
}
