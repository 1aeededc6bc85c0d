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

pub use overlap::{LeafOf, Overlap, overlap};

use super::{Base, log_table, mode_in};
use crate::circuit::{
    BernoulliDistribution, BinomialDistribution, CategoricalDistribution, Circuit, Domain,
    ExponentialDistribution, Family, GammaDistribution, GeometricDistribution,
    HypergeometricDistribution, Leaf, LeafKind, LogNormalDistribution,
    NegativeBinomialDistribution, NormalDistribution, PoissonDistribution, Value, ValueSet,
};
use crate::flow::is_tabular;
use shape::{Shape, shape};
use smooth::Smooth;

/// The mean and the variance of a leaf's value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moments {
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
    circuit: &Circuit,
    values: &[Value],
    leaf: &Leaf,
    set: Option<&ValueSet>,
) -> Option<Moments> {
    let domain = &circuit.variable(leaf.variable).domain;
    let full = domain.full();
    let set = set.map_or(full.clone(), |set| set.intersect(&full));
    if has_table(domain, leaf) {
        return of_points(&points_in(circuit, values, leaf, &set));
    }
    match shape(circuit, values, leaf)? {
        Shape::Flat(parts) => {
            let parts: Vec<_> = parts
                .iter()
                .map(|part| (part.set.intersect(&set), part.log_density))
                .collect();
            flat::moments(&parts, domain.is_discrete())
        }
        Shape::Smooth(own) => {
            let LeafKind::Distribution(distribution) = &leaf.kind else {
                return None;
            };
            let base = Base::new(circuit, values, domain, distribution);
            let is_whole = distribution.truncation.is_none() && own.is_subset(&set);
            let closed = is_whole.then(|| base.closed_moments()).flatten();
            let peak = |run: &ValueSet| mode_in(circuit, values, leaf, run).0;
            let smooth = Smooth { base, own };
            closed
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
    circuit: &Circuit,
    values: &[Value],
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
        Shape::Flat(parts) => {
            let means = parts.iter().map(|part| {
                let inside = part.set.intersect(set);
                let integral = flat::integral(&inside, domain.is_discrete(), function)?;
                Some(part.log_density.exp() * integral)
            });
            means.sum()
        }
        Shape::Smooth(own) => {
            let LeafKind::Distribution(distribution) = &leaf.kind else {
                return None;
            };
            let base = Base::new(circuit, values, domain, distribution);
            Some(Smooth { base, own }.mean(set, function))
        }
    }
}

/// The values at which a leaf is positive for the values that its parameters have.
/// Unlike [`support`](super::support) this is not what learning may make of it.
pub fn positive_set(circuit: &Circuit, values: &[Value], leaf: &Leaf) -> ValueSet {
    let domain = &circuit.variable(leaf.variable).domain;
    if has_table(domain, leaf) {
        let points = points_in(circuit, values, leaf, &domain.full());
        return joined(points.iter().map(|point| point.0));
    }
    match shape(circuit, values, leaf) {
        None => ValueSet::empty(),
        Some(Shape::Smooth(own)) => own,
        Some(Shape::Flat(parts)) => parts
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

/// Whether a leaf is looked at value by value.
fn has_table(domain: &Domain, leaf: &Leaf) -> bool {
    let has_entries = match &leaf.kind {
        LeafKind::Distribution(distribution) => {
            matches!(
                distribution.family,
                Family::Bernoulli(BernoulliDistribution)
                    | Family::Categorical(CategoricalDistribution)
            )
        }
        LeafKind::Indicator(_) => false,
    };
    has_entries || is_tabular(domain)
}

/// The values in a set with their probabilities, those of probability 0 left out.
fn points_in(circuit: &Circuit, values: &[Value], leaf: &Leaf, set: &ValueSet) -> Vec<(f64, f64)> {
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

fn of_points(points: &[(f64, f64)]) -> Option<Moments> {
    let total: f64 = points.iter().map(|point| point.1).sum();
    let first = points.first()?.0;
    // Measured from the first value, so that large values keep their digits.
    let mean = |f: &dyn Fn(f64) -> f64| points.iter().map(|&(x, p)| p * f(x)).sum::<f64>() / total;
    let offset = mean(&|x| x - first);
    Some(Moments {
        mean: first + offset,
        variance: mean(&|x| (x - first - offset).powi(2)),
    })
}

/// By integrals around a first guess of the mean, or of each power by itself.
/// Less mass than this has lost digits, and so have means that are divided by it.
const SMALLEST_MASS: f64 = 1e-250;

/// Mean and variance on a set; none if its mass is too small to divide by.
fn numeric_moments(smooth: &Smooth, set: &ValueSet) -> Option<Moments> {
    let mass = smooth.mean(set, &|_| 1.0);
    let guess = smooth.power_mean(set, 1) / mass;
    if mass < SMALLEST_MASS || guess.is_nan() {
        return None;
    }
    if guess.is_infinite() || smooth.is_wide(set) {
        let square = smooth.power_mean(set, 2) / mass;
        return Some(Moments {
            mean: guess,
            variance: match square.is_finite() {
                true => (square - guess * guess).max(0.0),
                false => f64::INFINITY,
            },
        });
    }
    let mean = guess + smooth.mean(set, &|x| x - guess) / mass;
    let variance = smooth.mean(set, &|x| (x - mean).powi(2)) / mass;
    Some(Moments { mean, variance })
}

impl Base<'_> {
    /// Moments of a family without truncation.
    fn closed_moments(&self) -> Option<Moments> {
        let number = |at: usize| self.scalar(at).linear();
        let unit = || (self.vector(0)[0].linear(), self.vector(0)[1].linear());
        let (mean, variance) = match self.distribution.family {
            Family::Normal(NormalDistribution) => (number(0), number(1).powi(2)),
            Family::LogNormal(LogNormalDistribution) => {
                let (mean, square) = (number(0), number(1).powi(2));
                let middle = (mean + 0.5 * square).exp();
                (middle, square.exp_m1() * middle * middle)
            }
            Family::Exponential(ExponentialDistribution) => (1.0 / number(0), number(0).powi(-2)),
            Family::Gamma(GammaDistribution) => {
                (number(0) / number(1), number(0) / number(1).powi(2))
            }
            Family::Poisson(PoissonDistribution) => (number(0), number(0)),
            Family::Binomial(BinomialDistribution { trials }) => {
                let ((q, p), n) = (unit(), f64::from(trials));
                (n * p, n * p * q)
            }
            Family::Geometric(GeometricDistribution)
            | Family::NegativeBinomial(NegativeBinomialDistribution { .. }) => {
                let successes = match self.distribution.family {
                    Family::NegativeBinomial(NegativeBinomialDistribution { successes }) => {
                        f64::from(successes)
                    }
                    _ => 1.0,
                };
                let (q, p) = unit();
                (successes * q / p, successes * q / (p * p))
            }
            Family::Hypergeometric(HypergeometricDistribution {
                population,
                successes,
                draws,
            }) => hypergeometric_moments(population, successes, draws),
            _ => return None,
        };
        Some(Moments { mean, variance })
    }
}

fn hypergeometric_moments(population: u32, successes: u32, draws: u32) -> (f64, f64) {
    let (all, good) = (f64::from(population), f64::from(successes));
    let draws = f64::from(draws);
    if all <= 1.0 {
        return (good * draws / all.max(1.0), 0.0);
    }
    let share = good / all;
    let mean = draws * share;
    (mean, mean * (1.0 - share) * (all - draws) / (all - 1.0))
}
