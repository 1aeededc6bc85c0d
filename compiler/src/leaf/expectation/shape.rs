//! Where a leaf is positive for the values that its parameters have.

use super::super::counts::Counts;
use super::super::support::bin;
use super::super::{Base, support};
use crate::circuit::{
    BinomialDistribution, Bound, Circuit, Family, GeometricDistribution, HistogramDistribution,
    Leaf, LeafKind, NegativeBinomialDistribution, UniformDistribution, Value, ValueSet,
};

/// A leaf that is scaled to mass 1 and is no table.
pub(super) enum Shape {
    /// Constant on each of some sets.
    Flat(Vec<Part>),
    /// Positive on this set, and there a density that falls from its peak.
    Smooth(ValueSet),
}

/// A set on which a leaf is constant.
pub(super) struct Part {
    pub set: ValueSet,
    pub log_density: f64,
}

/// The shape of a leaf; `None` if it has no mass, or infinitely much.
pub(super) fn shape(circuit: &Circuit, values: &[Value], leaf: &Leaf) -> Option<Shape> {
    let domain = &circuit.variable(leaf.variable).domain;
    let possible = support(circuit, leaf);
    let LeafKind::Distribution(distribution) = &leaf.kind else {
        return flat(vec![(possible, 0.0)]);
    };
    let base = Base::new(circuit, values, domain, distribution);
    match &distribution.family {
        Family::Uniform(UniformDistribution { .. }) => flat(vec![(possible, 0.0)]),
        Family::Histogram(HistogramDistribution { breaks }) => flat(base.bins(breaks, &possible)),
        Family::Binomial(BinomialDistribution { .. })
        | Family::Geometric(GeometricDistribution)
        | Family::NegativeBinomial(NegativeBinomialDistribution { .. }) => {
            // Learned probabilities may have become 0 or 1.
            let (first, last) = Counts::of(&base).range()?;
            let inside = bin(first, last + 1.0, domain).intersect(&possible);
            (!inside.is_empty()).then_some(Shape::Smooth(inside))
        }
        _ => (!possible.is_empty()).then_some(Shape::Smooth(possible)),
    }
}

impl Base<'_> {
    /// The bins of a histogram as far as they are possible, each with the logarithm of
    /// its density before truncation.
    fn bins(&self, breaks: &[Bound], possible: &ValueSet) -> Vec<(ValueSet, f64)> {
        let bins = breaks.windows(2).zip(self.vector(0)).map(|(ends, p)| {
            let whole = bin(ends[0].value(), ends[1].value(), self.domain);
            let log_density = p.log() - whole.measure().ln();
            (whole.intersect(possible), log_density)
        });
        bins.collect()
    }
}

/// Scales what is constant on some sets to mass 1; sets without mass are left out.
fn flat(mut sets: Vec<(ValueSet, f64)>) -> Option<Shape> {
    sets.retain(|(set, log)| set.measure() > 0.0 && *log > f64::NEG_INFINITY);
    let logs = sets.iter().map(|(set, log)| log + set.measure().ln());
    let log_total = super::super::log_sum_exp(logs);
    let scaled = sets.into_iter().map(|(set, log)| Part {
        set,
        log_density: log - log_total,
    });
    log_total.is_finite().then(|| Shape::Flat(scaled.collect()))
}
