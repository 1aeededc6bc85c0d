//! Masses of sets, before truncation.

use super::Base;
use super::log_space::{log_minus, log_one_minus, log_sum_exp};
use super::support::{bin, hypergeometric_range};
use super::tail::Tails;
use crate::circuit::{Cut, Family, Value, ValueSet};
use std::f64::consts::LN_2;

/// Up to so many integers are added one by one: exact where a difference of tails is not.
const FEW: f64 = 64.0;
/// Differences of tails that agree to this much are integrated instead.
const CLOSE: f64 = 1e-5;

impl Base<'_> {
    /// The logarithm of the mass on `set`.
    pub(super) fn log_mass(&self, set: &ValueSet) -> f64 {
        let runs = set
            .runs()
            .iter()
            .map(|&(low, high)| self.log_run(low, high));
        log_sum_exp(runs).min(0.0)
    }

    pub(super) fn log_run(&self, low: Cut, high: Cut) -> f64 {
        match &self.distribution.family {
            Family::Bernoulli => entries_between(self.vector(0), 0.0, low, high),
            Family::Categorical => entries_between(self.vector(0), self.domain.first(), low, high),
            Family::Uniform {
                low: from,
                high: to,
            } => self.log_share(from.value(), to.value(), low, high),
            Family::Histogram { breaks } => {
                let bins = breaks.windows(2).zip(self.vector(0));
                log_sum_exp(bins.map(|(ends, p)| {
                    p.log() + self.log_share(ends[0].value(), ends[1].value(), low, high)
                }))
            }
            Family::Normal | Family::LogNormal | Family::Exponential | Family::Gamma => {
                self.log_interval(low.value(), high.value())
            }
            _ => self.log_counts(low.value(), high.value()),
        }
    }

    /// What part of `[from, to)` lies in the run.
    fn log_share(&self, from: f64, to: f64, low: Cut, high: Cut) -> f64 {
        let all = bin(from, to, self.domain);
        let run = ValueSet::between(low, high, self.domain.is_discrete());
        let both = all.intersect(&run).measure();
        match both > 0.0 {
            true => (both / all.measure()).ln(),
            false => f64::NEG_INFINITY,
        }
    }

    /// The mass of the counts `low..high`.
    fn log_counts(&self, low: f64, high: f64) -> f64 {
        let low = low.max(0.0);
        if let Family::Hypergeometric {
            population,
            successes,
            draws,
        } = self.distribution.family
        {
            let (first, last) = hypergeometric_range(population, successes, draws);
            let mode = (f64::from(draws) + 1.0) * (f64::from(successes) + 1.0)
                / (f64::from(population) + 2.0);
            let range = (low.max(first as f64), high.min(last as f64 + 1.0));
            return self.log_series(range, mode.floor());
        }
        if high - low <= FEW {
            let terms = (0..(high - low).max(0.0) as u32).map(|at| low + f64::from(at));
            return log_sum_exp(terms.map(|k| self.log_count(k)));
        }
        let (from, to) = (self.count_tails(low), self.count_tails(high));
        difference(from, to)
    }

    /// Adds the probabilities of `low..high` from the likeliest outwards, until
    /// what follows no longer counts: about ten standard deviations.
    fn log_series(&self, (low, high): (f64, f64), mode: f64) -> f64 {
        if low >= high {
            return f64::NEG_INFINITY;
        }
        let start = mode.clamp(low, high - 1.0);
        let peak = self.log_count(start);
        let relative = |k: f64| (self.log_count(k) - peak).exp();
        let mut sum = 0.0;
        for step in [1.0, -1.0] {
            let mut k = if step > 0.0 { start } else { start - 1.0 };
            while k >= low && k < high {
                let term = relative(k);
                sum += term;
                if term < sum * 1e-20 {
                    break;
                }
                k += step;
            }
        }
        peak + sum.ln()
    }

    /// The mass of an interval of the real axis.
    fn log_interval(&self, low: f64, high: f64) -> f64 {
        let (from, to) = (self.real_tails(low), self.real_tails(high));
        let log_mass = difference(from, to);
        // The larger term of the difference that was taken.
        let log_term = to.below.min(from.above);
        let cancels = log_mass - log_term < CLOSE.ln();
        match cancels && low.is_finite() && high.is_finite() && low < high {
            true => self.log_integral(low, high),
            false => log_mass,
        }
    }

    /// Integrates the density over an interval so short that it hardly changes there.
    fn log_integral(&self, low: f64, high: f64) -> f64 {
        // Nodes and weights of the three-point rule of Gauss, exact to fifth order.
        let node = 0.6_f64.sqrt();
        let terms = [
            (-node, 5.0_f64 / 18.0),
            (0.0, 8.0 / 18.0),
            (node, 5.0 / 18.0),
        ];
        let half = (high - low) / 2.0;
        let logs = terms.map(|(at, w)| self.log_density(low + half * (1.0 + at)) + w.ln());
        (high - low).ln() + log_sum_exp(logs)
    }
}

/// The mass between two places, by whichever tails are the smaller ones.
fn difference(from: Tails, to: Tails) -> f64 {
    if to.below < -LN_2 {
        log_minus(to.below, from.below)
    } else if from.above < -LN_2 {
        log_minus(from.above, to.above)
    } else {
        log_one_minus(log_sum_exp([from.below, to.above]))
    }
}

/// Entries of the integers from `low` to `high`, the first entry standing for `first`.
fn entries_between(entries: &[Value], first: f64, low: Cut, high: Cut) -> f64 {
    let n = entries.len() as f64;
    let from = (low.value() - first).clamp(0.0, n) as usize;
    let to = (high.value() - first).clamp(0.0, n) as usize;
    let inside = entries.get(from..to).unwrap_or(&[]);
    log_sum_exp(inside.iter().map(|value| value.log()))
}
