//! From circuit text to a checked circuit graph.

pub mod check;
pub mod circuit;
pub mod emit;
pub mod stats;
