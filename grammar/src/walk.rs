//! Walks over the parts of an expression.

use crate::ast::{Expr, ExprKind};

impl Expr {
    /// Calls `visit` with each expression directly inside this one, indices included.
    pub fn for_each_child<'e>(&'e self, visit: &mut dyn FnMut(&'e Expr)) {
        match &self.kind {
            ExprKind::Number(_) | ExprKind::Text(_) | ExprKind::Bool(_) => {}
            ExprKind::Ref(path) => path.indices.iter().for_each(visit),
            ExprKind::Call(path, args) => path.indices.iter().chain(args).for_each(visit),
            ExprKind::Learned(start) => start.iter().for_each(|start| visit(start)),
            ExprKind::Not(inner)
            | ExprKind::Neg(inner)
            | ExprKind::Indicator(inner)
            | ExprKind::Paren(inner) => visit(inner),
            ExprKind::Sum(terms) => {
                for term in terms {
                    term.weight.iter().for_each(&mut *visit);
                    visit(&term.body);
                }
            }
            ExprKind::Product(factors) => factors.iter().for_each(|f| visit(&f.expr)),
            ExprKind::Power(base, exponent) | ExprKind::Range(base, exponent) => {
                visit(base);
                visit(exponent);
            }
            ExprKind::Compare(first, rest) => {
                visit(first);
                rest.iter().for_each(|(_, expr)| visit(expr));
            }
            ExprKind::And(list)
            | ExprKind::Or(list)
            | ExprKind::List(list)
            | ExprKind::Set(list) => list.iter().for_each(visit),
            ExprKind::Interval(interval) => {
                visit(&interval.low);
                visit(&interval.high);
            }
            ExprKind::Leaf(leaf) => {
                let parts = leaf.variable.indices.iter().chain(&leaf.args);
                parts.for_each(&mut *visit);
                leaf.truncation.iter().for_each(|region| visit(region));
            }
            ExprKind::Repeat(repeat) => {
                repeat.binders.iter().for_each(|b| visit(&b.domain));
                repeat.filter.iter().for_each(|filter| visit(filter));
                visit(&repeat.body);
            }
            ExprKind::If(branches) => {
                for (test, body) in &branches.branches {
                    visit(test);
                    visit(body);
                }
                branches.otherwise.iter().for_each(|body| visit(body));
            }
        }
    }
}
