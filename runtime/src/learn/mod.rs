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

mod checkpoint;
mod clusters;
mod em;
mod entropy;
mod error;
mod estep;
mod geometric;
mod leaf;
mod ledger;
mod mle;
mod mstep;
mod noise;
mod observer;
mod options;
mod passes;
mod report;
mod rows;
mod run;
mod score;
mod start;
mod survey;
mod sweep;
mod tied;
mod tune;

pub use checkpoint::Checkpoint;
pub use entropy::{entropy, unit_entropies};
pub use error::LearnError;
pub use observer::{Control, Observer, Progress};
pub use options::{LearnOptions, Method, Softening, Start};
pub use report::{Epoch, Phase, Report, Score, StopReason};
pub use rows::{RowChunk, RowChunks, RowStream, Rows};
pub use run::{Learned, Task, learn};
pub use tune::{Grid, GridPoint, Trial, TuneObserver, Tuned, tune};
