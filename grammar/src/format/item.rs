//! Statements as pieces.

use super::expr::ExpressionStart;
use super::layout::FormatPiece;
use super::writer::{StatementWriter, is_plain};
use crate::ast::*;
use crate::parse::RESERVED;

impl<'a> StatementWriter<'a> {
    pub(super) fn item(&mut self, item: &'a Item) {
        for doc in &item.docs {
            doc.text.split('\n').for_each(|line| self.doc(line));
        }
        self.attributes(&item.attributes);
        self.statement(&item.kind);
        self.token(";");
    }

    fn doc(&mut self, text: &'a str) {
        self.token("///");
        if !text.is_empty() {
            self.pieces.push(FormatPiece::LineComment(" "));
            self.pieces.push(FormatPiece::LineComment(text));
        }
        self.newline();
    }

    /// All on one line, or one a line.
    fn attributes(&mut self, attributes: &'a [Attribute]) {
        self.group(|w| {
            for (idx, attribute) in attributes.iter().enumerate() {
                if idx > 0 {
                    w.line(true);
                }
                w.attribute(attribute);
            }
        });
        if !attributes.is_empty() {
            self.newline();
        }
    }

    fn attribute(&mut self, attribute: &'a Attribute) {
        self.token("@");
        self.name(&attribute.name.text);
        if !attribute.args.is_empty() {
            self.list("(", &attribute.args, ")");
        }
    }

    fn statement(&mut self, kind: &'a ItemKind) {
        match kind {
            ItemKind::Var(decl) => self.var_decl(decl),
            ItemKind::Const(decl) => {
                self.keyword("const");
                self.name(&decl.name.text);
                self.blank();
                self.value(&decl.value);
            }
            ItemKind::Param(decl) => self.param_decl(decl),
            ItemKind::Node(decl) => self.node_decl(decl),
            ItemKind::Root(decl) => {
                self.token("root");
                self.in_body = true;
                self.body(&decl.body);
            }
            ItemKind::Def(decl) => self.def_decl(decl),
            ItemKind::Use(decl) => self.use_decl(decl),
            ItemKind::Assert(decl) => self.assert_decl(decl),
            ItemKind::Query(decl) => self.query_decl(decl),
        }
    }

    fn keyword(&mut self, word: &'static str) {
        self.token(word);
        self.in_body = true;
        self.blank();
    }

    /// `= …`
    fn value(&mut self, value: &'a Expr) {
        self.token("=");
        self.body(value);
    }

    /// What a statement is about: behind what stands before it, or on lines of its own.
    fn body(&mut self, body: &'a Expr) {
        if has_own_brackets(body) {
            self.blank();
            return self.expr(body, ExpressionStart::Inside);
        }
        self.group(|w| {
            w.indent();
            w.line(true);
            w.expr(body, ExpressionStart::Line);
            w.dedent();
        });
    }

    fn var_decl(&mut self, decl: &'a VarDecl) {
        self.keyword("var");
        self.declarators(&decl.names);
        self.spaced(":");
        match &decl.domain.kind {
            DomainKind::Bool => self.token("bool"),
            DomainKind::Real => self.token("real"),
            DomainKind::Nat => self.token("nat"),
            DomainKind::Categories(names) => {
                self.bracketed("{", names, "}", true, |w, name| w.category(&name.text));
            }
            DomainKind::Range(range) => {
                self.at_domain = true;
                self.expr(range, ExpressionStart::Inside);
            }
        }
    }

    /// A category: a name, or a text where it is nothing that could be a name.
    fn category(&mut self, name: &'a str) {
        if is_plain(name) || RESERVED.contains(&name) {
            self.name(name)
        } else {
            self.text(name)
        }
    }

    fn declarators(&mut self, names: &'a [Declarator]) {
        self.filled(names, |w, declarator| {
            w.name(&declarator.name.text);
            if !declarator.dims.is_empty() {
                w.list("[", &declarator.dims, "]");
            }
        });
    }

    fn param_decl(&mut self, decl: &'a ParamDecl) {
        self.keyword("param");
        self.declarators(&decl.names);
        self.spaced(":");
        self.name(&decl.kind.text);
        if let Some(size) = &decl.size {
            self.list("(", std::slice::from_ref(size), ")");
        }
        if let Some(value) = &decl.value {
            self.blank();
            self.value(value);
        }
    }

    fn node_decl(&mut self, decl: &'a NodeDecl) {
        self.keyword("node");
        self.name(&decl.name.text);
        if !decl.binders.is_empty() {
            self.token("[");
            self.binders(&decl.binders);
            self.filter(decl.filter.as_ref());
            self.token("]");
        }
        self.blank();
        self.value(&decl.body);
    }

    fn def_decl(&mut self, decl: &'a DefDecl) {
        self.keyword("def");
        self.name(&decl.name.text);
        self.bracketed("(", &decl.args, ")", true, |w, arg| w.name(&arg.text));
        self.blank();
        self.value(&decl.body);
    }

    fn use_decl(&mut self, decl: &'a UseDecl) {
        self.keyword("use");
        self.text(&decl.path);
        self.spaced("as");
        self.name(&decl.name.text);
    }

    fn assert_decl(&mut self, decl: &'a AssertDecl) {
        self.keyword("assert");
        match &decl.target {
            None => self.token("root"),
            Some(path) => self.path(path),
        }
        self.spaced("is");
        self.filled(&decl.properties, |w, property| w.name(&property.text));
    }

    fn query_decl(&mut self, decl: &'a QueryDecl) {
        self.keyword("query");
        self.name(&decl.kind.text);
        self.with_equals("=", |w| w.query_body(decl));
    }

    fn query_body(&mut self, decl: &'a QueryDecl) {
        self.group(|w| {
            w.token("(");
            w.indent();
            w.line(false);
            w.events(&decl.events);
            if !decl.given.is_empty() {
                w.line(!decl.events.is_empty());
                w.token("|");
                w.blank();
                w.events(&decl.given);
            }
            w.dedent();
            w.line(false);
            w.token(")");
        });
    }

    fn events(&mut self, events: &'a [Expr]) {
        self.filled(events, |w, event| w.expr(event, ExpressionStart::Inside));
    }
}

/// Whether an expression can start on the line of its `=` because, if it is long, it breaks
/// inside brackets of its own.
fn has_own_brackets(expr: &Expr) -> bool {
    matches!(
        expr.kind,
        ExprKind::Repeat(_)
            | ExprKind::List(_)
            | ExprKind::Set(_)
            | ExprKind::Indicator(_)
            | ExprKind::Paren(_)
            | ExprKind::Call(..)
            | ExprKind::Learned(_)
            | ExprKind::Number(_)
            | ExprKind::Bool(_)
    )
}
