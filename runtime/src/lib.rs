//! Answers questions about circuits.
//!
//! A question is a pair of events; an event is a union of boxes, each of which
//! says for some variables where their values lie ([`Evidence`]). One bottom-up
//! pass gives the mass of a box, which is exact because the circuit is smooth
//! and decomposable.

mod answer;
mod boxes;
pub mod data;
mod evidence;
pub mod information;
pub mod learn;
mod model;
pub mod plot;
pub mod query_table;
pub mod store;
pub mod structure;
#[cfg(test)]
mod tests;
pub mod workload;

pub use answer::{Answer, Gap, Kind, answer, answer_all};
pub use evidence::{Evidence, Known, log_mass};
pub use model::{
    CompileError, Engine, FlowKind, FlowOptions, FlowTotals, Likelihoods, Model, ModelOptions,
    Parameters, Session,
};
