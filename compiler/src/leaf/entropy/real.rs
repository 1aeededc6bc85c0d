//! Truncated densities, interval by interval.

use super::super::Base;
use super::pieces::{Piece, entropy_of_pieces};
use super::quadrature::{extent, integrate};
use crate::circuit::{Family, ValueSet};

impl Base<'_> {
    /// The entropy of a density of the real axis on `set`.
    pub(super) fn interval_entropy(&self, set: &ValueSet) -> f64 {
        let number = |at: usize| self.scalar(at).linear();
        match self.distribution.family {
            Family::Normal => {
                let (mean, sd) = (number(0), number(1));
                let runs = over(set, |low, high| {
                    let ends = ((low - mean) / sd, (high - mean) / sd);
                    normal_run(ends, (high - low) / sd, 0.0)
                });
                runs + self.scalar(1).log()
            }
            Family::LogNormal => {
                let (mean, sd) = (number(0), number(1));
                let place = |x: f64| (x.max(0.0).ln() - mean) / sd;
                let runs = over(set, |low, high| {
                    normal_run((place(low), place(high)), log_ratio(low, high) / sd, sd)
                });
                runs + self.scalar(1).log() + mean
            }
            Family::Exponential => over(set, |low, high| exponential_run(number(0), low, high)),
            _ => over(set, |low, high| gamma_run(number(0), number(1), low, high)),
        }
    }
}

/// The entropy of the pieces of a set's intervals.
fn over(set: &ValueSet, piece: impl Fn(f64, f64) -> Piece) -> f64 {
    let runs = set.runs().iter();
    let ends = runs.map(|(low, high)| (low.value(), high.value()));
    let pieces: Vec<Piece> = ends
        .filter(|(low, high)| low < high)
        .map(|(low, high)| piece(low, high))
        .filter(|piece| piece.log_weight.is_finite())
        .collect();
    entropy_of_pieces(&pieces)
}

/// Where a piece has its peak, and how far it goes to either side.
struct Peak {
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
    /// below the peak's at a place relative to it.
    fn integrated(&self, drop: impl Fn(f64) -> f64) -> Piece {
        let mut piece = Piece {
            log_weight: self.log_weight,
            offset: self.offset,
            ..Piece::default()
        };
        for (direction, length) in [(-1.0, self.left), (1.0, self.right)] {
            if length > 0.0 {
                let own = |t: f64| drop(direction * t);
                let end = extent(length, self.hint, own);
                let value = |t: f64| own(t) + self.slope * direction * t;
                let (mass, fall) = integrate((0.0, end), own, value);
                piece.rest += mass;
                piece.fall += fall;
            }
        }
        piece
    }
}

/// A standard normal variable between two places that are `length` apart.
fn normal_run((low, high): (f64, f64), length: f64, slope: f64) -> Piece {
    let (peak, left, right) = match (low > 0.0, high < 0.0) {
        (true, _) => (low, 0.0, length),
        (_, true) => (high, length, 0.0),
        _ => (0.0, -low, high),
    };
    let peak_at = Peak {
        log_weight: -0.5 * peak * peak,
        offset: -slope * peak,
        left,
        right,
        hint: 10.0 / (1.0 + peak.abs()),
        slope,
    };
    peak_at.integrated(|t| t * (peak + 0.5 * t))
}

fn exponential_run(rate: f64, low: f64, high: f64) -> Piece {
    let low = low.max(0.0);
    let peak = Peak {
        log_weight: -rate * low,
        offset: 0.0,
        left: 0.0,
        right: high - low,
        hint: 50.0 / rate,
        slope: 0.0,
    };
    peak.integrated(|t| rate * t)
}

/// A gamma variable, by its logarithm: that has a density without poles.
fn gamma_run(shape: f64, rate: f64, low: f64, high: f64) -> Piece {
    let peak = (shape / rate).max(low).min(high);
    let steepness = (rate * peak - shape).abs();
    let peak_at = Peak {
        log_weight: shape * peak.ln() - rate * peak,
        offset: -peak.ln(),
        left: log_ratio(low, peak),
        right: log_ratio(peak, high),
        hint: 10.0 / (shape.sqrt() + steepness),
        slope: 1.0,
    };
    peak_at.integrated(|t| rate * peak * t.exp_m1() - shape * t)
}

/// The logarithm of `high / low`, which may be close to 1; `low` may be 0 or less.
fn log_ratio(low: f64, high: f64) -> f64 {
    match low > 0.0 {
        true => ((high - low) / low).ln_1p(),
        false => f64::INFINITY,
    }
}
