//! Incomplete gamma and beta functions as logarithms.
//!
//! The usual routines return numbers that vanish in the far tail. These
//! compute the smaller side directly, as a logarithm, and the other from it.
//! The factors in front are in Loader's form, so that no large logarithms cancel.
//! Large arguments are integrated ([`wide`]).

mod wide;

use super::remainder::ln_gamma_1p;
use super::saddle::{SuccessProbability, excess, log_binomial, log_poisson};
use super::tail::Tails;

/// Series and fractions need about the square root of their argument in terms; beyond this
/// an integral is as fast, and does not add up rounding.
const LARGE: f64 = 1e4;
/// More terms than any argument up to [`LARGE`] needs.
const MOST_TERMS: usize = 100_000;
/// Keeps Lentz's method away from a division by zero.
const TINY: f64 = 1e-300;

/// The regularised incomplete gamma functions P(a, x) and Q(a, x), where `x` lies
/// `distance` above `a`.
pub(super) fn log_gamma_tails(a: f64, x: f64, distance: f64) -> Tails {
    if x <= 0.0 {
        return Tails::START;
    }
    if x == f64::INFINITY {
        return Tails::END;
    }
    if a > LARGE {
        return wide::log_gamma_tails(a, x, distance);
    }
    if a < 0.5 && x < a + 1.0 {
        return small_gamma(a, x);
    }
    // The smaller side directly: a series below the mean, a continued fraction above it.
    let log_front = log_poisson(a, x, -distance);
    if x < a + 1.0 {
        Tails::from_below((log_front + gamma_series(a, x).ln()).min(0.0))
    } else {
        Tails::from_above((log_front + a.ln() + gamma_fraction(a, x).ln()).min(0.0))
    }
}

/// For small `a` nearly everything lies below, and what lies above is not what rounding
/// leaves of 1: powers of `x` are close to 1, and by how much is known.
fn small_gamma(a: f64, x: f64) -> Tails {
    let log_power = a * x.ln() - ln_gamma_1p(a);
    let (mut sum, mut term) = (0.0, 1.0);
    for n in 1..MOST_TERMS {
        let n = n as f64;
        term *= -x / n;
        sum += term / (a + n);
        if term.abs() < f64::EPSILON * 1e-3 * x {
            break;
        }
    }
    let rest = a * sum;
    Tails {
        below: (log_power + rest.ln_1p()).min(0.0),
        above: (-log_power.exp_m1() - log_power.exp() * rest).ln().min(0.0),
    }
}

/// 1 + x/(a+1) + x²/((a+1)(a+2)) + …
fn gamma_series(a: f64, x: f64) -> f64 {
    let (mut sum, mut term) = (1.0, 1.0);
    for n in 1..MOST_TERMS {
        term *= x / (a + n as f64);
        sum += term;
        if term < sum * f64::EPSILON {
            break;
        }
    }
    sum
}

fn gamma_fraction(a: f64, x: f64) -> f64 {
    let mut fraction = Lentz::new(1.0 / TINY, 1.0 / (x + 1.0 - a));
    for n in 1..MOST_TERMS {
        let n = n as f64;
        if fraction.step(-n * (n - a), x + 2.0 * n + 1.0 - a) {
            break;
        }
    }
    fraction.value
}

/// The regularised incomplete beta functions I_p(a, b) and I_q(b, a).
pub(super) fn log_beta_tails(a: f64, b: f64, chance: &SuccessProbability) -> Tails {
    let (x, y) = (chance.p, chance.q);
    if x <= 0.0 {
        return Tails::START;
    }
    if y <= 0.0 {
        return Tails::END;
    }
    let distance = excess(chance, a, a + b);
    let log_front = log_binomial(a, a + b, chance, distance) + (a * (b / (a + b))).ln();
    if a.max(b) > LARGE {
        return wide::log_beta_tails((a, b), (x, y), distance, log_front);
    }
    // The fraction converges on the smaller side; the other one is its mirror image.
    if x < (a + 1.0) / (a + b + 2.0) {
        Tails::from_below((log_front + (beta_fraction(a, b, x) / a).ln()).min(0.0))
    } else {
        Tails::from_above((log_front + (beta_fraction(b, a, y) / b).ln()).min(0.0))
    }
}

fn beta_fraction(a: f64, b: f64, x: f64) -> f64 {
    let mut fraction = Lentz::new(1.0, 1.0 / (1.0 - (a + b) * x / (a + 1.0)));
    for m in 1..MOST_TERMS {
        let m = m as f64;
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        fraction.step(even, 1.0);
        if fraction.step(odd, 1.0) {
            break;
        }
    }
    fraction.value
}

/// Lentz's evaluation of a continued fraction from the front.
struct Lentz {
    value: f64,
    c: f64,
    d: f64,
}

impl Lentz {
    /// Starts at the fraction's first convergent; `c` is the ratio of the
    /// numerators up to there.
    fn new(c: f64, first: f64) -> Self {
        Lentz {
            value: first,
            c,
            d: first,
        }
    }

    /// Adds one numerator and denominator; says whether the value has settled.
    fn step(&mut self, numerator: f64, denominator: f64) -> bool {
        self.d = 1.0 / away_from_zero(denominator + numerator * self.d);
        self.c = away_from_zero(denominator + numerator / self.c);
        let change = self.c * self.d;
        self.value *= change;
        (change - 1.0).abs() < f64::EPSILON
    }
}

fn away_from_zero(x: f64) -> f64 {
    if x.abs() < TINY { TINY } else { x }
}
