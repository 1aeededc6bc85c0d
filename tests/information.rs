//! Entropies, divergences, moments and counts against enumeration and integration.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "information/count.rs"]
mod count;
#[path = "information/divergence.rs"]
mod divergence;
#[path = "information/entropy.rs"]
mod entropy;
#[path = "information/estimate.rs"]
mod estimate;
#[path = "information/kit.rs"]
mod kit;
#[path = "information/large.rs"]
mod large;
#[path = "information/moments.rs"]
mod moments;
#[path = "information/mutual.rs"]
mod mutual;
#[path = "information/table.rs"]
mod table;
