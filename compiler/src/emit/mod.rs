//! Circuits as text: source, JSON and drawings.
//!
//! Every form is written piece by piece, so that a circuit of a million edges
//! needs no second copy of itself in memory.

mod circuit;
mod dot;
#[cfg(test)]
pub(crate) mod fixture;
mod json;
mod label;
mod source;
mod svg;
pub(crate) mod token;

pub use circuit::{Declarations, circuit, declarations};
pub use dot::dot;
pub use json::json;
pub use source::{SourceForm, SourceOptions, SourceText, source_with_values};
pub use svg::{Detail, SvgOptions, svg};
pub use token::string as quoted;

use crate::circuit::Circuit;
use std::fmt;
use std::io;

/// The forms a circuit can be written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Flat source text, see [`circuit()`].
    Circuit,
    /// The graph for other programs, see [`json()`].
    Json,
    /// The graph for Graphviz, see [`dot()`].
    Dot,
    /// A drawing, see [`svg()`].
    Svg,
}

impl Form {
    /// All of them.
    pub const ALL: [Form; 4] = [Form::Circuit, Form::Json, Form::Dot, Form::Svg];

    /// The word behind `--as`.
    pub fn name(self) -> &'static str {
        match self {
            Form::Circuit => "circuit",
            Form::Json => "json",
            Form::Dot => "dot",
            Form::Svg => "svg",
        }
    }
}

impl std::str::FromStr for Form {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let mut all = Form::ALL.into_iter();
        all.find(|form| form.name() == text).ok_or(())
    }
}

/// Writes the circuit in one of the forms; `out` should be buffered.
pub fn emit(
    circuit: &Circuit,
    form: Form,
    options: &SvgOptions,
    out: &mut dyn io::Write,
) -> Written {
    let mut out = Utf8Writer { out, error: None };
    let result = match form {
        Form::Circuit => self::circuit(circuit, &mut out),
        Form::Json => json(circuit, &mut out),
        Form::Dot => dot(circuit, &mut out),
        Form::Svg => fmt::Write::write_str(&mut out, &svg(circuit, options)).map_err(Into::into),
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
type Written = Result<(), EmitError>;

/// Why a circuit could not be written.
#[derive(Debug)]
pub enum EmitError {
    /// The text could not be put where it should go.
    Write(io::Error),
    /// The form has no words for a part of the circuit, described here. Only
    /// circuits that were not read from source can have such parts.
    Inexpressible(String),
}

impl fmt::Display for EmitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EmitError::Write(error) => write!(f, "{error}"),
            EmitError::Inexpressible(what) => {
                write!(f, "the circuit language cannot express {what}")
            }
        }
    }
}

impl std::error::Error for EmitError {}

impl From<fmt::Error> for EmitError {
    fn from(error: fmt::Error) -> Self {
        EmitError::Write(io::Error::other(error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_can_be_asked_for_by_name() {
        let circuit = fixture::sprinkler();
        let starts = ["var rain", "{\"format\"", "digraph", "<svg"];
        for (form, start) in Form::ALL.into_iter().zip(starts) {
            assert_eq!(form.name().parse(), Ok(form));
            let mut bytes = Vec::new();
            emit(&circuit, form, &SvgOptions::default(), &mut bytes).unwrap();
            assert!(bytes.starts_with(start.as_bytes()), "{form:?}");
        }
        assert_eq!("png".parse::<Form>(), Err(()));
    }

    #[test]
    fn a_full_disk_is_reported_as_such() {
        let mut room = [0u8; 16];
        let result = emit(
            &fixture::sprinkler(),
            Form::Json,
            &SvgOptions::default(),
            &mut room.as_mut_slice(),
        );
        match result {
            Err(EmitError::Write(error)) => assert_eq!(error.kind(), io::ErrorKind::WriteZero),
            other => panic!("{other:?}"),
        }
    }
}
