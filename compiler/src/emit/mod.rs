//! Circuits as text: source, JSON and drawings.
//!
//! Every form is written piece by piece, so that a circuit of a million edges
//! needs no second copy of itself in memory.

mod circuit;
mod dot;
mod json;
mod label;
mod source;
mod svg;
#[cfg(test)]
pub(crate) mod tests;
pub(crate) mod token;

pub use circuit::{VariableDeclarations, circuit, declarations};
pub use dot::dot;
pub use json::json;
pub use source::{SourceForm, SourceOptions, SourceText, source_with_values};
pub use svg::{SvgDetail, SvgOptions, svg};
pub use token::string as quoted;

use crate::circuit::CircuitGraph;
use std::fmt;
use std::io;

/// The forms a circuit can be written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EmittedFormat {
    /// Flat source text, see [`circuit()`].
    Circuit,
    /// The graph for other programs, see [`json()`].
    Json,
    /// The graph for Graphviz, see [`dot()`].
    Dot,
    /// A drawing, see [`svg()`].
    Svg,
}

impl EmittedFormat {
    /// All of them.
    pub const ALL: [EmittedFormat; 4] = [
        EmittedFormat::Circuit,
        EmittedFormat::Json,
        EmittedFormat::Dot,
        EmittedFormat::Svg,
    ];

    /// The word behind `--as`.
    pub fn name(self) -> &'static str {
        match self {
            EmittedFormat::Circuit => "circuit",
            EmittedFormat::Json => "json",
            EmittedFormat::Dot => "dot",
            EmittedFormat::Svg => "svg",
        }
    }
}

impl std::str::FromStr for EmittedFormat {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let mut all = EmittedFormat::ALL.into_iter();
        all.find(|form| form.name() == text).ok_or(())
    }
}

/// Writes the circuit in one of the forms; `out` should be buffered.
pub fn emit(
    circuit: &CircuitGraph,
    form: EmittedFormat,
    options: &SvgOptions,
    out: &mut dyn io::Write,
) -> EmitResult {
    let mut out = Utf8Writer { out, error: None };
    let result = match form {
        EmittedFormat::Circuit => self::circuit(circuit, &mut out),
        EmittedFormat::Json => json(circuit, &mut out),
        EmittedFormat::Dot => dot(circuit, &mut out),
        EmittedFormat::Svg => {
            fmt::Write::write_str(&mut out, &svg(circuit, options)).map_err(Into::into)
        }
    };
    match out.error {
        Some(error) => Err(EmitError::Write(error)),
        None => result,
    }
}

/// Text into bytes; keeps the error that `fmt::Error` cannot carry.
struct Utf8Writer<'a> {
    out: &'a mut dyn io::Write,
    error: Option<io::Error>,
}

impl fmt::Write for Utf8Writer<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.out.write_all(text.as_bytes()).map_err(|error| {
            self.error = Some(error);
            fmt::Error
        })
    }
}

/// What writing a part of a circuit gives.
type EmitResult = Result<(), EmitError>;

/// Why a circuit could not be written.
#[derive(Debug, thiserror::Error)]
pub enum EmitError {
    /// The text could not be put where it should go.
    #[error(transparent)]
    Write(io::Error),
    /// The form has no words for a part of the circuit, described here. Only
    /// circuits that were not read from source can have such parts.
    #[error("the circuit language cannot express {0}")]
    Inexpressible(String),
}

impl From<fmt::Error> for EmitError {
    fn from(error: fmt::Error) -> Self {
        EmitError::Write(io::Error::other(error))
    }
}
