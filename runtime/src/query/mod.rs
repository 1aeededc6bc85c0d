//! Questions about circuits, a file a question.
//!
//! | question | function |
//! |---|---|
//! | probability or density of an event, given another | [`answer`], [`answer_rows`] |
//! | what each variable is, given what is known | [`marginals`](fn@marginals) |
//! | the most probable completion | [`most_probable`] |
//! | samples | [`CircuitSampler`], [`sample_rows`] |
//! | entropy, of what is left given an event, too | [`entropy`](fn@entropy), [`entropy_given`] |
//! | divergence and cross entropy | [`divergence`](fn@divergence), [`cross_entropy`] |
//! | mutual information | [`mutual_information`](fn@mutual_information) |
//! | means, variances and covariances | [`moments`](fn@moments), [`summary`] |
//! | the mean of a product of functions | [`expectation`](fn@expectation) |
//! | the number of possible inputs | [`count`](fn@count) |
//!
//! What is known is an event, read from text by [`ask_given`], and answered as boxes that
//! exclude each other ([`given_boxes`]): one pass from the leaves to the root gives the mass
//! of a box, exactly, because circuits are smooth and decomposable. Single questions are
//! answered by the plain reference; for the rows of a table a box is laid over each row
//! (`overlay.rs`), and compiled kernels do the passes.
//!
//! Amounts of information are those of the circuit scaled to mass 1 ([`ScaledCircuit`]). Where
//! [`QueryKind`](crate::tractability::QueryKind) says that the structure does not allow an
//! exact answer, all states are visited if they are few (`enumerate.rs`); if they are many
//! the answer is a reason, and samples give an [`Estimate`].

mod boxes;
mod count;
mod divergence;
mod entropy;
mod enumerate;
mod error;
mod estimate;
mod expectation;
mod given;
mod map;
mod marginal_entropy;
mod method;
mod moments;
mod mutual_information;
mod overlay;
mod pairs;
mod posteriors;
mod probability;
mod sample;
mod scaled;
#[cfg(test)]
mod tests;

pub use crate::model::{Posterior, Posteriors, RowSampling};
pub use boxes::{given_boxes, log_mass};
pub use count::{ModelCount, count};
pub use divergence::{Divergence, cross_entropy, divergence, estimate_divergence};
pub use entropy::{Entropy, entropy, estimate_entropy, joint_entropy};
pub use enumerate::MOST_STATES;
pub use error::{InformationError, QueryFailure};
pub use estimate::{Estimate, EstimateOptions};
pub use expectation::expectation;
pub use given::{PosteriorCircuit, QueryEffort, entropy_given, given};
pub use map::{MapOptions, MostProbable, most_probable};
pub use method::AnswerMethod;
pub use moments::{MomentSummary, MomentsOf, VariableMoments, covariance, moments, summary};
pub use mutual_information::{MutualInformation, estimate_mutual_information, mutual_information};
pub use pelton_compiler::circuit::mentioned;
pub use pelton_compiler::evidence::ValueBox;
pub use pelton_compiler::lower::{NotUnderstood, ask, ask_given};
pub use posteriors::marginals;
pub use probability::{
    ProbabilityKind, QueryAnswer, RowAnswer, answer, answer_all, answer_rows, log_conditionals,
};
pub use sample::{CircuitSampler, sample_rows};
pub use scaled::ScaledCircuit;
