//! The reference evaluation against worked examples and brute force.

#[path = "evaluate/golden.rs"]
mod golden;
