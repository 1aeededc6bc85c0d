//! Parts of densities around their peaks, interval by interval.

use super::pieces::DensityPiece;
use super::quadrature::{extent, integrate};
use crate::circuit::ValueSet;

/// What is averaged over a density: a function of the variable, or by how much the
/// logarithm of the density lies below that of its part's peak.
#[derive(Clone, Copy)]
pub(crate) enum AveragedQuantity<'f> {
    Fall,
    Function(&'f dyn Fn(f64) -> f64),
}

/// The pieces of a set's intervals.
pub(super) fn over(set: &ValueSet, piece: impl Fn(f64, f64) -> DensityPiece) -> Vec<DensityPiece> {
    let runs = set.runs().iter();
    let ends = runs.map(|(low, high)| (low.value(), high.value()));
    ends.filter(|(low, high)| low < high)
        .map(|(low, high)| piece(low, high))
        .filter(|piece| piece.log_weight.is_finite())
        .collect()
}

/// Where a piece has its peak, and how far it goes to either side.
pub(super) struct DensityPeak {
    /// Its place in the variable that is integrated over.
    pub at: f64,
    pub log_weight: f64,
    pub offset: f64,
    pub left: f64,
    pub right: f64,
    /// About how far away the density becomes negligible.
    pub hint: f64,
    /// What the logarithm of the density loses in addition to that of the weight,
    /// by distance to the right.
    pub slope: f64,
}

impl DensityPeak {
    /// Adds up both sides. `drop` is by how much the logarithm of the weight lies
    /// below the peak's at a distance from it, `place` the variable's value there.
    pub fn integrated(
        &self,
        drop: impl Fn(f64) -> f64,
        place: impl Fn(f64) -> f64,
        averaged: AveragedQuantity,
    ) -> DensityPiece {
        let mut piece = DensityPiece {
            log_weight: self.log_weight,
            offset: self.offset,
            ..DensityPiece::default()
        };
        for (direction, length) in [(-1.0, self.left), (1.0, self.right)] {
            if length > 0.0 {
                let own = |t: f64| drop(direction * t);
                let end = extent(length, self.hint, own);
                let value = |t: f64| match averaged {
                    AveragedQuantity::Fall => own(t) + self.slope * direction * t,
                    AveragedQuantity::Function(function) => function(place(direction * t)),
                };
                let (mass, fall) = integrate((0.0, end), own, value);
                piece.rest += mass;
                piece.fall += fall;
            }
        }
        piece
    }
}

/// A standard normal variable between two places that are `length` apart.
pub(super) fn normal_peak((low, high): (f64, f64), length: f64, slope: f64) -> DensityPeak {
    let (peak, left, right) = match (low > 0.0, high < 0.0) {
        (true, _) => (low, 0.0, length),
        (_, true) => (high, length, 0.0),
        _ => (0.0, -low, high),
    };
    DensityPeak {
        at: peak,
        log_weight: -0.5 * peak * peak,
        offset: -slope * peak,
        left,
        right,
        hint: 10.0 / (1.0 + peak.abs()),
        slope,
    }
}

/// The parts of any density with one peak: slower than one that knows its formula, and with
/// the digits that differences of its logarithms have.
pub(super) fn pieces_by_density(
    set: &ValueSet,
    peak: f64,
    log_density: impl Fn(f64) -> f64,
    averaged: AveragedQuantity,
) -> Vec<DensityPiece> {
    over(set, |low, high| {
        let at = peak.clamp(low, high);
        let top = log_density(at);
        let own = DensityPeak {
            at,
            log_weight: top,
            offset: 0.0,
            left: at - low,
            right: high - at,
            hint: 1.0 + at.abs(),
            slope: 0.0,
        };
        own.integrated(
            |t| (top - log_density(at + t)).max(0.0),
            |t| at + t,
            averaged,
        )
    })
}

/// The logarithm of `high / low`, which may be close to 1; `low` may be 0 or less.
pub(super) fn log_ratio(low: f64, high: f64) -> f64 {
    if low > 0.0 {
        ((high - low) / low).ln_1p()
    } else {
        f64::INFINITY
    }
}
