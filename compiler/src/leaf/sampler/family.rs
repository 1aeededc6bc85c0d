//! Methods of single families, for leaves that nothing was cut off from.

use super::super::Base;
use super::super::remainder::ln_1p_minus;
use crate::choice::unit;
use crate::circuit::{
    ExponentialDistribution, Family, GammaDistribution, LogNormalDistribution, NormalDistribution,
};
use rand::Rng;
use std::f64::consts::TAU;

/// A family with a method of its own.
pub(super) enum Direct {
    Normal { mean: f64, sd: f64 },
    LogNormal { mean: f64, sd: f64 },
    Exponential { rate: f64 },
    Gamma { shape: f64, rate: f64 },
}

impl Direct {
    /// The method of a distribution's family, if there is one.
    pub fn of(base: &Base<'_>) -> Option<Self> {
        let number = |at: usize| base.scalar(at).linear();
        match base.distribution.family {
            Family::Normal(NormalDistribution) => Some(Direct::Normal {
                mean: number(0),
                sd: number(1),
            }),
            Family::LogNormal(LogNormalDistribution) => Some(Direct::LogNormal {
                mean: number(0),
                sd: number(1),
            }),
            Family::Exponential(ExponentialDistribution) => {
                Some(Direct::Exponential { rate: number(0) })
            }
            Family::Gamma(GammaDistribution) => Some(Direct::Gamma {
                shape: number(0),
                rate: number(1),
            }),
            _ => None,
        }
    }

    pub fn draw(&self, random: &mut impl Rng) -> f64 {
        match *self {
            Direct::Normal { mean, sd } => mean + sd * normal(random),
            Direct::LogNormal { mean, sd } => (mean + sd * normal(random)).exp(),
            Direct::Exponential { rate } => -open_unit(random).ln() / rate,
            Direct::Gamma { shape, rate } if shape < 1.0 => {
                // A larger shape, shrunk by a power of a uniform number that may be tiny.
                let log = gamma(shape + 1.0, random).ln();
                (log + open_unit(random).ln() / shape - rate.ln()).exp()
            }
            Direct::Gamma { shape, rate } => gamma(shape, random) / rate,
        }
    }
}

/// A number between 0 and 1, neither of them.
pub(super) fn open_unit(random: &mut impl Rng) -> f64 {
    unit(random) + 0.5 / (1_u64 << 53) as f64
}

/// A standard normal number, by Box and Muller's method.
fn normal(random: &mut impl Rng) -> f64 {
    let radius = (-2.0 * open_unit(random).ln()).sqrt();
    radius * (TAU * unit(random)).cos()
}

/// A gamma number of rate 1 and shape at least 1, by Marsaglia and Tsang's method.
fn gamma(shape: f64, random: &mut impl Rng) -> f64 {
    let d = shape - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    // More than 95 in 100 tries are taken; that none of so many is cannot be seen.
    for _ in 0..1000 {
        let z = normal(random);
        let step = c * z;
        if step <= -1.0 {
            continue;
        }
        // The cube of 1 + step, less 1.
        let more = step * (3.0 + step * (3.0 + step));
        if open_unit(random).ln() < 0.5 * z * z + d * ln_1p_minus(more) {
            return d * (1.0 + more);
        }
    }
    d
}
