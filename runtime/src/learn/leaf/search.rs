//! The maximum of a function of one number.

/// So many values are tried at most.
const MOST_TRIALS: usize = 80;
/// The smaller part of the golden section.
const GOLDEN: f64 = 0.381_966_011_250_105_1;

/// Where to look, and how closely.
#[derive(Clone, Copy, Debug)]
pub(super) struct LineSearch {
    pub low: f64,
    pub high: f64,
    /// The first step away from where the search starts.
    pub step: f64,
    /// The distance that no longer matters.
    pub tolerance: f64,
}

/// A place and the function's value there.
pub(super) type LineSearchPoint = (f64, f64);

impl LineSearch {
    /// The best place found, no worse than any of `starts`.
    ///
    /// From the best start it walks uphill with growing steps until the function
    /// falls, then narrows the maximum down by parabolas and golden sections
    /// (Brent's method). A function with several maxima gives one of them.
    pub fn maximum(
        &self,
        starts: &[f64],
        function: impl FnMut(f64) -> f64,
    ) -> Option<LineSearchPoint> {
        let mut trial = LineSearchProbe {
            function,
            best: None,
            n_left: MOST_TRIALS,
        };
        for &start in starts.iter().filter(|start| start.is_finite()) {
            trial.at(start.clamp(self.low, self.high));
        }
        let start = trial.best?;
        let (low, high) = self.bracket(start, &mut trial);
        self.narrow(low, high, &mut trial);
        trial.best
    }

    /// Two places between which the function has a maximum, or that are bounds.
    fn bracket<F: FnMut(f64) -> f64>(
        &self,
        start: LineSearchPoint,
        trial: &mut LineSearchProbe<F>,
    ) -> (f64, f64) {
        // Either way until the function falls, in steps that double: the maximum may be near, or
        // anywhere.
        let ends = [-1.0, 1.0].map(|direction: f64| {
            let (mut inner, mut step) = (start, self.step);
            loop {
                let place = (inner.0 + direction * step).clamp(self.low, self.high);
                if place == inner.0 || trial.n_left == 0 {
                    return place;
                }
                let outer = (place, trial.at(place));
                if outer.1 <= inner.1 {
                    return place;
                }
                inner = outer;
                step *= 2.0;
            }
        });
        // Beyond a place that was passed on the way up there is nothing to find.
        let best = trial.best.map_or(start.0, |best| best.0);
        let near = |end: f64| {
            let reach = (best - start.0).abs().max(self.step) * 2.0;
            end.clamp(best - reach, best + reach)
        };
        (near(ends[0]), near(ends[1]))
    }

    /// Brent's method between two places around the best one.
    fn narrow<F: FnMut(f64) -> f64>(
        &self,
        mut low: f64,
        mut high: f64,
        trial: &mut LineSearchProbe<F>,
    ) {
        let Some(mut x) = trial.best else { return };
        // The second and third best places, and the last two steps.
        let (mut w, mut v) = (x, x);
        let (mut step, mut before) = (0.0_f64, 0.0_f64);
        while trial.n_left > 0 {
            let middle = low + (high - low) / 2.0;
            let tolerance = self.tolerance + 2.0 * f64::EPSILON * x.0.abs();
            if (x.0 - middle).abs() + (high - low) / 2.0 <= 2.0 * tolerance {
                return;
            }
            // 1. To the vertex of the parabola through the three best, if that is inside and steps
            // become shorter; else into the larger part by the golden section.
            let parabola = parabola(x, w, v);
            let is_inside = x.0 + parabola > low && x.0 + parabola < high;
            let is_shrinking = parabola.abs() < 0.5 * before.abs();
            if before.abs() > tolerance && is_inside && is_shrinking {
                (before, step) = (step, parabola);
            } else {
                before = if x.0 < middle { high - x.0 } else { low - x.0 };
                step = GOLDEN * before;
            }
            // 2. Steps below the tolerance would only show rounding.
            let least = if step < 0.0 { -tolerance } else { tolerance };
            let place = x.0 + if step.abs() < tolerance { least } else { step };
            let u = (place, trial.at(place));
            // 3. The bracket closes in on the side away from the better place.
            if u.1 >= x.1 {
                if u.0 < x.0 {
                    high = x.0
                } else {
                    low = x.0
                }
                (v, w, x) = (w, x, u);
            } else {
                if u.0 < x.0 {
                    low = u.0
                } else {
                    high = u.0
                }
                if u.1 >= w.1 || w.0 == x.0 {
                    (v, w) = (w, u);
                } else if u.1 >= v.1 || v.0 == x.0 || v.0 == w.0 {
                    v = u;
                }
            }
        }
    }
}

/// The step from `x` to the vertex of the parabola through three points; NaN if
/// there is none.
fn parabola(x: LineSearchPoint, w: LineSearchPoint, v: LineSearchPoint) -> f64 {
    let r = (x.0 - w.0) * (x.1 - v.1);
    let q = (x.0 - v.0) * (x.1 - w.1);
    let p = (x.0 - v.0) * q - (x.0 - w.0) * r;
    -p / (2.0 * (q - r))
}

/// Tries places and remembers the best one.
struct LineSearchProbe<F> {
    function: F,
    best: Option<LineSearchPoint>,
    n_left: usize,
}

impl<F: FnMut(f64) -> f64> LineSearchProbe<F> {
    fn at(&mut self, place: f64) -> f64 {
        self.n_left = self.n_left.saturating_sub(1);
        let value = (self.function)(place);
        // The larger of a number and none is the number.
        let value = value.max(f64::NEG_INFINITY);
        let is_better = self.best.is_none_or(|best| value > best.1);
        if is_better && value > f64::NEG_INFINITY {
            self.best = Some((place, value));
        }
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn search() -> LineSearch {
        LineSearch {
            low: -50.0,
            high: 50.0,
            step: 0.25,
            tolerance: 1e-9,
        }
    }

    #[test]
    fn finds_maxima_inside_and_at_bounds() {
        for at in [-49.5, -3.0, 0.0, 1e-3, 7.25, 49.9] {
            let mut n = 0;
            let found = search().maximum(&[0.3], |x| {
                n += 1;
                -(x - at).powi(2) - (x - at).powi(4) / 9.0
            });
            let (x, _) = found.expect("the function is finite");
            assert!((x - at).abs() < 1e-6, "{x} is not {at}");
            assert!(n < 50, "{n} trials for {at}");
        }
        let rising = search().maximum(&[0.0], |x| x);
        assert!((rising.expect("finite").0 - 50.0).abs() < 1e-6);
        let falling = search().maximum(&[0.0], |x| -x.exp());
        assert!(falling.expect("finite").0 < -30.0);
    }

    #[test]
    fn survives_places_without_value() {
        let found = search().maximum(&[f64::NAN, 9.0], |x| if x > 8.0 { f64::NAN } else { x });
        assert_eq!(found, None);
        let found = search().maximum(&[2.0], |x| if x > 8.0 { f64::NAN } else { x });
        assert!(found.expect("finite").0 > 7.9);
    }
}
