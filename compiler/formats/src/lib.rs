//! Reads and writes circuits of other tools.
//!
//! [`import`](mod@import) has a reader and [`export`](mod@export) a writer for each format.
//! The compiler knows none of them: it is handed [`FOREIGN_FORMATS`], the readers behind one
//! trait, so that a change to a format rebuilds this crate and the programs on top of it,
//! and neither kernels nor learning.

#![deny(missing_docs)]

pub mod export;
pub mod import;
mod registry;

pub use registry::{FOREIGN_FORMATS, analyze};
