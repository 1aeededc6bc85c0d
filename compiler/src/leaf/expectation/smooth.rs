//! Means over densities and probabilities that fall from a peak.

use crate::circuit::ValueSet;
use crate::leaf::family::PeakedLaw;
use crate::leaf::peak::AveragedQuantity;
use crate::leaf::pieces::DensityPiece;
use crate::leaf::untruncated::UntruncatedLeaf;

/// A leaf with the set on which it is positive.
pub(super) struct PeakedLeaf<'a> {
    pub base: UntruncatedLeaf<'a>,
    pub law: PeakedLaw<'a>,
    pub own: ValueSet,
}

impl PeakedLeaf<'_> {
    /// The mean of a function that grows no faster than a power, counted only where
    /// the value lies in `set`.
    pub fn mean(&self, set: &ValueSet, function: &dyn Fn(f64) -> f64) -> f64 {
        self.scaled(&self.pieces(&self.own.intersect(set), function))
    }

    /// The mean of a power of the value, counted only where it lies in `set`.
    pub fn power_mean(&self, set: &ValueSet, power: i32) -> f64 {
        let inside = self.own.intersect(set);
        let tilted = match self.law {
            PeakedLaw::Counts(_) => None,
            PeakedLaw::Density(family) => family.tilted_pieces(&self.base, &inside, power),
        };
        match tilted {
            Some(pieces) => self.scaled(&pieces),
            None => self.mean(set, &|x| x.powi(power)),
        }
    }

    /// Whether powers have their mean so far out that integrals of other functions
    /// do not see it.
    pub fn is_wide(&self, set: &ValueSet) -> bool {
        let inside = self.own.intersect(set);
        let (Some((low, _)), Some((_, high))) = (inside.runs().first(), inside.runs().last())
        else {
            return false;
        };
        match self.law {
            PeakedLaw::Counts(_) => false,
            PeakedLaw::Density(family) => family.is_wide(&self.base, low.value(), high.value()),
        }
    }

    /// What pieces add up to relative to the whole leaf.
    fn scaled(&self, parts: &[DensityPiece]) -> f64 {
        let whole = self.pieces(&self.own, &|_| 0.0);
        let tops = whole.iter().map(|piece| piece.log_weight);
        let top = tops.fold(f64::NEG_INFINITY, f64::max);
        if !top.is_finite() {
            return 0.0;
        }
        let scale = |piece: &DensityPiece| (piece.log_weight - top).exp();
        let total: f64 = whole.iter().map(|piece| scale(piece) * piece.mass()).sum();
        // What is far below everything adds nothing, though its mean may be huge.
        let values = parts.iter().filter(|piece| scale(piece) > 0.0);
        values.map(|piece| scale(piece) * piece.fall).sum::<f64>() / total
    }

    fn pieces(&self, set: &ValueSet, function: &dyn Fn(f64) -> f64) -> Vec<DensityPiece> {
        match self.law {
            PeakedLaw::Counts(counts) => counts.pieces(set, &|k, _| function(k)),
            PeakedLaw::Density(family) => {
                family.pieces(&self.base, set, AveragedQuantity::Function(function))
            }
        }
    }
}
