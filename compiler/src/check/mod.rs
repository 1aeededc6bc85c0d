//! Structural properties: proven, refuted with a witness, or unknown with the reason.

pub mod determinism;
pub mod scope;
mod verdict;

pub use scope::{Scope, ScopeId, Scopes};
pub use verdict::{Refutation, Verdict};
