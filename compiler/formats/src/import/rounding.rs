//! Probabilities that were rounded when they were written.

/// Totals that are this far from 1 are taken for rounded ones: tables with two digits exist.
const ROUNDED: f64 = 0.02;

/// Totals this close to 1 need no correction.
const EXACT: f64 = 1e-12;

/// Corrections smaller than this are not worth a note.
const SILENT: f64 = 1e-9;

/// How far numbers were from adding up to 1.
#[derive(Debug, Default)]
pub(super) struct Rounding {
    largest: f64,
}

impl Rounding {
    /// What the user should know; `what` was corrected.
    pub fn note(&self, what: &str) -> Option<String> {
        let largest = self.largest;
        (largest > SILENT).then(|| {
            format!("{what} were scaled to add up to 1; the largest difference was {largest:.1e}")
        })
    }

    /// Remembers a total that was corrected.
    pub fn add(&mut self, total: f64) {
        self.largest = self.largest.max((total - 1.0).abs());
    }
}

/// The first number that can be no probability, whatever the others are.
pub(super) fn impossible(numbers: &[f64]) -> Option<f64> {
    let is_possible = |number: &f64| *number >= 0.0 && number.is_finite();
    numbers.iter().copied().find(|number| !is_possible(number))
}

/// Scales numbers that nearly add up to 1 so that they do; `false` if they do not nearly.
pub(super) fn scaled(numbers: &mut [f64], rounding: &mut Rounding) -> bool {
    let total: f64 = numbers.iter().sum();
    let error = (total - 1.0).abs();
    if error > EXACT && error <= ROUNDED {
        numbers.iter_mut().for_each(|number| *number /= total);
        rounding.add(total);
    }
    error <= ROUNDED
}
