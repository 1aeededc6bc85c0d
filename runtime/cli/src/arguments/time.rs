//! Times on the command line.

use std::time::Duration;

/// The units, from the largest.
const UNITS: [(char, u64); 3] = [('h', 3600), ('m', 60), ('s', 1)];

/// Reads `90s`, `10m` or `1h30m`: each unit at most once, the larger first, and more
/// than nothing in all.
pub fn time(text: &str) -> Result<Duration, String> {
    match seconds(text) {
        Some(seconds) if seconds > 0 => Ok(Duration::from_secs(seconds)),
        _ => Err("write a time such as 90s, 10m or 1h30m".to_string()),
    }
}

fn seconds(text: &str) -> Option<u64> {
    let mut rest = text;
    let mut total: u64 = 0;
    for (unit, seconds) in UNITS {
        if let Some((number, behind)) = rest.split_once(unit) {
            total = total.checked_add(digits(number)?.checked_mul(seconds)?)?;
            rest = behind;
        }
    }
    // A time that cannot be added to the clock is no time.
    (rest.is_empty() && total <= 1 << 32).then_some(total)
}

/// A number of digits alone: `parse` would take a sign.
fn digits(text: &str) -> Option<u64> {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| is_plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units() {
        let read = |text| time(text).ok().map(|time| time.as_secs());
        assert_eq!(read("90s"), Some(90));
        assert_eq!(read("10m"), Some(600));
        assert_eq!(read("1h30m"), Some(5400));
        assert_eq!(read("2h5s"), Some(7205));
        for wrong in [
            "",
            "10",
            "0s",
            "m",
            "-5m",
            "+5m",
            "1.5h",
            "5m1h",
            "1m1m",
            "10 m",
            "10x",
            "99999999999999999999h",
            "9999999999999h",
        ] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }
}
