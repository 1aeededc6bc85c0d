//! Values and sets of values of one variable.

use super::env::Env;
use super::resolve::{Entity, nearest};
use super::symbols::Symbol;
use super::{Lowering, Reported};
use crate::circuit::{Cut, Domain, ValueSet, VarId};
use crate::emit::token;
use pelton_grammar::ast::{CompareOp, Expr, ExprKind};
use pelton_grammar::diagnostic::{Code, Diagnostic};
use pelton_grammar::source::Span;

impl<'a> Lowering<'a, '_> {
    /// The variable's name and domain, for messages and checks.
    fn described(&self, variable: VarId) -> (String, Domain, Span) {
        let declared = &self.builder.variables()[variable.index()];
        (
            declared.name.clone(),
            declared.domain.clone(),
            declared.span,
        )
    }

    /// A value of a variable: a category, `true`, a number.
    fn value_of<'e>(
        &mut self,
        expr: &'e Expr,
        variable: VarId,
        env: Env<'e>,
    ) -> Result<f64, Reported> {
        let (name, domain, declared) = self.described(variable);
        let value = self.value_or_none(expr, &domain, env)?;
        let legal = |value: &f64| match domain {
            Domain::Real => value.is_finite(),
            _ => value.fract() == 0.0 && domain.full().contains(*value),
        };
        if let Some(value) = value.filter(legal) {
            return Ok(value);
        }
        let text = self.program.sources.slice(expr.span).to_string();
        let message = format!("{} is not a value of `{name}`", quoted(&text));
        let mut diagnostic = Diagnostic::new(Code::NotInDomain, expr.span, message)
            .at("not in the domain")
            .label(declared, format!("the domain of `{name}` is {domain}"));
        if let Domain::Categories(names) = &domain
            && let Some(near) = nearest(text.trim_matches('"'), names.iter().map(String::as_str))
        {
            let near = token::category(&near);
            diagnostic = diagnostic.suggest(format!("write `{near}`"), expr.span, near.as_ref());
        }
        Err(self.error(diagnostic))
    }

    /// The value an expression stands for in a domain; `None` if it stands for none.
    fn value_or_none<'e>(
        &mut self,
        expr: &'e Expr,
        domain: &Domain,
        env: Env<'e>,
    ) -> Result<Option<f64>, Reported> {
        let expr = expr.unparenthesized();
        let category = |text: &str| match domain {
            Domain::Categories(names) => names.iter().position(|n| n == text).map(|at| at as f64),
            _ => None,
        };
        if let Some(name) = super::plain_name(expr) {
            match env.lookup(&name.text) {
                // A bound name is what it is bound to, whatever categories are called.
                Some(&super::env::Binding::Argument(argument, outer)) => {
                    return super::with_stack(|| self.value_or_none(argument, domain, outer));
                }
                Some(super::env::Binding::Value(_)) => {}
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
            (Domain::Bool, super::constant::Const::Bool(value)) => Some(f64::from(value)),
            (Domain::Categories(_), super::constant::Const::Text(text)) => category(&text),
            (Domain::Categories(_), _) => None,
            (_, value) => value.number(),
        })
    }

    /// What `in` takes: `{a, b}`, `[10, 20)`, `0..5`.
    pub(super) fn region<'e>(
        &mut self,
        expr: &'e Expr,
        variable: VarId,
        env: Env<'e>,
    ) -> Result<ValueSet, Reported> {
        let (_, domain, _) = self.described(variable);
        let discrete = domain.is_discrete();
        let set = match &expr.unparenthesized().kind {
            ExprKind::Set(items) => {
                let mut set = ValueSet::empty();
                for item in items {
                    let value = self.value_of(item, variable, env)?;
                    set = set.union(&ValueSet::point(value, discrete));
                }
                set
            }
            ExprKind::Interval(interval) => {
                self.needs_order(variable, expr.span)?;
                let low = self.number(&interval.low, env)?;
                let high = self.number(&interval.high, env)?;
                let low = match interval.low_closed {
                    true => Cut::before(low),
                    false => Cut::after(low),
                };
                let high = match interval.high_closed {
                    true => Cut::after(high),
                    false => Cut::before(high),
                };
                ValueSet::between(low, high, discrete)
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
        let set = set.intersect(&domain.full());
        match set.is_empty() {
            true => Err(self.empty_set(variable, expr.span)),
            false => Ok(set),
        }
    }

    /// The values for which `variable op value` holds.
    pub(super) fn comparison_set<'e>(
        &mut self,
        op: CompareOp,
        variable: VarId,
        value: &'e Expr,
        env: Env<'e>,
    ) -> Result<ValueSet, Reported> {
        let (_, domain, _) = self.described(variable);
        let discrete = domain.is_discrete();
        let full = domain.full();
        if op == CompareOp::In {
            return self.region(value, variable, env);
        }
        if matches!(op, CompareOp::Eq | CompareOp::Ne) {
            let point = ValueSet::point(self.value_of(value, variable, env)?, discrete);
            let set = match op {
                CompareOp::Eq => point,
                _ => full.minus(&point),
            };
            return match set.is_empty() {
                true => Err(self.empty_set(variable, value.span)),
                false => Ok(set),
            };
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
        let set = set.intersect(&full);
        match set.is_empty() {
            true => Err(self.empty_set(variable, value.span)),
            false => Ok(set),
        }
    }

    fn needs_order(&mut self, variable: VarId, span: Span) -> Result<(), Reported> {
        let (name, domain, declared) = self.described(variable);
        if !matches!(domain, Domain::Categories(_) | Domain::Bool) {
            return Ok(());
        }
        let message = format!("the values of `{name}` have no order");
        let diagnostic = Diagnostic::new(Code::DomainMismatch, span, message)
            .at("an order is needed here")
            .label(declared, format!("its domain is {domain}"))
            .help(format!("list the values instead: `{name} in {{…}}`"));
        Err(self.error(diagnostic))
    }

    pub(super) fn empty_set(&mut self, variable: VarId, span: Span) -> Reported {
        let (name, domain, declared) = self.described(variable);
        let message = format!("no value of `{name}` is in this set");
        let diagnostic = Diagnostic::new(Code::EmptySet, span, message)
            .at("leaves nothing")
            .label(declared, format!("the domain of `{name}` is {domain}"));
        self.error(diagnostic)
    }

    /// The variable an expression names, if it names one.
    pub(super) fn as_variable<'e>(
        &mut self,
        expr: &'e Expr,
        env: Env<'e>,
    ) -> Result<Option<VarId>, Reported> {
        let ExprKind::Ref(path) = &expr.unparenthesized().kind else {
            return Ok(None);
        };
        if !self.names_variable(path, env) {
            return Ok(None);
        }
        let resolved = self.resolve(path, env)?;
        match resolved.entity {
            Entity::Symbol(Symbol::Var(var)) => {
                self.var_member(var, &resolved.indices, path).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// Whether a path leads to a variable, without reporting anything: on the
    /// other side of `=` may stand a category, which is no name of its own.
    fn names_variable(&self, path: &pelton_grammar::ast::Path, env: Env<'_>) -> bool {
        let mut module = env.module;
        if let Some(qualifier) = &path.qualifier {
            match self.symbols.modules[module].get(qualifier.text.as_str()) {
                Some(&Symbol::Module(target)) => module = target,
                _ => return false,
            }
        } else if let Some(binding) = env.lookup(&path.name.text) {
            return match *binding {
                super::env::Binding::Argument(argument, outer) => {
                    match &argument.unparenthesized().kind {
                        ExprKind::Ref(inner) => {
                            super::with_stack(|| self.names_variable(inner, outer))
                        }
                        _ => false,
                    }
                }
                super::env::Binding::Value(_) => false,
            };
        }
        let names = self.symbols.modules.get(module);
        let symbol = names.and_then(|names| names.get(path.name.text.as_str()));
        matches!(symbol, Some(Symbol::Var(_)))
    }
}

/// A short text in backquotes.
fn quoted(text: &str) -> String {
    match text.len() {
        0..=40 => format!("`{text}`"),
        _ => "this".to_string(),
    }
}
