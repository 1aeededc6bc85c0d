//! Draws by inverting the cumulative distribution, within any set.

use super::super::log_space::{log_one_minus, log_sum_exp};
use super::super::tail::Tails;
use super::super::untruncated::UntruncatedLeaf;
use super::variate::open_unit;
use crate::choice::Choice;
use crate::circuit::{Cut, ValueSet};
use crate::leaf::family::PeakedLaw;
use rand::Rng;
use std::f64::consts::LN_2;

/// A family on the real axis or of counts, cut to runs.
pub(in crate::leaf) struct Inverse<'a> {
    base: UntruncatedLeaf<'a>,
    law: PeakedLaw<'a>,
    choice: Choice,
    runs: Vec<Run>,
}

/// A run with its mass, and the tails at both of its ends.
struct Run {
    low: Cut,
    high: Cut,
    log_mass: f64,
    from: Tails,
    to: Tails,
}

impl<'a> Inverse<'a> {
    pub fn new(base: UntruncatedLeaf<'a>, law: PeakedLaw<'a>, members: &ValueSet) -> Self {
        let runs = members.runs().iter().map(|&(low, high)| Run {
            low,
            high,
            log_mass: law.log_run(&base, low, high),
            from: law.tails(&base, low.value()),
            to: law.tails(&base, high.value()),
        });
        let runs: Vec<Run> = runs.collect();
        let logs: Vec<f64> = runs.iter().map(|run| run.log_mass).collect();
        Inverse {
            choice: Choice::from_logs(&logs),
            base,
            law,
            runs,
        }
    }

    pub fn draw(&self, random: &mut impl Rng) -> f64 {
        match self.runs.is_empty() {
            true => 0.0,
            false => self.quantile_in(&self.runs[self.choice.draw(random)], open_unit(random)),
        }
    }

    fn tails(&self, x: f64) -> Tails {
        self.law.tails(&self.base, x)
    }

    /// The value below which a part of a run's mass lies.
    fn quantile_in(&self, run: &Run, part: f64) -> f64 {
        // The smaller tail has the digits.
        let target = match run.to.below < -LN_2 {
            true => Target::Below(log_sum_exp([run.from.below, part.ln() + run.log_mass])),
            false => {
                let rest = log_one_minus(part.ln());
                Target::Above(log_sum_exp([run.to.above, rest + run.log_mass]))
            }
        };
        match self.base.domain.is_discrete() {
            true => self.count(run, target),
            false => self.real(run, target),
        }
    }

    /// Halves the numbers between the ends, counted one by one, so that 64 steps do
    /// whatever the scale.
    fn real(&self, run: &Run, target: Target) -> f64 {
        let (mut low, mut high) = (order(run.low.value()), order(run.high.value()));
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            match target.is_reached(self.tails(number(middle as i64))) {
                true => high = middle,
                false => low = middle,
            }
        }
        number(high as i64)
    }

    /// The smallest count up to which there is enough. Steps away from the peak are
    /// doubled, because the ends may be far out.
    fn count(&self, run: &Run, target: Target) -> f64 {
        let (first, last) = (run.low.value(), run.high.value() - 1.0);
        let is_enough = |k: f64| target.is_reached(self.tails(k + 1.0));
        let start = self.law.peak(&self.base).max(first).min(last);
        let (mut low, mut high) = (first - 1.0, last);
        let (mut step, upwards) = (1.0, !is_enough(start));
        if upwards {
            low = start
        } else {
            high = start
        }
        while high - low > 2.0 * step {
            let next = if upwards { low + step } else { high - step };
            let enough = is_enough(next);
            if enough {
                high = next
            } else {
                low = next
            }
            if enough == upwards {
                break;
            }
            step *= 2.0;
        }
        while high - low > 1.0 {
            let middle = (low + (high.min(LARGEST) - low) / 2.0).floor();
            if middle <= low || middle >= high {
                break;
            }
            if is_enough(middle) {
                high = middle
            } else {
                low = middle
            }
        }
        high.min(LARGEST)
    }
}

/// Counts beyond this are not exact.
const LARGEST: f64 = 9_007_199_254_740_992.0;

/// How much mass is to lie below, or above, the value that is looked for.
#[derive(Clone, Copy)]
enum Target {
    Below(f64),
    Above(f64),
}

impl Target {
    fn is_reached(self, tails: Tails) -> bool {
        match self {
            Target::Below(log) => tails.below >= log,
            Target::Above(log) => tails.above <= log,
        }
    }
}

/// The position of a number among all numbers, wide enough for differences.
fn order(x: f64) -> i128 {
    let bits = x.to_bits() as i64;
    i128::from(if bits < 0 { i64::MIN - bits } else { bits })
}

/// The number at a position.
fn number(order: i64) -> f64 {
    let bits = if order < 0 { i64::MIN - order } else { order };
    f64::from_bits(bits as u64)
}
