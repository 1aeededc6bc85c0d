//! Fuzz bodies: any bytes in, laws out.
//!
//! Seeded tests drive them on the stable toolchain; `tests/fuzz` wraps them for
//! coverage-guided fuzzing. They panic if a law is broken, and only then.

mod engines;
mod front;
mod import;
mod networks;

pub use engines::{EngineOutcomes, engines};
pub use front::{Outcomes, front};
pub use import::import;
pub use networks::networks;
