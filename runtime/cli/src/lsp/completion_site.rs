//! What kind of word is being typed, told from the tokens before the cursor.
//!
//! A statement that is being typed does not parse, so its syntax tree cannot
//! be asked.

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CompletionSite {
    /// Inside a comment or text: nothing.
    Nothing,
    /// The first word of a statement.
    Statement,
    /// Behind `@`.
    Attribute,
    /// Inside `@allow(`.
    Warning,
    /// Behind `~`.
    Distribution,
    /// Behind `is`.
    Property,
    /// Behind the colon of a `var`.
    Domain,
    /// Behind the colon of a `param`.
    ParamKind,
    /// Behind `lib.`.
    Member(String),
    /// A value compared with this variable.
    Value(String),
    /// A name of a new thing, or a path.
    Fresh,
    /// Anywhere else in an expression.
    Expression,
}

pub struct StatementPrefix<'t> {
    tokens: Vec<&'t str>,
    in_word: bool,
    in_comment: bool,
}

impl<'t> StatementPrefix<'t> {
    /// Reads the tokens of the statement that `before`, the text up to the cursor, ends in.
    pub fn of(before: &'t str) -> Self {
        let mut prefix = StatementPrefix {
            tokens: Vec::new(),
            in_word: false,
            in_comment: false,
        };
        let mut rest = before;
        // Tokens of the last statement are kept alone: a semicolon forgets those before it.
        while let Some(first) = rest.chars().next() {
            let (length, is_closed) = token_length(rest, first);
            let token = &rest[..length];
            let is_comment = token.starts_with("//") || token.starts_with("/*");
            rest = &rest[length..];
            // Only the last token can hold the cursor.
            prefix.in_comment = !is_closed && rest.is_empty();
            prefix.in_word = rest.is_empty() && is_word(first);
            match token {
                ";" => prefix.tokens.clear(),
                _ if is_comment || first.is_whitespace() => {}
                _ => prefix.tokens.push(token),
            }
        }
        prefix
    }

    /// Indices and arguments that the statement binds so far.
    pub fn bound(&self) -> Vec<&'t str> {
        let tokens = &self.tokens;
        let is_name = |token: &str| token.starts_with(is_word);
        // An index stands between an opening and `in`: `[k in`, `, j in`, `sum t in`.
        let is_open = |token: &str| matches!(token, "[" | "," | "sum" | "prod");
        let indices = tokens
            .windows(3)
            .filter(|window| is_open(window[0]) && is_name(window[1]) && window[2] == "in");
        let mut bound: Vec<&str> = indices.map(|window| window[1]).collect();
        if let ["def", _, "(", rest @ ..] = self.statement() {
            let args = rest.iter().take_while(|token| **token != ")");
            bound.extend(args.filter(|token| is_name(token)));
        }
        bound
    }

    pub fn site(&self) -> CompletionSite {
        if self.in_comment {
            return CompletionSite::Nothing;
        }
        let tokens = self.statement();
        // The word that is being typed does not count: it may become any.
        let tokens = &tokens[..tokens.len() - usize::from(self.in_word && !tokens.is_empty())];
        match tokens {
            [] | ["@", _] => CompletionSite::Statement,
            ["@"] => CompletionSite::Attribute,
            ["@", "allow", "(", ..] => CompletionSite::Warning,
            ["@", ..] | ["use", ..] => CompletionSite::Nothing,
            ["const" | "node" | "def" | "var" | "param"] => CompletionSite::Fresh,
            ["assert", rest @ ..] if rest.contains(&"is") => CompletionSite::Property,
            ["var", rest @ ..] if rest.last() == Some(&":") => CompletionSite::Domain,
            ["param", rest @ ..] if rest.last() == Some(&":") => CompletionSite::ParamKind,
            [.., "~"] => CompletionSite::Distribution,
            [.., prefix, "."] if prefix.starts_with(is_word) => {
                CompletionSite::Member(prefix.to_string())
            }
            _ => match compared(tokens) {
                Some(variable) => CompletionSite::Value(variable.to_string()),
                None => CompletionSite::Expression,
            },
        }
    }

    /// The tokens behind attributes that are complete.
    fn statement(&self) -> &[&'t str] {
        let mut tokens = self.tokens.as_slice();
        loop {
            tokens = match tokens {
                ["@", _, "(", rest @ ..] => {
                    let Some(close) = rest.iter().position(|token| *token == ")") else {
                        return tokens;
                    };
                    &rest[close + 1..]
                }
                ["@", _, rest @ ..] if !rest.is_empty() => rest,
                _ => return tokens,
            }
        }
    }
}

/// The variable that what follows is a value of: `x = `, `x[3] in {a, `.
fn compared<'t>(tokens: &[&'t str]) -> Option<&'t str> {
    let operator = match tokens.last()? {
        &"=" => tokens.len() - 1,
        _ => {
            // A set may have values already: its brace is the last one, and opens behind `in`.
            let open = tokens
                .iter()
                .rposition(|token| matches!(*token, "{" | "}"))?;
            let is_set = tokens[open] == "{" && open > 0 && tokens[open - 1] == "in";
            is_set.then(|| open - 1)?
        }
    };
    // Behind the operator's first letter (`!=`, `==`) and behind indices stands the name.
    let before = &tokens[..operator];
    let before = match before {
        [rest @ .., "=" | "!"] => rest,
        _ => before,
    };
    let name = match before.last()? {
        &"]" => before[..before.iter().rposition(|token| *token == "[")?].last()?,
        name => name,
    };
    name.starts_with(is_word).then_some(name)
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '`'
}

/// Length of the first token, blank or comment, and whether it is complete.
fn token_length(rest: &str, first: char) -> (usize, bool) {
    let up_to = |end: &str| match rest[1..].find(end) {
        Some(at) => (1 + at + end.len(), true),
        None => (rest.len(), false),
    };
    match first {
        '/' if rest.starts_with("//") => up_to("\n"),
        '/' if rest.starts_with("/*") => block_comment(rest),
        '"' => text(rest),
        c if is_word(c) => {
            let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
            (end, true)
        }
        c => (c.len_utf8(), true),
    }
}

fn block_comment(rest: &str) -> (usize, bool) {
    let mut depth = 0usize;
    let mut at = 0;
    while let Some(next) = rest[at..]
        .find("/*")
        .into_iter()
        .chain(rest[at..].find("*/"))
        .min()
    {
        at += next;
        if rest[at..].starts_with("/*") {
            depth += 1
        } else {
            depth -= 1
        }
        at += 2;
        if depth == 0 {
            return (at, true);
        }
    }
    (rest.len(), false)
}

fn text(rest: &str) -> (usize, bool) {
    let mut is_escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '"' | '\n' => return (at + 1, true),
            _ => {}
        }
    }
    (rest.len(), false)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site(before: &str) -> CompletionSite {
        StatementPrefix::of(before).site()
    }

    #[test]
    fn the_tokens_before_the_cursor_tell_what_is_typed() {
        assert_eq!(site("var a : bool;\nno"), CompletionSite::Statement);
        assert_eq!(
            site("@column(\"x\") @unit(\"cm\")\nv"),
            CompletionSite::Statement
        );
        assert_eq!(site("@co"), CompletionSite::Attribute);
        assert_eq!(site("@allow(un"), CompletionSite::Warning);
        assert_eq!(site("root x ~ nor"), CompletionSite::Distribution);
        assert_eq!(site("assert root is smooth, dec"), CompletionSite::Property);
        assert_eq!(site("var a, b : "), CompletionSite::Domain);
        assert_eq!(site("param p[0..K] : sim"), CompletionSite::ParamKind);
        assert_eq!(site("root lib.mi"), CompletionSite::Member("lib".into()));
        assert_eq!(site("root sum k in 0.."), CompletionSite::Expression);
        assert_eq!(
            site("root a * [sky = st"),
            CompletionSite::Value("sky".into())
        );
        assert_eq!(
            site("root [sky[2] in {a, "),
            CompletionSite::Value("sky".into())
        );
        assert_eq!(site("root [sky != "), CompletionSite::Value("sky".into()));
        assert_eq!(site("root a * "), CompletionSite::Expression);
        assert_eq!(site("node "), CompletionSite::Fresh);
        assert_eq!(site("root a; // b"), CompletionSite::Nothing);
        assert_eq!(site("root a; /* x /* y */ z"), CompletionSite::Nothing);
        assert_eq!(site("use \"li"), CompletionSite::Nothing);
    }

    #[test]
    fn names_bound_by_the_broken_statement_are_found() {
        let bound = |text| StatementPrefix::of(text).bound();
        assert_eq!(
            bound("node z[t in 0..T, k in 0..K] = sum j in 0..2 { "),
            ["t", "k", "j"]
        );
        assert_eq!(bound("def f(a, b) = "), ["a", "b"]);
    }
}
