//! Where a leaf can be positive.

use crate::circuit::{
    BernoulliDistribution, BinomialDistribution, CategoricalDistribution, Circuit, Cut,
    Distribution, Domain, Entry, ExponentialDistribution, Family, GammaDistribution,
    GeometricDistribution, HistogramDistribution, HypergeometricDistribution, Leaf, LeafKind,
    LogNormalDistribution, NegativeBinomialDistribution, NormalDistribution, ParamId,
    PoissonDistribution, UniformDistribution, ValueSet,
};

/// The values at which a leaf is positive for some value of what is learned.
///
/// Fixed zeros are outside: a value of a categorical whose entry is `0`, `false`
/// under `bernoulli(1.0)`, a histogram's bin without mass. A learned entry
/// counts as positive whatever it starts at. The densities of `lognormal` and
/// `gamma` are taken to be 0 at 0, where they may have no finite value.
pub fn support(circuit: &Circuit, leaf: &Leaf) -> ValueSet {
    let domain = &circuit.variable(leaf.variable).domain;
    let set = match &leaf.kind {
        LeafKind::Indicator(set) => set.clone(),
        LeafKind::Distribution(distribution) => {
            let entries = |param| circuit.entries(param);
            distribution_support(domain, distribution, &entries)
        }
    };
    set.intersect(&domain.full())
}

/// The values at which a distribution is positive, given the entries of its parameters.
pub(crate) fn distribution_support<'e>(
    domain: &Domain,
    distribution: &Distribution,
    entries: &dyn Fn(ParamId) -> &'e [Entry],
) -> ValueSet {
    let base = base_support(domain, distribution, entries);
    match &distribution.truncation {
        Some(truncation) => base.intersect(truncation),
        None => base,
    }
}

/// The values at which a distribution is positive before truncation.
pub(super) fn base_support<'e>(
    domain: &Domain,
    distribution: &Distribution,
    entries: &dyn Fn(ParamId) -> &'e [Entry],
) -> ValueSet {
    let entries = |at: usize| entries(distribution.params[at]);
    match &distribution.family {
        Family::Bernoulli(BernoulliDistribution) => positions(0.0, entries(0)),
        Family::Categorical(CategoricalDistribution) => positions(domain.first(), entries(0)),
        Family::Binomial(BinomialDistribution { trials }) => binomial(entries(0), *trials),
        Family::Geometric(GeometricDistribution)
        | Family::NegativeBinomial(NegativeBinomialDistribution { .. }) => waiting(entries(0)),
        Family::Hypergeometric(HypergeometricDistribution {
            population,
            successes,
            draws,
        }) => {
            let (low, high) = hypergeometric_range(*population, *successes, *draws);
            ValueSet::integers(low, high + 1)
        }
        Family::Poisson(PoissonDistribution) => ValueSet::integers_from(0),
        Family::Normal(NormalDistribution) => ValueSet::reals(),
        Family::Exponential(ExponentialDistribution) => from(Cut::before(0.0)),
        Family::LogNormal(LogNormalDistribution) | Family::Gamma(GammaDistribution) => {
            from(Cut::after(0.0))
        }
        Family::Uniform(UniformDistribution { low, high }) => {
            bin(low.value(), high.value(), domain)
        }
        Family::Histogram(HistogramDistribution { breaks }) => {
            let bins = breaks.windows(2).zip(entries(0));
            let positive = bins.filter(|(_, entry)| !entry.is_fixed_zero());
            positive
                .map(|(ends, _)| bin(ends[0].value(), ends[1].value(), domain))
                .fold(ValueSet::empty(), |all, bin| all.union(&bin))
        }
    }
}

/// The integers whose entry can be positive, the first entry standing for `first`.
fn positions(first: f64, entries: &[Entry]) -> ValueSet {
    let mut set = ValueSet::empty();
    let mut at = 0;
    while at < entries.len() {
        let run = entries[at..]
            .iter()
            .take_while(|e| !e.is_fixed_zero())
            .count();
        let low = first as i64 + at as i64;
        set = match run {
            0 => set,
            _ => set.union(&ValueSet::integers(low, low + run as i64)),
        };
        at += run + 1;
    }
    set
}

fn binomial(entries: &[Entry], trials: u32) -> ValueSet {
    let trials = i64::from(trials);
    match entries {
        [_, success] if success.is_fixed_zero() => ValueSet::integers(0, 1),
        [failure, _] if failure.is_fixed_zero() => ValueSet::integers(trials, trials + 1),
        _ => ValueSet::integers(0, trials + 1),
    }
}

/// Failures before a success that may be certain or impossible.
fn waiting(entries: &[Entry]) -> ValueSet {
    match entries {
        [_, success] if success.is_fixed_zero() => ValueSet::empty(),
        [failure, _] if failure.is_fixed_zero() => ValueSet::integers(0, 1),
        _ => ValueSet::integers_from(0),
    }
}

/// Fewest and most successes that the draws can hold.
pub(crate) fn hypergeometric_range(population: u32, successes: u32, draws: u32) -> (i64, i64) {
    let forced = i64::from(draws) + i64::from(successes) - i64::from(population);
    (forced.max(0), i64::from(draws.min(successes)))
}

/// `[low, high)`, or the integers there.
pub(crate) fn bin(low: f64, high: f64, domain: &Domain) -> ValueSet {
    ValueSet::between(Cut::before(low), Cut::before(high), domain.is_discrete())
}

fn from(low: Cut) -> ValueSet {
    ValueSet::between(low, Cut::before(f64::INFINITY), false)
}
