//! Every engine against the reference, on thousands of random circuits.

#[path = "kernels/harness.rs"]
mod harness;
