//! From circuit text to a checked circuit graph.

pub mod check;
pub mod circuit;
mod cycle;
pub mod load;
pub mod lower;
pub mod evaluate;
pub mod leaf;
pub mod emit;
pub mod stats;
