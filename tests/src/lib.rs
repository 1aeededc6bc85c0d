//! Random circuits, large shapes, oracles and ways to run Pelton, shared by its tests.

pub mod case;
pub mod command;
pub mod fuzz;
pub mod page;
pub mod repair;
