//! What `pelton convert` takes.

use super::ReadingArguments;
use super::named::NamedChoice;
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use pelton_formats::import::CircuitFormat;
use std::path::{Path, PathBuf};

/// `pelton convert`
#[derive(Debug, Args)]
pub struct ConvertCommand {
    /// The circuit: source, a model file, or a foreign format, plain or gzipped.
    #[arg(value_name = "IN")]
    pub input: PathBuf,

    /// The file to write; its ending says in which format. `-` is standard output.
    #[arg(value_name = "OUT")]
    pub output: PathBuf,

    /// Write this format, whatever the ending is.
    #[arg(long, value_parser = formats(), value_name = "FORMAT")]
    pub to: Option<FileFormat>,

    /// How the circuit is read.
    #[command(flatten)]
    pub reading: ReadingArguments,
}

/// A format that circuits are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileFormat {
    /// Circuit source.
    Source,
    /// A model file: circuit and parameters.
    Model,
    /// A foreign format.
    Foreign(CircuitFormat),
}

/// The formats by name, with the other endings of their files, which are names, too.
const FORMATS: &[(NamedChoice<FileFormat>, &[&str])] = &[
    (("pcirc", FileFormat::Source, "Circuit source"), &[]),
    (
        (
            "pelton",
            FileFormat::Model,
            "A model file: circuit and parameters",
        ),
        &[],
    ),
    (
        (
            "psdd",
            FileFormat::Foreign(CircuitFormat::Psdd),
            "A PSDD, with its vtree beside it",
        ),
        &[],
    ),
    (
        (
            "jpc",
            FileFormat::Foreign(CircuitFormat::Jpc),
            "A circuit of Juice",
        ),
        &[],
    ),
    (
        (
            "spn",
            FileFormat::Foreign(CircuitFormat::Spn),
            "A sum-product network of Juice",
        ),
        &[],
    ),
    (
        (
            "clt",
            FileFormat::Foreign(CircuitFormat::Clt),
            "A Chow-Liu tree",
        ),
        &[],
    ),
    (
        (
            "nnf",
            FileFormat::Foreign(CircuitFormat::Nnf),
            "A circuit of c2d",
        ),
        &[],
    ),
    (
        (
            "d4",
            FileFormat::Foreign(CircuitFormat::D4),
            "A circuit of d4",
        ),
        &["ddnnf"],
    ),
    (
        ("sdd", FileFormat::Foreign(CircuitFormat::Sdd), "An SDD"),
        &[],
    ),
    (
        (
            "spflow",
            FileFormat::Foreign(CircuitFormat::Spflow),
            "The text form of SPFlow",
        ),
        &[],
    ),
    (
        (
            "deeprob",
            FileFormat::Foreign(CircuitFormat::Deeprob),
            "A network of deeprob-kit",
        ),
        &["json"],
    ),
    (
        (
            "uai",
            FileFormat::Foreign(CircuitFormat::Uai),
            "A UAI network",
        ),
        &[],
    ),
    (
        (
            "bif",
            FileFormat::Foreign(CircuitFormat::Bif),
            "A Bayesian network",
        ),
        &[],
    ),
    (
        ("cnf", FileFormat::Foreign(CircuitFormat::Cnf), "A formula"),
        &["dnf"],
    ),
];

/// Reads the name of a format.
fn formats() -> impl TypedValueParser<Value = FileFormat> {
    let names = FORMATS.iter().map(|((name, _, about), endings)| {
        PossibleValue::new(*name)
            .help(*about)
            .aliases(endings.iter().copied())
    });
    PossibleValuesParser::new(names)
        .map(|name| FileFormat::named(&name).expect("only names of the table are possible"))
}

impl FileFormat {
    fn named(name: &str) -> Option<FileFormat> {
        let mut formats = FORMATS.iter();
        let found = formats.find(|((own, ..), others)| *own == name || others.contains(&name));
        found.map(|((_, format, _), _)| *format)
    }

    /// The format that a file's ending stands for.
    pub fn of_ending(path: &Path) -> Option<FileFormat> {
        FileFormat::named(&path.extension()?.to_str()?.to_lowercase())
    }

    /// The foreign format; none for our own two.
    pub fn format(self) -> Option<CircuitFormat> {
        match self {
            FileFormat::Foreign(format) => Some(format),
            FileFormat::Source | FileFormat::Model => None,
        }
    }
}
