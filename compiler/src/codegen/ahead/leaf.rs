//! Logarithms of densities, base 2, of one cell and one leaf.

use super::facts::LeafFacts;
use crate::kernel::density::baked::DensityFormula;
use crate::kernel::density::form::{bell, line, ln_or_zero, log_ways, tent};
use crate::leaf::counts::{log_drawing, log_successes, log_waiting};
use crate::leaf::gamma::{ln_gamma, log_choose};
use crate::leaf::saddle::{SuccessProbability, log_gamma_density, log_poisson};
use pelton_macros::only_generated;
use std::f64::consts::LOG2_E;

/// Cells of discrete variables are integers by then.
#[only_generated]
pub(super) fn log_leaf(block: *const u8, leaf: &LeafFacts, x: f64) -> f64 {
    if x.is_nan() {
        return leaf.missing;
    }
    if !is_inside(block, leaf, x) {
        return f64::NEG_INFINITY;
    }
    let (kind, first) = (leaf.kind, leaf.constants[0]);
    if kind == DensityFormula::Steps as u32 {
        return log_step(block, leaf, x);
    }
    if kind == DensityFormula::Flat as u32 {
        return first;
    }
    let (second, third) = (leaf.constants[1], leaf.constants[2]);
    if kind == DensityFormula::Bell as u32 {
        return bell(x, second, third, first);
    }
    if kind == DensityFormula::Tent as u32 {
        return tent(x, second, third, first);
    }
    if kind == DensityFormula::LogBell as u32 {
        let ln = ln_or_zero(x);
        return bell(ln, second, third, first) - ln * LOG2_E;
    }
    let log = line(x, second, first);
    if kind == DensityFormula::Line as u32 {
        return log;
    }
    if kind == DensityFormula::LogLine as u32 {
        return log + third * ln_or_zero(x);
    }
    if x >= 0.0 {
        return log + log_term(leaf, x) * LOG2_E;
    }
    f64::NEG_INFINITY
}

/// Whether a cell lies in one of the leaf's intervals.
#[only_generated]
#[inline]
pub(super) fn is_inside(block: *const u8, leaf: &LeafFacts, x: f64) -> bool {
    let intervals = block.add(leaf.intervals).cast::<f64>();
    let mut is_inside = false;
    for number in 0..leaf.n_intervals as usize {
        let interval = intervals.add(number * 2);
        let (low, high) = (*interval, *interval.add(1));
        is_inside |= x >= low && x <= high;
    }
    is_inside
}

/// The step whose break is the last that is not above `x`; -inf outside.
#[only_generated]
fn log_step(block: *const u8, leaf: &LeafFacts, x: f64) -> f64 {
    let breaks = block.add(leaf.steps).cast::<f64>();
    let n_steps = leaf.n_steps as usize;
    let (mut low, mut high) = (0, n_steps + 1);
    while low < high {
        let middle = (low + high) >> 1;
        if *breaks.add(middle) <= x {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if low == 0 || low > n_steps {
        return f64::NEG_INFINITY;
    }
    *breaks.add(n_steps + low)
}

/// What a count's probability depends on beside the line, as a natural logarithm.
#[only_generated]
fn log_term(leaf: &LeafFacts, k: f64) -> f64 {
    let (kind, number) = (leaf.kind, leaf.constants[2]);
    let chance = (&raw const leaf.constants[3]).cast::<SuccessProbability>();
    if kind == DensityFormula::Factorial as u32 {
        return -ln_gamma(k + 1.0);
    }
    if kind == DensityFormula::Successes as u32 {
        return log_ways(number, k);
    }
    if kind == DensityFormula::Failures as u32 {
        return log_choose(k + number - 1.0, k);
    }
    if kind == DensityFormula::Poisson as u32 {
        return log_poisson(k, number, k - number);
    }
    if kind == DensityFormula::Binomial as u32 {
        return log_successes(chance, number, k);
    }
    if kind == DensityFormula::Waiting as u32 {
        return log_waiting(chance, number, k);
    }
    if kind == DensityFormula::Drawing as u32 {
        return log_drawing(chance, number, leaf.constants[7], leaf.constants[8], k);
    }
    log_gamma_density(number, leaf.constants[3], k)
}
