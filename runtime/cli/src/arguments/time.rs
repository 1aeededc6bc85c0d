//! Times on the command line.

use std::time::Duration;

/// Longer ones cannot be added to the clock.
const LONGEST: Duration = Duration::from_secs(4_000_000_000);

/// Reads `90s`, `0.5s`, `10m` or `1h30m`: more than nothing in all.
pub fn time(text: &str) -> Result<Duration, String> {
    let time = humantime::parse_duration(text).ok();
    let time = time.filter(|&time| !time.is_zero() && time <= LONGEST);
    time.ok_or_else(|| "write a time such as 90s, 10m or 1h30m".to_string())
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
            ("1h 30m", 5400.0),
            ("250ms", 0.25),
            ("1d", 86400.0),
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
            "-5m",
            "+5m",
            "1..5s",
            "1e3s",
            "infs",
            "nanm",
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
