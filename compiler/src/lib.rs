//! From circuit text to a checked circuit graph.

pub mod circuit;
