//! Arguments of distributions: parameters and counts.

use super::env::Env;
use super::param::WrittenEntries;
use super::resolve::PathEntity;
use super::symbols::Symbol;
use super::{Lowering, LoweringResult};
use crate::circuit::{ParamId, ParamKind};
use pelton_grammar::ast::{CompareOp, Expr, ExprKind, PathSyntax};
use pelton_grammar::diagnostic::{Code, SourceDiagnostic};
use pelton_grammar::source::Span;

/// Counts beyond this are never meant and would make masses slow to compute.
const LARGEST_COUNT: i64 = 1 << 24;

impl<'a> Lowering<'a, '_> {
    /// Reports `normal(mean = 0, sd = 1)`.
    pub(super) fn without_names(
        &mut self,
        args: &[Expr],
        specs: &[&str],
        span: Span,
    ) -> LoweringResult<()> {
        // `mean = 0` reads as a comparison whose left side is the name of an argument.
        let names = args.iter().map(|arg| argument_name(arg, specs));
        let names: Vec<Option<(usize, Span)>> = names.collect();
        if names.iter().all(Option::is_none) {
            return Ok(());
        }
        let message = "arguments are told apart by their order, not by names";
        let diagnostic = SourceDiagnostic::new(Code::WrongKind, span, message)
            .at(format!("takes {} in this order", specs.join(", ")));
        let is_in_place = |(at, name): (usize, &Option<(usize, Span)>)| {
            name.is_none_or(|(position, _)| position == at)
        };
        // Without its name an argument out of place would be taken for another.
        let diagnostic = if names.iter().enumerate().all(is_in_place) {
            let cut = |(_, span)| (span, String::new());
            let edits = names.iter().flatten().copied().map(cut).collect();
            diagnostic.suggest_edits("leave the names out", edits)
        } else {
            diagnostic.help("put them in order and leave the names out")
        };
        Err(self.error(diagnostic))
    }

    /// An argument that may be learned: a declared parameter, `?`, or numbers.
    pub(super) fn param_arg(
        &mut self,
        expr: &Expr,
        kind: ParamKind,
        size: usize,
        env: Env<'_>,
    ) -> LoweringResult<ParamId> {
        // A declared parameter is shared by all that name it; everything else is a parameter of
        // its own.
        if let ExprKind::Ref(path) = &expr.unparenthesized().kind {
            let resolved = self.resolve(path, env)?;
            match resolved.entity {
                PathEntity::Symbol(Symbol::Param(id)) => {
                    return self.declared_param(id, &resolved.indices, path, kind, size);
                }
                PathEntity::Expr(argument, outer) if resolved.indices.is_empty() => {
                    return super::with_stack(|| self.param_arg(argument, kind, size, outer));
                }
                _ => {}
            }
        }
        let shape = self.shape(expr, env)?;
        let param = self.own_param(&shape, kind, size, expr.span)?;
        if let Some(trace) = &mut self.trace {
            trace.argument(param, expr.span, env);
        }
        Ok(param)
    }

    pub(super) fn own_param(
        &mut self,
        shape: &WrittenEntries,
        kind: ParamKind,
        size: usize,
        span: Span,
    ) -> LoweringResult<ParamId> {
        self.grow_entries(size, span)?;
        let entries = self.vector(shape, kind, size, span)?;
        let entries = self.finished_entries(kind, entries, self.frozen, span)?;
        Ok(self.builder.parameter(None, kind, &entries, span))
    }

    fn declared_param(
        &mut self,
        id: usize,
        indices: &[i64],
        path: &PathSyntax,
        kind: ParamKind,
        size: usize,
    ) -> LoweringResult<ParamId> {
        let symbol = &self.symbols.params[id];
        let (declared, name) = (symbol.kind, &symbol.declarator.name);
        let place = name.span;
        let array = symbol.array.as_ref().map_err(|&reported| reported)?;
        let param = array.get(indices);
        let param = param.map_err(|fault| self.index_error(fault, path, indices))?;
        // A number above 0 is also a number.
        let fits = declared == kind || (kind == ParamKind::Real && declared == ParamKind::Positive);
        if !fits {
            let (name, declared, kind) = (&name.text, declared.name(), kind.name());
            let message =
                format!("`{name}` is a {declared} parameter, and a {kind} one is needed here");
            let diagnostic = SourceDiagnostic::new(Code::WrongKind, path.span, message)
                .at("wrong kind of parameter")
                .label(place, "declared here");
            return Err(self.error(diagnostic));
        }
        let entries = self.builder.entries(param).len();
        if entries != size {
            let name = &name.text;
            let message =
                format!("`{name}` has {entries} entries, and the variable has {size} values");
            let diagnostic = SourceDiagnostic::new(Code::WrongShape, path.span, message)
                .at("one entry for each value is needed")
                .label(place, "declared here");
            return Err(self.error(diagnostic));
        }
        Ok(param)
    }

    pub(super) fn count_arg(&mut self, expr: &Expr, env: Env<'_>) -> LoweringResult<u32> {
        let value = self.integer(expr, env)?;
        if (0..=LARGEST_COUNT).contains(&value) {
            return Ok(value as u32);
        }
        let message =
            format!("a count from 0 to {LARGEST_COUNT} is needed here, and this is {value}");
        let diagnostic = SourceDiagnostic::new(Code::BadParameter, expr.span, message);
        Err(self.error(diagnostic.at("out of range")))
    }
}

/// `sd = ` before an argument's value: which argument it names, and where.
fn argument_name(arg: &Expr, specs: &[&str]) -> Option<(usize, Span)> {
    let ExprKind::Compare(first, rest) = &arg.kind else {
        return None;
    };
    let [(CompareOp::Eq, value)] = rest.as_slice() else {
        return None;
    };
    let name = &super::plain_name(first)?.text;
    let position = specs.iter().position(|spec| spec == name)?;
    Some((position, first.span.to(value.span.before())))
}
