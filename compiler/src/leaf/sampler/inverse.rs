//! Draws by inverting the cumulative distribution, within any set.

use super::super::log_space::{log_one_minus, log_sum_exp};
use super::super::tail::Tails;
use super::super::untruncated::UntruncatedLeaf;
use super::variate::open_unit;
use crate::choice::AliasTable;
use crate::circuit::{Cut, ValueSet};
use crate::leaf::family::PeakedLaw;
use rand::Rng;
use std::f64::consts::LN_2;

/// A family on the real axis or of counts, cut to runs.
pub(in crate::leaf) struct InversionSampler<'a> {
    base: UntruncatedLeaf<'a>,
    law: PeakedLaw<'a>,
    choice: AliasTable,
    runs: Vec<InversionRun>,
}

/// A run with its mass, and the tails at both of its ends.
struct InversionRun {
    low: Cut,
    high: Cut,
    log_mass: f64,
    from: Tails,
    to: Tails,
}

impl<'a> InversionSampler<'a> {
    pub fn new(base: UntruncatedLeaf<'a>, law: PeakedLaw<'a>, members: &ValueSet) -> Self {
        let runs = members.runs().iter().map(|&(low, high)| InversionRun {
            low,
            high,
            log_mass: law.log_run(&base, low, high),
            from: law.tails(&base, low.value()),
            to: law.tails(&base, high.value()),
        });
        let runs: Vec<InversionRun> = runs.collect();
        let logs: Vec<f64> = runs.iter().map(|run| run.log_mass).collect();
        InversionSampler {
            choice: AliasTable::from_logs(&logs),
            base,
            law,
            runs,
        }
    }

    pub fn draw(&self, random: &mut impl Rng) -> f64 {
        if self.runs.is_empty() {
            0.0
        } else {
            self.quantile_in(&self.runs[self.choice.draw(random)], open_unit(random))
        }
    }

    fn tails(&self, x: f64) -> Tails {
        self.law.tails(&self.base, x)
    }

    /// The value below which a part of a run's mass lies.
    fn quantile_in(&self, run: &InversionRun, part: f64) -> f64 {
        // The smaller tail has the digits.
        let target = if run.to.below < -LN_2 {
            InversionTarget::Below(log_sum_exp([run.from.below, part.ln() + run.log_mass]))
        } else {
            let rest = log_one_minus(part.ln());
            InversionTarget::Above(log_sum_exp([run.to.above, rest + run.log_mass]))
        };
        if self.base.domain.is_discrete() {
            self.count(run, target)
        } else {
            self.real(run, target)
        }
    }

    /// Halves the numbers between the ends, counted one by one, so that 64 steps do
    /// whatever the scale.
    fn real(&self, run: &InversionRun, target: InversionTarget) -> f64 {
        let (mut low, mut high) = (order(run.low.value()), order(run.high.value()));
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if target.is_reached(self.tails(number(middle as i64))) {
                high = middle
            } else {
                low = middle
            }
        }
        number(high as i64)
    }

    /// The smallest count up to which there is enough. Steps away from the peak are
    /// doubled, because the ends may be far out.
    fn count(&self, run: &InversionRun, target: InversionTarget) -> f64 {
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
enum InversionTarget {
    Below(f64),
    Above(f64),
}

impl InversionTarget {
    fn is_reached(self, tails: Tails) -> bool {
        match self {
            InversionTarget::Below(log) => tails.below >= log,
            InversionTarget::Above(log) => tails.above <= log,
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
