//! Draws counts of wide distributions, a few tries each.
//!
//! Devroye's method for log-concave probabilities: they lie below a hat that is flat around
//! the peak and falls exponentially, and that is known from the peak's probability alone.
//! The work does not grow with the parameters, and no tail is computed for a draw.

use super::variate::open_unit;
use crate::choice::{AliasTable, unit};
use crate::circuit::{Cut, ValueSet};
use crate::leaf::counts::CountDistribution;
use rand::Rng;

/// Distributions whose peak is more likely than this are narrow enough to be inverted.
const NARROW: f64 = 1e-3;

/// A distribution of counts, cut to runs.
pub(in crate::leaf) struct HatSampler {
    counts: CountDistribution,
    choice: AliasTable,
    runs: Vec<HatRun>,
}

/// A run with its likeliest count.
struct HatRun {
    first: f64,
    last: f64,
    peak: f64,
    log_peak: f64,
    /// The peak's probability, given that the count lies in the run.
    height: f64,
}

impl HatSampler {
    /// Prepares to draw, if the distribution is wide in all runs.
    pub fn new(counts: CountDistribution, members: &ValueSet) -> Option<Self> {
        let (mut runs, mut logs) = (Vec::new(), Vec::new());
        for &(low, high) in members.runs() {
            let (run, log_mass) = HatRun::of(&counts, low, high);
            if run.height.is_nan() || run.height >= NARROW {
                return None;
            }
            runs.push(run);
            logs.push(log_mass);
        }
        (!runs.is_empty()).then(|| HatSampler {
            counts,
            choice: AliasTable::from_logs(&logs),
            runs,
        })
    }

    pub fn draw(&self, random: &mut impl Rng) -> f64 {
        let run = &self.runs[self.choice.draw(random)];
        // About one try in four is taken; that none of so many is cannot be seen.
        for _ in 0..10_000 {
            let offer = run.offer(random);
            let k = run.peak + offer.round();
            let log_hat = (run.shoulder() - run.height * offer.abs()).min(0.0);
            let log_u = open_unit(random).ln();
            let is_inside = k >= run.first && k <= run.last;
            if is_inside && log_u + log_hat <= self.counts.log_probability(k) - run.log_peak {
                return k;
            }
        }
        run.peak
    }
}

impl HatRun {
    fn of(counts: &CountDistribution, low: Cut, high: Cut) -> (Self, f64) {
        let (first, last) = (low.value(), high.value() - 1.0);
        let log_mass = counts.log_mass(low.value(), high.value());
        let peak = counts.peak().max(first).min(last);
        let log_peak = counts.log_probability(peak);
        let run = HatRun {
            first,
            last,
            peak,
            log_peak,
            height: (log_peak - log_mass).exp(),
        };
        (run, log_mass)
    }

    /// Where the hat begins to fall, times the height.
    fn shoulder(&self) -> f64 {
        1.0 + 0.5 * self.height
    }

    /// A distance from the peak, in proportion to the hat.
    fn offer(&self, random: &mut impl Rng) -> f64 {
        let shoulder = self.shoulder();
        let is_flat = unit(random) * (1.0 + shoulder) <= shoulder;
        let reach = if is_flat {
            open_unit(random) * shoulder
        } else {
            shoulder - open_unit(random).ln()
        };
        let sign = if unit(random) < 0.5 { -1.0 } else { 1.0 };
        sign * reach / self.height
    }
}
