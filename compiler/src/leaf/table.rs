//! All values of a leaf over a finite domain.

use super::{Base, is_member, over_mass};
use crate::circuit::{Circuit, Leaf, LeafKind, Value};

/// The logarithm of a leaf's probability for each value of its domain, in order;
/// nothing for an infinite domain.
///
/// The same numbers as [`log_density`](super::log_density) gives one by one, but
/// the mass of a truncation is computed once.
pub fn log_table(circuit: &Circuit, values: &[Value], leaf: &Leaf) -> Vec<f64> {
    let domain = &circuit.variable(leaf.variable).domain;
    let points = (0..domain.size().unwrap_or(0)).map(|at| domain.first() + at as f64);
    match &leaf.kind {
        LeafKind::Indicator(set) => points
            .map(|x| match is_member(set, domain, x) {
                true => 0.0,
                false => f64::NEG_INFINITY,
            })
            .collect(),
        LeafKind::Distribution(distribution) => {
            let base = Base::new(circuit, values, domain, distribution);
            let Some(set) = &distribution.truncation else {
                return points.map(|x| base.log_density(x)).collect();
            };
            let log_mass = base.log_mass(set);
            points
                .map(|x| match set.contains(x) {
                    true => over_mass(base.log_density(x), log_mass),
                    false => f64::NEG_INFINITY,
                })
                .collect()
        }
    }
}
