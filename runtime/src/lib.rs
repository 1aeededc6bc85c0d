//! The runtime of probabilistic circuits: everything that uses a circuit with data.
//!
//! A [`Model`] is a checked circuit compiled for this machine. It is immutable and shared by
//! threads; parameters are values beside it, so that learning never compiles anything. Programs
//! that embed Pelton use the crate `pelton`, which wraps this one.
//!
//! # Likelihoods
//!
//! Data are checked where they are read: a [`data::Table`] holds codes and finite numbers only,
//! and fits its circuit. So evaluation cannot fail, and no loss of digits passes unnoticed: what
//! underflows is bounded and, where it matters, evaluated again in logarithms. Results do not
//! depend on the number of threads.
//!
//! ```
//! use pelton_compiler::load::{FileLoader, SourceInput};
//! use pelton_compiler::{AnalysisOptions, analyze};
//! use pelton_runtime::data::Table;
//! use pelton_runtime::{Model, ModelOptions};
//!
//! let text = "var rain, wet : bool;
//!             root 0.3: rain * wet ~ bernoulli(0.9) + 0.7: !rain * wet ~ bernoulli(0.2);
//!             query P(rain | wet);";
//! let input = SourceInput { name: "rain".into(), path: None, bytes: text.into() };
//! let checked = analyze(input, &FileLoader, &AnalysisOptions::default()).into_checked();
//! let model = Model::compile(checked.expect("the text is right"), &ModelOptions::default())?;
//!
//! // NaN is a missing cell.
//! let table = Table::from_assignments(model.circuit(), &[vec![1.0, 1.0], vec![f64::NAN, 1.0]]);
//! let logs = model.log_likelihoods(&model.start_parameters(), &table, 1).logs;
//! assert!((logs[0].exp() - 0.27).abs() < 1e-6 && (logs[1].exp() - 0.41).abs() < 1e-6);
//!
//! // The file's own query, on the reference evaluation.
//! let answers = pelton_runtime::answer_all(model.circuit());
//! assert!((answers[0].value().expect("it has one") - 0.27 / 0.41).abs() < 1e-12);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Queries
//!
//! An event is a union of boxes, each of which says for some variables where their values lie
//! ([`query::ValueBox`]). One bottom-up pass gives the mass of a box, which is exact because the
//! circuit is smooth and decomposable. [`query`] has conditionals, posteriors, MAP, samples,
//! entropies, divergences, moments and counts, a file a question. What is not tractable for a
//! circuit is refused, by the table [`tractability`], with the unit that stands in the way.
//!
//! # Learning
//!
//! [`learn`](mod@learn) finds parameters in closed form or by EM, [`structure`] trees for
//! circuits that do not exist yet. Both give reports of what was done; runs can be interrupted
//! and resumed to the same result, bit for bit.
//!
//! # Where is what
//!
//! * [`data`]: CSV, Parquet, NumPy and memory to tables; schemas where there is no circuit
//! * [`Model`], [`Parameters`]: compiled circuits and how they are run
//! * [`query`]: what can be asked
//! * [`learn`](mod@learn), [`structure`]: what can be learned
//! * [`store`]: model files

pub mod data;
pub mod learn;
mod model;
pub mod query;
pub mod store;
pub mod structure;

#[cfg(feature = "build")]
pub use model::{AheadOptions, build};
pub use model::{
    CompileError, Engine, FlowKind, FlowOptions, FlowTotals, Likelihoods, Model, ModelOptions,
    Parameters, log_normalizer,
};
pub use pelton_compiler::tractability;
pub use query::{ProbabilityKind, QueryAnswer, QueryFailure, answer, answer_all, log_mass};
