//! Text to syntax tree.
//!
//! `scan` cuts the text into statements and reports what cannot even be cut
//! (open comments, unbalanced brackets, nesting beyond the limit). Each
//! statement is then read by the pest grammar on its own, so that every broken
//! statement of a file is reported in one run.

mod build;
mod scan;
mod syntax_error;
#[cfg(test)]
mod tests;
pub(crate) mod token;

use crate::ast::{Comment, Expr, FileSyntax, QueryDecl};
use crate::diagnostic::{Code, SourceDiagnostic, SourceDiagnostics};
use crate::remedy::{RemedyOption, RemedyText};
use crate::source::{Source, Span};
use build::SyntaxBuilder;
use pest::Parser;
use pest::iterators::Pair;

/// What pest derives from the grammar file; the derived items carry no documentation.
#[allow(missing_docs)]
mod derived {
    #[derive(pest_derive::Parser)]
    #[grammar = "pcirc.pest"]
    pub struct CircuitParser;
}
use derived::{CircuitParser, Rule};

/// Words that cannot be names unless they stand in backquotes.
pub const RESERVED: &[&str] = &[
    "as", "assert", "const", "def", "else", "false", "if", "in", "inf", "is", "node", "param",
    "prod", "query", "root", "sum", "true", "use", "var", "where",
];

/// Words that begin a statement.
pub const STARTERS: &[&str] = &[
    "var", "const", "param", "node", "root", "def", "use", "assert", "query",
];

/// Limits on what the parser accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseOptions {
    /// How deeply brackets may be nested (`--max-depth`).
    pub max_depth: usize,
}

impl ParseOptions {
    /// The greatest depth that can be asked for.
    pub const DEEPEST: usize = 1000;
}

impl Default for ParseOptions {
    fn default() -> Self {
        ParseOptions { max_depth: 200 }
    }
}

/// Stack for each level of brackets: measured at 9 KB in release and 40 KB in
/// unoptimised builds for the deepest chain of rules; the rest is margin.
const STACK_PER_LEVEL: usize = 96 << 10;

/// Reads a source text.
///
/// Statements that do not parse are reported in `found` and left out of the
/// result, which holds all the others.
pub fn parse(source: &Source, options: &ParseOptions, found: &mut SourceDiagnostics) -> FileSyntax {
    let scan = scan::scan(source, options.max_depth, found);
    let stack = (scan.depth + 8) * STACK_PER_LEVEL;
    let mut broken = scan.broken;
    let items = stacker::maybe_grow(stack, stack + (1 << 20), || {
        let mut items = Vec::with_capacity(scan.statements.len());
        for &statement in &scan.statements {
            match parse_statement(source, statement, &scan.comments, found) {
                Some(item) => items.push(item),
                None => broken.push(statement),
            }
        }
        items
    });
    FileSyntax {
        items,
        broken,
        comments: scan.comments,
        span: source.span(),
    }
}

/// Reads a query alone, such as `P(rain | wet)`.
pub fn parse_query(
    source: &Source,
    options: &ParseOptions,
    found: &mut SourceDiagnostics,
) -> Option<QueryDecl> {
    let build = |builder: &mut SyntaxBuilder<'_>, pair: Pair<'_, Rule>| builder.query_body(pair);
    parse_fragment(source, Rule::query_only, options, found, build)
}

/// Reads what is known alone, such as `wet, temp <= 10`.
pub fn parse_given(
    source: &Source,
    options: &ParseOptions,
    found: &mut SourceDiagnostics,
) -> Option<Vec<Expr>> {
    let build = |builder: &mut SyntaxBuilder<'_>, pair: Pair<'_, Rule>| builder.exprs(pair);
    parse_fragment(source, Rule::given_only, options, found, build)
}

/// Reads a text that is no statement; `rule` holds what `build` takes.
fn parse_fragment<T>(
    source: &Source,
    rule: Rule,
    options: &ParseOptions,
    found: &mut SourceDiagnostics,
    build: impl FnOnce(&mut SyntaxBuilder<'_>, Pair<'_, Rule>) -> T,
) -> Option<T> {
    let scan = scan::scan_fragment(source, options.max_depth, found)?;
    let stack = (scan.depth + 8) * STACK_PER_LEVEL;
    stacker::maybe_grow(stack, stack + (1 << 20), || {
        match CircuitParser::parse(rule, source.text()) {
            Ok(mut pairs) => {
                let mut builder = SyntaxBuilder::new(source.id(), 0, &scan.comments, found);
                let body = pairs.next().and_then(|pair| pair.into_inner().next())?;
                Some(build(&mut builder, body))
            }
            Err(_) => {
                found.push(syntax_error::explain(source, source.span(), rule));
                None
            }
        }
    })
}

fn parse_statement(
    source: &Source,
    statement: Span,
    comments: &[Comment],
    found: &mut SourceDiagnostics,
) -> Option<crate::ast::Item> {
    let text = source.slice(statement);
    match CircuitParser::parse(Rule::item, text) {
        Ok(mut pairs) => {
            let offset = statement.start as usize;
            let mut builder = SyntaxBuilder::new(source.id(), offset, comments, found);
            pairs.next().map(|pair| builder.item(pair))
        }
        Err(_) => {
            found.push(syntax_error::explain(source, statement, Rule::item));
            None
        }
    }
}

fn too_deep(span: Span, limit: usize) -> SourceDiagnostic {
    let message = format!("brackets are nested more than {limit} levels deep");
    let diagnostic =
        SourceDiagnostic::new(Code::TooDeep, span, message).at("this level is too deep");
    let help = RemedyText::from("name the inner parts as nodes of their own");
    if limit < ParseOptions::DEEPEST {
        diagnostic.help(help.or(RemedyOption::RaiseDepthLimit(ParseOptions::DEEPEST)))
    } else {
        diagnostic.help(help)
    }
}
