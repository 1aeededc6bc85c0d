//! What a truncation leaves of a distribution.

use super::support::base_support;
use super::untruncated::UntruncatedLeaf;
use crate::circuit::{CircuitGraph, Leaf, LeafKind, ParameterValue};

/// Whether a leaf's truncation takes anything from its distribution, whatever
/// learning may do. One that covers the whole support does not.
pub fn is_truncated(circuit: &CircuitGraph, leaf: &Leaf) -> bool {
    let LeafKind::Distribution(distribution) = &leaf.kind else {
        return false;
    };
    let domain = &circuit.variable(leaf.variable).domain;
    let whole = || base_support(circuit, domain, distribution);
    let truncation = distribution.truncation.as_ref();
    truncation.is_some_and(|set| !whole().is_subset(set))
}

/// The logarithm of the mass that a leaf's distribution has on its truncation,
/// before it is scaled to 1; 0 without a truncation.
pub fn log_truncation(circuit: &CircuitGraph, values: &[ParameterValue], leaf: &Leaf) -> f64 {
    let base = UntruncatedLeaf::of(circuit, values, leaf);
    base.map_or(0.0, |base| {
        base.truncation().map_or(0.0, |set| base.log_mass(set))
    })
}

/// The logarithm of a distribution's probability or density at `x`, a value of the domain,
/// as if the leaf had no truncation.
pub fn log_untruncated_density(
    circuit: &CircuitGraph,
    values: &[ParameterValue],
    leaf: &Leaf,
    x: f64,
) -> f64 {
    let base = UntruncatedLeaf::of(circuit, values, leaf);
    base.map_or(0.0, |base| base.log_density(x))
}
