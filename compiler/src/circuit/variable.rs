//! Random variables and their domains.

use super::value_set::ValueSet;
use pelton_grammar::diagnostic::WitnessValue;
use pelton_grammar::source::Span;
use std::sync::Arc;

/// A random variable.
#[derive(Clone, Debug)]
pub struct CircuitVariable {
    /// Its name, with indices for a member of an array: `x[3]`.
    pub name: String,
    /// The values it can take.
    pub domain: Domain,
    /// Where it was declared.
    pub span: Span,
    /// How it is bound to a data column.
    pub binding: VariableAttributes,
}

/// How a variable is bound to data.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VariableAttributes {
    /// `@column("h_cm")`: the column's name, if it is not the variable's.
    pub column: Option<String>,
    /// `@unit("cm")`: shown beside values.
    pub unit: Option<String>,
    /// `@missing("NA")`: cells that count as missing.
    pub missing: Vec<String>,
}

/// The values a variable can take. Inside a circuit every value is an `f64`:
/// `false` and `true` are 0 and 1, categories count from 0 in declared order.
#[derive(Clone, Debug, PartialEq)]
pub enum Domain {
    /// `false`, `true`
    Bool,
    /// Named categories. The members of an array share them: a short text may declare
    /// a million variables of a thousand categories each.
    Categories(Arc<[String]>),
    /// Integers from `low` up to, not including, `high`.
    Range {
        /// First value.
        low: i64,
        /// One past the last value.
        high: i64,
    },
    /// All real numbers.
    Real,
    /// 0, 1, 2, …
    Nat,
}

impl Domain {
    /// Integers beyond this are not exact as `f64`.
    pub const LARGEST_INT: i64 = 1 << 53;

    /// Whether values are integers (all but `real`).
    pub fn is_discrete(&self) -> bool {
        !matches!(self, Domain::Real)
    }

    /// Number of values, if there are finitely many.
    pub fn size(&self) -> Option<u64> {
        match self {
            Domain::Bool => Some(2),
            Domain::Categories(names) => Some(names.len() as u64),
            Domain::Range { low, high } => Some(high.abs_diff(*low)),
            Domain::Real | Domain::Nat => None,
        }
    }

    /// The smallest value of a discrete domain.
    pub fn first(&self) -> f64 {
        match self {
            Domain::Range { low, .. } => *low as f64,
            _ => 0.0,
        }
    }

    /// All values as a set.
    pub fn full(&self) -> ValueSet {
        match self {
            Domain::Bool => ValueSet::integers(0, 2),
            Domain::Categories(names) => ValueSet::integers(0, names.len() as i64),
            Domain::Range { low, high } => ValueSet::integers(*low, *high),
            Domain::Real => ValueSet::reals(),
            Domain::Nat => ValueSet::integers_from(0),
        }
    }

    /// A value in the form messages show.
    pub fn witness(&self, value: f64) -> WitnessValue {
        match self {
            Domain::Bool => WitnessValue::Bool(value != 0.0),
            Domain::Categories(names) => WitnessValue::Category(
                names
                    .get(value as usize)
                    .cloned()
                    .unwrap_or_else(|| value.to_string()),
            ),
            Domain::Range { .. } | Domain::Nat => WitnessValue::Int(value as i64),
            Domain::Real => WitnessValue::Real(value),
        }
    }
}

impl std::fmt::Display for Domain {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Domain::Bool => f.write_str("bool"),
            Domain::Categories(names) => write!(f, "{{{}}}", names.join(", ")),
            Domain::Range { low, high } => write!(f, "{low}..{high}"),
            Domain::Real => f.write_str("real"),
            Domain::Nat => f.write_str("nat"),
        }
    }
}
