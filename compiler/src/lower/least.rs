//! The least that an expression adds to a circuit, known before it is expanded.
//!
//! A few words may stand for more than any limit allows. What can be counted in the text
//! is refused before memory is taken for it; the rest is counted while it is expanded.

use super::Lowering;
use super::env::Env;
use super::symbols::Symbol;
use pelton_grammar::ast::{
    Binder, Expr, ExprKind, FactorSyntax, NumberValue, PathSyntax, Repeat, RepeatKind, TermSyntax,
};

impl Lowering<'_, '_> {
    /// Units and edges that a circuit expression adds at least, as [`Lowering::grow`]
    /// counts them.
    pub(super) fn least_size(&self, expr: &Expr, env: Env<'_>) -> u128 {
        super::with_stack(|| match &expr.kind {
            ExprKind::Paren(inner) => self.least_size(inner, env),
            ExprKind::Ref(path) => u128::from(self.is_variable(path, env)),
            ExprKind::Not(_) | ExprKind::Indicator(_) | ExprKind::Leaf(_) => 1,
            ExprKind::Sum(_) => self.least_children(RepeatKind::Sum, expr, env),
            ExprKind::Product(_) => self.least_children(RepeatKind::Prod, expr, env),
            ExprKind::Repeat(repeat) => self.least_children(repeat.kind, expr, env),
            // What a condition or a definition yields is seen when it is expanded.
            _ => 0,
        })
    }

    /// Units and edges that the terms or factors of an expression add at least.
    pub(super) fn least_children(&self, kind: RepeatKind, expr: &Expr, env: Env<'_>) -> u128 {
        super::with_stack(|| match (&expr.kind, kind) {
            (ExprKind::Sum(terms), RepeatKind::Sum) => {
                let sizes = terms.iter().map(|term| self.least_term(term, env));
                sizes.fold(0, u128::saturating_add)
            }
            (ExprKind::Product(factors), RepeatKind::Prod) => {
                let sizes = factors.iter().map(|factor| self.least_factor(factor, env));
                sizes.fold(0, u128::saturating_add)
            }
            (ExprKind::Repeat(repeat), _) if repeat.kind == kind => self.least_repeat(repeat, env),
            (ExprKind::If(_), _) | (_, RepeatKind::Sum) => 0,
            (_, RepeatKind::Prod) => self.least_size(expr, env).saturating_add(1),
        })
    }

    fn least_term(&self, term: &TermSyntax, env: Env<'_>) -> u128 {
        match term.weight {
            Some(_) => self.least_size(&term.body, env).saturating_add(1),
            None => self.least_children(RepeatKind::Sum, &term.body, env),
        }
    }

    fn least_factor(&self, factor: &FactorSyntax, env: Env<'_>) -> u128 {
        self.least_children(RepeatKind::Prod, &factor.expr, env)
    }

    fn least_repeat(&self, repeat: &Repeat, env: Env<'_>) -> u128 {
        let times = match repeat.filter {
            None => repeat.binders.iter().map(n_written),
            Some(_) => return 0,
        };
        let times = times.fold(1, u128::saturating_mul);
        times.saturating_mul(self.least_children(repeat.kind, &repeat.body, env))
    }

    /// Whether a name is that of a variable, which stands for a leaf. Indices of loops that
    /// have not begun hide no variable that a circuit could be made of: they are numbers.
    fn is_variable(&self, path: &PathSyntax, env: Env<'_>) -> bool {
        let name = path.name.text.as_str();
        let symbol = || self.symbols.modules[env.module].get(name);
        path.qualifier.is_none()
            && env.lookup(name).is_none()
            && matches!(symbol(), Some(Symbol::Var(_)))
    }
}

/// How often a loop over numbers that stand in the text runs; 0 if they do not.
fn n_written(binder: &Binder) -> u128 {
    let integer = |expr: &Expr| match &expr.unparenthesized().kind {
        ExprKind::Number(number) => match number.value {
            NumberValue::Int(value) => Some(value),
            NumberValue::Real(_) => None,
        },
        _ => None,
    };
    let ExprKind::Range(low, high) = &binder.domain.unparenthesized().kind else {
        return 0;
    };
    let bounds = integer(low).zip(integer(high));
    bounds.map_or(0, |(low, high)| high.saturating_sub(low).max(0) as u128)
}
