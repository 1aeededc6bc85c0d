//! Pelton compiles probabilistic circuits, answers questions about them exactly, and trains
//! them. This is the library; the command `pelton` is a program on top of it.
//!
//! A [`Circuit`] is all there is to know at first:
//!
//! ```
//! use pelton::{Batch, Circuit};
//!
//! let circuit = Circuit::compile("var rain, wet : bool;
//!     root 0.3: rain * wet ~ bernoulli(0.9) + 0.7: !rain * wet ~ bernoulli(0.2);")?;
//! let logs = circuit.log_likelihood(&Batch::new(&[1.0, 1.0, 0.0, 1.0], 2, 2))?;
//! assert!((logs[0].exp() - 0.27).abs() < 1e-6);
//! # Ok::<(), pelton::Error>(())
//! ```
//!
//! # Circuits
//!
//! [`Circuit::compile`] takes text in the circuit language, [`Circuit::load`] any file that
//! the command reads: circuit source (`.pcirc`), model files (`.pelton`), and circuits in
//! foreign formats. [`Options`] chooses threads, precision and engine. A circuit that is wrong
//! is an [`Error`] with everything there is to say as plain data:
//!
//! ```
//! use pelton::{Circuit, ErrorKind};
//!
//! let error = Circuit::compile("var a, b : bool;\nroot 0.5: a + 0.5: b;").unwrap_err();
//! assert_eq!(error.kind(), ErrorKind::Circuit);
//! let first = &error.diagnostics()[0];
//! let line = first.place().map(|place| place.line);
//! assert_eq!((first.code.as_str(), line), ("PC0101", Some(2)));
//! println!("{}", first.rendered);
//! ```
//!
//! # Rows
//!
//! A [`Batch`] borrows a matrix: `f64`, `f32`, `i64`, `i32` or `u8`, with any strides. NaN
//! and masked cells are missing and are summed out. Columns are the variables in their
//! order ([`Circuit::variables`]), or as names say. Categories are their positions, or, in
//! a batch of texts, their names; [`Batch::columns`] has columns of either kind. A text is
//! never a number and never missing. A cell that is no value of its variable is an error
//! that says where:
//!
//! ```
//! # use pelton::{Batch, Circuit};
//! # let circuit = Circuit::compile("var sky : {clear, cloudy, storm}; var wet : bool;
//! #     root sky ~ categorical(0.5, 0.3, 0.2) * wet ~ bernoulli(0.4);")?;
//! let named = Batch::texts(&["cloudy", "storm"], 2, 1).names(&["sky"]);
//! let logs = circuit.log_likelihood(&named)?;
//! assert!((logs[0].exp() - 0.3).abs() < 1e-6);
//!
//! let error = circuit.log_likelihood(&Batch::new(&[0_u8, 0, 3, 1], 2, 2)).unwrap_err();
//! let cell = error.cell().expect("a cell is at fault");
//! assert_eq!((cell.row, cell.column, cell.value.as_str()), (1, 0, "3"));
//! # Ok::<(), pelton::Error>(())
//! ```
//!
//! Programs that evaluate again and again keep their buffer
//! ([`Circuit::log_likelihood_into`]).
//!
//! # Questions
//!
//! What is known is given as rows, as an event in the circuit language, or both. Answers are
//! exact unless they say otherwise.
//!
//! ```
//! # use pelton::{Batch, Circuit, Posterior};
//! # let circuit = Circuit::compile("var rain, wet : bool;
//! #     root 0.3: rain * wet ~ bernoulli(0.9) + 0.7: !rain * wet ~ bernoulli(0.2);")?;
//! let posterior = circuit.query("P(rain | wet)")?.value();
//! assert!((posterior - 0.27 / 0.41).abs() < 1e-12);
//!
//! // The same for rows of evidence, all variables at once.
//! let evidence = Batch::new(&[1.0, 0.0], 2, 1).names(&["wet"]);
//! let marginals = circuit.marginals(&evidence, "")?;
//! let Posterior::Probabilities(rain) = marginals.of(0, circuit.variable("rain")?) else {
//!     panic!("a truth value has probabilities");
//! };
//! assert!((rain[1] - posterior).abs() < 1e-6);
//!
//! let best = circuit.map(&evidence, "")?;
//! assert_eq!((best.row(0), best.row(1)), (&[1.0, 1.0][..], &[0.0, 0.0][..]));
//!
//! let samples = circuit.sample(1000, 7, "wet")?;
//! assert!((0..1000).all(|at| samples.row(at)[1] == 1.0));
//! # Ok::<(), pelton::Error>(())
//! ```
//!
//! [`Circuit::log_conditional`], [`Circuit::query_rows`], [`Circuit::sample_rows`],
//! [`Circuit::entropy`] and [`Circuit::moments`] are others; [`Circuit::ask`] knows those that
//! have a name on the command line, and [`Circuit::property`] what was proven.
//!
//! # Training
//!
//! What the text leaves open (`?`) is learned. A function is told how far that has come and
//! may stop it:
//!
//! ```
//! use pelton::{Batch, Circuit, FitOptions, Training};
//! use std::ops::ControlFlow;
//!
//! let mut circuit = Circuit::compile("var a, b : bool;
//!     node kind[k in 0..2] = a ~ bernoulli(?) * b ~ bernoulli(?);
//!     root sum k in 0..2 { ?: kind[k] };")?;
//! let rows = [1_u8, 1, 1, 1, 0, 0, 0, 0, 0, 1];
//! let train = Batch::new(&rows, 5, 2);
//! let options = FitOptions { fullbatch_epochs: 50, ..FitOptions::default() };
//! let report = circuit.fit(Training::new(&train), &options, |progress| {
//!     match progress.ended {
//!         Some(epoch) if epoch.epoch == 20 => ControlFlow::Break(()),
//!         _ => ControlFlow::Continue(()),
//!     }
//! })?;
//! assert!(report.epochs.len() <= 20);
//! println!("{:?}", circuit.parameter("root.weights")?.values);
//! # Ok::<(), pelton::Error>(())
//! ```
//!
//! [`Circuit::learn_hclt`] finds the structure as well, and [`Circuit::learn_structure`] takes
//! any learner by its name.
//!
//! # Files
//!
//! ```
//! # use pelton::Circuit;
//! # let circuit = Circuit::compile("var a : bool; root a ~ bernoulli(?0.25);")?;
//! # let folder = std::env::temp_dir().join(format!("pelton-doc-{}", std::process::id()));
//! # std::fs::create_dir_all(&folder).expect("there is room");
//! let path = folder.join("model.pelton");
//! circuit.save(&path)?; // whole or not at all; `.pcirc` saves text
//! let again = Circuit::load(&path)?;
//! assert_eq!(again.parameters(), circuit.parameters());
//! # std::fs::remove_dir_all(&folder).expect("it is ours");
//! # Ok::<(), pelton::Error>(())
//! ```
//!
//! # Threads
//!
//! A circuit is `Send` and `Sync`, and asking takes `&self`: share it by reference or in an
//! `Arc`. Training takes `&mut self`. Where others must go on meanwhile, a clone, which
//! costs next to nothing, is trained, or [`Circuit::learn`] on a shared circuit gives
//! parameters for [`Circuit::adopt`]. [`Shared`] is a circuit that some use while one at a
//! time changes it.
//!
//! ```
//! # use pelton::{Batch, Circuit};
//! # let circuit = Circuit::compile("var a : bool; root a ~ bernoulli(0.25);")?;
//! std::thread::scope(|scope| {
//!     for value in [0.0, 1.0] {
//!         let circuit = &circuit;
//!         scope.spawn(move || circuit.log_likelihood(&Batch::new(&[value], 1, 1)));
//!     }
//! });
//! # Ok::<(), pelton::Error>(())
//! ```
//!
//! # Features
//!
//! * `jit` (default): machine code by Cranelift. Without it, kernels written in Rust are
//!   called one by one: the results are the same within the documented bounds, the engine
//!   `cranelift` is an error.
//! * `parquet` (default): Parquet files among data.
//! * `build`: object files for machines without Pelton.

#![deny(missing_docs)]

mod answers;
mod asking;
mod circuit;
mod diagnostic;
mod error;
mod evaluation;
mod fitting;
mod information;
pub mod open;
mod options;
mod parameters;
pub mod question;
mod saving;
mod shared;
mod structure;
mod words;

pub use answers::{Answer, Completions, Marginals, Moments, Samples};
pub use circuit::{Circuit, Size, Variable};
pub use diagnostic::{Diagnostic, Edit, Place, Suggestion};
pub use error::{Error, ErrorKind, Result};
pub use fitting::{Fitted, Progress, Training};
pub use information::Verdict;
pub use options::Options;
pub use parameters::Parameter;
pub use shared::{Change, Shared};
pub use structure::{HcltOptions, LearnerChoice};

pub use pelton_compiler::circuit::{Domain, Property};
pub use pelton_compiler::kernel::Precision;
pub use pelton_grammar::diagnostic::{Severity, WitnessValue};
pub use pelton_grammar::remedy::{RemedyOption, RemedyWords};
pub use pelton_runtime::Engine;
pub use pelton_runtime::data::{Batch, CellPlace as Cell, CellValue, Element, Series};
pub use pelton_runtime::learn::{
    Epoch, LearnOptions as FitOptions, Method, Phase, Report, Score, Softening, Start, StopReason,
};
pub use pelton_runtime::query::{Estimate, Posterior};
