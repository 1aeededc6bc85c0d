//! Masses of sets, before truncation.

use super::counts::CountDistribution;
use super::family::{DensityFamily, FamilyLaw, PeakedLaw};
use super::log_space::{log_minus, log_one_minus, log_sum_exp};
use super::quadrature::gauss;
use super::tail::Tails;
use super::untruncated::UntruncatedLeaf;
use crate::circuit::{Cut, Domain, ValueSet};
use std::f64::consts::LN_2;

/// Up to so many integers are added one by one: exact where a difference of tails is not.
const FEW: f64 = 64.0;
/// Where probabilities hardly change, up to so many are added one by one.
const MANY: f64 = 4096.0;
/// Differences that are smaller than this part of the tails are integrated instead: the
/// density then hardly changes, and the difference would lose digits.
const CLOSE: f64 = 0.05;

impl UntruncatedLeaf<'_> {
    pub fn log_mass(&self, set: &ValueSet) -> f64 {
        let runs = set.runs().iter();
        log_sum_exp(runs.map(|&(low, high)| self.log_run(low, high))).min(0.0)
    }

    pub fn log_run(&self, low: Cut, high: Cut) -> f64 {
        match self.law() {
            FamilyLaw::Entries(family) => {
                let first = self.domain.first();
                let n = self.vector(0).len();
                let position = |cut: Cut| (cut.value() - first).clamp(0.0, n as f64) as usize;
                log_sum_exp((position(low)..position(high)).map(|at| family.log_entry(self, at)))
            }
            FamilyLaw::Steps(family) => {
                let steps = self.steps(family);
                log_sum_exp(steps.map(|(all, p)| p.log() + log_share(&all, low, high, self.domain)))
            }
            FamilyLaw::Peaked(law) => law.log_run(self, low, high),
        }
    }
}

impl PeakedLaw<'_> {
    pub fn log_run(&self, leaf: &UntruncatedLeaf, low: Cut, high: Cut) -> f64 {
        match self {
            PeakedLaw::Counts(counts) => counts.log_mass(low.value(), high.value()),
            PeakedLaw::Density(family) => family.log_run(leaf, low.value(), high.value()),
        }
    }

    /// The logarithm of the density at `x`, a value of the domain.
    pub fn log_density(&self, leaf: &UntruncatedLeaf, x: f64) -> f64 {
        match self {
            PeakedLaw::Counts(counts) => counts.log_probability(x),
            PeakedLaw::Density(family) => family.log_density(leaf, x),
        }
    }

    pub fn peak(&self, leaf: &UntruncatedLeaf) -> f64 {
        match self {
            PeakedLaw::Counts(counts) => counts.peak(),
            PeakedLaw::Density(family) => family.peak(leaf),
        }
    }

    /// The masses below a place and from there on.
    pub fn tails(&self, leaf: &UntruncatedLeaf, x: f64) -> Tails {
        match self {
            PeakedLaw::Counts(counts) => counts.tails(x),
            PeakedLaw::Density(family) => real_tails(leaf, *family, x),
        }
    }
}

/// What part of a set lies in the run.
fn log_share(all: &ValueSet, low: Cut, high: Cut, domain: &Domain) -> f64 {
    let run = ValueSet::between(low, high, domain.is_discrete());
    let both = all.intersect(&run).measure();
    let is_nothing = both <= 0.0;
    if is_nothing {
        f64::NEG_INFINITY
    } else {
        (both / all.measure()).ln()
    }
}

impl CountDistribution {
    /// The logarithm of the probability of `k`, whatever it is.
    pub fn log_probability(&self, k: f64) -> f64 {
        match self.range() {
            Some((first, last)) if k >= first && k <= last => self.log_p(k),
            Some(_) | None => f64::NEG_INFINITY,
        }
    }

    /// The logarithm of the mass of the counts `low..high`.
    pub fn log_mass(&self, low: f64, high: f64) -> f64 {
        let low = low.max(0.0);
        match *self {
            CountDistribution::Drawing { .. } => return self.log_series(low, high),
            CountDistribution::Waiting {
                successes: 1.0,
                chance,
            } => {
                return log_decay(low, high, chance.log_q);
            }
            CountDistribution::Poisson { .. }
            | CountDistribution::Binomial { .. }
            | CountDistribution::Waiting { .. } => {}
        }
        // Few counts are added up, many are a difference of tails; where that loses digits,
        // probabilities hardly change from count to count, and are added or integrated.
        if high - low <= FEW {
            let terms = (0..(high - low).max(0.0) as u32).map(|at| low + f64::from(at));
            return log_sum_exp(terms.map(|k| self.log_probability(k)));
        }
        let (from, to) = (self.tails(low), self.tails(high));
        let log_mass = difference(from, to);
        if is_lost(log_mass, from, to) && high.is_finite() && low > 0.0 {
            self.log_sum(low, high)
        } else {
            log_mass
        }
    }

    /// Adds the probabilities of `low..high`, where they hardly change: those of many counts
    /// are an integral, with the first correction of Euler and Maclaurin.
    fn log_sum(&self, low: f64, high: f64) -> f64 {
        let middle = low + ((high - low) / 2.0).floor();
        let log_p = self.log_p(middle);
        let relative = |k: f64| (self.log_p(k) - log_p).exp();
        let sum: f64 = if high - low <= MANY {
            let counts = (0..(high - low) as u32).map(|at| low + f64::from(at));
            counts.map(relative).sum()
        } else {
            let slope = |k: f64| relative(k) - relative(k - 1.0);
            let area = gauss(low - 0.5, high - 0.5, relative);
            area - (slope(high) - slope(low)) / 24.0
        };
        log_p + sum.ln()
    }

    /// Adds the probabilities of `low..high` from the likeliest outwards, until
    /// what follows no longer counts: about ten standard deviations.
    pub fn log_series(&self, low: f64, high: f64) -> f64 {
        let Some((first, last)) = self.range() else {
            return f64::NEG_INFINITY;
        };
        let (low, high) = (low.max(first), high.min(last + 1.0));
        if low >= high {
            return f64::NEG_INFINITY;
        }
        // Upwards from the likeliest count that is asked for, then downwards.
        let start = self.mode().clamp(low, high - 1.0);
        let peak = self.log_p(start);
        let relative = |k: f64| (self.log_p(k) - peak).exp();
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
}

/// The mass of an interval of the real axis, by tails or by an integral.
pub(super) fn log_interval<F>(leaf: &UntruncatedLeaf, family: &F, low: f64, high: f64) -> f64
where
    F: DensityFamily + ?Sized,
{
    let (from, to) = (
        real_tails(leaf, family, low),
        real_tails(leaf, family, high),
    );
    let log_mass = difference(from, to);
    let is_bounded = low.is_finite() && high.is_finite() && low < high;
    let is_narrow = is_bounded && is_lost(log_mass, from, to);
    let integral = is_narrow.then(|| family.log_narrow_run(leaf, low, high));
    integral.flatten().unwrap_or(log_mass)
}

fn real_tails<F>(leaf: &UntruncatedLeaf, family: &F, x: f64) -> Tails
where
    F: DensityFamily + ?Sized,
{
    match x {
        f64::INFINITY => Tails::END,
        f64::NEG_INFINITY => Tails::START,
        x => family.tails(leaf, x),
    }
}

/// Integrates a density over an interval above 0 where it hardly changes, by the ratio to
/// the low end: at 0 it may have a pole.
pub(super) fn log_integral_by_ratio(
    log_density: impl Fn(f64) -> f64,
    low: f64,
    high: f64,
) -> Option<f64> {
    if low <= 0.0 {
        return None;
    }
    let log_p = log_density(low);
    let length = ((high - low) / low).ln_1p();
    let area = gauss(0.0, length, |t| {
        let x = low * t.exp();
        x * (log_density(x) - log_p).exp()
    });
    Some(log_p + area.ln())
}

/// Whether a difference of tails is so small that it lost digits.
fn is_lost(log_mass: f64, from: Tails, to: Tails) -> bool {
    // The larger term of the difference that was taken.
    let log_term = to.below.min(from.above);
    log_mass - log_term < CLOSE.ln()
}

/// The mass from `low` to `high` where the mass above `x` is `exp(slope x)`.
pub(super) fn log_decay(low: f64, high: f64, slope: f64) -> f64 {
    let low = low.max(0.0);
    if low < high && slope < 0.0 {
        slope * low + log_one_minus(slope * (high - low))
    } else {
        f64::NEG_INFINITY
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
