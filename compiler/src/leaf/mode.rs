//! The most probable value of a leaf.

use super::support::bin;
use super::{Base, log_table, over_mass, support};
use crate::circuit::{
    BernoulliDistribution, BinomialDistribution, CategoricalDistribution, Circuit, Cut, Domain,
    Family, GammaDistribution, HistogramDistribution, HypergeometricDistribution, Leaf, LeafKind,
    LogNormalDistribution, NegativeBinomialDistribution, NormalDistribution, PoissonDistribution,
    UniformDistribution, Value, ValueSet,
};
use crate::flow::is_tabular;

/// A value at which a leaf is largest, and the logarithm of the leaf there.
///
/// Of several such values it is the smallest. Tables over finite domains are
/// searched; the other families have one peak, which is moved into the support
/// where a truncation cuts it off. At an open end, and for a gamma density that
/// grows without bound towards 0, it is the nearest number inside. A leaf that is
/// zero everywhere gives some value of the domain and -inf.
pub fn mode(circuit: &Circuit, values: &[Value], leaf: &Leaf) -> (f64, f64) {
    let domain = &circuit.variable(leaf.variable).domain;
    mode_in(circuit, values, leaf, &domain.full())
}

/// The same among the values of a set.
pub fn mode_in(circuit: &Circuit, values: &[Value], leaf: &Leaf, set: &ValueSet) -> (f64, f64) {
    let domain = &circuit.variable(leaf.variable).domain;
    match &leaf.kind {
        _ if has_table(domain, leaf) => {
            let logs = log_table(circuit, values, leaf);
            let points = (0..logs.len()).map(|at| domain.first() + at as f64);
            let points = points.zip(logs.iter().copied());
            largest(domain.first(), points.filter(|(x, _)| set.contains(*x)))
        }
        LeafKind::Indicator(_) => {
            let members = support(circuit, leaf).intersect(set);
            let member = members.example(domain.is_discrete());
            largest(domain.first(), member.map(|x| (x, 0.0)))
        }
        LeafKind::Distribution(distribution) => {
            let base = Base::new(circuit, values, domain, distribution);
            let candidates = base.candidates(&support(circuit, leaf).intersect(set));
            let points = candidates.into_iter().map(|x| (x, base.log_density(x)));
            let (x, log_p) = largest(domain.first(), points);
            match &distribution.truncation {
                Some(set) => (x, over_mass(log_p, base.log_mass(set))),
                None => (x, log_p),
            }
        }
    }
}

/// Whether a leaf grows without bound among the values of a set, so that it has no largest
/// value there: a gamma density whose shape is below 1, towards 0.
pub fn is_unbounded_in(circuit: &Circuit, values: &[Value], leaf: &Leaf, set: &ValueSet) -> bool {
    let LeafKind::Distribution(distribution) = &leaf.kind else {
        return false;
    };
    if distribution.family != Family::Gamma(GammaDistribution) {
        return false;
    }
    let domain = &circuit.variable(leaf.variable).domain;
    let base = Base::new(circuit, values, domain, distribution);
    let members = support(circuit, leaf).intersect(set);
    let begins_at_0 = |(low, high): &(Cut, Cut)| low.value() <= 0.0 && high.value() > 0.0;
    base.scalar(0).linear() < 1.0 && members.runs().iter().any(begins_at_0)
}

/// Whether the values of a leaf's domain are few enough to look at each, or have
/// an entry each.
pub(super) fn has_table(domain: &Domain, leaf: &Leaf) -> bool {
    let has_entries = match &leaf.kind {
        LeafKind::Distribution(distribution) => {
            matches!(
                distribution.family,
                Family::Bernoulli(BernoulliDistribution)
                    | Family::Categorical(CategoricalDistribution)
            )
        }
        LeafKind::Indicator(_) => false,
    };
    has_entries || is_tabular(domain)
}

/// The first point of the largest logarithm; `default` if all are -inf.
fn largest(default: f64, points: impl IntoIterator<Item = (f64, f64)>) -> (f64, f64) {
    let nothing = (default, f64::NEG_INFINITY);
    points
        .into_iter()
        .fold(nothing, |best, point| match point.1 > best.1 {
            true => point,
            false => best,
        })
}

impl Base<'_> {
    /// Values of the support, one of which is the mode.
    fn candidates(&self, support: &ValueSet) -> Vec<f64> {
        let discrete = self.domain.is_discrete();
        let first_of = |set: &ValueSet| set.runs().first().map(|run| first_member(*run, discrete));
        match &self.distribution.family {
            Family::Uniform(UniformDistribution { .. }) => first_of(support).into_iter().collect(),
            Family::Histogram(HistogramDistribution { breaks }) => breaks
                .windows(2)
                .map(|ends| bin(ends[0].value(), ends[1].value(), self.domain))
                .filter_map(|bin| first_of(&bin.intersect(support)))
                .collect(),
            _ => {
                let peak = self.peak();
                // Two neighbouring counts may be equally likely.
                let peaks = match discrete {
                    true => vec![peak - 1.0, peak],
                    false => vec![peak],
                };
                let runs = support.runs().iter().flat_map(|&run| {
                    let (first, last) = (first_member(run, discrete), last_member(run, discrete));
                    peaks.iter().map(move |peak| peak.max(first).min(last))
                });
                // An interval may be too short for any number to lie in it.
                runs.filter(|&x| support.contains(x)).collect()
            }
        }
    }

    /// Where a family with one peak has it; of two neighbouring counts that are
    /// equally likely, the larger one.
    pub(super) fn peak(&self) -> f64 {
        let number = |at: usize| self.scalar(at).linear();
        let largest = Domain::LARGEST_INT as f64;
        // The larger operand also replaces a quotient of two zeros.
        let count = |k: f64| k.floor().max(0.0).min(largest);
        match self.distribution.family {
            Family::Normal(NormalDistribution) => number(0),
            Family::LogNormal(LogNormalDistribution) => (number(0) - number(1) * number(1)).exp(),
            Family::Gamma(GammaDistribution) => ((number(0) - 1.0) / number(1)).max(0.0),
            Family::Poisson(PoissonDistribution) => count(number(0)),
            Family::Binomial(BinomialDistribution { trials }) => {
                let p = self.vector(0)[1].linear();
                count((f64::from(trials) + 1.0) * p)
            }
            Family::NegativeBinomial(NegativeBinomialDistribution { successes }) => {
                let (q, p) = (self.vector(0)[0].linear(), self.vector(0)[1].linear());
                count((f64::from(successes) - 1.0) * q / p)
            }
            Family::Hypergeometric(HypergeometricDistribution {
                population,
                successes,
                draws,
            }) => {
                let good = f64::from(successes) + 1.0;
                count((f64::from(draws) + 1.0) * good / (f64::from(population) + 2.0))
            }
            _ => 0.0,
        }
    }
}

/// The smallest number of a run.
pub(super) fn first_member((low, _): (Cut, Cut), discrete: bool) -> f64 {
    match low.is_after() && !discrete {
        true => low.value().next_up(),
        false => low.value(),
    }
}

/// The largest number of a run.
pub(super) fn last_member((_, high): (Cut, Cut), discrete: bool) -> f64 {
    match (discrete, high.is_after()) {
        (true, _) => high.value() - 1.0,
        (false, true) => high.value(),
        (false, false) => high.value().next_down(),
    }
}
