//! What an input unit is worth: its support, its density and its mass.
//!
//! Seven questions are asked of a leaf. *Where* can it be positive
//! ([`support`], which looks at fixed zeros only and holds for whatever
//! learning may do), *how much* is it at a point ([`log_density`]), how much
//! on a set ([`log_mass`]), where is it largest ([`mode`]), how uncertain is its
//! value ([`entropy`](fn@entropy)), what is the mean of a function of it
//! ([`expectation`](fn@expectation), [`moments`]) and what does it say of another leaf
//! ([`overlap`]), all but the first for given values of the parameters. Probabilities
//! and densities are logarithms throughout, so that a leaf truncated far out
//! in its tail is divided by a mass that did not vanish.

pub(crate) mod counts;
mod entropy;
mod expectation;
pub mod family;
pub(crate) mod gamma;
mod incomplete;
pub(crate) mod log_space;
mod long_log;
mod mass;
mod mode;
mod normal;
mod peak;
mod pieces;
mod quadrature;
pub(crate) mod remainder;
pub(crate) mod saddle;
mod sampler;
mod support;
mod table;
mod tail;
#[cfg(test)]
mod tests;
pub(crate) mod untruncated;

pub use entropy::entropy;
pub use expectation::{
    LeafMoments, LeafOf, LeafOverlap, expectation, mean_and_variance, mixed_spread, moments,
    overlap, positive_set,
};
pub(crate) use family::bin;
pub use log_space::log_sum_exp;
pub(crate) use long_log::FAR;
pub use long_log::LongLog;
use mode::has_table;
pub use mode::{is_unbounded_in, mode, mode_in};
pub use sampler::{LeafSampler, reaches_beyond};
pub(crate) use support::distribution_support;
pub use support::support;
pub use table::log_table;
use untruncated::UntruncatedLeaf;
pub use untruncated::{is_truncated, log_truncation, log_untruncated_density};

use crate::circuit::{CircuitGraph, Domain, Leaf, LeafKind, ParameterValue, ValueSet};

/// The logarithm of a leaf's probability or density at `x`.
///
/// `values` holds a value for each of [`CircuitGraph::all_entries`]. Outside the
/// support the answer is -inf. A missing value is NaN, and the answer is then
/// the logarithm of the leaf's whole mass: 0 for distributions and literals,
/// the logarithm of the size for indicators of larger sets.
pub fn log_density(circuit: &CircuitGraph, values: &[ParameterValue], leaf: &Leaf, x: f64) -> f64 {
    let domain = &circuit.variable(leaf.variable).domain;
    match &leaf.kind {
        LeafKind::Indicator(set) if x.is_nan() => set.intersect(&domain.full()).measure().ln(),
        LeafKind::Indicator(set) if is_member(set, domain, x) => 0.0,
        LeafKind::Indicator(_) => f64::NEG_INFINITY,
        LeafKind::Distribution(_) if x.is_nan() => 0.0,
        LeafKind::Distribution(distribution) => {
            UntruncatedLeaf::new(circuit, values, domain, distribution).log_truncated_density(x)
        }
    }
}

/// The same with twice the digits where the logarithm is large.
pub fn long_log_density(
    circuit: &CircuitGraph,
    values: &[ParameterValue],
    leaf: &Leaf,
    x: f64,
) -> LongLog {
    match UntruncatedLeaf::of(circuit, values, leaf) {
        Some(leaf) if !x.is_nan() => leaf.long_log_truncated_density(x),
        Some(_) | None => log_density(circuit, values, leaf, x).into(),
    }
}

/// The logarithm of a leaf's mass on `set`, by its cumulative distribution.
///
/// For an indicator this is the size of what the sets have in common. The mass
/// of the whole domain is what [`log_density`] gives for a missing value.
pub fn log_mass(
    circuit: &CircuitGraph,
    values: &[ParameterValue],
    leaf: &Leaf,
    set: &ValueSet,
) -> f64 {
    let domain = &circuit.variable(leaf.variable).domain;
    let set = set.intersect(&domain.full());
    match &leaf.kind {
        LeafKind::Indicator(own) => own.intersect(&set).measure().ln(),
        LeafKind::Distribution(distribution) => {
            UntruncatedLeaf::new(circuit, values, domain, distribution).log_truncated_mass(&set)
        }
    }
}

/// Whether `x` is a value of the domain and in the set.
pub(crate) fn is_member(set: &ValueSet, domain: &Domain, x: f64) -> bool {
    (!domain.is_discrete() || x.fract() == 0.0) && set.contains(x)
}

/// Divides by the mass of a truncation. Learned values may leave nothing there;
/// the leaf is then zero everywhere rather than undefined.
fn over_mass(log_p: f64, log_mass: f64) -> f64 {
    let is_nothing = log_p == f64::NEG_INFINITY;
    if is_nothing { log_p } else { log_p - log_mass }
}
