//! Questions against enumeration, integration and plain evaluation.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "queries/enumerated.rs"]
mod enumerated;
#[path = "queries/kit.rs"]
mod kit;
#[path = "queries/leaves.rs"]
mod leaves;
#[path = "queries/masses.rs"]
mod masses;
#[path = "queries/outliers.rs"]
mod outliers;
#[path = "queries/reals.rs"]
mod reals;
#[path = "queries/samples.rs"]
mod samples;
#[path = "queries/soft.rs"]
mod soft;
#[path = "queries/threads.rs"]
mod threads;
