//! The position of an entry as a formula of the indices around it.

/// `c + a1 * i1 + a2 * i2 + …`
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Affine {
    constant: i64,
    factors: Vec<i64>,
}

impl Affine {
    /// The formula that gives the number of every sample from its indices, if there
    /// is one. Linear in samples for each index.
    pub fn fit(n_indices: usize, samples: &[(&[i64], i64)]) -> Option<Affine> {
        let mut factors: Vec<Option<i64>> = vec![None; n_indices];
        // A step from one sample to the next that changes a single index, beside those
        // known by then, tells its factor.
        for _ in 0..n_indices {
            for pair in samples.windows(2) {
                learn_factor(pair[0], pair[1], &mut factors);
            }
        }
        let factors: Vec<i64> = factors.into_iter().map(Option::unwrap_or_default).collect();
        let formula = |constant| Affine {
            constant,
            factors: factors.clone(),
        };
        let (indices, number) = samples.first()?;
        let affine = formula(number.checked_sub(formula(0).at(indices)?)?);
        let fits = |(indices, number): &(&[i64], i64)| affine.at(indices) == Some(*number);
        samples.iter().all(fits).then_some(affine)
    }

    fn at(&self, indices: &[i64]) -> Option<i64> {
        let mut terms = self.factors.iter().zip(indices);
        terms.try_fold(self.constant, |sum, (factor, index)| {
            sum.checked_add(factor.checked_mul(*index)?)
        })
    }

    /// The formula in the language: `2 * k + j - 1`.
    pub fn text(&self, names: &[String]) -> String {
        let mut text = String::new();
        let terms = self.factors.iter().zip(names);
        for (&factor, name) in terms.filter(|(factor, _)| **factor != 0) {
            push_sign(factor < 0, &mut text);
            match factor.unsigned_abs() {
                1 => text.push_str(name),
                factor => text.push_str(&format!("{factor} * {name}")),
            }
        }
        if self.constant != 0 || text.is_empty() {
            push_sign(self.constant < 0, &mut text);
            text.push_str(&self.constant.unsigned_abs().to_string());
        }
        text
    }
}

fn push_sign(is_negative: bool, text: &mut String) {
    text.push_str(match (is_negative, text.is_empty()) {
        (true, true) => "-",
        (true, false) => " - ",
        (false, true) => "",
        (false, false) => " + ",
    });
}

fn learn_factor(from: (&[i64], i64), to: (&[i64], i64), factors: &mut [Option<i64>]) -> Option<()> {
    let mut rest = to.1.checked_sub(from.1)?;
    let mut unknown = None;
    for (at, (old, new)) in from.0.iter().zip(to.0).enumerate() {
        let step = new.checked_sub(*old)?;
        match factors[at] {
            _ if step == 0 => {}
            Some(factor) => rest = rest.checked_sub(factor.checked_mul(step)?)?,
            None if unknown.is_none() => unknown = Some((at, step)),
            None => return None,
        }
    }
    let (at, step) = unknown?;
    let factor = rest.checked_div(step);
    factors[at] = factor.filter(|factor| factor * step == rest);
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fitted(samples: &[([i64; 2], i64)]) -> Option<String> {
        let samples: Vec<(&[i64], i64)> = samples.iter().map(|(i, n)| (&i[..], *n)).collect();
        let names = ["k".to_string(), "j".to_string()];
        Affine::fit(2, &samples).map(|affine| affine.text(&names))
    }

    #[test]
    fn formulas_are_found_and_written() {
        let box_of = |low: i64| {
            [
                ([low, 0], 0),
                ([low, 1], 1),
                ([low + 1, 0], 2),
                ([low + 1, 1], 3),
            ]
        };
        assert_eq!(fitted(&box_of(0)).unwrap(), "2 * k + j");
        assert_eq!(fitted(&box_of(1)).unwrap(), "2 * k + j - 2");
        assert_eq!(fitted(&[([3, 0], 7), ([4, 0], 7)]).unwrap(), "7");
        assert_eq!(fitted(&[([3, 0], 5), ([4, 0], 4)]).unwrap(), "-k + 8");
        assert_eq!(fitted(&[([0, 0], 0), ([1, 0], 1), ([3, 0], 2)]), None);
    }
}
