//! What could have stood at a place, in words of the language.

#[derive(Debug, Default)]
pub(super) struct ExpectedTokens {
    tokens: Vec<String>,
    digits: bool,
}

/// Marks that are listed one by one, in the order in which they are named.
const LISTED: &[&str] = &["=", ":", "(", "[", "{", ",", "|", ")", "]", "}", ";", "."];

/// Marks that go without saying where an operator is expected.
const OPERATORS: &[&str] = &["=", ":", "(", "[", "."];

/// Words that are named where no expression is expected.
const WORDS: &[&str] = &["in", "is", "as", "if", "where"];

impl ExpectedTokens {
    /// From the tokens as pest displays them; its token type has no public name.
    pub(super) fn new(displayed: impl Iterator<Item = String>) -> Self {
        let mut expected = ExpectedTokens::default();
        for token in displayed {
            match token.as_str() {
                "0..9" => expected.digits = true,
                // A letter of an exponent or of a name, which the other tokens imply.
                "E" | "BUILTIN_RULE" => {}
                _ => expected.tokens.push(token),
            }
        }
        expected
    }

    /// Whether `token` would have been accepted.
    pub(super) fn has(&self, token: &str) -> bool {
        self.tokens.iter().any(|expected| expected == token)
    }

    /// Whether nothing is known about it: a reserved word stands for a name.
    pub(super) fn is_unknown(&self) -> bool {
        self.tokens.is_empty() && !self.digits
    }

    /// Whether only digits would have been accepted.
    pub(super) fn is_digits(&self) -> bool {
        self.digits && self.tokens.is_empty()
    }

    /// Whether an expression could have started here.
    pub(super) fn is_expression(&self) -> bool {
        self.has("?")
    }

    /// Whether an expression could have gone on here.
    pub(super) fn is_operator(&self) -> bool {
        self.has("*")
    }

    /// Whether a statement could have started here.
    pub(super) fn is_statement(&self) -> bool {
        self.has("var")
    }

    /// Whether a name could have stood here, and no other expression.
    pub(super) fn is_name(&self) -> bool {
        self.has("`") && !self.is_expression()
    }

    /// Whether a variable's domain could have stood here.
    pub(super) fn is_domain(&self) -> bool {
        self.has("bool")
    }

    /// All of it, such as "an operator, `,` or `)`".
    pub(super) fn in_words(&self) -> String {
        let mut list = Vec::new();
        if self.is_statement() {
            list.push("a statement".to_string());
        } else if self.is_domain() {
            list.push("a domain (`bool`, `real`, `nat`, `{a, b}` or `0..n`)".to_string());
        } else if self.is_expression() {
            list.push("an expression".to_string());
        } else {
            self.list_tokens(&mut list);
        }
        if list.is_empty() {
            "something else".to_string()
        } else {
            join(&list)
        }
    }

    fn list_tokens(&self, list: &mut Vec<String>) {
        let operator = self.is_operator();
        if operator {
            list.push("an operator".to_string());
        }
        if self.is_name() {
            list.push("a name".to_string());
        } else if self.has("\"") {
            list.push("a text in quotes".to_string());
        } else if self.is_digits() {
            list.push("a digit".to_string());
        }
        let marks = LISTED
            .iter()
            .filter(|mark| !(operator && OPERATORS.contains(mark)));
        let words = WORDS.iter().filter(|_| !operator);
        let named = marks.chain(words).filter(|token| self.has(token));
        list.extend(named.map(|token| format!("`{token}`")));
    }
}

/// `a, b or c`
pub(super) fn join(list: &[String]) -> String {
    match list.split_last() {
        None => String::new(),
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
    }
}
