//! Input units as source text.

use super::super::EmitError;
use super::super::token::{EntryText, ShortestNumber};
use super::declare::written_entries;
use super::naming::EmittedNames;
use super::set::{conditions, truncation};
use crate::circuit::{
    CircuitGraph, Distribution, Domain, Family, FiniteConstant, Leaf, LeafKind, ParamId, ParamKind,
    ValueSet, VarId,
};
use crate::leaf::family::FamilyConstant;
use pelton_grammar::diagnostic::{joined, listed};

/// The leaf as written; a scattered indicator is a sum of its intervals and
/// stands in parentheses.
pub(super) fn leaf_text(
    circuit: &CircuitGraph,
    naming: &EmittedNames,
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

fn indicator_text(
    naming: &EmittedNames,
    variable: VarId,
    set: &ValueSet,
    domain: &Domain,
) -> String {
    let parts = conditions(naming, variable, set, domain);
    let is_literal = *domain == Domain::Bool && set.measure() == 1.0;
    match parts.as_slice() {
        [literal] if is_literal => literal.clone(),
        [one] => format!("[{one}]"),
        many => {
            let terms = many.iter().map(|part| format!("1: [{part}]"));
            format!("({})", joined(terms, " + "))
        }
    }
}

/// Constants and parameters in the order the language takes them.
fn arguments(
    circuit: &CircuitGraph,
    naming: &EmittedNames,
    distribution: &Distribution,
) -> Vec<String> {
    let mut arguments = constants(&distribution.family);
    let description = distribution.family.description();
    for (&param, (_, kind)) in distribution.params.iter().zip(description.parameters()) {
        let is_list = kind == ParamKind::Simplex && !description.is_listed();
        match (naming.parameter(param), in_place(circuit, param)) {
            (Some(name), _) => arguments.push(name),
            (None, numbers) if is_list && numbers != ["?"] => {
                arguments.push(format!("[{}]", numbers.join(", ")));
            }
            (None, numbers) => arguments.extend(numbers),
        }
    }
    arguments
}

/// The numbers of a parameter; one `?` if all are open.
fn in_place(circuit: &CircuitGraph, param: ParamId) -> Vec<String> {
    let entries = written_entries(circuit, param);
    let is_open = entries
        .iter()
        .all(|entry| entry.learned && entry.value.is_none());
    if is_open {
        vec!["?".to_string()]
    } else {
        entries
            .iter()
            .map(|&entry| EntryText(entry).to_string())
            .collect()
    }
}

/// The arguments of a family that are no parameters; they come first.
pub(in super::super) fn constants(family: &Family) -> Vec<String> {
    let bound = |bound: &FiniteConstant| ShortestNumber(bound.value()).to_string();
    let shown = |(_, constant): (&str, FamilyConstant)| match constant {
        FamilyConstant::Count(count) => count.to_string(),
        FamilyConstant::Bound(end) => bound(&end),
        FamilyConstant::Breaks(breaks) => {
            format!("[{}]", listed(breaks.iter().map(bound)))
        }
    };
    let constants = family.as_distribution().constants();
    constants.into_iter().map(shown).collect()
}
