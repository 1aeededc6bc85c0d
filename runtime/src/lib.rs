//! Answers questions about circuits.
//!
//! A question is a pair of events; an event is a union of boxes, each of which
//! says for some variables where their values lie ([`Evidence`]). One bottom-up
//! pass gives the mass of a box, which is exact because the circuit is smooth
//! and decomposable.

pub mod data;
pub mod information;
pub mod learn;
mod model;
pub mod query;
pub mod store;
pub mod structure;
pub mod workload;

#[cfg(feature = "build")]
pub use model::{AheadOptions, build};
pub use model::{
    CompileError, Engine, FlowKind, FlowOptions, FlowTotals, Likelihoods, Model, ModelOptions,
    Parameters, Session, log_normalizer,
};
pub use pelton_compiler::query_table;
pub use query::{Answer, Evidence, Gap, Kind, Known, answer, answer_all, log_mass};
