//! Values of constant expressions and the arithmetic on them.

use pelton_grammar::diagnostic::listed;
use std::rc::Rc;

/// A constant.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Const {
    Int(i64),
    Real(f64),
    Bool(bool),
    Text(Rc<str>),
    List(Rc<[Const]>),
}

/// Why a constant cannot be computed.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Fault {
    /// The operands are of the wrong kind; says which kind is needed.
    Kind(String),
    /// The result is not a number that can be represented.
    Arithmetic(String),
}

impl Const {
    /// The kind in words.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Const::Int(_) => "an integer",
            Const::Real(_) => "a real number",
            Const::Bool(_) => "a truth value",
            Const::Text(_) => "a text",
            Const::List(_) => "a list",
        }
    }

    /// The number, if it is one.
    pub(super) fn number(&self) -> Option<f64> {
        match self {
            Const::Int(value) => Some(*value as f64),
            Const::Real(value) => Some(*value),
            _ => None,
        }
    }
}

impl std::fmt::Display for Const {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Const::Int(value) => write!(f, "{value}"),
            Const::Real(value) => write!(f, "{value:?}"),
            Const::Bool(value) => write!(f, "{value}"),
            Const::Text(text) => write!(f, "{text:?}"),
            Const::List(list) => write!(f, "[{}]", listed(&**list)),
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
pub(super) fn arithmetic(op: Arithmetic, left: &Const, right: &Const) -> Result<Const, Fault> {
    if let (Const::Int(a), Const::Int(b)) = (left, right)
        && op != Arithmetic::Div
        && !(op == Arithmetic::Pow && *b < 0)
    {
        return integer(op, *a, *b);
    }
    let (Some(a), Some(b)) = (left.number(), right.number()) else {
        let wrong = if left.number().is_none() { left } else { right };
        return Err(Fault::Kind(format!(
            "`{}` takes numbers, not {}",
            op.sign(),
            wrong.kind()
        )));
    };
    let value = match op {
        Arithmetic::Add => a + b,
        Arithmetic::Sub => a - b,
        Arithmetic::Mul => a * b,
        Arithmetic::Div | Arithmetic::Rem if b == 0.0 => {
            return Err(Fault::Arithmetic("division by zero".to_string()));
        }
        Arithmetic::Div => a / b,
        Arithmetic::Rem => a.rem_euclid(b),
        Arithmetic::Pow => a.powf(b),
    };
    real(value)
}

fn integer(op: Arithmetic, a: i64, b: i64) -> Result<Const, Fault> {
    let value = match op {
        Arithmetic::Add => a.checked_add(b),
        Arithmetic::Sub => a.checked_sub(b),
        Arithmetic::Mul => a.checked_mul(b),
        Arithmetic::Rem if b == 0 => {
            return Err(Fault::Arithmetic("division by zero".to_string()));
        }
        Arithmetic::Rem => a.checked_rem_euclid(b),
        Arithmetic::Pow => u32::try_from(b).ok().and_then(|b| a.checked_pow(b)),
        Arithmetic::Div => None,
    };
    let overflow = || format!("{a} {} {b} does not fit a 64-bit integer", op.sign());
    value
        .map(Const::Int)
        .ok_or_else(|| Fault::Arithmetic(overflow()))
}

/// A real result, unless it is not a number.
fn real(value: f64) -> Result<Const, Fault> {
    match value.is_nan() {
        true => Err(Fault::Arithmetic("the result is not a number".to_string())),
        false => Ok(Const::Real(value)),
    }
}

/// `-x`
pub(super) fn negate(value: &Const) -> Result<Const, Fault> {
    arithmetic(Arithmetic::Sub, &Const::Int(0), value)
}

/// The functions constants can be computed with, in the order the reference lists them.
pub(super) const FUNCTIONS: &[&str] = &[
    "abs", "ceil", "div", "exp", "floor", "len", "log", "max", "min", "round", "sqrt",
];

/// Calls one of [`FUNCTIONS`].
pub(super) fn call(function: &str, args: &[Const]) -> Result<Const, Fault> {
    let wrong = |text: &str| Err(Fault::Kind(format!("`{function}` takes {text}")));
    match (function, args) {
        ("len", [Const::List(list)]) => Ok(Const::Int(list.len() as i64)),
        ("len", _) => wrong("one list"),
        ("div", [Const::Int(_), Const::Int(0)]) => {
            Err(Fault::Arithmetic("division by zero".to_string()))
        }
        ("div", [Const::Int(a), Const::Int(b)]) => a
            .checked_div_euclid(*b)
            .map(Const::Int)
            .ok_or_else(|| Fault::Arithmetic("the quotient does not fit".to_string())),
        ("div", _) => wrong("two integers and rounds down"),
        ("abs", [Const::Int(a)]) => a
            .checked_abs()
            .map(Const::Int)
            .ok_or_else(|| Fault::Arithmetic("the result does not fit".to_string())),
        ("min" | "max", [Const::List(list)]) => extreme(function, list),
        ("min" | "max", list) => extreme(function, list),
        ("floor" | "ceil" | "round", [one]) => match one.number() {
            Some(value) => rounded(function, value),
            None => wrong("one number"),
        },
        (_, [one]) => match one.number() {
            Some(value) => real(match function {
                "abs" => value.abs(),
                "exp" => value.exp(),
                "log" => value.ln(),
                _ => value.sqrt(),
            }),
            None => wrong("one number"),
        },
        _ => wrong("one number"),
    }
}

fn rounded(function: &str, value: f64) -> Result<Const, Fault> {
    let value = match function {
        "floor" => value.floor(),
        "ceil" => value.ceil(),
        _ => value.round(),
    };
    match value.abs() < i64::MAX as f64 {
        true => Ok(Const::Int(value as i64)),
        false => Err(Fault::Arithmetic(format!(
            "{value} does not fit a 64-bit integer"
        ))),
    }
}

fn extreme(function: &str, list: &[Const]) -> Result<Const, Fault> {
    let mut best: Option<(&Const, f64)> = None;
    for item in list {
        let Some(value) = item.number() else {
            return Err(Fault::Kind(format!("`{function}` takes numbers")));
        };
        let better = best.is_none_or(|(_, old)| match function {
            "min" => value < old,
            _ => value > old,
        });
        if better {
            best = Some((item, value));
        }
    }
    match best {
        Some((item, _)) => Ok(item.clone()),
        None => Err(Fault::Kind(format!(
            "`{function}` takes one number at least"
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overflow_is_a_fault() {
        let big = Const::Int(i64::MAX);
        for op in [Arithmetic::Add, Arithmetic::Mul, Arithmetic::Pow] {
            let result = arithmetic(op, &big, &Const::Int(2));
            assert!(matches!(result, Err(Fault::Arithmetic(_))), "{op:?}");
        }
        assert!(matches!(
            negate(&Const::Int(i64::MIN)),
            Err(Fault::Arithmetic(_))
        ));
    }

    #[test]
    fn division_is_real_and_div_rounds_down() {
        let third = arithmetic(Arithmetic::Div, &Const::Int(1), &Const::Int(3));
        assert_eq!(third, Ok(Const::Real(1.0 / 3.0)));
        assert_eq!(
            call("div", &[Const::Int(-1), Const::Int(2)]),
            Ok(Const::Int(-1))
        );
        assert!(call("div", &[Const::Int(i64::MIN), Const::Int(-1)]).is_err());
    }
}
