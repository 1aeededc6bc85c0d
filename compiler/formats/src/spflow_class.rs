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
    SpflowClass {
        name: "Bernoulli",
        family: Family::Bernoulli(BernoulliDistribution),
        keys: &["p"],
    },
    SpflowClass {
        name: "Gaussian",
        family: Family::Normal(NormalDistribution),
        keys: &["mean", "stdev"],
    },
    SpflowClass {
        name: "LogNormal",
        family: Family::LogNormal(LogNormalDistribution),
        keys: &["mean", "stdev"],
    },
    SpflowClass {
        name: "Gamma",
        family: Family::Gamma(GammaDistribution),
        keys: &["alpha", "beta"],
    },
    SpflowClass {
        name: "Exponential",
        family: Family::Exponential(ExponentialDistribution),
        keys: &["l"],
    },
    SpflowClass {
        name: "Poisson",
        family: Family::Poisson(PoissonDistribution),
        keys: &["mean"],
    },
];
