//! Means of functions of a leaf's value, moments among them.
//!
//! A leaf is looked at in one of three ways: as a table over a small domain, as
//! pieces on which it is constant, or as a density that falls from a peak, whose
//! integrals and sums go from the peak outwards. Leaves count as scaled to mass 1.

mod far_out;
mod flat;
mod overlap;
mod shape;
mod smooth;
#[cfg(test)]
mod tests;

pub use overlap::{LeafOf, LeafOverlap, overlap};

use super::{has_table, log_table, mode_in};
use crate::circuit::{CircuitGraph, Leaf, ParameterValue, ValueSet};
use shape::{NormalizedLeaf, shape};

/// The mean and the variance of a leaf's value.
#[derive(Clone, Copy, Debug, PartialEq)]
#[must_use]
pub struct LeafMoments {
    /// The mean.
    pub mean: f64,
    /// The variance.
    pub variance: f64,
}

/// The mean and the variance of a leaf's value, given that it lies in `set` if there
/// is one.
///
/// `None` if the leaf has no mass there, or more than can be scaled to 1: an
/// indicator of an unbounded set. Categories are numbered from 0.
pub fn moments(
    circuit: &CircuitGraph,
    values: &[ParameterValue],
    leaf: &Leaf,
    set: Option<&ValueSet>,
) -> Option<LeafMoments> {
    let domain = &circuit.variable(leaf.variable).domain;
    let full = domain.full();
    let set = set.map_or(full.clone(), |set| set.intersect(&full));
    if has_table(domain, leaf) {
        return of_points(&points_in(circuit, values, leaf, &set));
    }
    match shape(circuit, values, leaf)? {
        NormalizedLeaf::Flat(parts) => {
            let parts: Vec<_> = parts
                .iter()
                .map(|part| (part.set.intersect(&set), part.log_density))
                .collect();
            flat::moments(&parts, domain.is_discrete())
        }
        NormalizedLeaf::Smooth(smooth) => {
            let is_whole = smooth.base.truncation().is_none() && smooth.own.is_subset(&set);
            let closed = || smooth.base.family().moments(&smooth.base);
            let peak = |run: &ValueSet| mode_in(circuit, values, leaf, run).0;
            is_whole
                .then(closed)
                .flatten()
                .or_else(|| numeric_moments(&smooth, &set))
                .or_else(|| far_out::moments(&smooth.base, &smooth.own.intersect(&set), peak))
        }
    }
}

/// The mean of a function of a leaf's value where it lies in `set`, and elsewhere
/// nothing: E[f(x); x in set]. The leaf counts as scaled to mass 1.
///
/// The function should not grow faster than a power. `None` for a leaf that cannot
/// be scaled, and for one that is constant on more integers than can be visited.
pub fn expectation(
    circuit: &CircuitGraph,
    values: &[ParameterValue],
    leaf: &Leaf,
    set: &ValueSet,
    function: &dyn Fn(f64) -> f64,
) -> Option<f64> {
    let domain = &circuit.variable(leaf.variable).domain;
    if has_table(domain, leaf) {
        let all = points_in(circuit, values, leaf, &domain.full());
        let total: f64 = all.iter().map(|point| point.1).sum();
        let inside = all.iter().filter(|point| set.contains(point.0));
        let sum: f64 = inside.map(|&(x, p)| p * function(x)).sum();
        return (total > 0.0).then(|| sum / total);
    }
    match shape(circuit, values, leaf)? {
        NormalizedLeaf::Flat(parts) => {
            let means = parts.iter().map(|part| {
                let inside = part.set.intersect(set);
                let integral = flat::integral(&inside, domain.is_discrete(), function)?;
                Some(part.log_density.exp() * integral)
            });
            means.sum()
        }
        NormalizedLeaf::Smooth(smooth) => Some(smooth.mean(set, function)),
    }
}

/// The values at which a leaf is positive for the values that its parameters have.
/// Unlike [`support`](super::support) this is not what learning may make of it.
pub fn positive_set(circuit: &CircuitGraph, values: &[ParameterValue], leaf: &Leaf) -> ValueSet {
    let domain = &circuit.variable(leaf.variable).domain;
    if has_table(domain, leaf) {
        let points = points_in(circuit, values, leaf, &domain.full());
        return joined(points.iter().map(|point| point.0));
    }
    match shape(circuit, values, leaf) {
        None => ValueSet::empty(),
        Some(NormalizedLeaf::Smooth(smooth)) => smooth.own,
        Some(NormalizedLeaf::Flat(parts)) => parts
            .iter()
            .fold(ValueSet::empty(), |all, part| all.union(&part.set)),
    }
}

/// The set of ascending integers.
fn joined(integers: impl Iterator<Item = f64>) -> ValueSet {
    let mut runs: Vec<(i64, i64)> = Vec::new();
    for x in integers.map(|x| x as i64) {
        match runs.last_mut() {
            Some(last) if last.1 == x => last.1 = x + 1,
            _ => runs.push((x, x + 1)),
        }
    }
    let sets = runs
        .iter()
        .map(|&(low, high)| ValueSet::integers(low, high));
    sets.fold(ValueSet::empty(), |all, run| all.union(&run))
}

/// The values in a set with their probabilities, those of probability 0 left out.
fn points_in(
    circuit: &CircuitGraph,
    values: &[ParameterValue],
    leaf: &Leaf,
    set: &ValueSet,
) -> Vec<(f64, f64)> {
    let first = circuit.variable(leaf.variable).domain.first();
    let logs = log_table(circuit, values, leaf);
    let points = logs
        .iter()
        .enumerate()
        .map(|(at, log)| (first + at as f64, log.exp()));
    points
        .filter(|&(x, p)| p > 0.0 && set.contains(x))
        .collect()
}

fn of_points(points: &[(f64, f64)]) -> Option<LeafMoments> {
    let total: f64 = points.iter().map(|point| point.1).sum();
    let first = points.first()?.0;
    // Measured from the first value, so that large values keep their digits.
    let mean = |f: &dyn Fn(f64) -> f64| points.iter().map(|&(x, p)| p * f(x)).sum::<f64>() / total;
    let offset = mean(&|x| x - first);
    Some(LeafMoments {
        mean: first + offset,
        variance: mean(&|x| (x - first - offset).powi(2)),
    })
}

/// Less mass than this has lost digits, and so have means that are divided by it.
const SMALLEST_MASS: f64 = 1e-250;

/// Mean and variance on a set, by integrals around a first guess of the mean, or of each
/// power by itself; none if its mass is too small to divide by.
fn numeric_moments(smooth: &smooth::PeakedLeaf, set: &ValueSet) -> Option<LeafMoments> {
    let mass = smooth.mean(set, &|_| 1.0);
    let guess = smooth.power_mean(set, 1) / mass;
    if mass < SMALLEST_MASS || guess.is_nan() {
        return None;
    }
    if guess.is_infinite() || smooth.is_wide(set) {
        let square = smooth.power_mean(set, 2) / mass;
        return Some(LeafMoments {
            mean: guess,
            variance: if square.is_finite() {
                (square - guess * guess).max(0.0)
            } else {
                f64::INFINITY
            },
        });
    }
    let mean = guess + smooth.mean(set, &|x| x - guess) / mass;
    let variance = smooth.mean(set, &|x| (x - mean).powi(2)) / mass;
    Some(LeafMoments { mean, variance })
}
