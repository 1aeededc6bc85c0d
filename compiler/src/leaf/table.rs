//! All values of a leaf over a finite domain.

use super::untruncated::UntruncatedLeaf;
use super::{is_member, over_mass};
use crate::circuit::{CircuitGraph, Leaf, LeafKind, ParameterValue};

/// The logarithm of a leaf's probability for each value of its domain, in order;
/// nothing for an infinite domain.
///
/// The same numbers as [`log_density`](super::log_density) gives one by one, but
/// the mass of a truncation is computed once.
pub fn log_table(circuit: &CircuitGraph, values: &[ParameterValue], leaf: &Leaf) -> Vec<f64> {
    let domain = &circuit.variable(leaf.variable).domain;
    let points = (0..domain.size().unwrap_or(0)).map(|at| domain.first() + at as f64);
    let base = UntruncatedLeaf::of(circuit, values, leaf);
    let set = match &leaf.kind {
        LeafKind::Distribution(distribution) => distribution.truncation.as_ref(),
        LeafKind::Indicator(set) => Some(set),
    };
    let log_mass = base.zip(set).map(|(base, set)| base.log_mass(set));
    let log_of = |x: f64| {
        if set.is_some_and(|set| !is_member(set, domain, x)) {
            return f64::NEG_INFINITY;
        }
        let log = base.map_or(0.0, |base| base.log_density(x));
        log_mass.map_or(log, |log_mass| over_mass(log, log_mass))
    };
    points.map(log_of).collect()
}
