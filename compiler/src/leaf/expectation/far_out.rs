//! Moments of what lies so far out that its mass is not a number that can be divided by.

use super::LeafMoments;
use crate::circuit::ValueSet;
use crate::leaf::quadrature::{extent, integrate};
use crate::leaf::untruncated::UntruncatedLeaf;
use crate::leaf::{log_sum_exp, mixed_spread};

/// Counts that are added one by one; more are integrated, which then is as good.
const MOST_COUNTS: f64 = 200_000.0;

/// The mean and variance of a distribution on a set: each run of the set by itself, then
/// mixed by their masses, whose logarithms are known. `peak` finds where the distribution is
/// largest in a run. None if it has no mass there.
pub(super) fn moments(
    base: &UntruncatedLeaf,
    members: &ValueSet,
    peak: impl Fn(&ValueSet) -> f64,
) -> Option<LeafMoments> {
    let is_discrete = base.domain.is_discrete();
    let runs = members.runs().iter();
    let logs: Vec<f64> = runs.map(|&(low, high)| base.log_run(low, high)).collect();
    let log_total = log_sum_exp(logs.iter().copied());
    if !log_total.is_finite() {
        return None;
    }
    let mut parts = Vec::new();
    for (&(low, high), log) in members.runs().iter().zip(logs) {
        if log == f64::NEG_INFINITY {
            continue;
        }
        let run = ValueSet::between(low, high, is_discrete);
        let (mean, variance) = of_run(base, (low.value(), high.value()), peak(&run));
        parts.push(((log - log_total).exp(), mean, variance));
    }
    let (mean, variance) = mixed_spread(&parts);
    let is_known = mean.is_finite() && variance.is_finite();
    is_known.then_some(LeafMoments { mean, variance })
}

/// A run, from its peak outwards. Distances from the peak are averaged, so that
/// nothing cancels where the run is short and far out.
fn of_run(base: &UntruncatedLeaf, (low, high): (f64, f64), peak: f64) -> (f64, f64) {
    let log_peak = base.log_density(peak);
    let drop = |x: f64| (log_peak - base.log_density(x)).max(0.0);
    let hint = (high - low).min(1.0 + peak.abs());
    let reach = |length: f64, sign: f64| extent(length, hint, |t| drop(peak + sign * t));
    let (down, up) = (reach(peak - low, -1.0), reach(high - peak, 1.0));
    if base.domain.is_discrete() && down + up <= MOST_COUNTS {
        let first = (peak - down.ceil()).max(low);
        let last = (peak + up.ceil()).min(high - 1.0);
        let counts = (0..=(last - first) as u64).map(|at| first + at as f64);
        let parts = counts.map(|k| ((-drop(k)).exp(), k, 0.0));
        return mixed_spread(&parts.collect::<Vec<_>>());
    }
    let mut parts = Vec::new();
    for (length, sign) in [(down, -1.0), (up, 1.0)] {
        if length > 0.0 {
            let own = |t: f64| drop(peak + sign * t);
            let (mass, first) = integrate((0.0, length), own, |t| t);
            let (_, second) = integrate((0.0, length), own, |t| t * t);
            let mean = first / mass;
            parts.push((mass, sign * mean, (second / mass - mean * mean).max(0.0)));
        }
    }
    let (mean, variance) = mixed_spread(&parts);
    (peak + mean, variance)
}
