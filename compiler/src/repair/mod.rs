//! Repairs: what is missing is filled in, and what is off is scaled, before the checks look.
//!
//! None of them is silent: a note says what was added.

mod fill;
mod normalize;
mod smooth;
#[cfg(test)]
mod tests;

pub use fill::{FillFunction, FillRule, fill_any};
pub use normalize::normalize;
pub use smooth::smooth;
