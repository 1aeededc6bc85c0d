//! Values and sets of values of one variable.

use super::constant::ConstantValue;
use super::env::{Env, NameBinding};
use super::resolve::{PathEntity, nearest};
use super::symbols::Symbol;
use super::{Lowering, LoweringResult, ReportedError};
use crate::circuit::{Cut, Domain, ValueSet, VarId};
use crate::emit::token;
use pelton_grammar::ast::{CompareOp, Expr, ExprKind};
use pelton_grammar::diagnostic::{Code, SourceDiagnostic};
use pelton_grammar::source::Span;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// A domain in which values are looked up, categories in a table.
pub(super) struct DomainLookup {
    domain: Domain,
    categories: FxHashMap<String, usize>,
}

impl DomainLookup {
    fn of(domain: &Domain) -> DomainLookup {
        let names = match domain {
            Domain::Categories(names) => &names[..],
            _ => &[],
        };
        let places = names.iter().enumerate();
        DomainLookup {
            domain: domain.clone(),
            categories: places.map(|(at, name)| (name.clone(), at)).collect(),
        }
    }

    fn category(&self, text: &str) -> Option<f64> {
        self.categories.get(text).map(|&at| at as f64)
    }
}

impl<'a> Lowering<'a, '_> {
    /// The domain of a variable to look up values in. Each list of categories gets one
    /// table, because every value of a set is looked up; the list is known by its address,
    /// which variables keep until all is lowered.
    fn lookup(&mut self, variable: VarId) -> Rc<DomainLookup> {
        let domain = &self.builder.variables()[variable.index()].domain;
        match domain {
            Domain::Categories(names) => {
                let table = self.lookups.entry(names.as_ptr());
                table
                    .or_insert_with(|| Rc::new(DomainLookup::of(domain)))
                    .clone()
            }
            _ => Rc::new(DomainLookup::of(domain)),
        }
    }

    fn described(&self, variable: VarId) -> (String, Domain, Span) {
        let variable = &self.builder.variables()[variable.index()];
        (
            variable.name.clone(),
            variable.domain.clone(),
            variable.span,
        )
    }

    /// A value of a variable: a category, `true`, a number.
    fn value_of(&mut self, expr: &Expr, variable: VarId, env: Env<'_>) -> LoweringResult<f64> {
        let lookup = self.lookup(variable);
        let domain = &lookup.domain;
        // 1. What it stands for, if that is a value of the domain.
        let value = self.value_or_none(expr, &lookup, env)?;
        let legal = |value: &f64| match domain {
            Domain::Real => value.is_finite(),
            _ => value.fract() == 0.0 && domain.full().contains(*value),
        };
        if let Some(value) = value.filter(legal) {
            return Ok(value);
        }
        // 2. A name that is bound to something else may be meant as the category it is spelt
        // like.
        if let Some(hidden) = hidden_category(expr, domain) {
            return Err(self.report_hidden_category(expr, hidden, variable));
        }
        // 3. Otherwise the message shows the domain, and the category that is spelt nearly so.
        let (name, _, declared) = self.described(variable);
        let text = self.program.sources.slice(expr.span).to_string();
        let message = format!("{} is not a value of `{name}`", quoted(&text));
        let mut diagnostic = SourceDiagnostic::new(Code::NotInDomain, expr.span, message)
            .at("not in the domain")
            .label(declared, format!("the domain of `{name}` is {domain}"));
        if let Domain::Categories(names) = domain
            && let Some(near) = nearest(text.trim_matches('"'), names.iter().map(String::as_str))
        {
            let near = token::category(&near);
            diagnostic = diagnostic.suggest(format!("write `{near}`"), expr.span, near.as_ref());
        }
        Err(self.error(diagnostic))
    }

    /// Says that a category cannot be meant by a name that stands for something else here.
    fn report_hidden_category(
        &mut self,
        expr: &Expr,
        text: &str,
        variable: VarId,
    ) -> ReportedError {
        let (name, domain, declared) = self.described(variable);
        let message =
            format!("`{text}` is an index or argument here, not the category of `{name}`");
        let diagnostic = SourceDiagnostic::new(Code::NotInDomain, expr.span, message)
            .at("what it stands for is not in the domain")
            .label(declared, format!("the domain of `{name}` is {domain}"))
            .suggest(if_category_is_meant(text), expr.span, token::string(text));
        self.error(diagnostic)
    }

    /// The value an expression stands for in a domain; `None` if it stands for none.
    fn value_or_none(
        &mut self,
        expr: &Expr,
        lookup: &DomainLookup,
        env: Env<'_>,
    ) -> LoweringResult<Option<f64>> {
        let expr = expr.unparenthesized();
        let domain = &lookup.domain;
        let category = |text: &str| lookup.category(text);
        if let Some(name) = super::plain_name(expr) {
            match env.lookup(&name.text) {
                // A bound name is what it is bound to, whatever categories are called.
                Some(&NameBinding::Argument(argument, outer)) => {
                    return super::with_stack(|| self.value_or_none(argument, lookup, outer));
                }
                Some(NameBinding::Value(_)) => {}
                None => {
                    if let Some(value) = category(&name.text) {
                        return Ok(Some(value));
                    }
                    let symbol = self.symbols.modules[env.module].get(name.text.as_str());
                    let is_constant = matches!(symbol, Some(Symbol::Const(_)));
                    if matches!(domain, Domain::Categories(_)) && !is_constant {
                        return Ok(None);
                    }
                }
            }
        }
        if let ExprKind::Text(text) = &expr.kind {
            return Ok(category(text));
        }
        let value = self.constant(expr, env)?;
        Ok(match (domain, value) {
            (Domain::Bool, ConstantValue::Bool(value)) => Some(f64::from(value)),
            (Domain::Categories(_), ConstantValue::Text(text)) => category(&text),
            (Domain::Categories(_), _) => None,
            (_, value) => value.number(),
        })
    }

    /// What `in` takes: `{a, b}`, `[10, 20)`, `0..5`.
    pub(super) fn region(
        &mut self,
        expr: &Expr,
        variable: VarId,
        env: Env<'_>,
    ) -> LoweringResult<ValueSet> {
        let lookup = self.lookup(variable);
        let domain = &lookup.domain;
        let discrete = domain.is_discrete();
        let set = match &expr.unparenthesized().kind {
            ExprKind::Set(items) => {
                let values = items.iter().map(|item| self.value_of(item, variable, env));
                let values: LoweringResult<Vec<f64>> = values.collect();
                ValueSet::points(values?, discrete)
            }
            ExprKind::Interval(interval) => {
                self.needs_order(variable, expr.span)?;
                let low = self.number(&interval.low, env)?;
                let high = self.number(&interval.high, env)?;
                // A closed end holds its number: the cut lies on its far side.
                let cut = |value, is_after| {
                    if is_after {
                        Cut::after(value)
                    } else {
                        Cut::before(value)
                    }
                };
                let low = cut(low, !interval.low_closed);
                ValueSet::between(low, cut(high, interval.high_closed), discrete)
            }
            ExprKind::Range(low, high) => {
                self.needs_order(variable, expr.span)?;
                let (low, high) = (self.number(low, env)?, self.number(high, env)?);
                ValueSet::between(Cut::before(low), Cut::before(high), discrete)
            }
            _ => {
                let message =
                    "a set `{a, b}`, an interval `[a, b)` or a range `a..b` is needed here";
                return Err(self.wrong_kind(expr.span, message, "not a set of values"));
            }
        };
        self.not_empty(set.intersect(&domain.full()), variable, expr.span)
    }

    /// The values for which `variable op value` holds.
    pub(super) fn comparison_set(
        &mut self,
        op: CompareOp,
        variable: VarId,
        value: &Expr,
        env: Env<'_>,
    ) -> LoweringResult<ValueSet> {
        let lookup = self.lookup(variable);
        let discrete = lookup.domain.is_discrete();
        let full = lookup.domain.full();
        if op == CompareOp::In {
            return self.region(value, variable, env);
        }
        if matches!(op, CompareOp::Eq | CompareOp::Ne) {
            let point = ValueSet::point(self.value_of(value, variable, env)?, discrete);
            let set = match op {
                CompareOp::Eq => point,
                _ => full.minus(&point),
            };
            return self.not_empty(set, variable, value.span);
        }
        self.needs_order(variable, value.span)?;
        let bound = self.number(value, env)?;
        let (low, high) = (Cut::before(f64::NEG_INFINITY), Cut::before(f64::INFINITY));
        let set = match op {
            CompareOp::Lt => ValueSet::between(low, Cut::before(bound), discrete),
            CompareOp::Le => ValueSet::between(low, Cut::after(bound), discrete),
            CompareOp::Gt => ValueSet::between(Cut::after(bound), high, discrete),
            _ => ValueSet::between(Cut::before(bound), high, discrete),
        };
        self.not_empty(set.intersect(&full), variable, value.span)
    }

    fn not_empty(
        &mut self,
        set: ValueSet,
        variable: VarId,
        span: Span,
    ) -> LoweringResult<ValueSet> {
        if set.is_empty() {
            Err(self.empty_set(variable, span))
        } else {
            Ok(set)
        }
    }

    fn needs_order(&mut self, variable: VarId, span: Span) -> LoweringResult<()> {
        let (name, domain, declared) = self.described(variable);
        if !matches!(domain, Domain::Categories(_) | Domain::Bool) {
            return Ok(());
        }
        let message = format!("the values of `{name}` have no order");
        let diagnostic = SourceDiagnostic::new(Code::DomainMismatch, span, message)
            .at("an order is needed here")
            .label(declared, format!("its domain is {domain}"))
            .help(format!("list the values instead: `{name} in {{…}}`"));
        Err(self.error(diagnostic))
    }

    pub(super) fn empty_set(&mut self, variable: VarId, span: Span) -> ReportedError {
        let (name, domain, declared) = self.described(variable);
        let message = format!("no value of `{name}` is in this set");
        let diagnostic = SourceDiagnostic::new(Code::EmptySet, span, message)
            .at("leaves nothing")
            .label(declared, format!("the domain of `{name}` is {domain}"));
        self.error(diagnostic)
    }

    pub(super) fn as_variable(
        &mut self,
        expr: &Expr,
        env: Env<'_>,
    ) -> LoweringResult<Option<VarId>> {
        let ExprKind::Ref(path) = &expr.unparenthesized().kind else {
            return Ok(None);
        };
        if !self.names_variable(path, env) {
            return Ok(None);
        }
        let resolved = self.resolve(path, env)?;
        match resolved.entity {
            PathEntity::Symbol(Symbol::Var(var)) => {
                self.var_member(var, &resolved.indices, path).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// Whether a path leads to a variable, without reporting anything: on the
    /// other side of `=` may stand a category, which is no name of its own.
    fn names_variable(&self, path: &pelton_grammar::ast::PathSyntax, env: Env<'_>) -> bool {
        if self.is_asked_by_name(path, env.module) {
            return true;
        }
        let mut module = env.module;
        if let Some(qualifier) = &path.qualifier {
            match self.symbols.modules[module].get(qualifier.text.as_str()) {
                Some(&Symbol::Module(target)) => module = target,
                _ => return false,
            }
        } else if let Some(binding) = env.lookup(&path.name.text) {
            let NameBinding::Argument(argument, outer) = *binding else {
                return false;
            };
            return match &argument.unparenthesized().kind {
                ExprKind::Ref(inner) => super::with_stack(|| self.names_variable(inner, outer)),
                _ => false,
            };
        }
        let names = self.symbols.modules.get(module);
        let symbol = names.and_then(|names| names.get(path.name.text.as_str()));
        matches!(symbol, Some(Symbol::Var(_)))
    }
}

/// The category that a plain name is spelt like. Such a name is the category unless it is
/// bound to something else.
fn hidden_category<'e>(expr: &'e Expr, domain: &Domain) -> Option<&'e str> {
    let name = super::plain_name(expr.unparenthesized())?.text.as_str();
    match domain {
        Domain::Categories(names) => names.iter().any(|own| own == name).then_some(name),
        _ => None,
    }
}

pub(super) fn if_category_is_meant(text: &str) -> String {
    format!("if the category `{text}` is meant, quote it")
}

/// A short text in backquotes.
fn quoted(text: &str) -> String {
    match text.len() {
        0..=40 => format!("`{text}`"),
        _ => "this".to_string(),
    }
}
