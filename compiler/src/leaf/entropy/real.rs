//! Truncated densities, interval by interval.

use super::super::Base;
use super::pieces::{Piece, entropy_of_pieces};
use super::quadrature::{extent, integrate};
use crate::circuit::{
    ExponentialDistribution, Family, LogNormalDistribution, NormalDistribution, ValueSet,
};

/// What is averaged over a density: a function of the variable, or by how much the
/// logarithm of the density lies below that of its part's peak.
#[derive(Clone, Copy)]
pub(in crate::leaf) enum Averaged<'f> {
    Fall,
    Function(&'f dyn Fn(f64) -> f64),
}

impl Base<'_> {
    /// The entropy of a density of the real axis on `set`.
    pub(super) fn interval_entropy(&self, set: &ValueSet) -> f64 {
        let own = entropy_of_pieces(&self.real_pieces(set, Averaged::Fall));
        own + match self.distribution.family {
            Family::Normal(NormalDistribution) => self.scalar(1).log(),
            Family::LogNormal(LogNormalDistribution) => {
                self.scalar(1).log() + self.scalar(0).linear()
            }
            _ => 0.0,
        }
    }

    /// The parts of a density of the real axis in the intervals of a set.
    pub(in crate::leaf) fn real_pieces(&self, set: &ValueSet, averaged: Averaged) -> Vec<Piece> {
        let number = |at: usize| self.scalar(at).linear();
        match self.distribution.family {
            Family::Normal(NormalDistribution) => {
                let (mean, sd) = (number(0), number(1));
                over(set, |low, high| {
                    let ends = ((low - mean) / sd, (high - mean) / sd);
                    let peak = normal_peak(ends, (high - low) / sd, 0.0);
                    let place = |t: f64| mean + sd * (peak.at + t);
                    peak.integrated(|t| t * (peak.at + 0.5 * t), place, averaged)
                })
            }
            Family::LogNormal(LogNormalDistribution) => self.tilted_pieces(set, averaged, 0.0),
            Family::Exponential(ExponentialDistribution) => over(set, |low, high| {
                exponential_run(number(0), low, high, averaged)
            }),
            _ => over(set, |low, high| {
                gamma_run(number(0), number(1), low, high, averaged)
            }),
        }
    }

    /// The parts of a log-normal density times a power of its variable. What is
    /// averaged then peaks where that product does, however wide the density is.
    pub(in crate::leaf) fn tilted_pieces(
        &self,
        set: &ValueSet,
        averaged: Averaged,
        power: f64,
    ) -> Vec<Piece> {
        let (mean, sd) = (self.scalar(0).linear(), self.scalar(1).linear());
        let shift = power * sd;
        let place = |x: f64| (x.max(0.0).ln() - mean) / sd - shift;
        over(set, |low, high| {
            let length = log_ratio(low, high) / sd;
            let peak = normal_peak((place(low), place(high)), length, sd);
            let back = |t: f64| (mean + sd * (shift + peak.at + t)).exp();
            let piece = peak.integrated(|t| t * (peak.at + 0.5 * t), back, averaged);
            Piece {
                log_weight: piece.log_weight + power * mean + 0.5 * shift * shift,
                ..piece
            }
        })
    }
}

/// The pieces of a set's intervals.
fn over(set: &ValueSet, piece: impl Fn(f64, f64) -> Piece) -> Vec<Piece> {
    let runs = set.runs().iter();
    let ends = runs.map(|(low, high)| (low.value(), high.value()));
    ends.filter(|(low, high)| low < high)
        .map(|(low, high)| piece(low, high))
        .filter(|piece| piece.log_weight.is_finite())
        .collect()
}

/// Where a piece has its peak, and how far it goes to either side.
struct Peak {
    /// Its place in the variable that is integrated over.
    at: f64,
    log_weight: f64,
    offset: f64,
    left: f64,
    right: f64,
    /// About how far away the density becomes negligible.
    hint: f64,
    /// What the logarithm of the density loses in addition to that of the weight,
    /// by distance to the right.
    slope: f64,
}

impl Peak {
    /// Adds up both sides. `drop` is by how much the logarithm of the weight lies
    /// below the peak's at a distance from it, `place` the variable's value there.
    fn integrated(
        &self,
        drop: impl Fn(f64) -> f64,
        place: impl Fn(f64) -> f64,
        averaged: Averaged,
    ) -> Piece {
        let mut piece = Piece {
            log_weight: self.log_weight,
            offset: self.offset,
            ..Piece::default()
        };
        for (direction, length) in [(-1.0, self.left), (1.0, self.right)] {
            if length > 0.0 {
                let own = |t: f64| drop(direction * t);
                let end = extent(length, self.hint, own);
                let value = |t: f64| match averaged {
                    Averaged::Fall => own(t) + self.slope * direction * t,
                    Averaged::Function(function) => function(place(direction * t)),
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
fn normal_peak((low, high): (f64, f64), length: f64, slope: f64) -> Peak {
    let (peak, left, right) = match (low > 0.0, high < 0.0) {
        (true, _) => (low, 0.0, length),
        (_, true) => (high, length, 0.0),
        _ => (0.0, -low, high),
    };
    Peak {
        at: peak,
        log_weight: -0.5 * peak * peak,
        offset: -slope * peak,
        left,
        right,
        hint: 10.0 / (1.0 + peak.abs()),
        slope,
    }
}

fn exponential_run(rate: f64, low: f64, high: f64, averaged: Averaged) -> Piece {
    let low = low.max(0.0);
    let peak = Peak {
        at: low,
        log_weight: -rate * low,
        offset: 0.0,
        left: 0.0,
        right: high - low,
        hint: 50.0 / rate,
        slope: 0.0,
    };
    peak.integrated(|t| rate * t, |t| low + t, averaged)
}

/// A gamma variable, by its logarithm: that has a density without poles.
fn gamma_run(shape: f64, rate: f64, low: f64, high: f64, averaged: Averaged) -> Piece {
    let peak = (shape / rate).max(low).min(high);
    let steepness = (rate * peak - shape).abs();
    let peak_at = Peak {
        at: peak,
        log_weight: shape * peak.ln() - rate * peak,
        offset: -peak.ln(),
        left: log_ratio(low, peak),
        right: log_ratio(peak, high),
        hint: 10.0 / (shape.sqrt() + steepness),
        slope: 1.0,
    };
    let drop = |t: f64| rate * peak * t.exp_m1() - shape * t;
    peak_at.integrated(drop, |t| peak * t.exp(), averaged)
}

/// The logarithm of `high / low`, which may be close to 1; `low` may be 0 or less.
fn log_ratio(low: f64, high: f64) -> f64 {
    match low > 0.0 {
        true => ((high - low) / low).ln_1p(),
        false => f64::INFINITY,
    }
}
