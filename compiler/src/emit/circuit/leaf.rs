//! Input units as source text.

use super::super::EmitError;
use super::super::token::{EntryText, Number};
use super::declare::written_entries;
use super::naming::Naming;
use super::set::{conditions, truncation};
use crate::circuit::{
    BinomialDistribution, Bound, CategoricalDistribution, Circuit, Distribution, Domain, Family,
    HistogramDistribution, HypergeometricDistribution, Leaf, LeafKind,
    NegativeBinomialDistribution, ParamId, UniformDistribution, ValueSet, VarId,
};

/// The leaf as written; a scattered indicator is a sum of its intervals and
/// stands in parentheses.
pub(super) fn leaf_text(
    circuit: &Circuit,
    naming: &Naming,
    leaf: &Leaf,
) -> Result<String, EmitError> {
    let name = naming.variable(leaf.variable);
    let domain = &circuit.variable(leaf.variable).domain;
    match &leaf.kind {
        LeafKind::Indicator(set) => Ok(indicator_text(naming, leaf.variable, set, domain)),
        LeafKind::Distribution(distribution) => {
            let args = arguments(circuit, naming, distribution).join(", ");
            let text = format!("{name} ~ {}({args})", distribution.family.name());
            match &distribution.truncation {
                None => Ok(text),
                Some(set) => match truncation(naming, set, domain) {
                    Some(set) => Ok(format!("{text} in {set}")),
                    None => Err(EmitError::Inexpressible(format!(
                        "`{text}` truncated to {}",
                        set.show(domain)
                    ))),
                },
            }
        }
    }
}

fn indicator_text(naming: &Naming, variable: VarId, set: &ValueSet, domain: &Domain) -> String {
    let parts = conditions(naming, variable, set, domain);
    let is_literal = *domain == Domain::Bool && set.measure() == 1.0;
    match parts.as_slice() {
        [literal] if is_literal => literal.clone(),
        [one] => format!("[{one}]"),
        many => {
            let terms: Vec<String> = many.iter().map(|part| format!("1: [{part}]")).collect();
            format!("({})", terms.join(" + "))
        }
    }
}

/// Constants and parameters in the order the language takes them.
fn arguments(circuit: &Circuit, naming: &Naming, distribution: &Distribution) -> Vec<String> {
    let mut arguments = constants(&distribution.family);
    for &param in &distribution.params {
        match (naming.parameter(param), &distribution.family) {
            (Some(name), _) => arguments.push(name),
            (None, Family::Categorical(CategoricalDistribution)) => {
                arguments.extend(in_place(circuit, param))
            }
            (None, Family::Histogram(HistogramDistribution { .. })) => {
                let shares = in_place(circuit, param);
                match shares.as_slice() {
                    [open] if open == "?" => arguments.push(open.clone()),
                    _ => arguments.push(format!("[{}]", shares.join(", "))),
                }
            }
            (None, _) => arguments.extend(in_place(circuit, param)),
        }
    }
    arguments
}

/// The numbers of a parameter; one `?` if all are open.
fn in_place(circuit: &Circuit, param: ParamId) -> Vec<String> {
    let entries = written_entries(circuit, param);
    let is_open = entries
        .iter()
        .all(|entry| entry.learned && entry.value.is_none());
    match is_open {
        true => vec!["?".to_string()],
        false => entries
            .iter()
            .map(|&entry| EntryText(entry).to_string())
            .collect(),
    }
}

/// The arguments of a family that are no parameters; they come first.
pub(in super::super) fn constants(family: &Family) -> Vec<String> {
    let bound = |bound: &Bound| Number(bound.value()).to_string();
    match family {
        Family::Binomial(BinomialDistribution { trials }) => vec![trials.to_string()],
        Family::NegativeBinomial(NegativeBinomialDistribution { successes }) => {
            vec![successes.to_string()]
        }
        Family::Hypergeometric(HypergeometricDistribution {
            population,
            successes,
            draws,
        }) => vec![
            population.to_string(),
            successes.to_string(),
            draws.to_string(),
        ],
        Family::Uniform(UniformDistribution { low, high }) => vec![bound(low), bound(high)],
        Family::Histogram(HistogramDistribution { breaks }) => {
            let breaks: Vec<String> = breaks.iter().map(bound).collect();
            vec![format!("[{}]", breaks.join(", "))]
        }
        _ => Vec::new(),
    }
}
