//! Learning: golden values, laws over random circuits, and whole runs.

mod learn {
    pub mod benchmarks;
    pub mod enumerated;
    pub mod golden;
    pub mod kit;
    pub mod laws;
    pub mod masses;
}
