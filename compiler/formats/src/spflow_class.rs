//! The leaves of SPFlow that are distributions of this language by another name.

use pelton_compiler::circuit::{
    BernoulliDistribution, ExponentialDistribution, Family, GammaDistribution,
    LogNormalDistribution, NormalDistribution, PoissonDistribution,
};

pub(crate) struct SpflowClass {
    /// What it is called there.
    pub name: &'static str,
    /// What it is here.
    pub family: Family,
    /// What its parameters are called there, in the order they have here.
    pub keys: &'static [&'static str],
}

/// All of them; what is not listed is written as a table where it can be.
pub(crate) const SPFLOW_CLASSES: &[SpflowClass] = &[
    class(
        "Bernoulli",
        Family::Bernoulli(BernoulliDistribution),
        &["p"],
    ),
    class(
        "Gaussian",
        Family::Normal(NormalDistribution),
        &["mean", "stdev"],
    ),
    class(
        "LogNormal",
        Family::LogNormal(LogNormalDistribution),
        &["mean", "stdev"],
    ),
    class(
        "Gamma",
        Family::Gamma(GammaDistribution),
        &["alpha", "beta"],
    ),
    class(
        "Exponential",
        Family::Exponential(ExponentialDistribution),
        &["l"],
    ),
    class("Poisson", Family::Poisson(PoissonDistribution), &["mean"]),
];

const fn class(name: &'static str, family: Family, keys: &'static [&'static str]) -> SpflowClass {
    SpflowClass { name, family, keys }
}
