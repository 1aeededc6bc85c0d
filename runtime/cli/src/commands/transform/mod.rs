//! The commands that make circuits of circuits.

pub mod condition;
pub mod marginalize;
pub mod mix;
pub mod multiply;
pub mod prune;
pub mod smooth;
mod target;
