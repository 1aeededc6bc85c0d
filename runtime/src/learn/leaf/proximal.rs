//! Counts with a function that has a given slope at the old values.
//!
//! `Σ c_i log θ_i + Σ s_i θ_i − b · KL(θ, old)` is maximised over entries that add
//! up to a given mass. With `b = 0` that is a quotient of counts; with a large `b`
//! entries hardly move, uphill.

use crate::learn::simplex::omega;

/// The function.
#[derive(Clone, Copy, Debug)]
pub(super) struct Surrogate<'a> {
    pub counts: &'a [f64],
    pub thetas: &'a [f64],
    pub slopes: &'a [f64],
    pub bend: f64,
    pub mass: f64,
}

/// The entries at which it is largest; `None` if they are no numbers.
pub(super) fn largest(surrogate: &Surrogate) -> Option<Vec<f64>> {
    let thetas = match surrogate.bend > 0.0 {
        true => surrogate.bent(),
        false => surrogate.counts.to_vec(),
    };
    let total: f64 = thetas.iter().sum();
    if !(total > 0.0 && total.is_finite()) {
        return None;
    }
    let scaled = thetas.iter().map(|theta| theta / total * surrogate.mass);
    let scaled: Vec<f64> = scaled.collect();
    scaled
        .iter()
        .all(|theta| theta.is_finite())
        .then_some(scaled)
}

impl Surrogate<'_> {
    /// Finds the multiplier of the constraint by bisection: entries fall with it.
    fn bent(&self) -> Vec<f64> {
        let total = |y: f64| self.at(y).sum::<f64>();
        let (mut low, mut high) = (-1.0, 1.0);
        while total(low) < self.mass && low > -1e6 {
            low *= 2.0;
        }
        while total(high) > self.mass && high < 1e15 {
            high *= 2.0;
        }
        for _ in 0..100 {
            let middle = low + (high - low) / 2.0;
            match total(middle) > self.mass {
                true => low = middle,
                false => high = middle,
            }
        }
        self.at(low + (high - low) / 2.0).collect()
    }

    /// The entries for a multiplier, which is measured in units of the bend: each
    /// solves `c/θ + s + b·(log old − log θ) = b·y`.
    fn at(&self, y: f64) -> impl Iterator<Item = f64> {
        let entries = self.counts.iter().zip(self.thetas).zip(self.slopes);
        entries.map(move |((&count, &theta), &slope)| {
            let log_old = theta.ln().max(-690.0);
            let log_free = log_old + slope / self.bend - y;
            match count > 0.0 {
                // With w = c/(bθ): w + ln w = ln(c/b) - log_free.
                true => {
                    let ratio = (count / self.bend).ln();
                    from_omega(omega(ratio - log_free), ratio, log_free)
                }
                false => log_free.exp(),
            }
        })
    }
}

/// An entry by the one of two ways that loses no digits.
fn from_omega(omega: f64, ratio: f64, log_free: f64) -> f64 {
    match omega > 1.0 {
        true => (ratio - omega.ln()).exp(),
        false => (log_free + omega).exp(),
    }
}
