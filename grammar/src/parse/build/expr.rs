//! Expressions.

use super::super::Rule;
use super::{SyntaxBuilder, next, next_if};
use crate::ast::*;
use crate::diagnostic::{Code, SourceDiagnostic};
use crate::source::Span;
use pest::iterators::{Pair, Pairs};

impl SyntaxBuilder<'_> {
    pub(in crate::parse) fn exprs(&mut self, pair: Pair<'_, Rule>) -> Vec<Expr> {
        pair.into_inner().map(|expr| self.expr(expr)).collect()
    }

    /// Any rule of the expression part of the grammar.
    pub(super) fn expr(&mut self, pair: Pair<'_, Rule>) -> Expr {
        let span = self.span(&pair);
        let rule = pair.as_rule();
        let kind = match rule {
            Rule::expr => return self.chain(pair, span, ExprKind::Or),
            Rule::conjunction => return self.chain(pair, span, ExprKind::And),
            Rule::comparison => return self.comparison(pair, span),
            Rule::range | Rule::tight_range => return self.range(pair, span),
            Rule::sum => return self.sum(pair, span),
            Rule::product => return self.product(pair, span),
            Rule::exponent | Rule::start => return self.operand(&mut pair.into_inner()),
            Rule::number => self.number(pair, span),
            Rule::infinity => ExprKind::Number(NumberLiteral {
                text: "inf".to_string(),
                value: NumberValue::Real(f64::INFINITY),
            }),
            Rule::text => ExprKind::Text(self.text(pair)),
            Rule::truth => ExprKind::Bool(pair.as_str() == "true"),
            Rule::learned => {
                let start = pair.into_inner().next();
                ExprKind::Learned(start.map(|start| Box::new(self.expr(start))))
            }
            Rule::repeat => self.repeat(pair),
            Rule::condition => self.condition(pair),
            Rule::bracket => self.bracket(pair),
            Rule::set => ExprKind::Set(self.exprs(pair)),
            Rule::interval => self.interval(pair),
            Rule::paren => ExprKind::Paren(Box::new(self.expr(next(&mut pair.into_inner())))),
            Rule::reference => self.reference(pair),
            other => unreachable!("{other:?} is no expression"),
        };
        Expr { kind, span }
    }

    /// `a || b || c`: a list of two or more, or just its one member.
    fn chain(
        &mut self,
        pair: Pair<'_, Rule>,
        span: Span,
        make: impl FnOnce(Vec<Expr>) -> ExprKind,
    ) -> Expr {
        let mut inner = pair.into_inner();
        let first = self.expr(next(&mut inner));
        if inner.peek().is_none() {
            return first;
        }
        let mut list = vec![first];
        list.extend(inner.map(|expr| self.expr(expr)));
        let kind = make(list);
        Expr { kind, span }
    }

    fn comparison(&mut self, pair: Pair<'_, Rule>, span: Span) -> Expr {
        let mut inner = pair.into_inner();
        let first = self.expr(next(&mut inner));
        let mut rest = Vec::new();
        while let Some(part) = inner.next() {
            if part.as_rule() == Rule::member_test {
                rest.push((CompareOp::In, self.guarded(part)));
            } else {
                rest.push((compare_op(part.as_str()), self.expr(next(&mut inner))));
            }
        }
        if rest.is_empty() {
            return first;
        }
        let kind = ExprKind::Compare(Box::new(first), rest);
        Expr { kind, span }
    }

    fn range(&mut self, pair: Pair<'_, Rule>, span: Span) -> Expr {
        let mut inner = pair.into_inner();
        let low = self.expr(next(&mut inner));
        let Some(high) = inner.next() else {
            return low;
        };
        let kind = ExprKind::Range(Box::new(low), Box::new(self.expr(high)));
        Expr { kind, span }
    }

    fn sum(&mut self, pair: Pair<'_, Rule>, span: Span) -> Expr {
        let mut inner = pair.into_inner();
        let mut terms = vec![self.term(&mut inner, false)];
        while let Some(sign) = inner.next() {
            let negative = sign.as_str() == "-";
            terms.push(self.term(&mut inner, negative));
        }
        if terms.len() == 1 && terms[0].weight.is_none() {
            return terms.swap_remove(0).body;
        }
        let kind = ExprKind::Sum(terms);
        Expr { kind, span }
    }

    fn term(&mut self, inner: &mut Pairs<'_, Rule>, negative: bool) -> TermSyntax {
        let first = self.expr(next(inner));
        let start = first.span;
        let (weight, body) = match next_if(inner, Rule::colon) {
            None => (None, first),
            Some(_) => (Some(first), self.expr(next(inner))),
        };
        TermSyntax {
            negative,
            span: start.to(body.span),
            weight,
            body,
        }
    }

    fn product(&mut self, pair: Pair<'_, Rule>, span: Span) -> Expr {
        let mut inner = pair.into_inner();
        let first = self.operand(&mut inner);
        if inner.peek().is_none() {
            return first;
        }
        let (op, expr) = (FactorOp::Mul, first);
        let mut factors = vec![FactorSyntax { op, expr }];
        while let Some(op) = inner.next() {
            let op = match op.as_str() {
                "*" => FactorOp::Mul,
                "/" => FactorOp::Div,
                _ => FactorOp::Rem,
            };
            let expr = self.operand(&mut inner);
            factors.push(FactorSyntax { op, expr });
        }
        let kind = ExprKind::Product(factors);
        Expr { kind, span }
    }

    /// `-x ^ 2`: an operand with the prefix before it and the exponent behind it.
    /// The rules for them leave no pairs of their own: a sum of a million terms
    /// took a fifth more memory with them.
    fn operand(&mut self, inner: &mut Pairs<'_, Rule>) -> Expr {
        let prefix = next_if(inner, Rule::prefix);
        let mut operand = self.expr(next(inner));
        if let Some(raised) = next_if(inner, Rule::raised) {
            let exponent = self.expr(next(&mut raised.into_inner()));
            operand = Expr {
                span: operand.span.to(exponent.span),
                kind: ExprKind::Power(Box::new(operand), Box::new(exponent)),
            };
        }
        let Some(prefix) = prefix else {
            return operand;
        };
        let span = self.span(&prefix).to(operand.span);
        let operand = Box::new(operand);
        let kind = if prefix.as_str().starts_with('!') {
            ExprKind::Not(operand)
        } else {
            ExprKind::Neg(operand)
        };
        Expr { kind, span }
    }

    fn number(&mut self, pair: Pair<'_, Rule>, span: Span) -> ExprKind {
        let text = pair.as_str().to_string();
        let is_int = text.bytes().all(|byte| byte.is_ascii_digit());
        let value = if is_int {
            text.parse().ok().map(NumberValue::Int)
        } else {
            let finite = text.parse().ok().filter(|value: &f64| value.is_finite());
            finite.map(NumberValue::Real)
        };
        let value = value.unwrap_or_else(|| {
            let message = format!("the number {} is too large", shorten(&text));
            let diagnostic = SourceDiagnostic::new(Code::BadNumber, span, message)
                .at("does not fit")
                .help("integers fit 64 bits, reals stay below 1.8e308; a tiny or huge weight can be written as exp(…)");
            self.found.push(diagnostic);
            // A value that fits most places, so that no message follows from this one.
            NumberValue::Int(1)
        });
        ExprKind::Number(NumberLiteral { text, value })
    }

    pub(super) fn text(&mut self, pair: Pair<'_, Rule>) -> String {
        let written = pair.as_str();
        let mut text = String::new();
        let mut chars = written[1..written.len() - 1].chars();
        while let Some(char) = chars.next() {
            let escaped = (char == '\\').then(|| chars.next()).flatten();
            text.push(match escaped {
                Some('n') => '\n',
                Some('t') => '\t',
                other => other.unwrap_or(char),
            });
        }
        text
    }

    fn repeat(&mut self, pair: Pair<'_, Rule>) -> ExprKind {
        let mut inner = pair.into_inner();
        let kind = match next(&mut next(&mut inner).into_inner()).as_rule() {
            Rule::kw_sum => RepeatKind::Sum,
            _ => RepeatKind::Prod,
        };
        let binders = self.binders(next(&mut inner));
        let filter = next_if(&mut inner, Rule::filter);
        let filter = filter.map(|filter| Box::new(self.guarded(filter)));
        let body = Box::new(self.expr(next(&mut inner)));
        ExprKind::Repeat(Repeat {
            kind,
            binders,
            filter,
            body,
        })
    }

    fn condition(&mut self, pair: Pair<'_, Rule>) -> ExprKind {
        let mut branches = Vec::new();
        let mut otherwise = None;
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::branch => {
                    let mut parts = part.into_inner();
                    let test = self.expr(next(&mut parts));
                    branches.push((test, self.expr(next(&mut parts))));
                }
                Rule::otherwise => {
                    otherwise = Some(Box::new(self.expr(next(&mut part.into_inner()))));
                }
                _ => {}
            }
        }
        ExprKind::If(If {
            branches,
            otherwise,
        })
    }

    fn bracket(&mut self, pair: Pair<'_, Rule>) -> ExprKind {
        let mut list = self.exprs(pair);
        match list.as_slice() {
            [
                Expr {
                    kind: ExprKind::Compare(..) | ExprKind::And(_) | ExprKind::Or(_),
                    ..
                },
            ] => ExprKind::Indicator(Box::new(list.swap_remove(0))),
            _ => ExprKind::List(list),
        }
    }

    fn interval(&mut self, pair: Pair<'_, Rule>) -> ExprKind {
        let mut inner = pair.into_inner();
        let low_closed = next(&mut inner).as_str() == "[";
        let low = Box::new(self.expr(next(&mut inner)));
        let high = Box::new(self.expr(next(&mut inner)));
        let high_closed = next(&mut inner).as_str() == "]";
        ExprKind::Interval(Interval {
            low,
            low_closed,
            high,
            high_closed,
        })
    }

    fn reference(&mut self, pair: Pair<'_, Rule>) -> ExprKind {
        let mut inner = pair.into_inner();
        let path = self.path(next(&mut inner));
        match inner.next() {
            None => ExprKind::Ref(path),
            Some(tail) if tail.as_rule() == Rule::arguments => {
                ExprKind::Call(path, self.exprs(tail))
            }
            Some(leaf) => {
                let mut parts = leaf.into_inner();
                let family = self.name(next(&mut parts));
                let args = self.exprs(next(&mut parts));
                let truncation = parts.next().map(|region| Box::new(self.guarded(region)));
                ExprKind::Leaf(LeafSyntax {
                    variable: path,
                    family,
                    args,
                    truncation,
                })
            }
        }
    }

    pub(super) fn path(&mut self, pair: Pair<'_, Rule>) -> PathSyntax {
        let span = self.span(&pair);
        let mut inner = pair.into_inner();
        let first = self.name(next(&mut inner));
        let (qualifier, name) = match next_if(&mut inner, Rule::name) {
            None => (None, first),
            Some(second) => (Some(first), self.name(second)),
        };
        let indices = inner.next().map_or(Vec::new(), |list| self.exprs(list));
        PathSyntax {
            qualifier,
            name,
            indices,
            span,
        }
    }

    pub(super) fn name(&self, pair: Pair<'_, Rule>) -> Name {
        Name {
            text: pair.as_str().trim_matches('`').to_string(),
            span: self.span(&pair),
        }
    }
}

fn compare_op(text: &str) -> CompareOp {
    match text {
        "!=" => CompareOp::Ne,
        "<" => CompareOp::Lt,
        "<=" => CompareOp::Le,
        ">" => CompareOp::Gt,
        ">=" => CompareOp::Ge,
        _ => CompareOp::Eq,
    }
}

/// A long literal cut for a message.
fn shorten(text: &str) -> String {
    match text.len() {
        0..=24 => text.to_string(),
        length => format!("{}… ({length} digits)", &text[..12]),
    }
}
