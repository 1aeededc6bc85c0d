//! Circuits from circuits.
//!
//! Each transformation takes checked circuits and gives a checked one, with a note on
//! everything of the file that could not be kept. Those that keep the structure
//! ([`marginalize`], [`prune`], [`mix`], [`smooth`]) keep what is learned and tied, too;
//! those that make other numbers ([`condition`], [`multiply`]) fix all of them.
//!
//! All of them build a new circuit bottom up from parts (`part`): a unit that is
//! normalized, times a factor. So the factors of what was observed, summed out or
//! multiplied move towards the root, where they are the evidence's probability or the
//! product's mass.

mod condition;
mod error;
mod import;
mod marginalize;
mod mix;
mod multiply;
mod part;
mod prune;
mod reduce;
mod restrict;
mod settle;
mod smooth;

pub use condition::{ConditionedCircuit, condition};
pub use error::TransformError;
pub use marginalize::{marginalize, variables_named};
pub use mix::{MixtureWeights, freeze, mix};
pub use multiply::{MultipliedCircuit, multiply};
pub use prune::{PrunedCircuit, prune};
pub(crate) use restrict::flat;
pub use settle::TransformedCircuit;
pub use smooth::{SmoothedCircuit, smooth};
