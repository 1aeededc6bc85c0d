//! Families that count, truncated or not.
//!
//! Probabilities are added from the likeliest count outwards, each from its
//! neighbour. Where a distribution is so wide that this takes too long, it is
//! also so smooth that an integral with the correction of Euler and Maclaurin
//! says the same.

use super::HALF_LN_TAU_E;
use crate::circuit::ValueSet;
use crate::leaf::counts::CountDistribution;
use crate::leaf::pieces::{DensityPiece, entropy_of_pieces};
use crate::leaf::quadrature::{NEGLIGIBLE, extent, integrate};

/// So many counts to each side of the likeliest are added one by one.
const HEAD: f64 = 1024.0;
/// And so many before an end that cuts a wide distribution off.
const TAIL: f64 = 128.0;
/// From here on the entropy of a Poisson distribution is the first terms of a series.
const LARGE_RATE: f64 = 1e4;

impl CountDistribution {
    /// The entropy, truncated to `set` if there is one.
    pub(super) fn entropy(&self, set: Option<&ValueSet>) -> f64 {
        let Some((first, last)) = self.range() else {
            return 0.0;
        };
        let Some(set) = set else {
            let whole = || entropy_of_pieces(&[self.piece(first, last, &fall)]);
            return closed_form(self).unwrap_or_else(whole);
        };
        entropy_of_pieces(&self.pieces(set, &fall))
    }

    /// The parts in the runs of a set, with the mean of `value`, a function of the count
    /// and of how far it lies below its part's peak.
    pub(in crate::leaf) fn pieces(
        &self,
        set: &ValueSet,
        value: &dyn Fn(f64, f64) -> f64,
    ) -> Vec<DensityPiece> {
        let (first, last) = self.range().unwrap_or((0.0, -1.0));
        let runs = set.runs().iter();
        let ends = runs.map(|(low, high)| (low.value().max(first), (high.value() - 1.0).min(last)));
        let pieces = ends.filter(|(low, high)| low <= high).map(|(low, high)| {
            let peak = self.mode().clamp(low, high);
            DensityPiece {
                log_weight: self.log_p(peak),
                ..self.piece(low, high, value)
            }
        });
        pieces.collect()
    }
}

/// What entropy is the mean of.
fn fall(_: f64, drop: f64) -> f64 {
    drop
}

fn closed_form(counts: &CountDistribution) -> Option<f64> {
    match *counts {
        CountDistribution::Poisson { rate } if rate > LARGE_RATE => {
            let u = 1.0 / rate;
            let tail = u * (1.0 / 12.0 + u * (1.0 / 24.0 + u * 19.0 / 360.0));
            Some(HALF_LN_TAU_E + 0.5 * rate.ln() - tail)
        }
        CountDistribution::Waiting {
            successes: 1.0,
            chance,
        } => Some(-chance.log_p - chance.q * chance.log_q / chance.p),
        _ => None,
    }
}

impl CountDistribution {
    /// The counts from `low` to `high`, both included.
    fn piece(&self, low: f64, high: f64, value: &dyn Fn(f64, f64) -> f64) -> DensityPiece {
        let peak = self.mode().clamp(low, high);
        let below = self.side(peak, -1.0, peak - low, value);
        let above = self.side(peak, 1.0, high - peak, value);
        DensityPiece {
            point: 1.0,
            rest: below.rest + above.rest,
            fall: below.fall + above.fall + value(peak, 0.0),
            ..DensityPiece::default()
        }
    }

    /// The next `n` counts in one direction.
    fn side(
        &self,
        peak: f64,
        direction: f64,
        n: f64,
        value: &dyn Fn(f64, f64) -> f64,
    ) -> CountEntropySum {
        let mut sum = CountEntropySum::default();
        let is_short = n <= HEAD + 2.0 * TAIL;
        let head = if is_short { n } else { HEAD };
        let is_finished = sum.add(self, peak, direction, head, value);
        if !is_finished && !is_short {
            self.add_far(peak, direction, n, &mut sum, value);
        }
        sum
    }

    /// Adds what follows after the head: an integral, and the last counts before a
    /// sharp end, where probabilities may change from one count to the next.
    fn add_far(
        &self,
        peak: f64,
        direction: f64,
        n: f64,
        sum: &mut CountEntropySum,
        value: &dyn Fn(f64, f64) -> f64,
    ) {
        // 1. From the head on the logarithms are known up to what the sum has drifted by.
        let known = self.log_p(peak + direction * HEAD) - sum.log;
        let drop = |t: f64| known - self.log_p(peak + direction * t);
        let at = |t: f64| value(peak + direction * t, drop(t));
        // 2. The middle is an integral between the counts, with a correction at both ends.
        let from = HEAD + 0.5;
        let length = n - TAIL - HEAD;
        let end = extent(length, HEAD, |t| drop(from + t));
        let to = from + end;
        let (mass, fall) = integrate((from, to), drop, at);
        let (mass_from, fall_from) = slope(from, drop, at);
        let (mass_to, fall_to) = slope(to, drop, at);
        sum.rest += mass + (mass_from - mass_to) / 24.0;
        sum.fall += fall + (fall_from - fall_to) / 24.0;
        // 3. An end that cuts off something is added count by count.
        if end == length {
            sum.log = -drop(n - TAIL);
            let place = peak + direction * (n - TAIL);
            sum.add(self, place, direction, TAIL, value);
        }
    }
}

/// The derivatives of `exp(-drop)` and of `value` times it.
fn slope(at: f64, drop: impl Fn(f64) -> f64, value: impl Fn(f64) -> f64) -> (f64, f64) {
    let ends = [at - 0.5, at + 0.5].map(|t| ((-drop(t)).exp(), t));
    let [before, after] = ends.map(|(mass, t)| {
        let is_positive = mass > 0.0;
        if is_positive {
            (mass, mass * value(t))
        } else {
            (0.0, 0.0)
        }
    });
    (after.0 - before.0, after.1 - before.1)
}

/// Weights of counts relative to the peak's.
#[derive(Default)]
struct CountEntropySum {
    rest: f64,
    fall: f64,
    /// The logarithm of the weight of the count that was added last.
    log: f64,
}

impl CountEntropySum {
    /// Adds `n` counts beyond `place`; says whether the rest no longer counts.
    fn add(
        &mut self,
        counts: &CountDistribution,
        place: f64,
        direction: f64,
        n: f64,
        value: &dyn Fn(f64, f64) -> f64,
    ) -> bool {
        for step in 0..n as u32 {
            let here = place + direction * f64::from(step);
            self.log += if direction > 0.0 {
                counts.log_ratio(here)
            } else {
                -counts.log_ratio(here - 1.0)
            };
            let weight = self.log.exp();
            self.rest += weight;
            if self.log < -NEGLIGIBLE {
                return true;
            }
            self.fall += weight * value(here + direction, -self.log);
        }
        false
    }
}
