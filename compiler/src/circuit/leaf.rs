//! Input units: indicators and distributions of one variable.

use super::id::{ParamId, VarId};
use super::value_set::ValueSet;
use crate::leaf::family::Family;

/// An input unit's function of one variable.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Leaf {
    /// The variable.
    pub variable: VarId,
    /// The function.
    pub kind: LeafKind,
}

impl Leaf {
    /// 1 on the values of a set, 0 elsewhere.
    pub fn indicator(variable: VarId, set: ValueSet) -> Self {
        let kind = LeafKind::Indicator(set);
        Leaf { variable, kind }
    }

    /// A distribution on all of its support.
    pub fn distribution(variable: VarId, family: Family, params: Vec<ParamId>) -> Self {
        let kind = LeafKind::Distribution(Distribution {
            family,
            params,
            truncation: None,
        });
        Leaf { variable, kind }
    }
}

/// What an input unit computes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum LeafKind {
    /// 1 on the set, 0 elsewhere. Literals are indicators too.
    Indicator(ValueSet),
    /// A probability or density.
    Distribution(Distribution),
}

/// A distribution with its parameters.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Distribution {
    /// Which one.
    pub family: Family,
    /// Its parameters, as many and of the kinds that the family asks for.
    pub params: Vec<ParamId>,
    /// The set it is truncated to and renormalised on.
    pub truncation: Option<ValueSet>,
}

/// A finite constant that can be compared and hashed bit by bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FiniteConstant(u64);

impl FiniteConstant {
    /// Keeps `value`; -0 becomes 0.
    pub fn new(value: f64) -> Self {
        FiniteConstant((value + 0.0).to_bits())
    }

    /// The constant.
    pub fn value(self) -> f64 {
        f64::from_bits(self.0)
    }
}
