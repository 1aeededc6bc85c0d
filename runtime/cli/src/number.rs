//! Numbers for people: never hundreds of digits.

pub use pelton::question::shown_number;

/// From here on numbers are written with an exponent.
const LARGE: f64 = 1e15;

/// Below this, six digits behind the point would not be enough.
const SMALL: f64 = 1e-5;

/// Six digits of a number as the language writes it: `0.3`, `1e-300`.
pub fn six_digits(value: f64) -> String {
    let short: Result<f64, _> = format!("{value:.5e}").parse();
    let short = short.unwrap_or(value);
    if short == 0.0 || (SMALL..LARGE).contains(&short.abs()) {
        short.to_string()
    } else {
        format!("{short:e}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_short() {
        let shown = [-5.1234567, 0.0, 1.5e300, f64::NAN].map(shown_number);
        assert_eq!(shown, ["-5.123457", "0.000000", "1.500000e300", "NaN"]);
    }

    #[test]
    fn numbers_are_written_as_in_circuits() {
        let numbers = [
            0.0,
            0.3,
            -2.0,
            1.0 / 3.0,
            0.00001,
            1e14,
            1e15,
            -1e-300,
            2.5e300,
        ];
        let shown = numbers.map(six_digits).join(" ");
        let expected = "0 0.3 -2 0.333333 0.00001 100000000000000 1e15 -1e-300 2.5e300";
        assert_eq!(shown, expected);
    }
}
