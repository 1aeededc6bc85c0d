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
mod svg;
mod token;

pub use circuit::circuit;
pub use dot::dot;
pub use json::json;
pub use svg::{Detail, SvgOptions, svg};

use std::fmt;
use std::io;

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
