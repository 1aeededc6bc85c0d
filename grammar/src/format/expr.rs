//! Expressions as pieces.
//!
//! Chains of operators are loops, so these functions recurse only where the
//! author's brackets do.

use super::layout::FormatPiece;
use super::writer::StatementWriter;
use crate::ast::*;

/// Stack that must be left before another level of brackets is written.
const RED_ZONE: usize = 64 << 10;

/// Stack added when less than that is left.
const STACK_STEP: usize = 1 << 20;

/// Where an expression starts, which decides how its operators line up when it is broken.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ExpressionStart {
    /// At the start of a line if the part around it is broken.
    Line,
    /// Behind something else, so further lines are indented.
    Inside,
}

impl<'a> StatementWriter<'a> {
    pub(super) fn expr(&mut self, expr: &'a Expr, start: ExpressionStart) {
        stacker::maybe_grow(RED_ZONE, STACK_STEP, || self.expr_kind(&expr.kind, start));
    }

    fn expr_kind(&mut self, kind: &'a ExprKind, start: ExpressionStart) {
        match kind {
            ExprKind::Number(number) => self.token(&number.text),
            ExprKind::Text(text) => self.text(text),
            ExprKind::Bool(value) => self.token(if *value { "true" } else { "false" }),
            ExprKind::Ref(path) => self.path(path),
            ExprKind::Call(path, args) => {
                self.path(path);
                self.list("(", args, ")");
            }
            ExprKind::Learned(None) => self.token("?"),
            ExprKind::Learned(Some(value)) => self.prefixed("?", value),
            ExprKind::Not(operand) => self.prefixed("!", operand),
            ExprKind::Neg(operand) => self.prefixed("-", operand),
            ExprKind::Sum(terms) => self.chain(start, |w| w.sum(terms)),
            ExprKind::Product(factors) => self.product(factors, start),
            ExprKind::Power(base, exponent) => self.infix(base, "^", exponent),
            ExprKind::Compare(first, rest) => self.compare(first, rest),
            ExprKind::And(list) => self.chain(start, |w| w.operands(list, |_| "&&", Self::inside)),
            ExprKind::Or(list) => self.chain(start, |w| w.operands(list, |_| "||", Self::inside)),
            ExprKind::Range(low, high) => self.range(low, high),
            ExprKind::List(list) => self.list("[", list, "]"),
            ExprKind::Set(list) => self.list("{", list, "}"),
            ExprKind::Indicator(test) => self.indicator(test),
            ExprKind::Interval(interval) => self.interval(interval),
            ExprKind::Leaf(leaf) => self.leaf(leaf),
            ExprKind::Repeat(repeat) => self.repeat(repeat),
            ExprKind::If(condition) => self.chain(start, |w| w.condition(condition)),
            ExprKind::Paren(inner) => self.list("(", std::slice::from_ref(inner.as_ref()), ")"),
        }
    }

    /// A group whose lines start as `start` says.
    fn chain(&mut self, start: ExpressionStart, body: impl FnOnce(&mut Self)) {
        self.group(|w| match start {
            ExpressionStart::Line => body(w),
            ExpressionStart::Inside => {
                w.indent();
                body(w);
                w.dedent();
            }
        });
    }

    fn prefixed(&mut self, operator: &'static str, operand: &'a Expr) {
        self.token(operator);
        self.inside(operand);
    }

    fn infix(&mut self, left: &'a Expr, operator: &'static str, right: &'a Expr) {
        self.inside(left);
        self.spaced(operator);
        self.inside(right);
    }

    pub(super) fn spaced(&mut self, token: &'static str) {
        self.blank();
        self.token(token);
        self.blank();
    }

    fn sum(&mut self, terms: &'a [TermSyntax]) {
        let operator = |term: &TermSyntax| if term.negative { "-" } else { "+" };
        self.operands(terms, operator, |w, term| {
            if let Some(weight) = &term.weight {
                w.inside(weight);
                w.token(":");
                w.blank();
            }
            w.inside(&term.body);
        });
    }

    /// The operands of a chain. Operators stand between them, at the starts of lines if the
    /// chain is broken.
    fn operands<T>(
        &mut self,
        list: &'a [T],
        operator: impl Fn(&T) -> &'static str,
        mut operand: impl FnMut(&mut Self, &'a T),
    ) {
        for (idx, part) in list.iter().enumerate() {
            if idx > 0 {
                self.operator_line(operator(part));
                self.token(operator(part));
                self.blank();
            }
            operand(self, part);
        }
    }

    fn inside(&mut self, expr: &'a Expr) {
        self.expr(expr, ExpressionStart::Inside);
    }

    fn product(&mut self, factors: &'a [FactorSyntax], start: ExpressionStart) {
        if let [numerator, denominator] = factors
            && is_fraction(numerator, denominator)
        {
            self.inside(&numerator.expr);
            self.token("/");
            return self.inside(&denominator.expr);
        }
        self.chain(start, |w| {
            w.operands(
                factors,
                |factor| factor.op.as_str(),
                |w, factor| w.inside(&factor.expr),
            );
        });
    }

    fn compare(&mut self, first: &'a Expr, rest: &'a [(CompareOp, Expr)]) {
        self.inside(first);
        for (op, operand) in rest {
            self.spaced(match op {
                CompareOp::Eq => self.equals,
                other => other.as_str(),
            });
            self.inside(operand);
        }
    }

    fn range(&mut self, low: &'a Expr, high: &'a Expr) {
        self.inside(low);
        self.token("..");
        self.inside(high);
    }

    /// `[a = 1]`: an event, in which equality is `=`.
    fn indicator(&mut self, test: &'a Expr) {
        self.with_equals("=", |w| w.list("[", std::slice::from_ref(test), "]"));
    }

    /// Writes `body` with another spelling of equality.
    pub(super) fn with_equals(&mut self, equals: &'static str, body: impl FnOnce(&mut Self)) {
        let outer = std::mem::replace(&mut self.equals, equals);
        body(self);
        self.equals = outer;
    }

    fn interval(&mut self, interval: &'a Interval) {
        self.token(if interval.low_closed { "[" } else { "(" });
        self.inside(&interval.low);
        self.token(",");
        self.blank();
        self.inside(&interval.high);
        self.token(if interval.high_closed { "]" } else { ")" });
    }

    fn leaf(&mut self, leaf: &'a LeafSyntax) {
        self.path(&leaf.variable);
        self.spaced("~");
        self.name(&leaf.family.text);
        self.list("(", &leaf.args, ")");
        if let Some(region) = &leaf.truncation {
            self.spaced("in");
            self.inside(region);
        }
    }

    pub(super) fn path(&mut self, path: &'a PathSyntax) {
        if let Some(qualifier) = &path.qualifier {
            self.name(&qualifier.text);
            self.token(".");
        }
        self.name(&path.name.text);
        if !path.indices.is_empty() {
            self.list("[", &path.indices, "]");
        }
    }

    fn repeat(&mut self, repeat: &'a Repeat) {
        self.token(match repeat.kind {
            RepeatKind::Sum => "sum",
            RepeatKind::Prod => "prod",
        });
        self.blank();
        self.binders(&repeat.binders);
        self.filter(repeat.filter.as_deref());
        self.blank();
        self.block(&repeat.body);
    }

    pub(super) fn binders(&mut self, binders: &'a [Binder]) {
        self.filled(binders, |w, binder| {
            w.name(&binder.name.text);
            w.spaced("in");
            w.inside(&binder.domain);
        });
    }

    pub(super) fn filter(&mut self, filter: Option<&'a Expr>) {
        if let Some(filter) = filter {
            self.spaced("where");
            self.with_equals("==", |w| w.inside(filter));
        }
    }

    fn condition(&mut self, condition: &'a If) {
        for (idx, (test, body)) in condition.branches.iter().enumerate() {
            if idx > 0 {
                self.line(true);
                self.token("else");
                self.blank();
            }
            self.token("if");
            self.blank();
            self.with_equals("==", |w| w.inside(test));
            self.blank();
            self.block(body);
        }
        if let Some(otherwise) = &condition.otherwise {
            self.line(true);
            self.token("else");
            self.blank();
            self.block(otherwise);
        }
    }

    fn block(&mut self, body: &'a Expr) {
        self.group(|w| {
            w.token("{");
            w.indent();
            w.line(true);
            w.expr(body, ExpressionStart::Line);
            w.dedent();
            w.line(true);
            w.token("}");
        });
    }

    /// A list in brackets: one line, or an element a line, or filled lines of short elements.
    pub(super) fn list(&mut self, open: &'static str, list: &'a [Expr], close: &'static str) {
        let fill = list.len() > 1 && list.iter().all(is_atom);
        self.bracketed(open, list, close, fill, |w, expr| {
            w.expr(expr, ExpressionStart::Line)
        });
    }

    pub(super) fn bracketed<T>(
        &mut self,
        open: &'static str,
        list: &'a [T],
        close: &'static str,
        fill: bool,
        mut element: impl FnMut(&mut Self, &'a T),
    ) {
        self.group(|w| {
            w.token(open);
            w.indent();
            for (idx, part) in list.iter().enumerate() {
                match idx {
                    0 => w.line(false),
                    _ if fill => w.comma(Self::fill_line),
                    _ => w.comma(|w| w.line(true)),
                }
                element(w, part);
            }
            w.dedent();
            if !list.is_empty() {
                w.line(false);
            }
            w.token(close);
        });
    }

    /// Elements without brackets, separated by commas, over as many lines as they need.
    pub(super) fn filled<T>(&mut self, list: &'a [T], mut element: impl FnMut(&mut Self, &'a T)) {
        self.pieces.push(FormatPiece::Indent);
        self.group(|w| {
            for (idx, part) in list.iter().enumerate() {
                if idx > 0 {
                    w.comma(Self::fill_line);
                }
                element(w, part);
            }
        });
        self.pieces.push(FormatPiece::Dedent);
    }

    fn comma(&mut self, line: impl FnOnce(&mut Self)) {
        self.token(",");
        line(self);
    }
}

/// Whether a product is `1/3`, a number written as a fraction.
fn is_fraction(numerator: &FactorSyntax, denominator: &FactorSyntax) -> bool {
    let is_number = |factor: &FactorSyntax| matches!(factor.expr.kind, ExprKind::Number(_));
    denominator.op == FactorOp::Div && is_number(numerator) && is_number(denominator)
}

/// Whether an expression is short however it is written.
fn is_atom(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Number(_) | ExprKind::Text(_) | ExprKind::Bool(_) => true,
        ExprKind::Ref(path) => path.indices.is_empty(),
        ExprKind::Neg(inner) | ExprKind::Not(inner) | ExprKind::Learned(Some(inner)) => {
            matches!(inner.kind, ExprKind::Number(_) | ExprKind::Ref(_))
        }
        ExprKind::Learned(None) => true,
        _ => false,
    }
}
