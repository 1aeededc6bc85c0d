//! Weights of a sum's terms.

use super::constant::ConstantValue;
use super::draft::DraftWeight;
use super::env::Env;
use super::resolve::{PathEntity, ResolvedPath};
use super::symbols::{IndexFault, Symbol};
use super::{Lowering, LoweringResult, ReportedError, n_are};
use crate::circuit::{ParamKind, ParameterEntry, ParameterValue};
use pelton_grammar::ast::{Expr, ExprKind, NumberValue, PathSyntax, TermSyntax};
use pelton_grammar::diagnostic::{Code, SourceDiagnostic, counted};

impl<'a> Lowering<'a, '_> {
    /// The weight of a term: a number, `?`, `?0.3`, an entry of a parameter, or
    /// `(1 - p)` of a `unit` parameter.
    pub(super) fn weight(&mut self, expr: &Expr, env: Env<'_>) -> LoweringResult<DraftWeight> {
        let expr = expr.unparenthesized();
        let weight = match &expr.kind {
            ExprKind::Ref(path) => {
                let resolved = self.resolve(path, env)?;
                match resolved.entity {
                    PathEntity::Symbol(Symbol::Param(id)) => {
                        self.param_weight(id, &resolved.indices, path)?
                    }
                    PathEntity::Expr(argument, outer) if resolved.indices.is_empty() => {
                        return super::with_stack(|| self.weight(argument, outer));
                    }
                    _ => self.number_weight(expr, env, false)?,
                }
            }
            ExprKind::Learned(None) => self.draft.own_weight(ParameterEntry::learned()),
            ExprKind::Learned(Some(start)) => self.number_weight(start, env, true)?,
            ExprKind::Sum(terms) => match self.complement_weight(terms, env)? {
                Some(weight) => weight,
                None => self.number_weight(expr, env, false)?,
            },
            _ => self.number_weight(expr, env, false)?,
        };
        if let (Some(trace), DraftWeight::Own(at)) = (&mut self.trace, weight) {
            trace.weight(at, expr.span, env);
        }
        Ok(weight)
    }

    fn number_weight(
        &mut self,
        expr: &Expr,
        env: Env<'_>,
        learned: bool,
    ) -> LoweringResult<DraftWeight> {
        let Ok(value) = self.value(expr, env)? else {
            return Err(self.wrong_kind(expr.span, "a weight is one number", "a list"));
        };
        let legal = match value {
            ParameterValue::Linear(value) => value >= 0.0 && value.is_finite(),
            ParameterValue::Log(log) => log < f64::INFINITY,
        };
        if !legal {
            let message = format!("{} cannot be a weight", value.linear());
            let diagnostic = SourceDiagnostic::new(Code::BadWeight, expr.span, message)
                .at("weights are finite and not negative")
                .help("weights of a sum are probabilities; write `?` to have one learned");
            return Err(self.error(diagnostic));
        }
        Ok(self.draft.own_weight(ParameterEntry {
            value: Some(value),
            learned,
        }))
    }

    /// A number, kept as its logarithm if it is written as `exp(…)`; a list in the outer
    /// `Ok(Err(_))`, for those callers that take one.
    pub(super) fn value(
        &mut self,
        expr: &Expr,
        env: Env<'_>,
    ) -> LoweringResult<LoweringResult<ParameterValue, ConstantValue>> {
        let expr = expr.unparenthesized();
        // `exp(-1000)` is too small for a number and is kept as what stands in the parentheses.
        if let ExprKind::Call(path, args) = &expr.kind
            && path.name.text == "exp"
            && path.qualifier.is_none()
            && let [log] = args.as_slice()
        {
            return Ok(Ok(ParameterValue::Log(self.number(log, env)?)));
        }
        let value = self.constant(expr, env)?;
        match (value.number(), value) {
            (Some(number), _) => Ok(Ok(ParameterValue::Linear(number))),
            (None, list @ ConstantValue::List(_)) => Ok(Err(list)),
            (None, other) => Err(self.not_a_number(&other, expr.span)),
        }
    }

    fn param_weight(
        &mut self,
        id: usize,
        indices: &[i64],
        path: &PathSyntax,
    ) -> LoweringResult<DraftWeight> {
        let symbol = &self.symbols.params[id];
        let kind = symbol.kind;
        let array = symbol.array.as_ref().map_err(|&reported| reported)?;
        let n_dims = array.dims.len();
        match kind {
            ParamKind::Unit => {
                let param = array.get(indices);
                let param = param.map_err(|fault| self.index_error(fault, path, indices))?;
                Ok(DraftWeight::Param(param, 1))
            }
            ParamKind::Simplex => {
                if indices.len() != n_dims + 1 {
                    return Err(self.report_weight_indices(path, indices.len(), n_dims + 1));
                }
                let (&entry, own) = indices.split_last().expect("one index at least");
                let param = array.get(own);
                let param = param.map_err(|fault| self.index_error(fault, path, indices))?;
                let size = self.builder.entries(param).len() as i64;
                if !(0..size).contains(&entry) {
                    let fault = IndexFault::Range(n_dims, 0, size);
                    return Err(self.index_error(fault, path, indices));
                }
                Ok(DraftWeight::Param(param, entry as u32))
            }
            _ => {
                let (name, kind) = (&path.name.text, kind.name());
                let message = format!("`{name}` is a {kind} parameter and cannot be a weight");
                let diagnostic = SourceDiagnostic::new(Code::BadWeight, path.span, message)
                    .at("a weight is needed here")
                    .help("weights are entries of a `simplex` or `unit` parameter");
                Err(self.error(diagnostic))
            }
        }
    }

    fn report_weight_indices(
        &mut self,
        path: &PathSyntax,
        given: usize,
        wanted: usize,
    ) -> ReportedError {
        let name = &path.name.text;
        let wanted = counted(wanted, "index", "indices");
        let message = format!(
            "a weight from `{name}` takes {wanted}, and {} given",
            n_are(given)
        );
        let diagnostic = SourceDiagnostic::new(Code::WrongCount, path.span, message)
            .at("here")
            .help("the last index picks the entry of the simplex");
        self.error(diagnostic)
    }

    /// `1 - p` where `p` is a `unit` parameter; `None` if it is anything else.
    fn complement_weight(
        &mut self,
        terms: &[TermSyntax],
        env: Env<'_>,
    ) -> LoweringResult<Option<DraftWeight>> {
        // `1 - p` and nothing else: it is the other entry of the same parameter, so that both
        // learn as one.
        let [one, p] = terms else { return Ok(None) };
        let is_one = matches!(&one.body.kind, ExprKind::Number(number)
            if matches!(number.value, NumberValue::Int(1)) || number.value == NumberValue::Real(1.0));
        let (true, true, None, None) = (is_one, p.negative, &one.weight, &p.weight) else {
            return Ok(None);
        };
        let ExprKind::Ref(path) = &p.body.unparenthesized().kind else {
            return Ok(None);
        };
        let ResolvedPath { entity, indices } = self.resolve(path, env)?;
        let PathEntity::Symbol(Symbol::Param(id)) = entity else {
            return Ok(None);
        };
        match self.param_weight(id, &indices, path)? {
            DraftWeight::Param(param, 1) if self.symbols.params[id].kind == ParamKind::Unit => {
                Ok(Some(DraftWeight::Param(param, 0)))
            }
            _ => {
                let message = "only a `unit` parameter can be subtracted from 1";
                Err(self.wrong_kind(p.span, message, "not a `unit` parameter"))
            }
        }
    }
}
