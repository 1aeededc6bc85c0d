//! Learning parameters from data.
//!
//! [`learn`] takes a compiled model and rows and gives parameters and a
//! [`Report`]. What is maximised is
//!
//! ```text
//! (LL + sum over vectors of (alpha / K) * sum of log theta) / (N + alpha) + tau * H
//! ```
//!
//! where `LL` is the log-likelihood of the (softened) rows, `alpha` the
//! pseudocount, `K` the number of learned entries of a vector, `N` the weight of
//! all rows and `H` the entropy of the circuit.
//!
//! ```
//! use pelton_compiler::load::{FileLoader, SourceInput};
//! use pelton_compiler::{AnalysisOptions, analyze};
//! use pelton_runtime::data::Table;
//! use pelton_runtime::learn::{Checkpoint, Epoch, LearnOptions, LearningControl, LearningObserver};
//! use pelton_runtime::learn::{LearningRows, TrainingTask, learn};
//! use pelton_runtime::{Model, ModelOptions};
//!
//! let text = "var rain, wet : bool;
//!             node kind[k in 0..2] = rain ~ bernoulli(?) * wet ~ bernoulli(?);
//!             root sum k in 0..2 { ?: kind[k] };";
//! let input = SourceInput { name: "days".into(), path: None, bytes: text.into() };
//! let checked = analyze(input, &FileLoader, &AnalysisOptions::default()).into_checked();
//! let model = Model::compile(checked.expect("the text is right"), &ModelOptions::default())?;
//!
//! // NaN is a missing cell.
//! let rows = [[1.0, 1.0], [1.0, f64::NAN], [0.0, 0.0], [0.0, 0.0]].map(Vec::from);
//! let table = Table::from_assignments(model.circuit(), &rows);
//! let options = LearnOptions { softness: 0.01, entropy: 0.001, ..LearnOptions::default() };
//!
//! /// Ends a run after ten epochs.
//! struct Ten;
//! impl LearningObserver for Ten {
//!     fn epoch(&mut self, epoch: &Epoch, _: &dyn Fn() -> Checkpoint) -> LearningControl {
//!         if epoch.epoch < 10 { LearningControl::Continue } else { LearningControl::Stop }
//!     }
//! }
//!
//! let task = TrainingTask {
//!     model: &model,
//!     train: LearningRows::of(&table),
//!     valid: None,
//!     test: None,
//!     options: &options,
//!     resume: None,
//! };
//! let learned = learn(&task, &mut Ten)?;
//! assert!(learned.report.epochs.len() <= 10);
//! let parameters = model.parameters(learned.values);
//! let logs = model.log_likelihoods(&parameters, &table, 1).logs;
//! assert!(logs.iter().all(|log| log.is_finite()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod balance;
mod checkpoint;
mod clusters;
mod em;
mod entropy;
mod error;
mod estep;
mod flat_circuit;
mod geometric;
mod leaf;
mod mle;
mod mstep;
mod observer;
mod options;
mod passes;
mod report;
mod rows;
mod run;
mod score;
mod simplex;
mod start;
mod survey;
mod sweep;
mod tied;
mod tune;

pub use checkpoint::Checkpoint;
pub use entropy::{entropy, unit_entropies};
pub use error::LearnError;
pub use observer::{EpochProgress, LearningControl, LearningObserver};
pub use options::{LearnOptions, Method, Softening, Start};
pub use report::{Epoch, Phase, Report, Score, StopReason};
pub use rows::{LearningRows, RowChunk, RowChunks, RowStream};
pub use run::{LearningResult, TrainingTask, learn, learn_from};
pub use score::score;
pub use tune::{Grid, GridPoint, TuneObserver, TuningResult, TuningTrial, tune};
