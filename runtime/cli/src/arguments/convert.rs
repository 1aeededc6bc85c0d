//! What `pelton convert` takes.

use super::ReadingArguments;
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

    #[command(flatten)]
    pub reading: ReadingArguments,
}

/// A format that circuits are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileFormat {
    Source,
    /// A model file: circuit and parameters.
    Model,
    Foreign(CircuitFormat),
}

/// The formats by name, each with help and the other endings of its files, which are names, too.
const FORMATS: &[(&str, FileFormat, &str, &[&str])] = {
    use CircuitFormat::*;
    use FileFormat::{Foreign, Model, Source};
    &[
        ("pcirc", Source, "Circuit source", &[]),
        ("pelton", Model, "A model file: circuit and parameters", &[]),
        (
            "psdd",
            Foreign(Psdd),
            "A PSDD, with its vtree beside it",
            &[],
        ),
        ("jpc", Foreign(Jpc), "A circuit of Juice", &[]),
        ("spn", Foreign(Spn), "A sum-product network of Juice", &[]),
        ("clt", Foreign(Clt), "A Chow-Liu tree", &[]),
        ("nnf", Foreign(Nnf), "A circuit of c2d", &[]),
        ("d4", Foreign(D4), "A circuit of d4", &["ddnnf"]),
        ("sdd", Foreign(Sdd), "An SDD", &[]),
        ("spflow", Foreign(Spflow), "The text form of SPFlow", &[]),
        (
            "deeprob",
            Foreign(Deeprob),
            "A network of deeprob-kit",
            &["json"],
        ),
        ("uai", Foreign(Uai), "A UAI network", &[]),
        ("bif", Foreign(Bif), "A Bayesian network", &[]),
        ("cnf", Foreign(Cnf), "A formula", &["dnf"]),
    ]
};

/// Reads the name of a format.
fn formats() -> impl TypedValueParser<Value = FileFormat> {
    let names = FORMATS.iter().map(|(name, _, about, endings)| {
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
        let found = formats.find(|(own, _, _, others)| *own == name || others.contains(&name));
        found.map(|(_, format, ..)| *format)
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
