//! Input units: indicators and distributions of one variable.

use super::id::{ParamId, VarId};
use super::value_set::ValueSet;

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

/// Families of distributions. Constants that shape the support are part of the
/// family; what can be learned is a parameter.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Family {
    /// `bernoulli(p)`: a `unit` parameter.
    Bernoulli,
    /// `categorical(p…)`: a `simplex` with an entry for each value of the domain.
    Categorical,
    /// `binomial(n, p)`: a `unit` parameter.
    Binomial {
        /// Number of trials.
        trials: u32,
    },
    /// `geometric(p)`: failures before the first success; a `unit` parameter.
    Geometric,
    /// `negative_binomial(r, p)`: failures before the r-th success; a `unit` parameter.
    NegativeBinomial {
        /// Number of successes waited for.
        successes: u32,
    },
    /// `hypergeometric(N, K, n)`: successes in `n` draws without replacement; no parameter.
    Hypergeometric {
        /// Size of the population.
        population: u32,
        /// Successes in it.
        successes: u32,
        /// Number of draws.
        draws: u32,
    },
    /// `poisson(rate)`: a `positive` parameter.
    Poisson,
    /// `normal(mean, sd)`: a `real` and a `positive` parameter.
    Normal,
    /// `lognormal(mean, sd)` of the logarithm: a `real` and a `positive` parameter.
    LogNormal,
    /// `exponential(rate)`: a `positive` parameter.
    Exponential,
    /// `gamma(shape, rate)`: two `positive` parameters.
    Gamma,
    /// `uniform(low, high)`: constant on `[low, high)`; no parameter.
    Uniform {
        /// First value of the support.
        low: Bound,
        /// One past its last value, or its open upper end.
        high: Bound,
    },
    /// `histogram([b0, …, bn], [p1, …, pn])`: piecewise constant, with probability
    /// `p_i` on `[b_(i-1), b_i)`; a `simplex` parameter.
    Histogram {
        /// Ends of the bins, rising.
        breaks: Vec<Bound>,
    },
}

impl Family {
    /// The name in the language.
    pub fn name(&self) -> &'static str {
        match self {
            Family::Bernoulli => "bernoulli",
            Family::Categorical => "categorical",
            Family::Binomial { .. } => "binomial",
            Family::Geometric => "geometric",
            Family::NegativeBinomial { .. } => "negative_binomial",
            Family::Hypergeometric { .. } => "hypergeometric",
            Family::Poisson => "poisson",
            Family::Normal => "normal",
            Family::LogNormal => "lognormal",
            Family::Exponential => "exponential",
            Family::Gamma => "gamma",
            Family::Uniform { .. } => "uniform",
            Family::Histogram { .. } => "histogram",
        }
    }

    /// What its parameters are called, in order.
    pub fn param_names(&self) -> &'static [&'static str] {
        match self {
            Family::Bernoulli
            | Family::Categorical
            | Family::Binomial { .. }
            | Family::Geometric
            | Family::NegativeBinomial { .. }
            | Family::Histogram { .. } => &["p"],
            Family::Poisson | Family::Exponential => &["rate"],
            Family::Normal | Family::LogNormal => &["mean", "sd"],
            Family::Gamma => &["shape", "rate"],
            Family::Hypergeometric { .. } | Family::Uniform { .. } => &[],
        }
    }
}

/// A finite constant that can be compared and hashed bit by bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bound(u64);

impl Bound {
    /// Keeps `value`; -0 becomes 0.
    pub fn new(value: f64) -> Self {
        Bound((value + 0.0).to_bits())
    }

    /// The constant.
    pub fn value(self) -> f64 {
        f64::from_bits(self.0)
    }
}
