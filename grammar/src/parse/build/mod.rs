//! Pest's token pairs to the syntax tree, one function for each rule.
//!
//! The `expect`s below state what the grammar guarantees about the shape of
//! each rule; no input can make them fail.

mod expr;

use super::Rule;
use super::token::is_blank;
use crate::ast::*;
use crate::diagnostic::SourceDiagnostics;
use crate::source::{SourceId, Span};
use pest::iterators::{Pair, Pairs};

pub(super) struct SyntaxBuilder<'f> {
    source: SourceId,
    /// Where the statement starts in its source.
    offset: usize,
    comments: &'f [Comment],
    found: &'f mut SourceDiagnostics,
}

/// The next pair of a rule that the grammar guarantees.
fn next<'i>(pairs: &mut Pairs<'i, Rule>) -> Pair<'i, Rule> {
    pairs.next().expect("the grammar puts a pair here")
}

/// The next pair if it is of `rule`.
fn next_if<'i>(pairs: &mut Pairs<'i, Rule>, rule: Rule) -> Option<Pair<'i, Rule>> {
    match pairs.peek() {
        Some(pair) if pair.as_rule() == rule => pairs.next(),
        _ => None,
    }
}

impl<'f> SyntaxBuilder<'f> {
    pub(super) fn new(
        source: SourceId,
        offset: usize,
        comments: &'f [Comment],
        found: &'f mut SourceDiagnostics,
    ) -> Self {
        SyntaxBuilder {
            source,
            offset,
            comments,
            found,
        }
    }

    fn span(&self, pair: &Pair<'_, Rule>) -> Span {
        let span = pair.as_span();
        let start = self.offset + span.start();
        let length = self.length_without_blanks(start, span.as_str());
        Span::new(self.source, start, start + length)
    }

    /// Pest's span of a compound rule may run into the blanks and comments behind it.
    fn length_without_blanks(&self, start: usize, mut text: &str) -> usize {
        loop {
            text = text.trim_end_matches(is_blank);
            let end = (start + text.len()) as u32;
            let comment = self.comments.binary_search_by_key(&end, |c| c.span.end);
            match comment {
                Ok(idx) if self.comments[idx].span.start as usize >= start => {
                    text = &text[..self.comments[idx].span.start as usize - start];
                }
                _ => return text.len(),
            }
        }
    }

    pub(super) fn item(&mut self, pair: Pair<'_, Rule>) -> Item {
        let whole = self.span(&pair);
        let mut inner = pair.into_inner();
        let mut docs = Vec::new();
        while let Some(doc) = next_if(&mut inner, Rule::doc) {
            let text = doc.as_str()[3..].trim_end();
            docs.push(Comment {
                text: text.strip_prefix(' ').unwrap_or(text).to_string(),
                span: self.span(&doc),
            });
        }
        let mut attributes = Vec::new();
        while let Some(attribute) = next_if(&mut inner, Rule::attribute) {
            attributes.push(self.attribute(attribute));
        }
        let statement = next(&mut inner);
        // Documentation is no part of the statement's place, so that messages point at its text.
        let first = attributes
            .first()
            .map_or(self.span(&statement), |first| first.span);
        let start = first.start;
        Item {
            docs,
            attributes,
            kind: self.statement(statement),
            span: Span { start, ..whole },
        }
    }

    fn attribute(&mut self, pair: Pair<'_, Rule>) -> Attribute {
        let span = self.span(&pair);
        let mut inner = pair.into_inner();
        let name = self.name(next(&mut inner));
        let args = inner.next().map_or(Vec::new(), |args| self.exprs(args));
        Attribute { name, args, span }
    }

    fn statement(&mut self, pair: Pair<'_, Rule>) -> ItemKind {
        let rule = pair.as_rule();
        let mut inner = pair.into_inner();
        let keyword = next(&mut inner);
        match rule {
            Rule::var_decl => ItemKind::Var(self.var_decl(inner)),
            Rule::const_decl => ItemKind::Const(ConstDecl {
                name: self.name(next(&mut inner)),
                value: self.expr(next(&mut inner)),
            }),
            Rule::param_decl => ItemKind::Param(self.param_decl(inner)),
            Rule::node_decl => ItemKind::Node(self.node_decl(inner)),
            Rule::root_decl => ItemKind::Root(RootDecl {
                body: self.expr(next(&mut inner)),
                keyword: self.span(&keyword),
            }),
            Rule::def_decl => ItemKind::Def(DefDecl {
                name: self.name(next(&mut inner)),
                args: self.names(next(&mut inner).into_inner()),
                body: self.expr(next(&mut inner)),
            }),
            Rule::use_decl => {
                let path = next(&mut inner);
                next(&mut inner);
                ItemKind::Use(UseDecl {
                    path_span: self.span(&path),
                    path: self.text(path),
                    name: self.name(next(&mut inner)),
                })
            }
            Rule::assert_decl => ItemKind::Assert(self.assert_decl(inner)),
            Rule::query_decl => ItemKind::Query(self.query_body(next(&mut inner))),
            other => unreachable!("{other:?} is no statement"),
        }
    }

    fn names(&self, pairs: Pairs<'_, Rule>) -> Vec<Name> {
        pairs.map(|name| self.name(name)).collect()
    }

    fn var_decl(&mut self, mut inner: Pairs<'_, Rule>) -> VarDecl {
        let names = self.declarators(&mut inner);
        let domain = self.domain(next(&mut inner));
        VarDecl { names, domain }
    }

    fn declarators(&mut self, inner: &mut Pairs<'_, Rule>) -> Vec<Declarator> {
        let mut names = Vec::new();
        while let Some(pair) = next_if(inner, Rule::declarator) {
            let mut parts = pair.into_inner();
            let name = self.name(next(&mut parts));
            let dims = parts.next().map_or(Vec::new(), |dims| self.exprs(dims));
            names.push(Declarator { name, dims });
        }
        names
    }

    fn domain(&mut self, pair: Pair<'_, Rule>) -> DomainSyntax {
        let span = self.span(&pair);
        let inner = next(&mut pair.into_inner());
        let kind = match inner.as_rule() {
            Rule::domain_bool => DomainKind::Bool,
            Rule::domain_real => DomainKind::Real,
            Rule::domain_nat => DomainKind::Nat,
            Rule::categories => {
                DomainKind::Categories(inner.into_inner().map(|c| self.category(c)).collect())
            }
            _ => DomainKind::Range(Box::new(self.expr(inner))),
        };
        DomainSyntax { kind, span }
    }

    fn category(&mut self, pair: Pair<'_, Rule>) -> Name {
        match pair.as_rule() {
            Rule::text => Name {
                span: self.span(&pair),
                text: self.text(pair),
            },
            _ => self.name(pair),
        }
    }

    fn param_decl(&mut self, mut inner: Pairs<'_, Rule>) -> ParamDecl {
        let names = self.declarators(&mut inner);
        let mut kind = next(&mut inner).into_inner();
        ParamDecl {
            names,
            kind: self.name(next(&mut kind)),
            size: kind.next().map(|size| self.expr(size)),
            value: inner.next().map(|value| self.expr(value)),
        }
    }

    fn node_decl(&mut self, mut inner: Pairs<'_, Rule>) -> NodeDecl {
        let name = self.name(next(&mut inner));
        let (mut binders, mut filter) = (Vec::new(), None);
        if let Some(index) = next_if(&mut inner, Rule::family_index) {
            let mut parts = index.into_inner();
            binders = self.binders(next(&mut parts));
            filter = parts.next().map(|filter| self.guarded(filter));
        }
        let body = self.expr(next(&mut inner));
        NodeDecl {
            name,
            binders,
            filter,
            body,
        }
    }

    fn binders(&mut self, pair: Pair<'_, Rule>) -> Vec<Binder> {
        let binder = |binder: Pair<'_, Rule>| {
            let mut parts = binder.into_inner();
            let name = self.name(next(&mut parts));
            next(&mut parts);
            let domain = self.expr(next(&mut parts));
            Binder { name, domain }
        };
        pair.into_inner().map(binder).collect()
    }

    /// The expression behind the word that begins a part, such as `where` or `in`.
    fn guarded(&mut self, pair: Pair<'_, Rule>) -> Expr {
        let mut parts = pair.into_inner();
        next(&mut parts);
        self.expr(next(&mut parts))
    }

    fn assert_decl(&mut self, mut inner: Pairs<'_, Rule>) -> AssertDecl {
        let target = next(&mut next(&mut inner).into_inner());
        let target = (target.as_rule() == Rule::path).then(|| self.path(target));
        next(&mut inner);
        AssertDecl {
            target,
            properties: self.names(inner),
        }
    }

    pub(super) fn query_body(&mut self, pair: Pair<'_, Rule>) -> QueryDecl {
        let span = self.span(&pair);
        let mut inner = pair.into_inner();
        let kind = self.name(next(&mut inner));
        let (mut events, mut given) = (Vec::new(), Vec::new());
        for part in inner {
            match part.as_rule() {
                Rule::events => events = self.exprs(part),
                _ => given = self.exprs(part),
            }
        }
        QueryDecl {
            kind,
            events,
            given,
            span,
        }
    }
}
