//! Sums and integrals where a leaf is constant.

use super::super::quadrature::{extent, integrate};
use super::LeafMoments;
use crate::circuit::ValueSet;

/// More integers than this are not visited one by one.
const MOST_POINTS: f64 = (1_u64 << 20) as f64;

/// The mean and variance of what is constant on each of some sets, given with the
/// logarithms of its densities.
pub(super) fn moments(parts: &[(ValueSet, f64)], discrete: bool) -> Option<LeafMoments> {
    let runs = parts.iter().flat_map(|(set, log_density)| {
        let runs = set.runs().iter();
        runs.map(|(low, high)| (low.value(), high.value(), *log_density))
    });
    let runs: Vec<FlatRunMoments> = runs.map(|run| FlatRunMoments::of(run, discrete)).collect();
    let total: f64 = runs.iter().map(|run| run.mass).sum();
    if total.is_nan() || total <= 0.0 {
        return None;
    }
    let mean = runs.iter().map(|run| run.mass * run.mean).sum::<f64>() / total;
    let spread = |run: &FlatRunMoments| run.mass * (run.variance + (run.mean - mean).powi(2));
    let variance = runs.iter().map(spread).sum::<f64>() / total;
    Some(LeafMoments { mean, variance })
}

/// One run of equally likely values.
struct FlatRunMoments {
    mass: f64,
    mean: f64,
    variance: f64,
}

impl FlatRunMoments {
    fn of((low, high, log_density): (f64, f64, f64), discrete: bool) -> FlatRunMoments {
        let length = high - low;
        let mass = log_density.exp() * length;
        let last = if discrete { high - 1.0 } else { high };
        let less = if discrete { 1.0 } else { 0.0 };
        FlatRunMoments {
            mass,
            mean: low + (last - low) / 2.0,
            variance: (length * length - less).max(0.0) / 12.0,
        }
    }
}

/// The sum or integral of a function over a set; `None` for too many integers.
pub(super) fn integral(
    set: &ValueSet,
    discrete: bool,
    function: &dyn Fn(f64) -> f64,
) -> Option<f64> {
    let runs = set.runs().iter();
    let parts = runs.map(|(low, high)| {
        if discrete {
            sum(low.value(), high.value(), function)
        } else {
            Some(area(low.value(), high.value(), function))
        }
    });
    parts.sum()
}

fn sum(low: f64, high: f64, function: &dyn Fn(f64) -> f64) -> Option<f64> {
    let n = high - low;
    (n <= MOST_POINTS).then(|| (0..n as u32).map(|at| function(low + f64::from(at))).sum())
}

/// An integral over an interval, on a logarithmic scale from its end that is farther
/// from 0: logarithms may have a pole at 0.
fn area(low: f64, high: f64, function: &dyn Fn(f64) -> f64) -> f64 {
    if low < 0.0 && high > 0.0 {
        return area(low, 0.0, function) + area(0.0, high, function);
    }
    let (near, far) = if low < 0.0 { (high, low) } else { (low, high) };
    let length = if near == 0.0 {
        f64::INFINITY
    } else {
        ((far - near) / near).ln_1p()
    };
    let end = extent(length, 1.0, |t| t);
    let (_, value) = integrate((0.0, end), |t| t, |t| function(far * (-t).exp()));
    value * far.abs()
}
