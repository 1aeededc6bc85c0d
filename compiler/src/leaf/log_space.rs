//! Arithmetic on logarithms of non-negative numbers.

use pelton_macros::also_generated;

/// The logarithm of the sum of numbers given by their logarithms; -inf for none.
pub fn log_sum_exp(logs: impl IntoIterator<Item = f64>) -> f64 {
    let (mut largest, mut sum) = (f64::NEG_INFINITY, 0.0);
    for log in logs {
        sum = sum_with(sum, largest, log);
        largest = if log > largest { log } else { largest };
    }
    log_of_sum(sum, largest)
}

/// A sum of exponentials, divided by the largest so far, with one more of them.
#[also_generated]
#[inline(always)]
pub(crate) fn sum_with(sum: f64, largest: f64, log: f64) -> f64 {
    // Zeros add nothing, and their difference to another zero would be NaN.
    if log == f64::NEG_INFINITY {
        return sum;
    }
    if log > largest {
        return sum * (largest - log).exp() + 1.0;
    }
    sum + (log - largest).exp()
}

/// The logarithm of such a sum.
#[also_generated]
#[inline(always)]
pub(crate) fn log_of_sum(sum: f64, largest: f64) -> f64 {
    if largest.abs() == f64::INFINITY {
        return largest;
    }
    largest + sum.ln()
}

/// The logarithm of `1 - exp(log)` for `log <= 0`.
pub(super) fn log_one_minus(log: f64) -> f64 {
    let log = log.min(0.0);
    if log > -std::f64::consts::LN_2 {
        (-log.exp_m1()).ln()
    } else {
        (-log.exp()).ln_1p()
    }
}

/// The logarithm of `exp(more) - exp(less)`; -inf if there is no difference.
pub(super) fn log_minus(more: f64, less: f64) -> f64 {
    let is_nothing = more == f64::NEG_INFINITY;
    if is_nothing {
        more
    } else {
        more + log_one_minus(less - more)
    }
}

/// `times * log`, where nothing times an impossible event is certain.
#[also_generated]
#[inline(always)]
pub(super) fn log_power(times: f64, log: f64) -> f64 {
    if times == 0.0 { 0.0 } else { times * log }
}
