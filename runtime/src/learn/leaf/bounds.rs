//! How far data let the parameters of leaves go.
//!
//! A density at a single point, or an entropy that outweighs the data, has no
//! maximum. Spreads stay above a hundred-thousandth of the column's, so that groups of
//! very different widths, or one far outlier, leave room for a narrow leaf; everything
//! else stays within a thousand times what the column shows.

use super::plan::LeafScalar;
use super::step::LeafStep;

/// How much wider than its column a leaf may become.
pub const FACTOR: f64 = 1e3;
/// How much narrower.
const NARROWER: f64 = 1e5;

/// The smallest and the largest value of a parameter. Those of a positive one are
/// both above 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ParameterBounds {
    pub low: f64,
    pub high: f64,
}

impl LeafStep<'_> {
    /// The bounds of a number: the widest of its leaves.
    pub(super) fn bounds(&self, scalar: &LeafScalar) -> ParameterBounds {
        let mut widest = ParameterBounds {
            low: f64::INFINITY,
            high: f64::NEG_INFINITY,
        };
        for own in self.plan.uses(&scalar.uses) {
            let variable = self.circuit.leaf(self.plan.leaves[own.leaf].leaf).variable;
            let range = self.ranges.range(variable.index());
            let bounds = self.learning(own.leaf).bounds(own.argument, range);
            widest.low = widest.low.min(bounds.low);
            widest.high = widest.high.max(bounds.high);
        }
        if scalar.is_positive {
            widest.positive()
        } else {
            widest.finite()
        }
    }
}

impl ParameterBounds {
    /// Whatever numbers can hold.
    pub const NONE: ParameterBounds = ParameterBounds {
        low: f64::NEG_INFINITY,
        high: f64::INFINITY,
    };

    pub fn around((low, high): (f64, f64), spread: f64) -> Self {
        ParameterBounds {
            low: low - FACTOR * spread,
            high: high + FACTOR * spread,
        }
    }

    /// Those of a spread beside that of the column.
    pub fn of_width(spread: f64) -> Self {
        ParameterBounds {
            low: spread / NARROWER,
            high: spread * FACTOR,
        }
    }

    fn finite(self) -> Self {
        let low = self.low.clamp(-1e300, 1e300);
        ParameterBounds {
            low,
            high: self.high.clamp(low, 1e300),
        }
    }

    fn positive(self) -> Self {
        let high = self.high.clamp(1e-300, 1e300);
        // A positive mean may have bounds on both sides of 0.
        let low = match self.low {
            low if low > 0.0 => low,
            _ if self == Self::NONE => 0.0,
            _ => high * 1e-12,
        };
        ParameterBounds {
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
        ParameterBounds {
            low: self.low.min(value),
            high: self.high.max(value),
        }
    }
}
