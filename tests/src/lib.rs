//! Random circuits, large shapes, oracles and ways to run Pelton, shared by its tests.

pub mod command;
pub mod fuzz;
pub mod page;
