//! Places: byte offsets here, lines and UTF-16 columns in the protocol.

use lsp_types::{Position, Range};
use pelton_grammar::source::{Source, Span};

/// The position of a byte offset; one inside a character is moved before it.
pub fn position(source: &Source, offset: usize) -> Position {
    let text = source.text();
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    let (line, start) = source.line_at(offset);
    let column = text[start..offset].encode_utf16().count();
    Position::new(line as u32, column as u32)
}

pub fn range(source: &Source, span: Span) -> Range {
    Range::new(
        position(source, span.start as usize),
        position(source, span.end as usize),
    )
}

/// The byte offset of a position, moved into the text where it lies outside.
pub fn offset(text: &str, position: Position) -> usize {
    let mut start = 0;
    for _ in 0..position.line {
        match text[start..].find('\n') {
            Some(at) => start += at + 1,
            None => return text.len(),
        }
    }
    let line = text[start..].split('\n').next().unwrap_or("");
    let line = line.strip_suffix('\r').unwrap_or(line);
    start + column_offset(line, position.character as usize)
}

/// The byte offset of a UTF-16 column in a line; inside a pair it is the pair's start.
fn column_offset(line: &str, column: usize) -> usize {
    let mut units = 0;
    for (at, char) in line.char_indices() {
        units += char.len_utf16();
        if units > column {
            return at;
        }
    }
    line.len()
}

pub fn overlaps(a: &Range, b: &Range) -> bool {
    a.start <= b.end && b.start <= a.end
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "a\u{1F600}b\r\nüx\n";

    #[test]
    fn offsets_count_utf16_and_are_clamped() {
        let at = |line, column| offset(TEXT, Position::new(line, column));
        assert_eq!((at(0, 0), at(0, 1), at(0, 3), at(0, 4)), (0, 1, 5, 6));
        assert_eq!(at(0, 2), 1, "inside a pair");
        assert_eq!(at(0, 99), 6, "before the line's end");
        assert_eq!((at(1, 1), at(1, 2)), (10, 11));
        assert_eq!((at(2, 0), at(9, 9)), (12, 12));
    }

    #[test]
    fn positions_are_the_inverse() {
        let source = Source::standalone("t", TEXT);
        for (at, _) in TEXT.char_indices().filter(|&(_, c)| c != '\r' && c != '\n') {
            assert_eq!(offset(TEXT, position(&source, at)), at);
        }
        assert_eq!(position(&source, 3), Position::new(0, 1));
    }
}
