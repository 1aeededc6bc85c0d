//! The M-step of what leaves are parametrised by.
//!
//! Given flows, learning maximises
//!
//! > Q = Σ flow · log f(x) + Σ (F_i + α/K) · log θ_i
//! >   + M·τ · (Σ P\[leaf\] · H\[leaf\] + Σ P\[n\] · θ_i · (γ_i − log θ_i))
//!
//! over leaves, vectors of probabilities, leaves again and edges of sums. What of it
//! is nothing but counts of probabilities goes into one vector of counts
//! ([`LeafPlan::add_counts`]), beside those of sums, and is solved with them. The
//! rest is [`LeafStep`]'s: means, spreads, rates and shapes by their closed forms
//! where there are some, and by a search that reads sufficient statistics only. A
//! step never lowers Q.
//!
//! What a distribution knows of itself is said in its file of `family`; all else is the same
//! for every distribution.
//!
//! [`ObservedRanges`] know the data's extent, which bounds what a likelihood or an entropy
//! without maximum would take to infinity, and where learning starts.

mod bounds;
mod closed;
mod counts;
mod family;
mod objective;
mod outcome;
mod plan;
mod ranges;
mod scalar;
mod search;
mod start;
mod statistics;
mod step;
mod vector;

#[cfg(test)]
mod tests;

pub use family::is_table;
pub use objective::times;
pub use outcome::LeafOutcome;
pub use plan::LeafPlan;
pub use ranges::ObservedRanges;
pub use start::start;
pub use step::{EdgeTerms, LeafStep};
