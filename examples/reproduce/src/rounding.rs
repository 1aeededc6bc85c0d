//! Rounding that is never in our favour.

/// The hundredths of a likelihood, towards minus infinity.
pub fn down(value: f64) -> i64 {
    (value * 100.0).floor() as i64
}

/// A gain with its sign and four digits, towards minus infinity.
pub fn gain(value: f64) -> String {
    format!("{:+.4}", (value * 1e4).floor() / 1e4)
}

/// The hundredths of a deviation, towards plus infinity.
pub fn up(value: f64) -> i64 {
    (value * 100.0).ceil() as i64
}

/// The hundredths of a number that was printed with two digits.
pub fn printed(value: f64) -> i64 {
    (value * 100.0).round() as i64
}

/// Hundredths as a number: `-5.99`.
pub fn shown(hundredths: i64) -> String {
    let sign = if hundredths < 0 { "-" } else { "" };
    let size = hundredths.unsigned_abs();
    format!("{sign}{}.{:02}", size / 100, size % 100)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn likelihoods_are_rounded_down_and_deviations_up() {
        let likelihoods = [-5.991, -5.9999, -0.001, -12.0, 0.019].map(|x| shown(down(x)));
        assert_eq!(likelihoods, ["-6.00", "-6.00", "-0.01", "-12.00", "0.01"]);
        let gains = [0.01239, 0.0, -0.00001].map(gain);
        assert_eq!(gains, ["+0.0123", "+0.0000", "-0.0001"]);
        let deviations = [0.0, 0.001, 0.25].map(|x| shown(up(x)));
        assert_eq!(deviations, ["0.00", "0.01", "0.25"]);
    }

    /// What was printed is what is shown, whatever its nearest number is.
    #[test]
    fn printed_numbers_keep_their_digits() {
        for value in [-5.99, -2.18, -14.26, -153.40, -0.07] {
            assert_eq!(shown(printed(value)), format!("{value:.2}"));
        }
    }
}
