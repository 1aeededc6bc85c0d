//! Constant expressions.

use super::constant::{self, Arithmetic, ConstantFault, ConstantValue};
use super::env::Env;
use super::resolve::{PathEntity, ResolvedPath};
use super::symbols::{ConstState, ConstSymbol, Symbol};
use super::{Lowering, LoweringResult, ReportedError, with_stack};
use pelton_grammar::ast::{
    Expr, ExprKind, FactorOp, FactorSyntax, NumberValue, PathSyntax, TermSyntax,
};
use pelton_grammar::diagnostic::{Code, SourceDiagnostic};
use pelton_grammar::source::Span;

/// How long a chain of constants, each defined by the next, may be.
const LONGEST_CONST_CHAIN: usize = 2_000;

impl<'a> Lowering<'a, '_> {
    pub(super) fn constant(&mut self, expr: &Expr, env: Env<'_>) -> LoweringResult<ConstantValue> {
        with_stack(|| self.constant_inner(expr, env))
    }

    fn constant_inner(&mut self, expr: &Expr, env: Env<'_>) -> LoweringResult<ConstantValue> {
        match &expr.kind {
            ExprKind::Number(number) => Ok(match number.value {
                NumberValue::Int(value) => ConstantValue::Int(value),
                NumberValue::Real(value) => ConstantValue::Real(value),
            }),
            ExprKind::Text(text) => Ok(ConstantValue::Text(text.as_str().into())),
            ExprKind::Bool(value) => Ok(ConstantValue::Bool(*value)),
            ExprKind::Paren(inner) => self.constant_inner(inner, env),
            ExprKind::Neg(inner) => {
                let value = self.constant(inner, env)?;
                constant::negate(&value).map_err(|fault| self.fault(fault, expr.span))
            }
            ExprKind::Not(inner) => Ok(ConstantValue::Bool(!self.truth(inner, env)?)),
            ExprKind::Sum(terms) => self.constant_sum(terms, env),
            ExprKind::Product(factors) => self.constant_product(factors, expr.span, env),
            ExprKind::Power(base, exponent) => {
                let (base, exponent) = (self.constant(base, env)?, self.constant(exponent, env)?);
                constant::arithmetic(Arithmetic::Pow, &base, &exponent)
                    .map_err(|fault| self.fault(fault, expr.span))
            }
            ExprKind::Compare(..) | ExprKind::And(_) | ExprKind::Or(_) => {
                Ok(ConstantValue::Bool(self.truth(expr, env)?))
            }
            ExprKind::List(items) => {
                let items = items.iter().map(|item| self.constant(item, env));
                Ok(ConstantValue::List(items.collect::<LoweringResult<_>>()?))
            }
            ExprKind::If(branches) => match self.taken_branch(branches, env)? {
                Some(branch) => self.constant(branch, env),
                None => Err(self.missing_else(expr.span)),
            },
            ExprKind::Call(path, args) => self.constant_call(path, args, expr.span, env),
            ExprKind::Ref(path) => self.constant_ref(path, env),
            _ => Err(self.not_constant(expr)),
        }
    }

    fn not_constant(&mut self, expr: &Expr) -> ReportedError {
        let (what, help) = match &expr.kind {
            ExprKind::Learned(_) => (
                "`?` stands for a learned number",
                "`?` can be a weight, an argument of a distribution or the value of a `param`",
            ),
            ExprKind::Range(..) => (
                "a range is no number",
                "ranges stand behind `in` and in `[ ]`",
            ),
            _ => (
                "this is a circuit",
                "constants are built from numbers, lists, other constants and functions such as `div` and `max`",
            ),
        };
        let message = format!("{what}, and a constant is needed here");
        let diagnostic = SourceDiagnostic::new(Code::WrongKind, expr.span, message);
        self.error(diagnostic.at("not a constant").help(help))
    }

    fn constant_sum(
        &mut self,
        terms: &[TermSyntax],
        env: Env<'_>,
    ) -> LoweringResult<ConstantValue> {
        let mut total: Option<ConstantValue> = None;
        for term in terms {
            if let Some(weight) = &term.weight {
                let message = "a weighted term belongs to a circuit, and a constant is needed here";
                return Err(self.wrong_kind(weight.span, message, "this is a weight"));
            }
            let op = if term.negative {
                Arithmetic::Sub
            } else {
                Arithmetic::Add
            };
            let span = terms[0].span.to(term.span);
            total = Some(self.joined(total, op, &term.body, span, env)?);
        }
        Ok(total.expect("a sum has terms"))
    }

    fn constant_product(
        &mut self,
        factors: &[FactorSyntax],
        span: Span,
        env: Env<'_>,
    ) -> LoweringResult<ConstantValue> {
        let mut product: Option<ConstantValue> = None;
        for factor in factors {
            let op = match factor.op {
                FactorOp::Mul => Arithmetic::Mul,
                FactorOp::Div => Arithmetic::Div,
                FactorOp::Rem => Arithmetic::Rem,
            };
            product = Some(self.joined(product, op, &factor.expr, span, env)?);
        }
        Ok(product.expect("a product has factors"))
    }

    /// What a chain of operators is worth with one more operand; the first one stands alone.
    fn joined(
        &mut self,
        left: Option<ConstantValue>,
        op: Arithmetic,
        right: &Expr,
        span: Span,
        env: Env<'_>,
    ) -> LoweringResult<ConstantValue> {
        let right = self.constant(right, env)?;
        let Some(left) = left else {
            return Ok(right);
        };
        constant::arithmetic(op, &left, &right).map_err(|fault| self.fault(fault, span))
    }

    fn constant_call(
        &mut self,
        path: &PathSyntax,
        args: &[Expr],
        span: Span,
        env: Env<'_>,
    ) -> LoweringResult<ConstantValue> {
        let name = path.name.text.as_str();
        if path.qualifier.is_none()
            && path.indices.is_empty()
            && constant::FUNCTIONS.contains(&name)
        {
            let args = args.iter().map(|arg| self.constant(arg, env));
            let args = args.collect::<LoweringResult<Vec<_>>>()?;
            return constant::call(name, &args).map_err(|fault| self.fault(fault, span));
        }
        self.call_definition(path, args, span, env, |this, body, env| {
            this.constant(body, env)
        })
    }

    fn constant_ref(&mut self, path: &PathSyntax, env: Env<'_>) -> LoweringResult<ConstantValue> {
        let ResolvedPath { entity, indices } = self.resolve(path, env)?;
        let value = match entity {
            PathEntity::Value(value) => value,
            PathEntity::Expr(expr, outer) => self.constant(expr, outer)?,
            PathEntity::Symbol(Symbol::Const(id)) => self.const_value(id)?,
            PathEntity::Symbol(symbol) => {
                let diagnostic = self.other_kind(symbol, path, "constant");
                return Err(self.error(diagnostic));
            }
        };
        self.index_list(value, &indices, path)
    }

    /// The message on a name that stands for something else than its place needs.
    pub(super) fn other_kind(
        &self,
        symbol: Symbol,
        path: &PathSyntax,
        needed: &str,
    ) -> SourceDiagnostic {
        let (name, kind) = (&path.name.text, symbol.kind());
        let message = format!("`{name}` is {kind}, and a {needed} is needed here");
        let diagnostic = SourceDiagnostic::new(Code::WrongKind, path.span, message);
        let diagnostic = diagnostic.at(format!("not a {needed}"));
        match self.place(symbol) {
            Some(span) => diagnostic.label(span, "declared here"),
            None => diagnostic,
        }
    }

    fn index_list(
        &mut self,
        mut value: ConstantValue,
        indices: &[i64],
        path: &PathSyntax,
    ) -> LoweringResult<ConstantValue> {
        for (position, &index) in indices.iter().enumerate() {
            let ConstantValue::List(list) = &value else {
                return Err(self.report_index_count(path, indices.len(), position));
            };
            // Lists of lists are indexed from the outside in; there is no negative index.
            let member = usize::try_from(index).ok().and_then(|at| list.get(at));
            value = match member {
                Some(member) => member.clone(),
                None => {
                    let fault = super::symbols::IndexFault::Range(position, 0, list.len() as i64);
                    return Err(self.index_error(fault, path, indices));
                }
            };
        }
        Ok(value)
    }

    /// The value of a declared constant, computed once.
    pub(super) fn const_value(&mut self, id: usize) -> LoweringResult<ConstantValue> {
        match &self.symbols.consts[id].state {
            ConstState::Done(value) => return value.clone(),
            ConstState::Running => return Err(self.report_const_cycle(id)),
            ConstState::Waiting => {}
        }
        // Each constant that needs another one is a level of the stack.
        if self.const_depth >= LONGEST_CONST_CHAIN {
            return Err(self.report_const_chain(id));
        }
        let (decl, module) = (self.symbols.consts[id].decl, self.symbols.consts[id].module);
        // A constant that is asked for while it is computed depends on itself.
        self.symbols.consts[id].state = ConstState::Running;
        self.const_depth += 1;
        let outer = self.current.replace(Symbol::Const(id));
        let value = self.constant(&decl.value, Env::of_module(module));
        self.current = outer;
        self.const_depth -= 1;
        self.symbols.consts[id].state = ConstState::Done(value.clone());
        value
    }

    fn report_const_cycle(&mut self, id: usize) -> ReportedError {
        let name = &self.symbols.consts[id].decl.name;
        let (text, span) = (name.text.clone(), name.span);
        let message = format!("the constant `{text}` is defined by itself");
        let diagnostic = SourceDiagnostic::new(Code::Cycle, span, message)
            .at("its value depends on itself")
            .help("give one of them a value of its own");
        let is_between = |(other, symbol): &(usize, &ConstSymbol)| {
            *other != id && matches!(symbol.state, ConstState::Running)
        };
        let others = self.symbols.consts.iter().enumerate().filter(is_between);
        let diagnostic = others.fold(diagnostic, |diagnostic, (_, symbol)| {
            diagnostic.label(symbol.decl.name.span, "through this one")
        });
        self.error(diagnostic)
    }

    fn report_const_chain(&mut self, id: usize) -> ReportedError {
        let span = self.symbols.consts[id].decl.name.span;
        let message =
            format!("more than {LONGEST_CONST_CHAIN} constants are defined by each other");
        let diagnostic = SourceDiagnostic::new(Code::TooDeep, span, message)
            .at("the chain is too long here")
            .help("define constants before they are used");
        self.error(diagnostic)
    }

    /// Computes all constants, so that those nobody uses are checked too.
    pub(super) fn evaluate_constants(&mut self) {
        for id in 0..self.symbols.consts.len() {
            // An error has been reported; there is nothing else to do with it here.
            let _ = self.const_value(id);
        }
    }

    /// An integer, such as an index.
    pub(super) fn integer(&mut self, expr: &Expr, env: Env<'_>) -> LoweringResult<i64> {
        let value = self.constant(expr, env)?;
        match value {
            ConstantValue::Int(value) => Ok(value),
            ConstantValue::Real(real) => {
                let message = format!("an integer is needed here, and this is {real:?}");
                let diagnostic = SourceDiagnostic::new(Code::WrongKind, expr.span, message)
                    .at("not an integer")
                    .help("`/` gives a real number; `div(a, b)` rounds down to an integer");
                Err(self.error(diagnostic))
            }
            other => {
                let message = format!("an integer is needed here, and this is {}", other.kind());
                Err(self.wrong_kind(expr.span, message, "not an integer"))
            }
        }
    }

    pub(super) fn number(&mut self, expr: &Expr, env: Env<'_>) -> LoweringResult<f64> {
        let value = self.constant(expr, env)?;
        value
            .number()
            .ok_or_else(|| self.not_a_number(&value, expr.span))
    }

    /// Half-open bounds of a range, neither of them too large to count.
    pub(super) fn range_bounds(&mut self, expr: &Expr, env: Env<'_>) -> LoweringResult<(i64, i64)> {
        let ExprKind::Range(low, high) = &expr.unparenthesized().kind else {
            let text = self.program.sources.slice(expr.span);
            let text = if text.len() <= 20 { text } else { "N" };
            let message = "a range such as `0..N` is needed here";
            let diagnostic = SourceDiagnostic::new(Code::WrongKind, expr.span, message)
                .at("not a range")
                .suggest("count from 0", expr.span, format!("0..{text}"));
            return Err(self.error(diagnostic));
        };
        Ok((self.integer(low, env)?, self.integer(high, env)?))
    }

    pub(super) fn fault(&mut self, fault: ConstantFault, span: Span) -> ReportedError {
        match fault {
            ConstantFault::Kind(text) => self.wrong_kind(span, text, "here"),
            ConstantFault::Arithmetic(text) => {
                let message = format!("this constant cannot be computed: {text}");
                self.error(SourceDiagnostic::new(Code::BadArithmetic, span, message).at("here"))
            }
        }
    }
}
