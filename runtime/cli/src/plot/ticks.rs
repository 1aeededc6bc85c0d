//! Round numbers along an axis.

/// The shown part of an axis and the numbers written beside it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Axis {
    pub low: f64,
    pub high: f64,
    step: f64,
}

impl Axis {
    /// An axis that holds all numbers and has about `n_ticks` ticks.
    pub fn holding(numbers: impl Iterator<Item = f64>, n_ticks: usize) -> Self {
        let finite = numbers.filter(|number| number.is_finite());
        let (low, high) = finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| {
            (low.min(x), high.max(x))
        });
        if low <= high {
            Axis::between(low, high, n_ticks)
        } else {
            Axis::between(0.0, 1.0, n_ticks)
        }
    }

    fn between(low: f64, high: f64, n_ticks: usize) -> Self {
        // A single number has some room on both sides.
        let room = if high - low > 1e-9 * low.abs().max(high.abs()) {
            0.0
        } else {
            0.5 * low.abs().max(1.0)
        };
        let (low, high) = (low - room, high + room);
        let step = round_step((high - low) / n_ticks.max(1) as f64);
        Axis { low, high, step }
    }

    /// The axis with some room at both ends.
    pub fn padded(self, share: f64) -> Self {
        let room = share * (self.high - self.low);
        Axis {
            low: self.low - room,
            high: self.high + room,
            ..self
        }
    }

    /// Multiples of the step, with their texts.
    pub fn ticks(&self) -> Vec<(f64, String)> {
        // As many decimals as the step has.
        let digits = (-self.step.log10().floor()).max(0.0) as usize;
        let first = (self.low / self.step).ceil() as i64;
        let last = (self.high / self.step).floor() as i64;
        let tick = |n: i64| {
            let x = n as f64 * self.step;
            (x, format!("{x:.digits$}").replace('-', "\u{2212}"))
        };
        (first..=last).map(tick).collect()
    }

    /// Where a number lies, from 0 at the low end to 1 at the high one.
    pub fn share(&self, x: f64) -> f64 {
        (x - self.low) / (self.high - self.low)
    }
}

/// The next of 1, 2, 5, 10, 20, … from `step` up.
fn round_step(step: f64) -> f64 {
    let decade = 10f64.powf(step.log10().floor());
    let factors = [1.0, 2.0, 5.0, 10.0].into_iter();
    let steps = factors.map(|factor| factor * decade);
    let mut enough = steps.filter(|&round| round >= step * (1.0 - 1e-9));
    enough.next().unwrap_or(10.0 * decade)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round() {
        let texts = |low: f64, high: f64| {
            let ticks = Axis::holding([low, high].into_iter(), 5).ticks();
            let texts: Vec<String> = ticks.into_iter().map(|(_, text)| text).collect();
            texts.join(" ")
        };
        assert_eq!(texts(0.0, 10.0), "0 2 4 6 8 10");
        assert_eq!(texts(0.13, 0.31), "0.15 0.20 0.25 0.30");
        assert_eq!(texts(-7.9, -5.2), "−7 −6");
        assert_eq!(texts(1.0, 200.0), "50 100 150 200");
        assert_eq!(texts(3.0, 3.0), "2 3 4");
    }
}
