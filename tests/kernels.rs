//! Every engine against the reference, on thousands of random circuits.

#[path = "kernels/engines.rs"]
mod engines;
#[path = "kernels/harness.rs"]
mod harness;
#[path = "kernels/optimized.rs"]
mod optimized;
#[path = "kernels/suite.rs"]
mod suite;
