//! Reads and writes circuits in foreign formats.
//!
//! [`import`](mod@import) has a reader and [`export`](mod@export) a writer for each format:
//! PSDD, SDD, Juice's `.jpc` and `.spn`, c2d, d4, Chow-Liu trees, SPFlow, deeprob-kit, Bayesian
//! and Markov networks, formulas. The compiler knows none of them: it is handed
//! [`FOREIGN_FORMATS`], the readers behind one trait, so that a change to a format rebuilds this
//! crate and the programs on top of it, and neither kernels nor learning.
//!
//! Nothing that a file claims is believed. A reader makes a circuit by the compiler's own
//! builder, which then passes the same checks as text; [`analyze`] does both, whatever the
//! format, and tells formats apart by their content.
//!
//! ```
//! use pelton_compiler::AnalysisOptions;
//! use pelton_compiler::circuit::Property;
//! use pelton_compiler::load::{FileLoader, SourceInput};
//! use pelton_formats::analyze;
//! use pelton_formats::export::export;
//! use pelton_formats::import::CircuitFormat;
//!
//! let text = "psdd 3\nL 0 0 1\nT 1 2 2 -0.5\nD 2 1 1 0 1 0.0\n";
//! let input = SourceInput { name: "coin.psdd".into(), path: None, bytes: text.into() };
//! let decide = vec![Property::Deterministic, Property::Structured];
//! let analysis = analyze(input, &FileLoader, &AnalysisOptions { decide, ..AnalysisOptions::default() });
//! let checked = analysis.into_checked().expect("the file follows its format");
//!
//! // Weights come back bit for bit; a format that cannot hold a circuit refuses it by its unit.
//! let written = export(&checked, CircuitFormat::Jpc).expect("finite domains fit");
//! assert!(written.text.contains("-0.5"));
//! ```

#![deny(missing_docs)]

pub mod export;
pub mod import;
mod registry;
mod spflow_class;

pub use registry::{FOREIGN_FORMATS, analyze};
