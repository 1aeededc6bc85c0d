//! Loops and conditions over constants, for circuits and constants alike.

use super::constant::ConstantValue;
use super::env::{Env, NameBinding};
use super::resolve::{PathEntity, ResolvedPath};
use super::symbols::Symbol;
use super::{Lowering, LoweringResult, ReportedError, n_are};
use crate::leaf::family::FAMILIES;
use pelton_grammar::ast::{Binder, Expr, ExprKind, If, PathSyntax};
use pelton_grammar::diagnostic::{Code, SourceDiagnostic, counted};
use pelton_grammar::source::Span;
use std::rc::Rc;

const DEEPEST_CALLS: u32 = 500;

/// Loops of fewer iterations are not looked at before they run.
const LARGE_LOOP: u128 = 1_000;

impl<'a> Lowering<'a, '_> {
    /// The branch an `if` takes; `None` if no condition holds and there is no `else`.
    pub(super) fn taken_branch<'e>(
        &mut self,
        branches: &'e If,
        env: Env<'e>,
    ) -> LoweringResult<Option<&'e Expr>> {
        for (test, body) in &branches.branches {
            if self.truth(test, env)? {
                return Ok(Some(body));
            }
        }
        Ok(branches.otherwise.as_deref())
    }

    pub(super) fn missing_else(&mut self, span: Span) -> ReportedError {
        let message = "no condition of this `if` holds and it has no `else`";
        let diagnostic = SourceDiagnostic::new(Code::WrongKind, span, message)
        .at("stands for nothing here")
        .help("add `else { … }`; only as a term of a sum or a factor of a product may an `if` yield nothing");
        self.error(diagnostic)
    }

    /// Reports a loop that is beyond all limits before its first iteration,
    /// so that `0..1000000` twice over is an error at once. Ranges that depend
    /// on other indices are left to the count of iterations. Each iteration adds at
    /// least `growth` units and edges.
    pub(super) fn check_loop_size(
        &mut self,
        binders: &[Binder],
        env: Env<'_>,
        growth: impl FnOnce(&Self) -> u128,
    ) -> LoweringResult<()> {
        // Ranges that depend on no earlier index multiply; the others count as 1.
        let mut size: u128 = 1;
        for (at, binder) in binders.iter().enumerate() {
            // A range that mentions an index before it may have another length each time.
            let depends = |name: &str| binders[..at].iter().any(|b| b.name.text == name);
            let is_range = matches!(binder.domain.unparenthesized().kind, ExprKind::Range(..));
            if !is_range || mentions(&binder.domain, &depends) {
                continue;
            }
            let (low, high) = self.range_bounds(&binder.domain, env)?;
            size = size.saturating_mul(high.saturating_sub(low).max(0) as u128);
        }
        let Some(last) = binders.last().filter(|_| size > LARGE_LOOP) else {
            return Ok(());
        };
        // Too large if each iteration adds something, and too long in any case.
        let left = self.options.max_size.saturating_sub(self.size) as u128;
        if size.saturating_mul(growth(self)) > left {
            return Err(self.report_too_large(last.domain.span));
        }
        if size > self.max_iterations() as u128 {
            Err(self.report_too_many_iterations(last.domain.span))
        } else {
            Ok(())
        }
    }

    /// Calls `body` for every tuple of the binders that passes the filter, the
    /// last binder running fastest.
    pub(super) fn for_each(
        &mut self,
        binders: &[Binder],
        filter: Option<&Expr>,
        env: Env<'_>,
        body: &mut dyn FnMut(&mut Self, Env<'_>) -> LoweringResult<()>,
    ) -> LoweringResult<()> {
        // Innermost: all indices have values, which the filter may look at.
        let Some((binder, inner)) = binders.split_first() else {
            if let Some(filter) = filter
                && !self.truth(filter, env)?
            {
                return Ok(());
            }
            return body(self, env);
        };
        let mut visit = |this: &mut Self, value: ConstantValue| {
            this.count(binder.domain.span)?;
            let frame = env.frame(&binder.name.text, NameBinding::Value(value));
            this.for_each(inner, filter, env.with(&frame), body)
        };
        if let ExprKind::Range(..) = binder.domain.unparenthesized().kind {
            let (low, high) = self.range_bounds(&binder.domain, env)?;
            return (low..high).try_for_each(|index| visit(self, ConstantValue::Int(index)));
        }
        let list = self.loop_list(&binder.domain, env)?;
        list.iter().try_for_each(|value| visit(self, value.clone()))
    }

    fn loop_list(&mut self, expr: &Expr, env: Env<'_>) -> LoweringResult<Rc<[ConstantValue]>> {
        match self.constant(expr, env)? {
            ConstantValue::List(list) => Ok(list),
            other => {
                let kind = other.kind();
                let message = format!("a range or a list is needed here, and this is {kind}");
                let diagnostic = SourceDiagnostic::new(Code::WrongKind, expr.span, message)
                    .at("cannot be looped over")
                    .help("write a range such as `0..K` (without K itself) or a list such as `[1, 3]`");
                Err(self.error(diagnostic))
            }
        }
    }

    /// Expands a call of a definition: `walk` sees its body with the arguments bound.
    pub(super) fn call_definition<'e, T>(
        &mut self,
        path: &'e PathSyntax,
        args: &'e [Expr],
        span: Span,
        env: Env<'e>,
        walk: impl FnOnce(&mut Self, &Expr, Env<'_>) -> LoweringResult<T>,
    ) -> LoweringResult<T> {
        let id = self.called_definition(path, env)?;
        // Its expansion would not end, which has been reported.
        if self.recursive.contains(&id) {
            return Err(ReportedError);
        }
        let (decl, module) = (self.symbols.defs[id].decl, self.symbols.defs[id].module);
        if decl.args.len() != args.len() {
            let message = format!(
                "`{}` takes {}, and {} given",
                decl.name.text,
                counted(decl.args.len(), "argument", "arguments"),
                n_are(args.len())
            );
            let diagnostic = SourceDiagnostic::new(Code::WrongCount, span, message)
                .at("called here")
                .label(decl.name.span, "defined here");
            return Err(self.error(diagnostic));
        }
        if env.calls >= DEEPEST_CALLS {
            let message = format!("definitions call each other more than {DEEPEST_CALLS} deep");
            let diagnostic = SourceDiagnostic::new(Code::TooDeep, span, message);
            return Err(self.error(diagnostic.at("this call")));
        }
        self.count(span)?;
        let mut inner = Env::of_module(module);
        inner.calls = env.calls + 1;
        let mut walk = Some(walk);
        bind_arguments(self, &decl.args, args, env, inner, &mut walk, &decl.body)
    }

    fn called_definition(&mut self, path: &PathSyntax, env: Env<'_>) -> LoweringResult<usize> {
        self.no_lone_distribution(path, env)?;
        let ResolvedPath { entity, indices } = self.resolve(path, env)?;
        let what = match entity {
            PathEntity::Symbol(Symbol::Def(id)) if indices.is_empty() => return Ok(id),
            PathEntity::Symbol(symbol) => symbol.kind(),
            PathEntity::Value(_) => "an index",
            PathEntity::Expr(..) => "an argument",
        };
        let message = format!("`{}` is {what} and cannot be called", path.name.text);
        let diagnostic = SourceDiagnostic::new(Code::WrongKind, path.span, message)
            .at("a definition is needed here")
            .help("instances of a node are written with brackets, `z[3]`");
        Err(self.error(diagnostic))
    }

    /// Reports `normal(0, 1)` where `x ~ normal(0, 1)` is meant.
    fn no_lone_distribution(&mut self, path: &PathSyntax, env: Env<'_>) -> LoweringResult<()> {
        let name = path.name.text.as_str();
        let family = FAMILIES.iter().find(|family| family.name == name);
        let is_declared = path.qualifier.is_some()
            || env.lookup(name).is_some()
            || self.symbols.modules[env.module].contains_key(name);
        let Some(family) = family.filter(|_| !is_declared) else {
            return Ok(());
        };
        let message = format!("`{name}` is a distribution of no variable here");
        let diagnostic = SourceDiagnostic::new(Code::WrongKind, path.span, message)
            .at("whose distribution is it?")
            .help(format!(
                "write the variable before it: `x ~ {}`",
                family.signature()
            ));
        Err(self.error(diagnostic))
    }
}

/// Whether an expression mentions a name that `is_wanted`.
fn mentions(expr: &Expr, is_wanted: &dyn Fn(&str) -> bool) -> bool {
    let mut found = match &expr.kind {
        ExprKind::Ref(path) | ExprKind::Call(path, _) => is_wanted(&path.name.text),
        _ => false,
    };
    expr.for_each_child(&mut |child| {
        found = found || super::with_stack(|| mentions(child, is_wanted));
    });
    found
}

/// Binds one argument after the other; each frame lives on this function's stack.
fn bind_arguments<'a, 'f, 'e, T>(
    lowering: &mut Lowering<'a, 'f>,
    names: &'e [pelton_grammar::ast::Name],
    args: &'e [Expr],
    caller: Env<'e>,
    env: Env<'e>,
    walk: &mut Option<impl FnOnce(&mut Lowering<'a, 'f>, &Expr, Env<'_>) -> LoweringResult<T>>,
    body: &'e Expr,
) -> LoweringResult<T> {
    match (names.split_first(), args.split_first()) {
        (Some((name, names)), Some((arg, args))) => {
            let frame = env.frame(&name.text, NameBinding::Argument(arg, caller));
            bind_arguments(lowering, names, args, caller, env.with(&frame), walk, body)
        }
        _ => walk.take().expect("called once, at the end")(lowering, body, env),
    }
}
