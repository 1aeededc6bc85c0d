//! From circuit text to a checked circuit graph.
//!
//! [`analyze`] is the whole front half: load, lower, repair, check. Each stage
//! is also public on its own, and every one reports through
//! [`pelton_grammar::diagnostic::Diagnostics`].

mod analysis;
pub mod check;
pub mod choice;
pub mod circuit;
#[cfg(feature = "jit")]
pub mod codegen;
pub mod cycle;
pub mod emit;
pub mod engine;
pub mod evaluate;
pub mod flow;
mod foreign;
pub mod kernel;
pub mod leaf;
pub mod load;
pub mod lower;
pub mod optimize;
pub mod plan;
pub mod query_table;
pub mod stats;
pub mod transform;

pub use analysis::{Analysis, Options, analyze};
pub use foreign::ForeignFormats;
