//! Circuits from circuits: laws of every transformation over random circuits.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "transform/condition.rs"]
mod condition;
#[path = "transform/kit.rs"]
mod kit;
#[path = "transform/marginalize.rs"]
mod marginalize;
#[path = "transform/mix.rs"]
mod mix;
#[path = "transform/multiply.rs"]
mod multiply;
#[path = "transform/prune.rs"]
mod prune;
#[path = "transform/smooth.rs"]
mod smooth;
