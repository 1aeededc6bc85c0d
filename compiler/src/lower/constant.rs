//! Values of constant expressions and the arithmetic on them.

use pelton_grammar::diagnostic::listed;
use std::rc::Rc;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum ConstantValue {
    Int(i64),
    Real(f64),
    Bool(bool),
    Text(Rc<str>),
    List(Rc<[ConstantValue]>),
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum ConstantFault {
    /// The operands are of the wrong kind; says which kind is needed.
    Kind(String),
    /// The result is not a number that can be represented.
    Arithmetic(String),
}

impl ConstantValue {
    pub(super) fn kind(&self) -> &'static str {
        match self {
            ConstantValue::Int(_) => "an integer",
            ConstantValue::Real(_) => "a real number",
            ConstantValue::Bool(_) => "a truth value",
            ConstantValue::Text(_) => "a text",
            ConstantValue::List(_) => "a list",
        }
    }

    pub(super) fn number(&self) -> Option<f64> {
        match self {
            ConstantValue::Int(value) => Some(*value as f64),
            ConstantValue::Real(value) => Some(*value),
            _ => None,
        }
    }
}

impl std::fmt::Display for ConstantValue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ConstantValue::Int(value) => write!(f, "{value}"),
            ConstantValue::Real(value) => write!(f, "{value:?}"),
            ConstantValue::Bool(value) => write!(f, "{value}"),
            ConstantValue::Text(text) => write!(f, "{text:?}"),
            ConstantValue::List(list) => write!(f, "[{}]", listed(&**list)),
        }
    }
}

/// `+ - *` and their friends on two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Arithmetic {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Pow,
}

impl Arithmetic {
    fn sign(self) -> &'static str {
        match self {
            Arithmetic::Add => "+",
            Arithmetic::Sub => "-",
            Arithmetic::Mul => "*",
            Arithmetic::Div => "/",
            Arithmetic::Rem => "%",
            Arithmetic::Pow => "^",
        }
    }
}

/// Computes `left op right`. Integers stay integers except under `/`; an
/// integer result that does not fit 64 bits is a fault, never a wrap-around.
pub(super) fn arithmetic(
    op: Arithmetic,
    left: &ConstantValue,
    right: &ConstantValue,
) -> Result<ConstantValue, ConstantFault> {
    // Integers stay integers where the result is one.
    if let (ConstantValue::Int(a), ConstantValue::Int(b)) = (left, right)
        && op != Arithmetic::Div
        && !(op == Arithmetic::Pow && *b < 0)
    {
        return integer(op, *a, *b);
    }
    let (Some(a), Some(b)) = (left.number(), right.number()) else {
        let wrong = if left.number().is_none() { left } else { right };
        let (sign, kind) = (op.sign(), wrong.kind());
        return Err(ConstantFault::Kind(format!(
            "`{sign}` takes numbers, not {kind}"
        )));
    };
    let value = match op {
        Arithmetic::Add => a + b,
        Arithmetic::Sub => a - b,
        Arithmetic::Mul => a * b,
        Arithmetic::Div | Arithmetic::Rem if b == 0.0 => return cannot("division by zero"),
        Arithmetic::Div => a / b,
        Arithmetic::Rem => a.rem_euclid(b),
        Arithmetic::Pow => a.powf(b),
    };
    real(value)
}

fn integer(op: Arithmetic, a: i64, b: i64) -> Result<ConstantValue, ConstantFault> {
    let value = match op {
        Arithmetic::Add => a.checked_add(b),
        Arithmetic::Sub => a.checked_sub(b),
        Arithmetic::Mul => a.checked_mul(b),
        Arithmetic::Rem if b == 0 => return cannot("division by zero"),
        Arithmetic::Rem => a.checked_rem_euclid(b),
        Arithmetic::Pow => u32::try_from(b).ok().and_then(|b| a.checked_pow(b)),
        Arithmetic::Div => None,
    };
    fits(value, || {
        format!("{a} {} {b} does not fit a 64-bit integer", op.sign())
    })
}

fn cannot(why: impl Into<String>) -> Result<ConstantValue, ConstantFault> {
    Err(ConstantFault::Arithmetic(why.into()))
}

/// An integer, if there is one.
fn fits<S: Into<String>>(
    value: Option<i64>,
    otherwise: impl FnOnce() -> S,
) -> Result<ConstantValue, ConstantFault> {
    value.map_or_else(
        || cannot(otherwise()),
        |value| Ok(ConstantValue::Int(value)),
    )
}

/// A real result, unless it is not a number.
fn real(value: f64) -> Result<ConstantValue, ConstantFault> {
    if value.is_nan() {
        cannot("the result is not a number")
    } else {
        Ok(ConstantValue::Real(value))
    }
}

/// `-x`
pub(super) fn negate(value: &ConstantValue) -> Result<ConstantValue, ConstantFault> {
    arithmetic(Arithmetic::Sub, &ConstantValue::Int(0), value)
}

/// The functions constants can be computed with, in the order the reference lists them.
pub(super) const FUNCTIONS: &[&str] = &[
    "abs", "ceil", "div", "exp", "floor", "len", "log", "max", "min", "round", "sqrt",
];

/// Calls one of [`FUNCTIONS`].
pub(super) fn call(function: &str, args: &[ConstantValue]) -> Result<ConstantValue, ConstantFault> {
    let wrong = |text: &str| Err(ConstantFault::Kind(format!("`{function}` takes {text}")));
    match (function, args) {
        ("len", [ConstantValue::List(list)]) => Ok(ConstantValue::Int(list.len() as i64)),
        ("len", _) => wrong("one list"),
        ("div", [ConstantValue::Int(_), ConstantValue::Int(0)]) => cannot("division by zero"),
        ("div", [ConstantValue::Int(a), ConstantValue::Int(b)]) => {
            fits(a.checked_div_euclid(*b), || "the quotient does not fit")
        }
        ("div", _) => wrong("two integers and rounds down"),
        ("abs", [ConstantValue::Int(a)]) => fits(a.checked_abs(), || "the result does not fit"),
        ("min" | "max", [ConstantValue::List(list)]) => extreme(function, list),
        ("min" | "max", list) => extreme(function, list),
        (_, [one]) => match (function, one.number()) {
            (_, None) => wrong("one number"),
            ("floor", Some(value)) => rounded(value.floor()),
            ("ceil", Some(value)) => rounded(value.ceil()),
            ("round", Some(value)) => rounded(value.round()),
            ("abs", Some(value)) => real(value.abs()),
            ("exp", Some(value)) => real(value.exp()),
            ("log", Some(value)) => real(value.ln()),
            (_, Some(value)) => real(value.sqrt()),
        },
        _ => wrong("one number"),
    }
}

fn rounded(value: f64) -> Result<ConstantValue, ConstantFault> {
    let fitting = (value.abs() < i64::MAX as f64).then_some(value as i64);
    fits(fitting, || format!("{value} does not fit a 64-bit integer"))
}

fn extreme(function: &str, list: &[ConstantValue]) -> Result<ConstantValue, ConstantFault> {
    let takes = |what: &str| ConstantFault::Kind(format!("`{function}` takes {what}"));
    let mut best: Option<(&ConstantValue, f64)> = None;
    for item in list {
        let value = item.number().ok_or_else(|| takes("numbers"))?;
        // Of equals the first, which may be an integer or a real number.
        let better = best.is_none_or(|(_, old)| match function {
            "min" => value < old,
            _ => value > old,
        });
        if better {
            best = Some((item, value));
        }
    }
    let best = best.ok_or_else(|| takes("one number at least"))?;
    Ok(best.0.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overflow_is_a_fault() {
        let big = ConstantValue::Int(i64::MAX);
        for op in [Arithmetic::Add, Arithmetic::Mul, Arithmetic::Pow] {
            let result = arithmetic(op, &big, &ConstantValue::Int(2));
            assert!(
                matches!(result, Err(ConstantFault::Arithmetic(_))),
                "{op:?}"
            );
        }
        assert!(matches!(
            negate(&ConstantValue::Int(i64::MIN)),
            Err(ConstantFault::Arithmetic(_))
        ));
    }

    #[test]
    fn division_is_real_and_div_rounds_down() {
        let third = arithmetic(
            Arithmetic::Div,
            &ConstantValue::Int(1),
            &ConstantValue::Int(3),
        );
        assert_eq!(third, Ok(ConstantValue::Real(1.0 / 3.0)));
        assert_eq!(
            call("div", &[ConstantValue::Int(-1), ConstantValue::Int(2)]),
            Ok(ConstantValue::Int(-1))
        );
        assert!(
            call(
                "div",
                &[ConstantValue::Int(i64::MIN), ConstantValue::Int(-1)]
            )
            .is_err()
        );
    }
}
