//! Questions about circuits.
//!
//! A question is a pair of events; an event is a union of boxes, each of which says for
//! some variables where their values lie ([`Evidence`]). One bottom-up pass gives the
//! mass of a box, which is exact because the circuit is smooth and decomposable.
//!
//! Single questions are answered by the plain reference ([`answer`](fn@answer)). For the
//! rows of a table a box is laid over each row, and compiled kernels do the passes:
//! [`answer_rows`] gives probabilities, [`marginals`](fn@marginals) all single variables at
//! once, [`most_probable`] completions, [`Sampler`] and [`sample_rows`] samples. Questions
//! are read from text by [`ask`] and [`ask_given`].

mod answer;
mod boxes;
mod evidence;
mod map;
mod marginals;
mod overlay;
mod region;
mod rows;
mod sample;
#[cfg(test)]
mod tests;

pub use crate::model::{Posterior, Posteriors};
pub use answer::{Answer, Gap, Kind, answer, answer_all};
pub use evidence::{Evidence, Known, log_mass};
pub use map::{MapOptions, MostProbable, most_probable};
pub use marginals::marginals;
pub use pelton_compiler::lower::{NotUnderstood, ask, ask_given};
pub use region::{given_boxes, given_parts};
pub use rows::{RowAnswer, answer_rows};
pub use sample::{RowSampling, Sampler, sample_rows};
