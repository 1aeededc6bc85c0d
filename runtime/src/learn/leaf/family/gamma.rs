//! Learning `gamma`: the rate by its closed form, the shape by Newton's method.

use super::{
    ClosedForm, ClosedTerm, FACTOR, LeafLearning, LeafParameters, LeafStatistics, LearnedLeaf,
    ObservedRange, ParameterBounds, RATE, StartDraw, sum,
};
use pelton_compiler::circuit::GammaDistribution;
use statrs::function::gamma::{digamma, ln_gamma};

/// Larger shapes cannot be told from each other.
const LARGEST_SHAPE: f64 = 1e9;
const SMALLEST_SHAPE: f64 = 1e-6;

/// The shape for given rates: flow, and the logarithms of values in units of the rate.
static SHAPE: ClosedForm = ClosedForm {
    add: sum,
    maximum: |[flow, logs, ..]| inverse_digamma(logs / flow),
};

/// The shape if the rate follows it: flow, and that times values and their logarithms.
static SHAPE_WITH_RATE: ClosedForm = ClosedForm {
    add: sum,
    maximum: |[flow, total, logs, _]| shape_of_gap((total / flow).ln() - logs / flow),
};

impl LeafLearning for GammaDistribution {
    fn log_likelihood(&self, own: &LeafStatistics, [a, rate, _]: LeafParameters) -> Option<f64> {
        let shape = a.linear();
        let scale = own.flow * (shape * rate.log() - ln_gamma(shape));
        Some(scale + (shape - 1.0) * own.second - rate.linear() * own.first)
    }

    fn closed_term(&self, argument: usize, leaf: &LearnedLeaf) -> Option<ClosedTerm> {
        let (own, [shape, rate, _]) = (leaf.own, leaf.params);
        let term = match argument {
            0 if leaf.is_followed => {
                ClosedTerm::new(&SHAPE_WITH_RATE, [own.flow, own.first, own.second])
            }
            0 => ClosedTerm::new(&SHAPE, [own.flow, own.flow * rate.log() + own.second]),
            _ => {
                let events = own.flow * shape.linear() - leaf.entropy;
                ClosedTerm::new(&RATE, [events, own.first])
            }
        };
        Some(term.exact_if(argument > 0 || leaf.entropy == 0.0))
    }

    /// A shape and its rate depend strongly on each other.
    fn follower(&self, argument: usize) -> Option<usize> {
        (argument == 0).then_some(1)
    }

    fn bounds(&self, argument: usize, range: &ObservedRange) -> ParameterBounds {
        let largest = largest_shape(range);
        match argument {
            0 => ParameterBounds {
                low: SMALLEST_SHAPE,
                high: largest,
            },
            _ => ParameterBounds {
                low: SMALLEST_SHAPE / (FACTOR * range.max.max(range.spread())),
                high: largest * FACTOR / range.spread(),
            },
        }
    }

    fn start(&self, argument: usize, draw: &StartDraw) -> Option<f64> {
        let (middle, sd) = (draw.middle(), draw.seen.sd);
        Some(match (argument, draw.other) {
            (0, other) => {
                let rate = other.unwrap_or(start_rate(middle, sd));
                // The mean moves less if the distribution is narrow.
                let narrowness = 1.0 / (rate * middle).sqrt();
                middle * rate * (1.0 + (draw.factor() - 1.0) * narrowness.min(1.0))
            }
            (_, Some(shape)) => shape / middle * draw.factor(),
            (_, None) => start_rate(middle, sd),
        })
    }
}

/// The shape of a leaf that is as narrow as leaves may become.
fn largest_shape(range: &ObservedRange) -> f64 {
    let ratio = FACTOR * range.max.abs() / range.spread();
    (ratio * ratio).clamp(FACTOR, LARGEST_SHAPE)
}

/// The rate by the moments, but for shapes beyond reason.
fn start_rate(mean: f64, sd: f64) -> f64 {
    let sd = sd.max(0.01 * mean);
    mean / sd / sd
}

/// Newton's steps; each doubles the digits.
const STEPS: usize = 40;

/// The shape whose logarithm exceeds its digamma by `gap`: the likeliest shape, if
/// `gap` is that of the logarithm of the mean over the mean of the logarithm and the
/// rate follows from the shape. Infinite if there is no gap.
pub fn shape_of_gap(gap: f64) -> f64 {
    if gap <= 0.0 || gap.is_nan() {
        return f64::INFINITY;
    }
    // 1. A start within two per cent, from the first terms of the digamma's series.
    let mut shape = (3.0 - gap + ((gap - 3.0).powi(2) + 24.0 * gap).sqrt()) / (12.0 * gap);
    // 2. Newton's method for the inverse of the shape, in which the gap is nearly linear; a step
    // beyond all shapes is halved instead.
    for _ in 0..STEPS {
        let slope = shape * (1.0 - shape * trigamma(shape));
        let change = (log_minus_digamma(shape) - gap) / slope;
        let next = 1.0 / (1.0 / shape + change);
        let is_settled = (next - shape).abs() <= 1e-14 * shape;
        shape = if next.is_finite() && next > 0.0 {
            next
        } else {
            shape / 2.0
        };
        if is_settled {
            break;
        }
    }
    shape
}

/// The number whose digamma is `y`.
fn inverse_digamma(y: f64) -> f64 {
    if y > 30.0 {
        // log x - 1/(2x) is y to the last digit.
        return y.exp() + 0.5;
    }
    // Newton's method from where the digamma is nearly a logarithm, or nearly `-1/x`.
    let euler = 0.577_215_664_901_532_9;
    let mut x = if y >= -2.22 {
        y.exp() + 0.5
    } else {
        -1.0 / (y + euler)
    };
    for _ in 0..STEPS {
        let next = x - (digamma(x) - y) / trigamma(x);
        let is_settled = (next - x).abs() <= 1e-14 * x;
        x = if next > 0.0 { next } else { x / 2.0 };
        if is_settled {
            break;
        }
    }
    x
}

/// `ln x` minus the digamma of `x`; the two are close for large `x`.
fn log_minus_digamma(x: f64) -> f64 {
    if x < 20.0 {
        return x.ln() - digamma(x);
    }
    let (u, v) = (1.0 / x, 1.0 / (x * x));
    0.5 * u + v * (1.0 / 12.0 - v * (1.0 / 120.0 - v * (1.0 / 252.0 - v / 240.0)))
}

fn trigamma(x: f64) -> f64 {
    // Up by the recurrence to where the asymptotic series is exact to the last digits.
    let (mut x, mut sum) = (x, 0.0);
    while x < 20.0 {
        sum += 1.0 / (x * x);
        x += 1.0;
    }
    let (u, v) = (1.0 / x, 1.0 / (x * x));
    let series = v * (1.0 / 6.0 - v * (1.0 / 30.0 - v * (1.0 / 42.0 - v / 30.0)));
    sum + u * (1.0 + 0.5 * u + series)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_find_what_they_invert() {
        for exponent in -24..=32 {
            let x = 10_f64.powf(f64::from(exponent) / 4.0);
            let shape = shape_of_gap(log_minus_digamma(x));
            assert!((shape / x - 1.0).abs() < 1e-6, "{shape} is not {x}");
            let found = inverse_digamma(digamma(x));
            assert!((found / x - 1.0).abs() < 1e-8, "{found} is not {x}");
        }
        assert_eq!(shape_of_gap(0.0), f64::INFINITY);
        assert_eq!(shape_of_gap(-1e-17), f64::INFINITY);
    }
}
