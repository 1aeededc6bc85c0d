//! Structures from data: what circuits mean, what trees promise, and whole runs.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod structure {
    pub mod benchmarks;
    pub mod chow_liu;
    pub mod ensemble;
    pub mod hidden;
    pub mod kit;
    pub mod latent;
    pub mod learner;
    pub mod mixing;
    pub mod search;
    pub mod text;
    pub mod threads;
}
