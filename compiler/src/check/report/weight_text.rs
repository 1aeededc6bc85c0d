//! The place of a weight's number in the text.

use pelton_grammar::source::{SourceMap, Span};

/// The span of the number `value` if it is what stands before the term at
/// `body`: the `0.3` of `0.3: rain`.
///
/// Edges remember where their term was written and not their weight, because
/// a circuit has many edges and few messages.
pub(in crate::check) fn weight_before(sources: &SourceMap, body: Span, value: f64) -> Option<Span> {
    let source = sources.iter().find(|source| source.id() == body.source)?;
    let text = source.text().get(..body.start as usize)?;
    let before = text.trim_end().strip_suffix(':')?.trim_end();
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '.' || c == '_';
    let number = &before[before.trim_end_matches(is_part).len()..];
    let is_it = number.parse() == Ok(value);
    let start = before.len() - number.len();
    is_it.then(|| Span::new(body.source, start, before.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_number_and_nothing_else() {
        let mut sources = SourceMap::new();
        let id = sources.add("a", None, "node a = 0.9: x + 0.01 : y + w[0]: z;");
        let at = |text: &str| {
            let start = sources.get(id).text().find(text).unwrap();
            Span::new(id, start, start + 1)
        };
        let found = weight_before(&sources, at("y"), 0.01).unwrap();
        assert_eq!(sources.slice(found), "0.01");
        assert_eq!(weight_before(&sources, at("y"), 0.02), None);
        assert_eq!(weight_before(&sources, at("z"), 0.0), None);
    }
}
