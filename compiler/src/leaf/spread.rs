//! Mean and variance as numbers that can be mixed.

use super::moments;
use crate::circuit::{CircuitGraph, Leaf, ParameterValue, ValueSet};

/// The mean and variance of a leaf's value, given that it lies in `set`; not a number
/// if the leaf has no mass there.
pub fn mean_and_variance(
    circuit: &CircuitGraph,
    values: &[ParameterValue],
    leaf: &Leaf,
    set: &ValueSet,
) -> (f64, f64) {
    let found = moments(circuit, values, leaf, Some(set));
    found.map_or((f64::NAN, f64::NAN), |found| (found.mean, found.variance))
}

/// The mean and variance of parts, each with its weight, mean and variance.
pub fn mixed_spread(parts: &[(f64, f64, f64)]) -> (f64, f64) {
    let total: f64 = parts.iter().map(|part| part.0).sum();
    let average = |value: &dyn Fn(&(f64, f64, f64)) -> f64| {
        let parts = parts.iter().filter(|part| part.0 > 0.0);
        parts.map(|part| part.0 * value(part)).sum::<f64>() / total
    };
    let mean = average(&|part| part.1);
    // A mean that is too large for a number says nothing of distances from it.
    if mean.is_infinite() {
        return (mean, f64::INFINITY);
    }
    let variance = average(&|part| part.2 + (part.1 - mean).powi(2));
    (mean, variance)
}
