//! Where a statement goes wrong.

use super::super::token::{Token, TokenKind, tokens};
use super::super::{CircuitParser, Rule};
use super::expected::ExpectedTokens;
use super::fault::SyntaxFault;
use crate::source::{Source, Span};
use pest::Parser;
use std::sync::Mutex;

/// Pest's switch for detailed errors is one for the whole process. Whoever holds this lock may
/// turn it on; threads that parse meanwhile are slowed down and nothing else.
static DETAIL: Mutex<()> = Mutex::new(());

/// Finds the token at which the text of `span` fails to follow `rule`.
pub(super) fn locate<'a>(source: &'a Source, span: Span, rule: Rule) -> SyntaxFault<'a> {
    let text = source.slice(span);
    let (position, expected) = furthest(text, rule);
    let tokens: Vec<Token> = tokens(text).collect();
    // The first token that pest did not read to its end, or the last one if it only seemed to.
    let mut at = tokens.partition_point(|token| token.end <= position);
    if at > 0 && tokens[at - 1].end == position && is_half_read(text, &tokens[..at], &expected) {
        at -= 1;
    }
    SyntaxFault {
        source: span.source,
        offset: span.start as usize,
        text,
        tokens,
        at,
        expected,
        is_query: matches!(rule, Rule::query_only | Rule::given_only),
    }
}

/// Whether the last of `tokens`, although read to its end, is the one at fault: a reserved word
/// that stands for a name, the point of a number without the digits behind it, or letters that
/// touch a number.
fn is_half_read(text: &str, tokens: &[Token], expected: &ExpectedTokens) -> bool {
    let [.., last] = tokens else {
        return false;
    };
    let is_point = &text[last.start..last.end] == "." && expected.is_digits();
    let touches_number = match tokens {
        [.., number, word] => {
            number.kind == TokenKind::Number
                && word.kind == TokenKind::Word
                && number.end == word.start
        }
        _ => false,
    };
    expected.is_unknown() || is_point || touches_number
}

/// The furthest position that pest could read up to, and what it looked for there.
///
/// The position in pest's ordinary errors is that of the last rule, which may
/// have ended long before; only its record of single tokens is exact.
fn furthest(text: &str, rule: Rule) -> (usize, ExpectedTokens) {
    // Parsing again, this time with a record of every token that was tried.
    let lock = DETAIL.lock();
    pest::set_error_detail(true);
    let result = CircuitParser::parse(rule, text);
    pest::set_error_detail(false);
    drop(lock);
    let attempts = result.err().and_then(|error| error.parse_attempts());
    attempts.map_or((0, ExpectedTokens::default()), |attempts| {
        let tokens = attempts.expected_tokens();
        let expected = ExpectedTokens::new(tokens.iter().map(ToString::to_string));
        (attempts.max_position.min(text.len()), expected)
    })
}
