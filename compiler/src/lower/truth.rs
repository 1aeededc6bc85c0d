//! Conditions over constants: what stands behind `if` and `where`.

use super::constant::ConstantValue;
use super::env::Env;
use super::{Lowering, LoweringResult};
use pelton_grammar::ast::{CompareOp, Expr, ExprKind};
use pelton_grammar::source::Span;

impl<'a> Lowering<'a, '_> {
    pub(super) fn truth(&mut self, expr: &Expr, env: Env<'_>) -> LoweringResult<bool> {
        match &expr.kind {
            ExprKind::And(parts) => {
                for part in parts {
                    if !self.truth(part, env)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            ExprKind::Or(parts) => {
                for part in parts {
                    if self.truth(part, env)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            ExprKind::Compare(first, rest) => {
                let mut left = self.constant(first, env)?;
                for (op, right) in rest {
                    if *op == CompareOp::In {
                        return self.member(&left, right, env);
                    }
                    let value = self.constant(right, env)?;
                    if !self.compare(*op, &left, &value, expr.span)? {
                        return Ok(false);
                    }
                    left = value;
                }
                Ok(true)
            }
            _ => match self.constant(expr, env)? {
                ConstantValue::Bool(value) => Ok(value),
                other => {
                    let message =
                        format!("a condition is needed here, and this is {}", other.kind());
                    Err(self.wrong_kind(expr.span, message, "neither true nor false"))
                }
            },
        }
    }

    fn compare(
        &mut self,
        op: CompareOp,
        left: &ConstantValue,
        right: &ConstantValue,
        span: Span,
    ) -> LoweringResult<bool> {
        use std::cmp::Ordering;
        let order = match (left, right) {
            (ConstantValue::Int(a), ConstantValue::Int(b)) => Some(a.cmp(b)),
            _ => match (left.number(), right.number()) {
                (Some(a), Some(b)) => a.partial_cmp(&b),
                _ => None,
            },
        };
        match (op, order) {
            (CompareOp::Eq, None) => Ok(left == right),
            (CompareOp::Ne, None) => Ok(left != right),
            (_, None) => {
                let message = format!("{} and {} have no order", left.kind(), right.kind());
                Err(self.wrong_kind(span, message, "numbers are needed here"))
            }
            (CompareOp::Eq, Some(order)) => Ok(order == Ordering::Equal),
            (CompareOp::Ne, Some(order)) => Ok(order != Ordering::Equal),
            (CompareOp::Lt, Some(order)) => Ok(order == Ordering::Less),
            (CompareOp::Le, Some(order)) => Ok(order != Ordering::Greater),
            (CompareOp::Gt, Some(order)) => Ok(order == Ordering::Greater),
            (CompareOp::Ge | CompareOp::In, Some(order)) => Ok(order != Ordering::Less),
        }
    }

    /// `k in {1, 2}`, `k in 0..5`, `k in list`
    fn member(
        &mut self,
        value: &ConstantValue,
        region: &Expr,
        env: Env<'_>,
    ) -> LoweringResult<bool> {
        match &region.unparenthesized().kind {
            ExprKind::Set(items) => {
                for item in items {
                    let item_value = self.constant(item, env)?;
                    if self.compare(CompareOp::Eq, value, &item_value, item.span)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            ExprKind::Range(..) => {
                let (low, high) = self.range_bounds(region, env)?;
                Ok(value
                    .number()
                    .is_some_and(|v| low as f64 <= v && v < high as f64))
            }
            ExprKind::Interval(interval) => {
                let low = self.number(&interval.low, env)?;
                let high = self.number(&interval.high, env)?;
                Ok(value.number().is_some_and(|v| {
                    (low < v || (interval.low_closed && low == v))
                        && (v < high || (interval.high_closed && v == high))
                }))
            }
            _ => match self.constant(region, env)? {
                ConstantValue::List(list) => Ok(list.contains(value)),
                other => {
                    let message = format!(
                        "`in` takes a set, a range or a list, and this is {}",
                        other.kind()
                    );
                    Err(self.wrong_kind(region.span, message, "not a set"))
                }
            },
        }
    }
}
