//! Control characters made visible.

use std::borrow::Cow;

/// A text for a terminal: control characters, which names and files may hold, are written
/// as escapes such as `\u{1b}`, so that they command nothing. Line breaks and tabs stay.
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.contains(commands) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for letter in text.chars() {
        if commands(letter) {
            shown.extend(letter.escape_unicode())
        } else {
            shown.push(letter)
        }
    }
    Cow::Owned(shown)
}

/// Whether a terminal would act on a character rather than show it; what turns the
/// direction of writing hides text as well.
fn commands(letter: char) -> bool {
    let is_turn = matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    is_turn || (letter.is_control() && letter != '\n' && letter != '\t')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_terminals_obey_is_escaped() {
        assert_eq!(visible("a\tb\nü"), "a\tb\nü");
        assert_eq!(visible("\u{1b}[31mred"), r"\u{1b}[31mred");
        assert_eq!(visible("a\rb\u{7f}\u{9b}"), r"a\u{d}b\u{7f}\u{9b}");
        assert_eq!(visible("\u{202e}txt"), r"\u{202e}txt");
    }
}
