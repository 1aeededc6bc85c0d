//! Times on the command line.

use std::time::Duration;

/// The units, from the largest, in seconds.
const UNITS: [(&str, f64); 3] = [("h", 3600.0), ("m", 60.0), ("s", 1.0)];

/// Longer ones cannot be added to the clock.
const MOST_SECONDS: f64 = 4e9;

/// Reads `90s`, `0.5s`, `10m` or `1h30m`: each unit at most once, the larger first, and
/// more than nothing in all.
pub fn time(text: &str) -> Result<Duration, String> {
    let seconds = seconds(text).filter(|&seconds| seconds > 0.0 && seconds <= MOST_SECONDS);
    let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    let time = time.filter(|time| !time.is_zero());
    time.ok_or_else(|| "write a time such as 90s, 10m or 1h30m".to_string())
}

fn seconds(text: &str) -> Option<f64> {
    let mut rest = text;
    let mut total = 0.0;
    for (unit, seconds) in UNITS {
        if let Some((number, behind)) = rest.split_once(unit) {
            total += number_of(number)? * seconds;
            rest = behind;
        }
    }
    rest.is_empty().then_some(total)
}

/// A number of digits with at most one point: `parse` would take signs and words.
fn number_of(text: &str) -> Option<f64> {
    let is_plain = text
        .bytes()
        .all(|byte| byte.is_ascii_digit() || byte == b'.');
    text.parse().ok().filter(|_| is_plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units() {
        for (text, seconds) in [
            ("90s", 90.0),
            ("10m", 600.0),
            ("1h30m", 5400.0),
            ("2h5s", 7205.0),
            ("0.25h", 900.0),
            ("1h0m1.5s", 3601.5),
            (".5s", 0.5),
            ("0.001s", 0.001),
        ] {
            assert_eq!(time(text), Ok(Duration::from_secs_f64(seconds)), "{text}");
        }
    }

    #[test]
    fn what_is_no_time_is_told() {
        for text in [
            "",
            " ",
            "0s",
            "0h0m",
            "0.0000000000001s",
            "10",
            "s",
            "m",
            "abc",
            "10x",
            "10ms",
            "1d",
            "-5m",
            "+5m",
            "1..5s",
            "1e3s",
            "infs",
            "nanm",
            "1h 30m",
            "5m1h",
            "1m1m",
            "10 m",
            "10µ",
            ".s",
            "99999999999999999999h",
            "9999999999999h",
        ] {
            let says = Err("write a time such as 90s, 10m or 1h30m".to_string());
            assert_eq!(time(text), says, "{text}");
        }
    }
}
