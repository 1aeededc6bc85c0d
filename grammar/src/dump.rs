//! The syntax tree as indented text, without places.
//!
//! One node a line, its parts below it and two columns further in. Two texts
//! have the same dump exactly if their trees are equal up to spans, so tests
//! compare dumps; `pelton emit --as ast` shows one.

use crate::ast::*;
use std::fmt::Write;

/// The tree of a file. Comments, which belong to no node, are left out.
pub fn dump(file: &FileSyntax) -> String {
    let mut tree = Dump::default();
    for item in &file.items {
        tree.item(item);
    }
    tree.out
}

#[derive(Default)]
struct Dump {
    out: String,
    depth: usize,
}

impl Dump {
    fn line(&mut self, text: &str) {
        self.out.extend(std::iter::repeat_n("  ", self.depth));
        self.out.push_str(text);
        self.out.push('\n');
    }

    /// A line with the parts of the node below it.
    fn node(&mut self, text: &str, parts: impl FnOnce(&mut Self)) {
        self.line(text);
        self.depth += 1;
        parts(self);
        self.depth -= 1;
    }

    /// Expressions under a heading, which is left out if there are none.
    fn under(&mut self, heading: &str, list: &[Expr]) {
        if !list.is_empty() {
            self.node(heading, |d| d.exprs(list));
        }
    }

    fn maybe(&mut self, heading: &str, expr: Option<&Expr>) {
        expr.iter()
            .for_each(|expr| self.node(heading, |d| d.expr(expr)));
    }

    fn exprs(&mut self, list: &[Expr]) {
        list.iter().for_each(|expr| self.expr(expr));
    }

    fn item(&mut self, item: &Item) {
        for doc in &item.docs {
            self.line(&format!("doc {:?}", doc.text));
        }
        for attribute in &item.attributes {
            let name = quoted(&attribute.name);
            self.node(&format!("attribute {name}"), |d| d.exprs(&attribute.args));
        }
        self.statement(&item.kind);
    }

    fn statement(&mut self, kind: &ItemKind) {
        match kind {
            ItemKind::Var(decl) => self.node("var", |d| {
                d.declarators(&decl.names);
                d.domain(&decl.domain.kind);
            }),
            ItemKind::Const(decl) => {
                self.node(&format!("const {}", quoted(&decl.name)), |d| {
                    d.expr(&decl.value)
                });
            }
            ItemKind::Param(decl) => self.node("param", |d| {
                d.declarators(&decl.names);
                d.node(&format!("kind {}", quoted(&decl.kind)), |d| {
                    d.exprs(decl.size.as_slice())
                });
                d.maybe("value", decl.value.as_ref());
            }),
            ItemKind::Node(decl) => self.node(&format!("node {}", quoted(&decl.name)), |d| {
                d.binders(&decl.binders);
                d.maybe("where", decl.filter.as_ref());
                d.expr(&decl.body);
            }),
            ItemKind::Root(decl) => self.node("root", |d| d.expr(&decl.body)),
            ItemKind::Def(decl) => self.node(&format!("def {}", quoted(&decl.name)), |d| {
                decl.args
                    .iter()
                    .for_each(|arg| d.line(&format!("argument {}", quoted(arg))));
                d.expr(&decl.body);
            }),
            ItemKind::Use(decl) => {
                self.line(&format!("use {:?} as {}", decl.path, quoted(&decl.name)))
            }
            ItemKind::Assert(decl) => self.assert_decl(decl),
            ItemKind::Query(decl) => self.node(&format!("query {}", quoted(&decl.kind)), |d| {
                d.under("events", &decl.events);
                d.under("given", &decl.given);
            }),
        }
    }

    fn declarators(&mut self, names: &[Declarator]) {
        for declarator in names {
            let name = quoted(&declarator.name);
            self.node(&format!("name {name}"), |d| d.exprs(&declarator.dims));
        }
    }

    fn domain(&mut self, domain: &DomainKind) {
        match domain {
            DomainKind::Bool => self.line("domain bool"),
            DomainKind::Real => self.line("domain real"),
            DomainKind::Nat => self.line("domain nat"),
            DomainKind::Categories(names) => self.node("domain categories", |d| {
                names.iter().for_each(|name| d.line(&quoted(name)));
            }),
            DomainKind::Range(range) => self.node("domain range", |d| d.expr(range)),
        }
    }

    fn binders(&mut self, binders: &[Binder]) {
        for binder in binders {
            let name = quoted(&binder.name);
            self.node(&format!("for {name} in"), |d| d.expr(&binder.domain));
        }
    }

    fn assert_decl(&mut self, decl: &AssertDecl) {
        self.node("assert", |d| {
            match &decl.target {
                None => d.line("root"),
                Some(path) => d.path("path", path),
            }
            for property in &decl.properties {
                d.line(&format!("is {}", quoted(property)));
            }
        });
    }

    fn path(&mut self, what: &str, path: &PathSyntax) {
        let mut text = format!("{what} ");
        if let Some(qualifier) = &path.qualifier {
            let _ = write!(text, "{}.", quoted(qualifier));
        }
        text.push_str(&quoted(&path.name));
        self.node(&text, |d| d.under("at", &path.indices));
    }

    fn expr(&mut self, expr: &Expr) {
        stacker::maybe_grow(64 << 10, 1 << 20, || self.expr_kind(&expr.kind));
    }

    fn expr_kind(&mut self, kind: &ExprKind) {
        match kind {
            ExprKind::Number(number) => self.line(&format!("number {}", number.text)),
            ExprKind::Text(text) => self.line(&format!("text {text:?}")),
            ExprKind::Bool(value) => self.line(&value.to_string()),
            ExprKind::Ref(path) => self.path("ref", path),
            ExprKind::Call(path, args) => {
                self.path("call", path);
                self.arguments(args);
            }
            ExprKind::Learned(start) => {
                self.node("learned", |d| start.iter().for_each(|start| d.expr(start)));
            }
            ExprKind::Not(operand) => self.node("not", |d| d.expr(operand)),
            ExprKind::Neg(operand) => self.node("negative", |d| d.expr(operand)),
            ExprKind::Sum(terms) => {
                self.node("sum", |d| terms.iter().for_each(|term| d.term(term)))
            }
            ExprKind::Product(factors) => self.product(factors),
            ExprKind::Power(base, exponent) => self.node("power", |d| {
                d.expr(base);
                d.expr(exponent);
            }),
            ExprKind::Compare(first, rest) => self.compare(first, rest),
            ExprKind::And(list) => self.node("and", |d| d.exprs(list)),
            ExprKind::Or(list) => self.node("or", |d| d.exprs(list)),
            ExprKind::Range(low, high) => self.node("range", |d| {
                d.expr(low);
                d.expr(high);
            }),
            ExprKind::List(list) => self.node("list", |d| d.exprs(list)),
            ExprKind::Indicator(test) => self.node("indicator", |d| d.expr(test)),
            ExprKind::Set(list) => self.node("set", |d| d.exprs(list)),
            ExprKind::Interval(interval) => self.interval(interval),
            ExprKind::Leaf(leaf) => self.leaf(leaf),
            ExprKind::Repeat(repeat) => self.repeat(repeat),
            ExprKind::If(condition) => self.condition(condition),
            ExprKind::Paren(inner) => self.node("parentheses", |d| d.expr(inner)),
        }
    }

    fn arguments(&mut self, args: &[Expr]) {
        self.depth += 1;
        self.under("arguments", args);
        self.depth -= 1;
    }

    fn term(&mut self, term: &TermSyntax) {
        self.node(if term.negative { "minus" } else { "plus" }, |d| {
            d.maybe("weight", term.weight.as_ref());
            d.expr(&term.body);
        });
    }

    fn product(&mut self, factors: &[FactorSyntax]) {
        self.node("product", |d| {
            for factor in factors {
                d.node(factor.op.as_str(), |d| d.expr(&factor.expr));
            }
        });
    }

    fn compare(&mut self, first: &Expr, rest: &[(CompareOp, Expr)]) {
        self.node("compare", |d| {
            d.expr(first);
            for (op, operand) in rest {
                d.node(op.as_str(), |d| d.expr(operand));
            }
        });
    }

    fn interval(&mut self, interval: &Interval) {
        let low = if interval.low_closed { "[" } else { "(" };
        let high = if interval.high_closed { "]" } else { ")" };
        self.node(&format!("interval {low} {high}"), |d| {
            d.expr(&interval.low);
            d.expr(&interval.high);
        });
    }

    fn leaf(&mut self, leaf: &LeafSyntax) {
        self.node(&format!("leaf {}", quoted(&leaf.family)), |d| {
            d.path("of", &leaf.variable);
            d.under("arguments", &leaf.args);
            d.maybe("in", leaf.truncation.as_deref());
        });
    }

    fn repeat(&mut self, repeat: &Repeat) {
        let kind = match repeat.kind {
            RepeatKind::Sum => "repeated sum",
            RepeatKind::Prod => "repeated product",
        };
        self.node(kind, |d| {
            d.binders(&repeat.binders);
            d.maybe("where", repeat.filter.as_deref());
            d.expr(&repeat.body);
        });
    }

    fn condition(&mut self, condition: &If) {
        self.node("condition", |d| {
            for (test, body) in &condition.branches {
                d.maybe("if", Some(test));
                d.maybe("then", Some(body));
            }
            d.maybe("else", condition.otherwise.as_deref());
        });
    }
}

/// A name between backquotes, whatever it holds.
fn quoted(name: &Name) -> String {
    format!("`{}`", name.text.escape_debug())
}
