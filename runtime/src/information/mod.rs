//! What distributions know: entropies, divergences, moments and counts.
//!
//! Every circuit here counts as scaled to mass 1 ([`Scaled`]), so that weights need
//! not add up. Answers are exact where the structure allows it, which
//! [`QueryKind`](crate::tractability::QueryKind) says; elsewhere all states are visited
//! if they are few, and if they are many the answer is a reason.

mod count;
mod divergence;
mod entropy;
mod enumerate;
mod error;
mod estimate;
mod expectation;
mod given;
mod marginal;
mod moments;
mod mutual;
mod pairs;
mod parts;
mod scaled;

pub use count::{Count, count};
pub use divergence::{Divergence, cross_entropy, divergence};
pub use entropy::{Entropy, entropy, joint_entropy};
pub use enumerate::MOST_STATES;
pub use error::InformationError;
pub use estimate::{
    Estimate, Sampling, estimate_divergence, estimate_entropy, estimate_mutual_information,
};
pub use expectation::expectation;
pub use given::{Effort, Left, entropy_given, given};
pub use moments::{MomentsOf, VariableMoments, covariance, moments};
pub use mutual::{MutualInformation, mutual_information};
pub use parts::{Summary, summary};
pub use scaled::Scaled;

pub use pelton_compiler::circuit::mentioned;

/// How an answer was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// By the structure of the circuit, in one pass over it or over pairs of units.
    Structure,
    /// By adding up so many states.
    Enumeration {
        /// Number of states.
        n_states: u64,
    },
    /// Partly by structure, partly by adding up so many states.
    Mixed {
        /// Number of states.
        n_states: u64,
    },
}

impl Method {
    /// The word in reports and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Method::Structure => "structure",
            Method::Enumeration { .. } => "enumeration",
            Method::Mixed { .. } => "mixed",
        }
    }
}
