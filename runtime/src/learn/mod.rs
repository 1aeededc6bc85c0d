//! Learns parameters from flows.

pub mod leaf;
