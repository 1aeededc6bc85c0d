//! Terms of sums and factors of products, gathered from loops and conditions.

use super::draft::{DraftChild, DraftKind, DraftTarget, DraftWeight};
use super::env::Env;
use super::{Lowering, LoweringResult, ReportedError};
use pelton_grammar::ast::{Expr, ExprKind, FactorOp, FactorSyntax, RepeatKind, TermSyntax};
use pelton_grammar::diagnostic::{Code, SourceDiagnostic};
use pelton_grammar::source::Span;

impl<'a> Lowering<'a, '_> {
    /// One sum unit of all terms that `expr` (a sum or a `sum` block) yields.
    pub(super) fn sum_unit(&mut self, expr: &Expr, env: Env<'_>) -> LoweringResult<DraftTarget> {
        let mut children = Vec::new();
        self.gather(RepeatKind::Sum, expr, env, &mut children)?;
        if children.is_empty() {
            let help = "an empty sum would be 0 for every input; check the range and the `where`";
            let message = "this sum has no terms";
            let diagnostic = SourceDiagnostic::new(Code::EmptySum, expr.span, message);
            return Err(self.error(diagnostic.at("nothing to add up").help(help)));
        }
        if let Some(trace) = &mut self.trace {
            trace.sum(self.draft.children.len() as u32, expr.span, env);
        }
        Ok(self.draft.unit(DraftKind::Sum, children, expr.span))
    }

    /// Gathers the terms of a sum or the factors of a product: those written
    /// here, and those that blocks of the same kind and conditions yield.
    fn gather(
        &mut self,
        kind: RepeatKind,
        expr: &Expr,
        env: Env<'_>,
        children: &mut Vec<DraftChild>,
    ) -> LoweringResult<()> {
        match (&expr.kind, kind) {
            (ExprKind::Sum(terms), RepeatKind::Sum) => {
                // Every term is looked at, so that all independent errors are found.
                let mut result = Ok(());
                for term in terms {
                    result = result.and(self.gather_term(term, env, children));
                }
                result
            }
            (ExprKind::Product(factors), RepeatKind::Prod) => {
                if let Some(diagnostic) = self.number_times(expr) {
                    return Err(self.error(diagnostic));
                }
                let mut result = Ok(());
                for factor in factors {
                    result = result.and(self.gather_factor(factor, env, children));
                }
                result
            }
            (ExprKind::Repeat(repeat), _) if repeat.kind == kind => {
                self.check_loop_size(&repeat.binders, env, |this| match repeat.filter {
                    None => this.least_children(kind, &repeat.body, env),
                    Some(_) => 0,
                })?;
                let (binders, filter) = (&repeat.binders, repeat.filter.as_deref());
                let mut body =
                    |this: &mut Self, env: Env<'_>| this.gather(kind, &repeat.body, env, children);
                self.for_each(binders, filter, env, &mut body)
            }
            (ExprKind::If(branches), _) => match self.taken_branch(branches, env)? {
                Some(branch) => super::with_stack(|| self.gather(kind, branch, env, children)),
                None => Ok(()),
            },
            (_, RepeatKind::Sum) => Err(self.missing_weight(expr)),
            (_, RepeatKind::Prod) => self.push_factor(expr, env, children),
        }
    }

    fn gather_term(
        &mut self,
        term: &TermSyntax,
        env: Env<'_>,
        children: &mut Vec<DraftChild>,
    ) -> LoweringResult<()> {
        if term.negative {
            let message = "circuits cannot be subtracted";
            let diagnostic = SourceDiagnostic::new(Code::WrongKind, term.span, message)
                .at("`-` stands before this term")
                .help("probabilities add up; to leave a part out, describe what remains");
            return Err(self.error(diagnostic));
        }
        let Some(weight) = &term.weight else {
            return super::with_stack(|| self.gather(RepeatKind::Sum, &term.body, env, children));
        };
        // The weight is read even if the circuit behind it is wrong, so that both are reported.
        self.grow(term.span)?;
        let weight = self.weight(weight, env);
        let target = self.circuit(&term.body, env)?;
        children.push(DraftChild {
            target,
            weight: weight?,
            span: term.body.span,
        });
        Ok(())
    }

    fn missing_weight(&mut self, expr: &Expr) -> ReportedError {
        if let Some(diagnostic) = self.number_times(expr) {
            return self.error(diagnostic);
        }
        let message = "this term of a sum has no weight";
        let diagnostic = SourceDiagnostic::new(Code::MissingWeight, expr.span, message)
            .at("how likely is it?")
            .suggest("have the weight learned", expr.span.before(), "?: ");
        self.error(diagnostic)
    }

    /// One product unit of all factors; a single factor stands for itself.
    pub(super) fn product_unit(
        &mut self,
        expr: &Expr,
        env: Env<'_>,
    ) -> LoweringResult<DraftTarget> {
        let mut children = Vec::new();
        self.gather(RepeatKind::Prod, expr, env, &mut children)?;
        match children.as_slice() {
            [one] => Ok(one.target),
            _ => Ok(self.draft.unit(DraftKind::Product, children, expr.span)),
        }
    }

    fn push_factor(
        &mut self,
        expr: &Expr,
        env: Env<'_>,
        children: &mut Vec<DraftChild>,
    ) -> LoweringResult<()> {
        self.grow(expr.span)?;
        let target = self.circuit(expr, env)?;
        children.push(DraftChild {
            target,
            weight: DraftWeight::None,
            span: expr.span,
        });
        Ok(())
    }

    fn gather_factor(
        &mut self,
        factor: &FactorSyntax,
        env: Env<'_>,
        children: &mut Vec<DraftChild>,
    ) -> LoweringResult<()> {
        if factor.op != FactorOp::Mul {
            let message = "circuits cannot be divided";
            let here = format!("`{}` stands before this", factor.op.as_str());
            return Err(self.wrong_kind(factor.expr.span, message, &here));
        }
        super::with_stack(|| self.gather(RepeatKind::Prod, &factor.expr, env, children))
    }

    /// The message for `0.3 * a`, if `expr` is a product with a number or `?` in it.
    fn number_times(&self, expr: &Expr) -> Option<SourceDiagnostic> {
        let ExprKind::Product(factors) = &expr.kind else {
            return None;
        };
        let is_number = |factor: &FactorSyntax| {
            matches!(
                factor.expr.unparenthesized().kind,
                ExprKind::Number(_) | ExprKind::Learned(_) | ExprKind::Neg(_)
            )
        };
        let at = factors.iter().position(is_number)?;
        let number = factors[at].expr.span;
        let text = self.program.sources.slice(number);
        let message = "a circuit is not multiplied by a number";
        let diagnostic = SourceDiagnostic::new(Code::NumberTimes, number, message)
            .at("this is meant as a weight")
            .note("weights stand before a colon: `0.3: a + 0.7: b`");
        Some(match factors.get(1) {
            Some(next) if at == 0 => {
                let (start, end) = (number.end, next.expr.span.start);
                let gap = Span {
                    start,
                    end,
                    ..number
                };
                diagnostic.suggest("write a colon", gap, ": ")
            }
            _ => diagnostic.help(format!("write `{text}: …` in front of the whole term")),
        })
    }
}
