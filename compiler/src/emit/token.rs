//! The smallest pieces of source text: names, numbers, strings.

use crate::circuit::{ParameterEntry, ParameterValue};
use pelton_grammar::parse::RESERVED;
use std::borrow::Cow;
use std::fmt;

/// A name as the language writes it: plain where it can be, else in backquotes.
pub(crate) fn name(text: &str) -> Cow<'_, str> {
    if is_plain(text) {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(format!("`{}`", text.replace(['`', '\n'], "'")))
    }
}

/// A category as the language writes it: plain where it can be, else a string.
pub(crate) fn category(text: &str) -> Cow<'_, str> {
    if is_plain(text) {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(string(text))
    }
}

/// A string with its quotes and escapes.
pub fn string(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

fn is_plain(text: &str) -> bool {
    let mut chars = text.chars();
    let starts_well = chars.next().is_some_and(|c| c == '_' || is_letter(c));
    starts_well
        && chars.all(|c| c == '_' || c.is_ascii_digit() || is_letter(c))
        && !RESERVED.contains(&text)
}

/// Letters that are surely identifier characters: ASCII, Latin, Greek and
/// Cyrillic. Others only cost a pair of backquotes.
fn is_letter(c: char) -> bool {
    let is_common = matches!(c, '\u{c0}'..='\u{24f}' | '\u{386}'..='\u{481}');
    c.is_ascii_alphabetic() || (is_common && c.is_alphabetic())
}

/// A number with the fewest digits that read back as the same `f64`.
#[derive(Clone, Copy)]
pub(super) struct ShortestNumber(pub f64);

impl fmt::Display for ShortestNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Integers below 10^15 are exact in both forms and read better without `.0`.
        let is_plain = self.0.fract() == 0.0 && self.0.abs() < 1e15;
        if is_plain && !(self.0 == 0.0 && self.0.is_sign_negative()) {
            write!(f, "{}", self.0 as i64)
        } else {
            write!(f, "{:?}", self.0)
        }
    }
}

/// A parameter's number: `0.3`, `exp(-1.2)`, `?` or `?0.3`.
#[derive(Clone, Copy)]
pub(super) struct EntryText(pub ParameterEntry);

impl fmt::Display for EntryText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.learned {
            f.write_str("?")?;
        }
        match self.0.value {
            Some(value) => ValueText(value).fmt(f),
            None => Ok(()),
        }
    }
}

/// A value: `0.3` or `exp(-1.2)`.
#[derive(Clone, Copy)]
pub(super) struct ValueText(pub ParameterValue);

impl fmt::Display for ValueText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            ParameterValue::Linear(value) => ShortestNumber(value).fmt(f),
            ParameterValue::Log(log) => write!(f, "exp({})", ShortestNumber(log)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_quoted_only_where_they_must_be() {
        for (text, written) in [
            ("rain", "rain"),
            ("höhe_2", "höhe_2"),
            ("in", "`in`"),
            ("z[3, 7]", "`z[3, 7]`"),
            ("2x", "`2x`"),
            ("", "``"),
            ("a`b", "`a'b`"),
        ] {
            assert_eq!(name(text), written);
        }
        assert_eq!(category("very \"stormy\"\\"), "\"very \\\"stormy\\\"\\\\\"");
    }

    #[test]
    fn numbers_read_back_as_themselves() {
        for (value, written) in [
            (0.1 + 0.2, "0.30000000000000004"),
            (1e-7, "1e-7"),
            (-3.0, "-3"),
            (-0.0, "-0.0"),
            (1e300, "1e300"),
            (f64::NEG_INFINITY, "-inf"),
        ] {
            let text = ShortestNumber(value).to_string();
            assert_eq!(text, written);
            assert_eq!(text.parse::<f64>().unwrap().to_bits(), value.to_bits());
        }
        let log = ParameterEntry {
            value: Some(ParameterValue::Log(-1000.5)),
            learned: true,
        };
        assert_eq!(EntryText(log).to_string(), "?exp(-1000.5)");
    }
}
