//! What `pelton convert` takes.

use super::Reading;
use clap::{Args, ValueEnum};
use pelton_formats::import::Format;
use std::path::{Path, PathBuf};

/// `pelton convert`
#[derive(Debug, Args)]
pub struct Convert {
    /// The circuit: source, a model file, or a foreign format, plain or gzipped.
    #[arg(value_name = "IN")]
    pub input: PathBuf,

    /// The file to write; its ending says in which format. `-` is standard output.
    #[arg(value_name = "OUT")]
    pub output: PathBuf,

    /// Write this format, whatever the ending is.
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub to: Option<FileFormat>,

    /// How the circuit is read.
    #[command(flatten)]
    pub reading: Reading,
}

/// A format that circuits are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FileFormat {
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

impl FileFormat {
    /// The format that a file's ending stands for.
    pub fn of_ending(path: &Path) -> Option<FileFormat> {
        let ending = path.extension()?.to_str()?.to_lowercase();
        Some(match ending.as_str() {
            "pcirc" => FileFormat::Pcirc,
            "pelton" => FileFormat::Pelton,
            "psdd" => FileFormat::Psdd,
            "jpc" => FileFormat::Jpc,
            "spn" => FileFormat::Spn,
            "clt" => FileFormat::Clt,
            "nnf" => FileFormat::Nnf,
            "ddnnf" | "d4" => FileFormat::D4,
            "sdd" => FileFormat::Sdd,
            "spflow" => FileFormat::Spflow,
            "json" => FileFormat::Deeprob,
            "uai" => FileFormat::Uai,
            "bif" => FileFormat::Bif,
            "cnf" | "dnf" => FileFormat::Cnf,
            _ => return None,
        })
    }

    /// The foreign format; none for our own two.
    pub fn format(self) -> Option<Format> {
        Some(match self {
            FileFormat::Pcirc | FileFormat::Pelton => return None,
            FileFormat::Psdd => Format::Psdd,
            FileFormat::Jpc => Format::Jpc,
            FileFormat::Spn => Format::Spn,
            FileFormat::Clt => Format::Clt,
            FileFormat::Nnf => Format::Nnf,
            FileFormat::D4 => Format::D4,
            FileFormat::Sdd => Format::Sdd,
            FileFormat::Spflow => Format::Spflow,
            FileFormat::Deeprob => Format::Deeprob,
            FileFormat::Uai => Format::Uai,
            FileFormat::Bif => Format::Bif,
            FileFormat::Cnf => Format::Cnf,
        })
    }
}
