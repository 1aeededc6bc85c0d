//! Replacements in a text.

use pelton_grammar::source::Span;

/// Replacements, in any order.
#[derive(Default)]
pub(super) struct TextReplacements {
    list: Vec<(Span, String)>,
}

impl TextReplacements {
    /// Puts `text` in the place of what the span covers.
    pub fn replace(&mut self, span: Span, text: String) {
        self.list.push((span, text));
    }

    /// The same, instead of what was to be put there before.
    pub fn replace_again(&mut self, span: Span, text: String) {
        self.list.retain(|(other, _)| *other != span);
        self.replace(span, text);
    }

    /// The text after all replacements; `None` if two overlap. Insertions at one
    /// place keep their order. Lines end as the first line of the text does.
    pub fn apply(mut self, text: &str) -> Option<String> {
        self.list.sort_by_key(|(span, _)| (span.start, span.end));
        let ends_with_return = text.split('\n').next().is_some_and(|l| l.ends_with('\r'));
        let mut out = String::with_capacity(text.len() * 2);
        let mut done = 0;
        for (span, new) in &self.list {
            let range = span.range();
            out.push_str(text.get(done..range.start)?);
            if ends_with_return {
                out.push_str(&new.replace('\n', "\r\n"))
            } else {
                out.push_str(new)
            }
            done = range.end;
        }
        out.push_str(text.get(done..)?);
        Some(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pelton_grammar::source::SourceId;

    #[test]
    fn edits_are_made_in_place_and_never_overlap() {
        let span = |start, end| Span::new(SourceId(0), start, end);
        let mut edits = TextReplacements::default();
        edits.replace(span(4, 5), "two".into());
        edits.replace(span(0, 0), "zero\n".into());
        edits.replace(span(0, 1), "one".into());
        assert_eq!(edits.apply("1 + 2\r\n").unwrap(), "zero\r\none + two\r\n");
        let mut edits = TextReplacements::default();
        edits.replace(span(0, 3), String::new());
        edits.replace(span(2, 4), String::new());
        assert_eq!(edits.apply("12345"), None);
    }
}
