//! Neutral distributions: what a missing variable is filled with.

use crate::circuit::{
    BernoulliDistribution, CategoricalDistribution, CircuitBuilder, Domain, FiniteConstant, Leaf,
    ParamKind, ParameterEntry, UniformDistribution, VarId,
};
use pelton_grammar::source::Span;

/// Up to this many categories are listed one by one.
const LISTED_CATEGORIES: u64 = 6;

/// What a variable that is missing is filled in with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FillRule {
    /// Its uniform distribution, of mass 1: a choice of the model.
    #[default]
    Uniform,
    /// The indicator of all its values, of mass |domain|: as in logic, where a variable
    /// that is not mentioned may have any value.
    Logic,
}

/// The uniform distribution of a variable with finitely many values, or the indicator of
/// all of them.
///
/// The message that suggests a repair and the pass that makes it agree because
/// both ask here. `real` and `nat` have no uniform distribution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FillFunction {
    /// `bernoulli(0.5)`
    Bernoulli,
    /// `categorical(1/3, 1/3, 1/3)`
    Categorical(u64),
    /// `uniform()`: constant on `low..high`.
    Uniform(f64, f64),
    /// 1 for each value.
    Everything,
}

impl FillFunction {
    /// The neutral distribution of a domain, if it has one.
    pub fn of(domain: &Domain) -> Option<FillFunction> {
        FillFunction::for_fill(domain, FillRule::Uniform)
    }

    /// The filler of a domain, if it has one.
    pub fn for_fill(domain: &Domain, fill: FillRule) -> Option<FillFunction> {
        let size = domain.size()?;
        Some(match domain {
            _ if fill == FillRule::Logic => FillFunction::Everything,
            Domain::Bool => FillFunction::Bernoulli,
            Domain::Categories(_) if size <= LISTED_CATEGORIES => FillFunction::Categorical(size),
            _ => FillFunction::Uniform(domain.first(), domain.first() + size as f64),
        })
    }

    /// The distribution as the language writes it.
    pub fn text(self) -> String {
        match self {
            FillFunction::Bernoulli => "bernoulli(0.5)".to_string(),
            FillFunction::Categorical(size) => {
                let share = format!("1/{size}");
                format!("categorical({})", vec![share; size as usize].join(", "))
            }
            FillFunction::Uniform(..) => "uniform()".to_string(),
            FillFunction::Everything => "1 for each value".to_string(),
        }
    }

    /// A variable filled in, as a note lists it.
    pub fn show(self, name: &str) -> String {
        match self {
            FillFunction::Everything => format!("{name}: {}", self.text()),
            _ => format!("{name} ~ {}", self.text()),
        }
    }

    /// The distribution as a leaf of `variable`; its parameters do not learn.
    pub fn leaf(self, builder: &mut CircuitBuilder, variable: VarId, span: Span) -> Leaf {
        let (family, weights) = match self {
            FillFunction::Everything => {
                let all = builder.variables()[variable.index()].domain.full();
                return Leaf::indicator(variable, all);
            }
            FillFunction::Bernoulli => (BernoulliDistribution.into(), Some((ParamKind::Unit, 2))),
            FillFunction::Categorical(size) => (
                CategoricalDistribution.into(),
                Some((ParamKind::Simplex, size)),
            ),
            FillFunction::Uniform(low, high) => {
                let (low, high) = (FiniteConstant::new(low), FiniteConstant::new(high));
                (UniformDistribution { low, high }.into(), None)
            }
        };
        let params = weights.into_iter().map(|(kind, size)| {
            let entries = vec![ParameterEntry::fixed(1.0 / size as f64); size as usize];
            builder.parameter(None, kind, &entries, span)
        });
        Leaf::distribution(variable, family, params.collect())
    }
}
