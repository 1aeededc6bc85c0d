//! Logarithms of densities as formulas with constants.

use super::tile::{DensityLanes, DensityTile, LANES};
use crate::leaf::counts::CountDistribution;
use crate::leaf::gamma::{ln_gamma, log_choose};
use crate::leaf::saddle::log_gamma_density;
use pelton_macros::also_generated;
use std::f64::consts::LOG2_E;

/// The logarithm of a density, base 2, inside the region of its leaf: a constant and what
/// depends on the value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LogDensityForm {
    pub constant: f64,
    pub shape: DensityShape,
}

/// What is added to the constant of a density.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum DensityShape {
    /// Nothing: the density is the same everywhere.
    Flat,
    /// `-(scale * (x - mean))^2`
    Bell { mean: f64, scale: f64 },
    /// The same of the natural logarithm of `x`, less its logarithm base 2.
    LogBell { mean: f64, scale: f64 },
    /// `slope * x`
    Line { slope: f64 },
    /// `-slope * |x - mean|`
    Tent { mean: f64, slope: f64 },
    /// `slope * x + log_slope * ln x`
    LogLine { slope: f64, log_slope: f64 },
    /// `slope * x + term(x)`
    Count { slope: f64, term: CountTerm },
    /// Piecewise constant, whatever the constant beside it: `logs[i]` from `breaks[i]` up to the
    /// next, -inf outside.
    Steps {
        breaks: Box<[f64]>,
        logs: Box<[f64]>,
    },
}

impl DensityShape {
    /// The shape with its constant.
    pub fn plus(self, constant: f64) -> LogDensityForm {
        LogDensityForm {
            constant,
            shape: self,
        }
    }
}

/// What the probability of a count depends on beside its parameters. Leaves of
/// one variable often share it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum CountTerm {
    /// `1 / k!`
    Factorial,
    /// Ways to have `k` successes in so many trials.
    Successes { trials: f64 },
    /// Ways to have `k` failures before so many successes.
    Failures { successes: f64 },
    /// The whole probability of a count: where parameters are large, terms of their own
    /// would be large numbers that cancel.
    Whole(CountDistribution),
    /// The same for a gamma density.
    Gamma { shape: f64, rate: f64 },
}

impl LogDensityForm {
    /// The logarithms for a tile, each inside the region or not.
    #[inline(always)]
    pub(super) fn logs(&self, tile: &mut DensityTile<'_>, logs: &mut DensityLanes) {
        let constant = self.constant;
        match self.shape {
            DensityShape::Flat => logs.fill(constant),
            DensityShape::Bell { mean, scale } => {
                each(logs, &tile.x, |x| bell(x, mean, scale, constant))
            }
            DensityShape::LogBell { mean, scale } => each(logs, tile.ln_x(), |ln| {
                bell(ln, mean, scale, constant) - ln * LOG2_E
            }),
            DensityShape::Line { slope } => each(logs, &tile.x, |x| line(x, slope, constant)),
            DensityShape::Tent { mean, slope } => {
                each(logs, &tile.x, |x| tent(x, mean, slope, constant))
            }
            DensityShape::LogLine { slope, log_slope } => {
                let x = tile.x;
                let rows = logs.iter_mut().zip(&x).zip(tile.ln_x());
                for ((log, x), ln) in rows {
                    *log = line(*x, slope, constant) + log_slope * ln;
                }
            }
            DensityShape::Count { slope, term } => {
                let x = tile.x;
                let rows = logs.iter_mut().zip(&x).zip(tile.count_term(term));
                for ((log, x), term) in rows {
                    *log = line(*x, slope, constant) + term;
                }
            }
            DensityShape::Steps {
                ref breaks,
                logs: ref steps,
            } => each(logs, &tile.x, |x| step(breaks, steps, x)),
        }
    }
}

#[inline(always)]
fn each(logs: &mut DensityLanes, x: &[f64; LANES], log_of: impl Fn(f64) -> f64) {
    for (log, &x) in logs.iter_mut().zip(x) {
        *log = log_of(x);
    }
}

#[also_generated]
#[inline(always)]
pub(crate) fn bell(x: f64, mean: f64, scale: f64, constant: f64) -> f64 {
    let z = (x - mean) * scale;
    constant - z * z
}

#[also_generated]
#[inline(always)]
pub(crate) fn line(x: f64, slope: f64, constant: f64) -> f64 {
    constant + slope * x
}

#[also_generated]
#[inline(always)]
pub(crate) fn tent(x: f64, mean: f64, slope: f64, constant: f64) -> f64 {
    constant - slope * (x - mean).abs()
}

/// The natural logarithm; 0 where there is none.
#[also_generated]
#[inline(always)]
pub(crate) fn ln_or_zero(x: f64) -> f64 {
    if x > 0.0 { x.ln() } else { 0.0 }
}

fn step(breaks: &[f64], logs: &[f64], x: f64) -> f64 {
    let above = breaks.partition_point(|&bound| bound <= x);
    let step = above.checked_sub(1).and_then(|at| logs.get(at));
    step.copied().unwrap_or(f64::NEG_INFINITY)
}

impl CountTerm {
    /// The term's logarithm, base 2, for a count from 0 on.
    pub fn log2(self, k: f64) -> f64 {
        let log = match self {
            CountTerm::Factorial => -ln_gamma(k + 1.0),
            CountTerm::Successes { trials } => log_ways(trials, k),
            CountTerm::Failures { successes } => log_choose(k + successes - 1.0, k),
            CountTerm::Whole(counts) => match counts.range() {
                Some((first, last)) if k >= first && k <= last => counts.log_p(k),
                _ => f64::NEG_INFINITY,
            },
            CountTerm::Gamma { shape, rate } => log_gamma_density(shape, rate, k),
        };
        log * LOG2_E
    }
}

/// The logarithm of the ways to have `k` successes in trials.
#[also_generated]
pub(crate) fn log_ways(trials: f64, k: f64) -> f64 {
    if k > trials {
        return f64::NEG_INFINITY;
    }
    log_choose(trials, k)
}
