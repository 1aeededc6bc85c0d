//! Random circuits, large shapes and oracles shared by Pelton's tests.

pub mod fuzz;
