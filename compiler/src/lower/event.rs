//! Indicators and the events of queries.

use super::draft::DraftTarget;
use super::env::Env;
use super::region::if_category_is_meant;
use super::{Lowering, LoweringResult, ReportedError, with_stack};
use crate::circuit::{Domain, Event, Leaf, ValueSet, VarId};
use pelton_grammar::ast::{CompareOp, Expr, ExprKind};
use pelton_grammar::diagnostic::{Code, SourceDiagnostic};
use pelton_grammar::source::Span;

impl<'a> Lowering<'a, '_> {
    /// A logical combination of statements about variables.
    pub(super) fn event(&mut self, expr: &Expr, env: Env<'_>) -> LoweringResult<Event> {
        with_stack(|| match &expr.kind {
            ExprKind::Paren(inner) => self.event(inner, env),
            ExprKind::Indicator(inner) => self.event(inner, env),
            ExprKind::And(parts) => Ok(Event::And(self.events(parts, env)?)),
            ExprKind::Or(parts) => Ok(Event::Or(self.events(parts, env)?)),
            ExprKind::Not(inner) => {
                let event = self.event(inner, env)?;
                Ok(self.negated(event))
            }
            ExprKind::Compare(first, rest) => self.comparison_event(first, rest, env),
            ExprKind::Ref(_) => self.literal_event(expr, env),
            _ => {
                let message =
                    "an event is needed here, such as `rain`, `temp <= 10` or `sky in {a, b}`";
                Err(self.wrong_kind(expr.span, message, "not an event"))
            }
        })
    }

    pub(super) fn events(&mut self, parts: &[Expr], env: Env<'_>) -> LoweringResult<Vec<Event>> {
        parts.iter().map(|part| self.event(part, env)).collect()
    }

    fn literal_event(&mut self, expr: &Expr, env: Env<'_>) -> LoweringResult<Event> {
        let Some(variable) = self.as_variable(expr, env)? else {
            // Resolving it says what is wrong with the name, if that is the fault.
            if let ExprKind::Ref(path) = &expr.kind {
                self.resolve(path, env)?;
            }
            let message = "an event is about variables";
            return Err(self.wrong_kind(expr.span, message, "not a variable"));
        };
        let declared = &self.builder.variables()[variable.index()];
        if declared.domain == Domain::Bool {
            return Ok(Event::In(variable, ValueSet::integers(1, 2)));
        }
        let message = format!(
            "`{}` is not a `bool` variable; what about it?",
            declared.name
        );
        let diagnostic = SourceDiagnostic::new(Code::DomainMismatch, expr.span, message)
            .at("a comparison is missing")
            .label(declared.span, format!("its domain is {}", declared.domain))
            .help("write `x = value`, `x in {a, b}` or `10 <= x < 20`");
        Err(self.error(diagnostic))
    }

    fn comparison_event(
        &mut self,
        first: &Expr,
        rest: &[(CompareOp, Expr)],
        env: Env<'_>,
    ) -> LoweringResult<Event> {
        let mut parts = Vec::new();
        // `10 <= x < 20` is all of its neighbouring comparisons.
        let mut left = first;
        for (op, right) in rest {
            parts.push(self.single_comparison(left, *op, right, env)?);
            left = right;
        }
        Ok(match parts.len() {
            1 => parts.swap_remove(0),
            _ => Event::And(parts),
        })
    }

    fn single_comparison(
        &mut self,
        left: &Expr,
        op: CompareOp,
        right: &Expr,
        env: Env<'_>,
    ) -> LoweringResult<Event> {
        let on_left = self.as_variable(left, env)?;
        // Behind `in` stands a set, whatever its words are names of.
        let on_right = match op {
            CompareOp::In => None,
            _ => self.as_variable(right, env)?,
        };
        let (op, variable, value) = match (on_left, on_right) {
            (Some(variable), None) => (op, variable, right),
            (None, Some(variable)) => (mirrored(op), variable, left),
            (Some(variable), Some(_)) => {
                return Err(self.report_two_variables(left, right, variable));
            }
            (None, None) => {
                let message = "this comparison mentions no variable";
                // A misspelt variable is the likely reason; naming it says more.
                if let ExprKind::Ref(path) = &left.unparenthesized().kind {
                    self.resolve(path, env)?;
                }
                let span = left.span.to(right.span);
                return Err(self.wrong_kind(span, message, "compares constants"));
            }
        };
        Ok(Event::In(
            variable,
            self.comparison_set(op, variable, value, env)?,
        ))
    }

    fn report_two_variables(
        &mut self,
        left: &Expr,
        right: &Expr,
        variable: VarId,
    ) -> ReportedError {
        let message = "two variables cannot be compared with each other";
        let diagnostic = SourceDiagnostic::new(Code::WrongKind, left.span.to(right.span), message)
            .at("both are variables");
        let text = self.program.sources.slice(right.span);
        let domain = &self.builder.variables()[variable.index()].domain;
        let diagnostic = match domain {
            Domain::Categories(names) if names.iter().any(|name| name == text) => diagnostic
                .suggest(
                    if_category_is_meant(text),
                    right.span,
                    format!("\"{text}\""),
                ),
            _ => diagnostic.help("list the combinations as a sum of products of indicators"),
        };
        self.error(diagnostic)
    }

    /// The opposite event: each single statement by the complement of its set.
    fn negated(&self, event: Event) -> Event {
        let all = |parts: Vec<Event>| parts.into_iter().map(|part| self.negated(part)).collect();
        match event {
            Event::In(variable, set) => {
                let full = self.builder.variables()[variable.index()].domain.full();
                Event::In(variable, full.minus(&set))
            }
            Event::And(parts) => Event::Or(all(parts)),
            Event::Or(parts) => Event::And(all(parts)),
        }
    }

    /// `[10 <= temp < 20]` as a leaf.
    pub(super) fn indicator(
        &mut self,
        test: &Expr,
        span: Span,
        env: Env<'_>,
    ) -> LoweringResult<DraftTarget> {
        let event = self.event(test, env)?;
        let Some((variable, set)) = single_variable(&event) else {
            let message = "an indicator speaks of one variable";
            let diagnostic = SourceDiagnostic::new(Code::WrongKind, span, message)
                .at("more than one here")
                .help("multiply indicators of single variables: `[a = 1] * [b = 2]`");
            return Err(self.error(diagnostic));
        };
        if set.is_empty() {
            return Err(self.empty_set(variable, span));
        }
        self.bounded(variable, &set, span)?;
        self.input(Leaf::indicator(variable, set), span)
    }

    /// An indicator's mass is the size of its set, which must be finite and not zero.
    fn bounded(&mut self, variable: VarId, set: &ValueSet, span: Span) -> LoweringResult<()> {
        let declared = &self.builder.variables()[variable.index()];
        let measure = set.measure();
        let (name, domain) = (&declared.name, &declared.domain);
        if measure.is_finite() && measure > 0.0 {
            return Ok(());
        }
        let diagnostic = if measure > 0.0 {
            let message = format!("this indicator of `{name}` has infinite mass");
            let example = if domain.is_discrete() {
                "poisson(?)"
            } else {
                "normal(?, ?)"
            };
            let region = region_text(set, domain);
            SourceDiagnostic::new(Code::Unbounded, span, message)
                .at(format!("1 on all of {}", set.show(domain)))
                .label(declared.span, format!("its domain is {domain}"))
                .help(format!(
                    "truncate a distribution instead: `{name} ~ {example} in {region}`"
                ))
        } else {
            let message = format!("this indicator of `{name}` has mass 0");
            SourceDiagnostic::new(Code::EmptySet, span, message)
                .at("single points of the real axis")
                .help("use an interval such as `[10 <= x < 20]`, or a distribution")
        };
        Err(self.error(diagnostic))
    }
}

/// A set in the form that `in` takes.
fn region_text(set: &ValueSet, domain: &Domain) -> String {
    match (set.runs(), domain.is_discrete()) {
        ([(low, high)], true) if high.value().is_infinite() => format!("[{}, inf)", low.value()),
        ([run], false) => {
            let (open, close) = ValueSet::brackets(run);
            format!("{open}{}, {}{close}", run.0.value(), run.1.value())
        }
        _ => set.show(domain),
    }
}

/// The same comparison with its sides swapped.
fn mirrored(op: CompareOp) -> CompareOp {
    match op {
        CompareOp::Lt => CompareOp::Gt,
        CompareOp::Le => CompareOp::Ge,
        CompareOp::Gt => CompareOp::Lt,
        CompareOp::Ge => CompareOp::Le,
        other => other,
    }
}

/// An event about one variable as a set of its values.
fn single_variable(event: &Event) -> Option<(VarId, ValueSet)> {
    let fold = |parts: &[Event], join: fn(&ValueSet, &ValueSet) -> ValueSet| {
        let mut sets = parts.iter().map(single_variable);
        let first = sets.next()??;
        sets.try_fold(first, |(variable, set), next| {
            let (other, next) = next?;
            (variable == other).then(|| (variable, join(&set, &next)))
        })
    };
    match event {
        Event::In(variable, set) => Some((*variable, set.clone())),
        Event::And(parts) => fold(parts, ValueSet::intersect),
        Event::Or(parts) => fold(parts, ValueSet::union),
    }
}
