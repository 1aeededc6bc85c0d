//! Whether a distribution fits its variable.

use super::{Lowering, LoweringResult};
use crate::circuit::{Distribution, Domain, VarId};
use crate::leaf::distribution_support;
use crate::leaf::family::{FAMILIES, FamilyDomains};
use pelton_grammar::ast;
use pelton_grammar::diagnostic::{Code, SourceDiagnostic};
use pelton_grammar::source::Span;

impl<'a> Lowering<'a, '_> {
    /// Whether the distribution's values, after truncation, all lie in the domain.
    pub(super) fn fits_domain(
        &mut self,
        distribution: &Distribution,
        variable: VarId,
        leaf: &ast::LeafSyntax,
        span: Span,
    ) -> LoweringResult<()> {
        let declared = &self.builder.variables()[variable.index()];
        let (name, domain, place) = (&declared.name, declared.domain.clone(), declared.span);
        let label = format!("`{name}` is declared here");
        let family = &distribution.family;
        let Some(values) = family.as_distribution().values_on(&domain) else {
            let message = format!(
                "`{}` does not fit `{name}`, whose domain is {domain}",
                family.name()
            );
            let diagnostic = SourceDiagnostic::new(Code::DomainMismatch, span, message)
                .at("does not fit")
                .label(place, label)
                .help(suitable(family.description().domains, &domain));
            return Err(self.error(diagnostic));
        };
        // What remains of the distribution after its truncation must be values of the variable.
        let left = match &distribution.truncation {
            None => values,
            Some(region) => values.intersect(region),
        };
        let message = format!(
            "`{}` has values outside the domain {domain} of `{name}`",
            family.name()
        );
        self.has_mass(distribution, &domain, leaf, span)?;
        let outside = left.minus(&domain.full());
        if outside.is_empty() {
            return Ok(());
        }
        let example = outside.example(domain.is_discrete()).unwrap_or(0.0);
        let diagnostic = SourceDiagnostic::new(Code::DomainMismatch, span, message)
            .at(format!("can be {example}"))
            .label(place, label)
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
        leaf: &ast::LeafSyntax,
        span: Span,
    ) -> LoweringResult<()> {
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
        let here = if left.is_empty() {
            "nothing is left"
        } else {
            "single points have no mass"
        };
        Err(self.error(SourceDiagnostic::new(Code::EmptySet, place, message).at(here)))
    }
}

/// What would fit a domain in place of a distribution that does not.
pub(super) fn suitable(domains: FamilyDomains, domain: &Domain) -> String {
    let is_number = matches!(domain, Domain::Range { .. } | Domain::Nat);
    if is_number && domains == FamilyDomains::Numbers {
        return "bounds and breaks of an integer variable are integers".to_string();
    }
    let (wanted, others): (&[FamilyDomains], &[&str]) = match domain {
        Domain::Bool => (
            &[FamilyDomains::Booleans, FamilyDomains::Finite],
            &["literals"],
        ),
        Domain::Categories(_) => (
            &[FamilyDomains::Finite],
            &["`uniform()`", "indicators `[x = value]`"],
        ),
        Domain::Range { .. } => (
            &[FamilyDomains::Finite],
            &[
                "`binomial(n, p)`",
                "`uniform()`",
                "truncated counts such as `poisson(3) in 0..10`",
            ],
        ),
        Domain::Nat => (&[FamilyDomains::Counts], &[]),
        Domain::Real => (&[FamilyDomains::Reals, FamilyDomains::Numbers], &[]),
    };
    let fitting = FAMILIES.iter().filter(|row| wanted.contains(&row.domains));
    let mut list: Vec<String> = fitting
        .map(|row| format!("`{}`", row.signature()))
        .collect();
    list.extend(others.iter().map(ToString::to_string));
    let last = list.pop().unwrap_or_default();
    format!(
        "for a variable of domain {domain} there are {} and {last}",
        list.join(", ")
    )
}
