//! Structures from data.
//!
//! A Chow-Liu tree joins variables that tell most about each other: it is a
//! spanning tree of most mutual information, and of all distributions that are
//! trees the one nearest to the data. [`information()`] counts pairs of columns,
//! [`best_trees`] finds one tree or the best few, [`bootstrap`] draws rows anew for
//! trees that differ more than those.

mod best_trees;
mod bits;
mod bootstrap;
mod information;
mod joint;
mod levels;
mod matrix;
mod spanning;
mod swap;
mod tally;
#[cfg(test)]
mod tests;
mod tree;

pub use best_trees::best_trees;
pub use bootstrap::bootstrap;
pub use information::{InformationOptions, information};
pub use matrix::Information;
pub use tree::Tree;
