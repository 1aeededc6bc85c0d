//! Incomplete functions of large arguments, by integrals from the edge outwards.
//!
//! On the scale of logarithms, or of log-odds, the integrands are log-concave and have no
//! poles. How far they fall from the edge is computed without the large numbers that would
//! cancel, so the work and the digits are the same for all arguments.

use super::super::log_space::log_one_minus;
use super::super::quadrature::{extent, integrate};
use super::super::remainder::{exp_m1_minus, ln_1p_minus};
use super::super::saddle::log_poisson;
use super::super::tail::Tails;

/// P(a, x) and Q(a, x).
pub(super) fn log_gamma_tails(a: f64, x: f64, distance: f64) -> Tails {
    let log_front = log_poisson(a, x, -distance) + a.ln();
    let drop = |s: f64| distance * s + x * exp_m1_minus(s);
    let hint = 10.0 / (a.sqrt() + distance.abs());
    tails(log_front, distance < 0.0, hint, drop)
}

/// I_x(a, b) and I_y(b, a), where `a` lies `distance` above `(a + b) x`.
pub(super) fn log_beta_tails(
    (a, b): (f64, f64),
    (x, y): (f64, f64),
    distance: f64,
    log_front: f64,
) -> Tails {
    if x > 0.5 {
        return log_beta_tails((b, a), (y, x), -distance, log_front).swap();
    }
    // What `ln(y + x exp(s))` has beyond its first term.
    let curve = |s: f64| {
        if s > 30.0 {
            s + (x + y * (-s).exp()).ln() - x * s
        } else {
            x * exp_m1_minus(s) + ln_1p_minus(x * s.exp_m1())
        }
    };
    let drop = |s: f64| (a + b) * curve(s) - distance * s;
    let hint = 10.0 / ((a * b / (a + b)).sqrt() + distance.abs());
    tails(log_front, distance > 0.0, hint, drop)
}

/// The smaller tail, which an integrand falls over from the edge outwards, and the other.
fn tails(log_front: f64, is_below: bool, hint: f64, drop: impl Fn(f64) -> f64) -> Tails {
    let sign = if is_below { -1.0 } else { 1.0 };
    let outwards = |t: f64| drop(sign * t);
    let end = extent(f64::INFINITY, hint, outwards);
    let (mass, _) = integrate((0.0, end), outwards, |_| 0.0);
    let smaller = (log_front + mass.ln()).min(0.0);
    let larger = log_one_minus(smaller);
    if is_below {
        Tails {
            below: smaller,
            above: larger,
        }
    } else {
        Tails {
            below: larger,
            above: smaller,
        }
    }
}
