//! How far data let the parameters of leaves go.
//!
//! A density at a single point, or an entropy that outweighs the data, has no
//! maximum. Spreads stay above a hundred-thousandth of the column's, so that groups of
//! very different widths, or one far outlier, leave room for a narrow leaf; everything
//! else stays within a thousand times what the column shows.

use super::plan::{Density, LeafScalar, PlannedLeaf};
use super::ranges::Range;
use super::step::LeafStep;

/// How much wider than its column a leaf may become.
const FACTOR: f64 = 1e3;
/// How much narrower.
const NARROWER: f64 = 1e5;
/// Larger shapes of `gamma` cannot be told from each other.
const LARGEST_SHAPE: f64 = 1e9;
const SMALLEST_SHAPE: f64 = 1e-6;
/// Rates of `poisson` below this cannot be told from 0.
const SMALLEST_RATE: f64 = 1e-6;

/// The smallest and the largest value of a parameter. Those of a positive one are
/// both above 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Bounds {
    pub low: f64,
    pub high: f64,
}

impl LeafStep<'_> {
    /// The bounds of a number: the widest of its leaves.
    pub(super) fn bounds(&self, scalar: &LeafScalar) -> Bounds {
        let uses = self.plan.uses(&scalar.uses).iter();
        let each = uses.map(|own| {
            let leaf = &self.plan.leaves[own.leaf];
            let variable = self.circuit.leaf(leaf.leaf).variable;
            bounds(leaf, own.argument, self.ranges.range(variable.index()))
        });
        let nothing = Bounds {
            low: f64::INFINITY,
            high: f64::NEG_INFINITY,
        };
        let widest = each.fold(nothing, |all, own| Bounds {
            low: all.low.min(own.low),
            high: all.high.max(own.high),
        });
        match scalar.is_positive {
            true => widest.positive(),
            false => widest.finite(),
        }
    }
}

impl Bounds {
    fn finite(self) -> Self {
        let low = self.low.clamp(-1e300, 1e300);
        Bounds {
            low,
            high: self.high.clamp(low, 1e300),
        }
    }

    fn positive(self) -> Self {
        let high = self.high.clamp(1e-300, 1e300);
        // A positive mean may have bounds on both sides of 0.
        let low = match self.low > 0.0 {
            true => self.low,
            false => high * 1e-12,
        };
        Bounds {
            low: low.clamp(1e-300, high),
            high,
        }
    }

    /// Wide enough for a value that is there already: a step need not give up what
    /// was asked for.
    pub fn including(self, value: f64) -> Self {
        let is_legal = value.is_finite() && (value > 0.0 || self.low <= 0.0);
        if !is_legal {
            return self;
        }
        Bounds {
            low: self.low.min(value),
            high: self.high.max(value),
        }
    }
}

/// The bounds of one argument of a leaf.
fn bounds(leaf: &PlannedLeaf, argument: usize, range: &Range) -> Bounds {
    match (leaf.family, argument) {
        (Density::Normal, 0) => around((range.min, range.max), range.spread()),
        (Density::LogNormal, 0) => {
            let mean = range.log_mean();
            around((mean, mean), range.log_spread())
        }
        (Density::Normal, _) => factor(range.spread()),
        (Density::LogNormal, _) => factor(range.log_spread()),
        (Density::Poisson, _) => Bounds {
            low: SMALLEST_RATE * range.mean().clamp(SMALLEST_RATE, 1.0),
            high: FACTOR * range.max.max(1.0),
        },
        (Density::Gamma, 0) => Bounds {
            low: SMALLEST_SHAPE,
            high: largest_shape(range),
        },
        (Density::Gamma, _) => Bounds {
            low: SMALLEST_SHAPE / (FACTOR * range.max.max(range.spread())),
            high: largest_shape(range) * FACTOR / range.spread(),
        },
        _ => Bounds {
            low: 1.0 / (FACTOR * range.mean().abs().max(range.spread())),
            high: FACTOR / range.spread(),
        },
    }
}

fn around((low, high): (f64, f64), spread: f64) -> Bounds {
    Bounds {
        low: low - FACTOR * spread,
        high: high + FACTOR * spread,
    }
}

fn factor(spread: f64) -> Bounds {
    Bounds {
        low: spread / NARROWER,
        high: spread * FACTOR,
    }
}

/// The shape of a leaf that is as narrow as leaves may become.
fn largest_shape(range: &Range) -> f64 {
    let ratio = FACTOR * range.max.abs() / range.spread();
    (ratio * ratio).clamp(FACTOR, LARGEST_SHAPE)
}
