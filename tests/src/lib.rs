//! Random circuits, large shapes and oracles shared by Pelton's tests.
//!
//! [`random`] makes small circuits of every kind, [`oracle`] says by truth
//! table what is true of them, and [`shape`] builds circuits of the sizes and
//! forms that learners produce. [`fuzz`] mutates texts.

pub mod dice;
pub mod fuzz;
pub mod oracle;
pub mod random;
pub mod shape;
pub mod sketch;
