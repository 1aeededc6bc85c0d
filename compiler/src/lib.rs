//! The compiler of probabilistic circuits: from text to machine code.
//!
//! Everything that is about one circuit and needs no data is here. The stages are functions,
//! and types carry what was proven from one to the next:
//!
//! | stage | function | gives |
//! |---|---|---|
//! | load, lower, repair, check | [`analyze`] | every message, and a [`check::Checked`] circuit with what is true of it |
//! | optimize | [`optimize::optimize`] | a smaller circuit of the same distribution |
//! | plan | [`plan::plan`] | operations over rows of samples, laid out in memory |
//! | run | [`engine::ExecutionEngine::prepare`] | what executes the plan here: generated code or kernels |
//! | build | `codegen::ahead::object` | an object file for any target |
//!
//! # From text to a checked circuit
//!
//! [`analyze`] promises every message there is, not the first, and a [`check::Checked`] circuit
//! if and only if nothing is wrong. `Checked` is smooth and decomposable; nothing but the checks
//! can make one, and all later stages take nothing else. What else is asked of it is *proven*,
//! *refuted* with a witness that was evaluated, or *unknown*.
//!
//! ```
//! use pelton_compiler::circuit::Property;
//! use pelton_compiler::load::{FileLoader, SourceInput};
//! use pelton_compiler::{AnalysisOptions, analyze};
//!
//! let text = "var rain, wet : bool;
//!             root 0.3: rain * wet ~ bernoulli(0.9) + 0.7: !rain * wet ~ bernoulli(0.2);";
//! let input = SourceInput { name: "rain".into(), path: None, bytes: text.into() };
//! let options = AnalysisOptions { decide: vec![Property::Deterministic], ..AnalysisOptions::default() };
//! let analysis = analyze(input, &FileLoader, &options);
//! assert!(analysis.found.is_empty());
//! let checked = analysis.into_checked().expect("nothing is wrong");
//! assert!(checked.facts().is_proven(Property::Deterministic));
//! ```
//!
//! A wrong circuit is told with its place and, where there is one, its repair:
//!
//! ```
//! # use pelton_compiler::load::{FileLoader, SourceInput};
//! # use pelton_compiler::{AnalysisOptions, analyze};
//! let input = SourceInput { name: "a".into(), path: None, bytes: "var a, b : bool; root 0.5: a + 0.5: b;".into() };
//! let analysis = analyze(input, &FileLoader, &AnalysisOptions::default());
//! let first = analysis.found.iter().next().expect("it is not smooth");
//! assert_eq!(first.code.as_str(), "PC0101");
//! assert!(!first.suggestions.is_empty() && analysis.into_checked().is_none());
//! ```
//!
//! # From a circuit to code
//!
//! [`optimize`](mod@optimize) is a table of passes, each of which preserves the distribution for
//! observed, soft and missing cells and for whatever learning may make of the parameters.
//! [`plan`](mod@plan) decides which units lie side by side, so that a dense layer is one
//! operation, and where numbers are rescaled. Plans are plain data; `codegen`, which is all there
//! is of Cranelift, and [`kernel`] run them.
//!
//! ```
//! # use pelton_compiler::load::{FileLoader, SourceInput};
//! # use pelton_compiler::{AnalysisOptions, analyze};
//! # let text = "const K = 8; var a, b : bool;
//! #     node left[k in 0..K] = a ~ bernoulli(?) * b ~ bernoulli(?);
//! #     root sum k in 0..K { ?: left[k] };";
//! # let input = SourceInput { name: "mixture".into(), path: None, bytes: text.into() };
//! # let checked = analyze(input, &FileLoader, &AnalysisOptions::default()).into_checked().expect("it is right");
//! use pelton_compiler::optimize::optimize;
//! use pelton_compiler::plan::{PlanOptions, plan};
//!
//! let plan = plan(&optimize(checked), &PlanOptions::default());
//! assert_eq!(plan.n_sum_edges(), 8);
//! assert!(!plan.ops().is_empty());
//! ```
//!
//! # Where is what
//!
//! * [`circuit`]: the graph, append-only, made by one builder
//! * [`evidence`]: events, boxes and cells: what is known
//! * [`load`], [`lower`]: files to a program, a program to a circuit
//! * [`repair`], [`check`]: what `@smooth` and `@normalize` ask for; one check a file
//! * [`leaf`], [`mod@reference`]: distributions, and the plain evaluation that every engine is held to
//! * [`optimize`](mod@optimize), [`plan`](mod@plan), [`kernel`], `codegen`, [`engine`]: passes,
//!   plans, what executes them and how it is chosen
//! * [`transform`]: circuits from circuits
//! * [`tractability`]: which query is tractable for which structure
//! * [`emit`], [`stats`]: circuits made visible
//!
//! Foreign formats are read and written by a crate of their own, `pelton-formats`, which the
//! compiler is handed as [`ForeignFormats`].

mod analysis;
pub mod check;
pub mod choice;
pub mod circuit;
#[cfg(feature = "jit")]
pub mod codegen;
pub mod cycle;
mod disjoint_sets;
pub mod emit;
pub mod engine;
pub mod evidence;
pub mod flow;
mod flow_grid;
mod foreign;
pub mod kernel;
pub mod leaf;
pub mod load;
pub mod lower;
pub mod optimize;
pub mod parallel;
pub mod plan;
pub mod reference;
pub mod repair;
mod runs;
pub mod stats;
pub mod tractability;
pub mod transform;

pub use analysis::{Analysis, AnalysisOptions, analyze};
pub use foreign::ForeignFormats;
