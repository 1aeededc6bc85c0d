//! Mean and variance of a leaf within a set.

use super::entropy::{extent, integrate};
use super::mode::has_table;
use super::support::{base_support, bin};
use super::{Base, log_sum_exp, log_table, mode_in, support};
use crate::circuit::{Circuit, Family, Leaf, LeafKind, Value, ValueSet};

/// Counts that are added one by one; more are integrated, which then is as good.
const MOST_COUNTS: f64 = 200_000.0;

/// The mean and variance of a leaf's value, given that it lies in `set`; not a number
/// if the leaf has no mass there.
///
/// Closed forms where nothing was cut off, else sums and integrals around the peak.
pub fn mean_and_variance(
    circuit: &Circuit,
    values: &[Value],
    leaf: &Leaf,
    set: &ValueSet,
) -> (f64, f64) {
    let domain = &circuit.variable(leaf.variable).domain;
    let members = support(circuit, leaf).intersect(set);
    let is_discrete = domain.is_discrete();
    match &leaf.kind {
        _ if has_table(domain, leaf) => {
            let logs = log_table(circuit, values, leaf);
            let points = (0..logs.len()).map(|at| domain.first() + at as f64);
            of_points(points.zip(logs).filter(|(x, _)| members.contains(*x)))
        }
        LeafKind::Indicator(_) => of_pieces([(1.0, members)], is_discrete),
        LeafKind::Distribution(distribution) => {
            let base = Base::new(circuit, values, domain, distribution);
            let entries = |param| circuit.entries(param);
            let is_whole = || base_support(domain, distribution, &entries).is_subset(&members);
            match &distribution.family {
                Family::Uniform { .. } => of_pieces([(1.0, members)], is_discrete),
                Family::Histogram { breaks } => {
                    let bins = breaks.windows(2).zip(base.vector(0));
                    let bins = bins.map(|(ends, p)| {
                        let all = bin(ends[0].value(), ends[1].value(), domain);
                        (p.linear() / all.measure(), all.intersect(&members))
                    });
                    of_pieces(bins, is_discrete)
                }
                _ if is_whole() => base.closed(),
                _ => {
                    let peak = |run: &ValueSet| mode_in(circuit, values, leaf, run).0;
                    base.by_runs(&members, peak)
                }
            }
        }
    }
}

/// The mean and variance of parts, each with its weight, mean and variance.
pub fn mixed_spread(parts: &[(f64, f64, f64)]) -> (f64, f64) {
    let total: f64 = parts.iter().map(|part| part.0).sum();
    let average = |value: &dyn Fn(&(f64, f64, f64)) -> f64| {
        let parts = parts.iter().filter(|part| part.0 > 0.0);
        parts.map(|part| part.0 * value(part)).sum::<f64>() / total
    };
    let mean = average(&|part| part.1);
    let variance = average(&|part| part.2 + (part.1 - mean).powi(2));
    (mean, variance)
}

/// Values with the logarithms of their weights.
fn of_points(points: impl IntoIterator<Item = (f64, f64)>) -> (f64, f64) {
    let points: Vec<(f64, f64)> = points.into_iter().collect();
    let log_total = log_sum_exp(points.iter().map(|point| point.1));
    let weight = |log: f64| match log == f64::NEG_INFINITY {
        true => 0.0,
        false => (log - log_total).exp(),
    };
    let parts = points.iter().map(|&(x, log)| (weight(log), x, 0.0));
    mixed_spread(&parts.collect::<Vec<_>>())
}

/// Sets on which a density is constant, each with its height.
fn of_pieces(sets: impl IntoIterator<Item = (f64, ValueSet)>, is_discrete: bool) -> (f64, f64) {
    let mut parts = Vec::new();
    for (height, set) in sets {
        for (low, high) in set.runs() {
            let (low, length) = (low.value(), high.value() - low.value());
            // The variance of an even choice among so many integers, or of a length.
            let (middle, variance) = match is_discrete {
                true => ((length - 1.0) / 2.0, (length * length - 1.0) / 12.0),
                false => (length / 2.0, length * length / 12.0),
            };
            parts.push((height * length, low + middle, variance));
        }
    }
    mixed_spread(&parts)
}

impl Base<'_> {
    /// The mean and variance of a whole distribution.
    fn closed(&self) -> (f64, f64) {
        let number = |at: usize| self.scalar(at).linear();
        let (q, p) = match self.distribution.family {
            Family::Binomial { .. } | Family::Geometric | Family::NegativeBinomial { .. } => {
                let entries = self.vector(0);
                (entries[0].linear(), entries[1].linear())
            }
            _ => (0.0, 1.0),
        };
        match self.distribution.family {
            Family::Normal => (number(0), number(1).powi(2)),
            Family::LogNormal => {
                let square = number(1).powi(2);
                let mean = (number(0) + 0.5 * square).exp();
                (mean, mean * mean * square.exp_m1())
            }
            Family::Exponential => (number(0).recip(), number(0).powi(-2)),
            Family::Gamma => (number(0) / number(1), number(0) / number(1).powi(2)),
            Family::Poisson => (number(0), number(0)),
            Family::Binomial { trials } => {
                let mean = f64::from(trials) * p;
                (mean, mean * q)
            }
            Family::Geometric => (q / p, q / (p * p)),
            Family::NegativeBinomial { successes } => {
                let mean = f64::from(successes) * q / p;
                (mean, mean / p)
            }
            Family::Hypergeometric {
                population,
                successes,
                draws,
            } => {
                let (all, draws) = (f64::from(population), f64::from(draws));
                let share = f64::from(successes) / all;
                let finite = (all - draws) / (all - 1.0).max(1.0);
                (draws * share, draws * share * (1.0 - share) * finite)
            }
            _ => (f64::NAN, f64::NAN),
        }
    }

    /// Each run of a set by itself, then mixed by their masses.
    fn by_runs(&self, members: &ValueSet, peak: impl Fn(&ValueSet) -> f64) -> (f64, f64) {
        let is_discrete = self.domain.is_discrete();
        let logs: Vec<f64> = members
            .runs()
            .iter()
            .map(|&(low, high)| self.log_run(low, high))
            .collect();
        let log_total = log_sum_exp(logs.iter().copied());
        let mut parts = Vec::new();
        for (&(low, high), log) in members.runs().iter().zip(logs) {
            if log == f64::NEG_INFINITY {
                continue;
            }
            let run = ValueSet::between(low, high, is_discrete);
            let (mean, variance) = self.of_run((low.value(), high.value()), peak(&run));
            parts.push(((log - log_total).exp(), mean, variance));
        }
        mixed_spread(&parts)
    }

    /// A run, from its peak outwards. Distances from the peak are averaged, so that
    /// nothing cancels where the run is short and far out.
    fn of_run(&self, (low, high): (f64, f64), peak: f64) -> (f64, f64) {
        let log_peak = self.log_density(peak);
        let drop = |x: f64| (log_peak - self.log_density(x)).max(0.0);
        let hint = (high - low).min(1.0 + peak.abs());
        let reach = |length: f64, sign: f64| extent(length, hint, |t| drop(peak + sign * t));
        let (down, up) = (reach(peak - low, -1.0), reach(high - peak, 1.0));
        if self.domain.is_discrete() && down + up <= MOST_COUNTS {
            let first = (peak - down.ceil()).max(low);
            let last = (peak + up.ceil()).min(high - 1.0);
            let counts = (0..=(last - first) as u64).map(|at| first + at as f64);
            return of_points(counts.map(|k| (k, self.log_density(k))));
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
}
