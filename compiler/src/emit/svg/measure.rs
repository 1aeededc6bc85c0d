//! How wide text will be.
//!
//! The font is the reader's, so widths are estimated from those of a wide
//! system font (DejaVu Sans): text may take less room than was kept for it,
//! hardly ever more.

/// The width of `text` in a font of `size` pixels.
pub(super) fn text_width(text: &str, size: f64) -> f64 {
    text.chars().map(char_width).sum::<f64>() * size
}

/// The width of a character relative to the size of the font.
fn char_width(c: char) -> f64 {
    match c {
        'i' | 'j' | 'l' | '\'' | '|' => 0.30,
        ' ' | ',' | '.' | ':' | ';' | '!' | 'I' | '·' => 0.34,
        '(' | ')' | '[' | ']' | 'f' | 'r' | 't' | '-' | '"' => 0.41,
        'm' | 'M' | 'w' | 'W' | '@' | '%' | '…' => 0.97,
        '~' | '=' | '<' | '>' | '≤' | '+' | '¬' | '−' => 0.84,
        '0'..='9' | 'a'..='z' | '_' | '?' | '*' | '/' => 0.62,
        'A'..='Z' => 0.72,
        _ if c.is_ascii() => 0.65,
        // Ideographs and emoji are as wide as they are high.
        '\u{1100}'.. if c > '\u{2e80}' => 1.05,
        _ => 0.70,
    }
}
