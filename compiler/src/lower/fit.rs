//! Whether a distribution fits its variable.

use super::{Lowering, Reported};
use crate::circuit::{
    BernoulliDistribution, BinomialDistribution, CategoricalDistribution, Distribution, Domain,
    ExponentialDistribution, Family, GammaDistribution, GeometricDistribution,
    HistogramDistribution, HypergeometricDistribution, LogNormalDistribution,
    NegativeBinomialDistribution, NormalDistribution, PoissonDistribution, UniformDistribution,
    ValueSet, VarId,
};
use crate::leaf::{bin, distribution_support, hypergeometric_range};
use pelton_grammar::ast;
use pelton_grammar::diagnostic::{Code, Diagnostic};
use pelton_grammar::source::Span;

impl<'a> Lowering<'a, '_> {
    /// Whether the distribution's values, after truncation, all lie in the domain.
    pub(super) fn fits_domain(
        &mut self,
        distribution: &Distribution,
        variable: VarId,
        leaf: &ast::Leaf,
        span: Span,
    ) -> Result<(), Reported> {
        let declared = &self.builder.variables()[variable.index()];
        let (name, domain, place) = (
            declared.name.clone(),
            declared.domain.clone(),
            declared.span,
        );
        let family = &distribution.family;
        let Some(values) = possible_values(family, &domain) else {
            let message = format!(
                "`{}` does not fit `{name}`, whose domain is {domain}",
                family.name()
            );
            let diagnostic = Diagnostic::new(Code::DomainMismatch, span, message)
                .at("does not fit")
                .label(place, format!("`{name}` is declared here"))
                .help(suitable(family, &domain));
            return Err(self.error(diagnostic));
        };
        let left = match &distribution.truncation {
            None => values,
            Some(region) => values.intersect(region),
        };
        self.has_mass(distribution, &domain, leaf, span)?;
        let outside = left.minus(&domain.full());
        if outside.is_empty() {
            return Ok(());
        }
        let message = format!(
            "`{}` has values outside the domain {domain} of `{name}`",
            family.name()
        );
        let example = outside.example(domain.is_discrete()).unwrap_or(0.0);
        let diagnostic = Diagnostic::new(Code::DomainMismatch, span, message)
            .at(format!("can be {example}"))
            .label(place, format!("`{name}` is declared here"))
            .suggest(
                "truncate it to the domain",
                span.after(),
                format!(" in {domain}"),
            );
        Err(self.error(diagnostic))
    }

    /// Whether there is mass that can be scaled to 1: more than fixed zeros and
    /// single points of the real axis.
    fn has_mass(
        &mut self,
        distribution: &Distribution,
        domain: &Domain,
        leaf: &ast::Leaf,
        span: Span,
    ) -> Result<(), Reported> {
        let entries = |param| self.builder.entries(param);
        let left = distribution_support(domain, distribution, &entries);
        if left.measure() > 0.0 {
            return Ok(());
        }
        let family = distribution.family.name();
        let (place, message) = match &leaf.truncation {
            Some(region) => (
                region.span,
                format!("this truncation leaves `{family}` no values"),
            ),
            None => (span, format!("this `{family}` has no values")),
        };
        let here = match left.is_empty() {
            true => "nothing is left",
            false => "single points have no mass",
        };
        Err(self.error(Diagnostic::new(Code::EmptySet, place, message).at(here)))
    }
}

/// The values a family can give on a domain's axis, or `None` if it is of
/// another kind altogether (a normal distribution of a category, say).
fn possible_values(family: &Family, domain: &Domain) -> Option<ValueSet> {
    let counts = matches!(domain, Domain::Range { .. } | Domain::Nat);
    let real = matches!(domain, Domain::Real);
    match family {
        Family::Bernoulli(BernoulliDistribution) => (*domain == Domain::Bool
            || *domain == Domain::Range { low: 0, high: 2 })
        .then(|| ValueSet::integers(0, 2)),
        Family::Categorical(CategoricalDistribution) => domain.size().map(|_| domain.full()),
        Family::Binomial(BinomialDistribution { trials }) => {
            counts.then(|| ValueSet::integers(0, i64::from(*trials) + 1))
        }
        Family::Hypergeometric(HypergeometricDistribution {
            population,
            successes,
            draws,
        }) => {
            let (low, high) = hypergeometric_range(*population, *successes, *draws);
            counts.then(|| ValueSet::integers(low, high + 1))
        }
        Family::Geometric(GeometricDistribution)
        | Family::NegativeBinomial(NegativeBinomialDistribution { .. })
        | Family::Poisson(PoissonDistribution) => counts.then(|| ValueSet::integers_from(0)),
        Family::Normal(NormalDistribution)
        | Family::LogNormal(LogNormalDistribution)
        | Family::Exponential(ExponentialDistribution)
        | Family::Gamma(GammaDistribution) => real.then(ValueSet::reals),
        Family::Uniform(UniformDistribution { low, high }) => {
            interval_values(low.value(), high.value(), domain)
        }
        Family::Histogram(HistogramDistribution { breaks }) => {
            let whole = !domain.is_discrete() || breaks.iter().all(|b| b.value().fract() == 0.0);
            let (low, high) = (breaks.first()?.value(), breaks.last()?.value());
            (counts || real)
                .then(|| interval_values(low, high, domain))
                .flatten()
                .filter(|_| whole)
        }
    }
}

/// `[low, high)`; of a discrete domain only if both ends are whole.
fn interval_values(low: f64, high: f64, domain: &Domain) -> Option<ValueSet> {
    let is_whole = low.fract() == 0.0 && high.fract() == 0.0;
    (is_whole || !domain.is_discrete()).then(|| bin(low, high, domain))
}

/// What would fit a domain in place of a family that does not.
pub(super) fn suitable(family: &Family, domain: &Domain) -> String {
    let is_divided = matches!(
        family,
        Family::Uniform(UniformDistribution { .. })
            | Family::Histogram(HistogramDistribution { .. })
    );
    let list = match domain {
        Domain::Range { .. } | Domain::Nat if is_divided => {
            return "bounds and breaks of an integer variable are integers".to_string();
        }
        Domain::Bool => "`bernoulli(p)`, `categorical(…)` and literals",
        Domain::Categories(_) => "`categorical(…)`, `uniform()` and indicators `[x = value]`",
        Domain::Range { .. } => {
            "`categorical(…)`, `binomial(n, p)`, `uniform()` and truncated counts such as `poisson(3) in 0..10`"
        }
        Domain::Nat => {
            "`poisson(rate)`, `geometric(p)`, `negative_binomial(r, p)` and `binomial(n, p)`"
        }
        Domain::Real => {
            "`normal(mean, sd)`, `exponential(rate)`, `gamma(shape, rate)`, `lognormal(mean, sd)`, `uniform(low, high)` and `histogram(…)`"
        }
    };
    format!("for a variable of domain {domain} there are {list}")
}
