//! Whether what is printed is what a page shows.
//!
//! Words have to be the same, and numbers but for their last digits, which depend on the
//! machine. Times and threads are the machine's own.

/// Digits of numbers may differ by this part.
const TOLERANCE: f64 = 1e-5;

/// Whether texts agree.
pub fn printed_alike(found: &str, shown: &str) -> bool {
    let (found, shown) = (found.trim_end().lines(), shown.trim_end().lines());
    let (found, shown): (Vec<&str>, Vec<&str>) = (found.collect(), shown.collect());
    found.len() == shown.len() && found.iter().zip(&shown).all(|(a, b)| is_line(a, b))
}

fn is_line(found: &str, shown: &str) -> bool {
    let (found, shown) = (tokens(found), tokens(shown));
    let is_same = |at: usize| {
        let is_of_machine = matches!(
            (shown.get(at + 1), shown.get(at + 2)),
            (Some(&" "), Some(&("s" | "thread" | "threads")))
        );
        is_of_machine || is_token(found[at], shown[at]) || is_plural(found[at], shown[at])
    };
    found.len() == shown.len() && (0..shown.len()).all(is_same)
}

fn is_plural(found: &str, shown: &str) -> bool {
    [found, shown]
        .iter()
        .all(|word| ["thread", "threads"].contains(word))
}

fn is_token(found: &str, shown: &str) -> bool {
    let is_rounded = |text: &str| text.contains(['.', 'e']);
    match (found.parse::<f64>(), shown.parse::<f64>()) {
        (Ok(a), Ok(b)) if is_rounded(shown) => (a - b).abs() <= TOLERANCE * b.abs().max(1e-12),
        _ => found == shown,
    }
}

/// Numbers, words, and what stands between them.
fn tokens(line: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = line;
    while let Some(first) = rest.chars().next() {
        let end = if first.is_ascii_alphanumeric() || first == '-' {
            word_end(rest)
        } else {
            first.len_utf8()
        };
        let (token, after) = rest.split_at(end);
        tokens.push(token);
        rest = after;
    }
    tokens
}

/// Where a word or a number ends that begins a text: signs of exponents are part of it.
fn word_end(text: &str) -> usize {
    let bytes = text.as_bytes();
    let is_number = text
        .trim_start_matches('-')
        .starts_with(|c: char| c.is_ascii_digit());
    let goes_on = |at: usize| match bytes[at] {
        byte if byte.is_ascii_alphanumeric() || byte == b'_' => true,
        b'.' => is_number && bytes.get(at + 1).is_some_and(u8::is_ascii_digit),
        b'-' | b'+' => is_number && bytes[at - 1] == b'e',
        _ => false,
    };
    (1..bytes.len())
        .find(|&at| !goes_on(at))
        .unwrap_or(bytes.len())
}

#[cfg(test)]
mod tests {
    use super::printed_alike;

    #[test]
    fn last_digits_times_and_threads_may_differ() {
        for (found, shown) in [
            ("a = 0.658537", "a = 0.658538"),
            ("x -8.586537 2.5e-7", "x -8.586540 2.50001e-7"),
            (
                "2 epochs in 0.10 s (1 thread, f32)",
                "2 epochs in 0.03 s (8 threads, f32)",
            ),
        ] {
            assert!(printed_alike(found, shown), "{found}");
        }
        for (found, shown) in [
            ("a = 0.658537", "a = 0.658637"),
            ("21 epochs", "22 epochs"),
            ("-1.5", "1.5"),
            ("one\ntwo", "one"),
        ] {
            assert!(!printed_alike(found, shown), "{found}");
        }
    }
}
