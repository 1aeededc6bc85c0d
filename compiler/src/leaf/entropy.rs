//! How uncertain a leaf's value is.

mod count;
pub(super) mod pieces;
pub(super) mod quadrature;
pub(super) mod real;
#[cfg(test)]
mod tests;

pub(super) use quadrature::{extent, gauss, integrate};

use super::Base;
use super::support::bin;
use crate::circuit::{
    BernoulliDistribution, Bound, CategoricalDistribution, Circuit, Domain,
    ExponentialDistribution, Family, GammaDistribution, HistogramDistribution, Leaf, LeafKind,
    LogNormalDistribution, NormalDistribution, UniformDistribution, Value, ValueSet,
};
use pieces::entropy_of_table;
use statrs::function::gamma::{digamma, ln_gamma};

/// Half the logarithm of 2πe.
const HALF_LN_TAU_E: f64 = 1.418_938_533_204_672_7;

/// The entropy of a leaf in nats: Shannon's for discrete variables, differential
/// entropy for reals.
///
/// An indicator counts as uniform on its set, so a literal has none. A leaf whose
/// parameters leave nothing in its truncation has none either. The entropy of an
/// indicator of an unbounded set is infinite; every other one is finite.
///
/// Closed forms where there are some; otherwise sums and integrals from the peak
/// outwards, whose work does not grow with the parameters.
pub fn entropy(circuit: &Circuit, values: &[Value], leaf: &Leaf) -> f64 {
    let domain = &circuit.variable(leaf.variable).domain;
    let nats = match &leaf.kind {
        LeafKind::Indicator(set) => return log_size(&set.intersect(&domain.full())),
        LeafKind::Distribution(distribution) => {
            Base::new(circuit, values, domain, distribution).entropy()
        }
    };
    match nats.is_finite() {
        true => nats,
        false => 0.0,
    }
}

/// The logarithm of a set's measure; a set without any counts as a point.
fn log_size(set: &ValueSet) -> f64 {
    let measure = set.measure();
    match measure > 0.0 {
        true => measure.ln(),
        false => 0.0,
    }
}

impl Base<'_> {
    fn entropy(&self) -> f64 {
        match (&self.distribution.family, &self.distribution.truncation) {
            (
                Family::Bernoulli(BernoulliDistribution)
                | Family::Categorical(CategoricalDistribution),
                set,
            ) => self.table_entropy(set.as_ref()),
            (Family::Histogram(HistogramDistribution { breaks }), set) => {
                self.histogram_entropy(breaks, set.as_ref())
            }
            (Family::Uniform(UniformDistribution { low, high }), set) => {
                let all = bin(low.value(), high.value(), self.domain);
                log_size(&cut(all, set.as_ref()))
            }
            (Family::Normal(NormalDistribution), None) => HALF_LN_TAU_E + self.scalar(1).log(),
            (Family::LogNormal(LogNormalDistribution), None) => {
                HALF_LN_TAU_E + self.scalar(1).log() + self.scalar(0).linear()
            }
            (Family::Exponential(ExponentialDistribution), None) => 1.0 - self.scalar(0).log(),
            (Family::Gamma(GammaDistribution), None) => {
                unit_gamma_entropy(self.scalar(0).linear()) - self.scalar(1).log()
            }
            (
                Family::Normal(NormalDistribution)
                | Family::LogNormal(LogNormalDistribution)
                | Family::Exponential(ExponentialDistribution)
                | Family::Gamma(GammaDistribution),
                Some(set),
            ) => self.interval_entropy(set),
            (_, set) => self.count_entropy(set.as_ref()),
        }
    }

    /// Of a distribution with an entry for each value.
    fn table_entropy(&self, set: Option<&ValueSet>) -> f64 {
        let first = match self.distribution.family {
            Family::Bernoulli(BernoulliDistribution) => Domain::Bool.first(),
            _ => self.domain.first(),
        };
        let n = self.vector(0).len();
        let inside = (0..n).map(|at| first + at as f64);
        let inside = inside.filter(|x| set.is_none_or(|set| set.contains(*x)));
        entropy_of_table(inside.map(|x| (self.log_density(x), 0.0)))
    }

    /// Of a histogram: that of its bins, and that within a bin.
    fn histogram_entropy(&self, breaks: &[Bound], set: Option<&ValueSet>) -> f64 {
        let bins = breaks.windows(2).zip(self.vector(0)).map(|(ends, p)| {
            let all = bin(ends[0].value(), ends[1].value(), self.domain);
            let whole = all.measure();
            let left = match set {
                Some(_) => cut(all, set).measure(),
                None => whole,
            };
            (p.log() + (left / whole).ln(), left.ln())
        });
        entropy_of_table(bins)
    }
}

fn cut(all: ValueSet, set: Option<&ValueSet>) -> ValueSet {
    match set {
        Some(set) => all.intersect(set),
        None => all,
    }
}

/// The entropy of a gamma distribution with rate 1.
fn unit_gamma_entropy(shape: f64) -> f64 {
    if shape < 100.0 {
        return shape + ln_gamma(shape) + (1.0 - shape) * digamma(shape);
    }
    // The logarithms of the closed form cancel; what is left of their series does not.
    let u = 1.0 / shape;
    let tail = u * (1.0 / 3.0 + u * (1.0 / 12.0 + u * (1.0 / 90.0 - u / 120.0)));
    HALF_LN_TAU_E + 0.5 * shape.ln() - tail
}
