//! Short texts for drawings: what a person reads beside a unit or an edge.

use super::circuit::constants;
use super::token::ShortestNumber;
use crate::circuit::{
    CircuitGraph, Cut, Distribution, Domain, Leaf, LeafKind, ParamId, ParamKind, ParameterEntry,
    ParameterValue, ValueSet, Weight,
};
use pelton_grammar::diagnostic::listed;

/// The leaf in a few words: `rain`, `¬rain`, `sky = storm`, `x ~ normal(mu[0], sigma)`.
pub(super) fn leaf(circuit: &CircuitGraph, leaf: &Leaf) -> String {
    let variable = circuit.variable(leaf.variable);
    match &leaf.kind {
        LeafKind::Indicator(set) => indicator(&variable.name, set, &variable.domain),
        LeafKind::Distribution(distribution) => {
            let text = format!("{} ~ {}", variable.name, call(circuit, distribution));
            match &distribution.truncation {
                Some(set) => format!("{text} in {}", set.show(&variable.domain)),
                None => text,
            }
        }
    }
}

fn indicator(name: &str, set: &ValueSet, domain: &Domain) -> String {
    let Some(&(low, high)) = set.runs().first() else {
        return format!("{name} in {{}}");
    };
    let is_single = set.runs().len() == 1 && high.value() == low.value() + 1.0;
    match domain {
        Domain::Bool if is_single && low.value() == 0.0 => format!("¬{name}"),
        Domain::Bool if is_single => name.to_string(),
        Domain::Real if set.runs().len() == 1 => between(name, low, high),
        Domain::Real => format!("{name} in {}", set.show(domain)),
        _ if is_single => format!("{name} = {}", domain.witness(low.value())),
        _ => format!("{name} in {}", set.show(domain)),
    }
}

/// `10 ≤ temp < 20`
fn between(name: &str, low: Cut, high: Cut) -> String {
    let side = |is_open| if is_open { "<" } else { "≤" };
    let mut text = name.to_string();
    if low.value().is_finite() {
        text = format!(
            "{} {} {text}",
            ShortestNumber(low.value()),
            side(low.is_after())
        );
    }
    if high.value().is_finite() {
        text = format!(
            "{text} {} {}",
            side(!high.is_after()),
            ShortestNumber(high.value())
        );
    }
    text
}

fn call(circuit: &CircuitGraph, distribution: &Distribution) -> String {
    let mut args = constants(&distribution.family);
    let params = distribution.params.iter();
    args.extend(params.map(|&id| parameter(circuit, id)));
    format!("{}({})", distribution.family.name(), args.join(", "))
}

/// A parameter by name, or its numbers in short.
fn parameter(circuit: &CircuitGraph, id: ParamId) -> String {
    let parameter = circuit.parameter(id);
    if let Some(name) = parameter.name {
        return circuit.names().show(name);
    }
    let entries = match parameter.kind {
        ParamKind::Unit => &circuit.entries(id)[1..],
        _ => circuit.entries(id),
    };
    match entries {
        [one] => entry(*one),
        many if many.iter().all(|e| e.learned) => "?".to_string(),
        many if many.len() <= 3 => listed(many.iter().map(|&one| entry(one))),
        _ => "…".to_string(),
    }
}

/// The weight of an edge: its number, `?`, or the parameter it is tied to.
pub(super) fn weight(circuit: &CircuitGraph, weight: Weight) -> String {
    let parameter = circuit.parameter(weight.param);
    let Some(name) = parameter.name else {
        return entry(circuit.entry(weight));
    };
    let name = circuit.names().show(name);
    match (parameter.kind, weight.index) {
        (ParamKind::Unit, 0) => format!("1 − {name}"),
        (ParamKind::Simplex | ParamKind::Weights, index) => match name.strip_suffix(']') {
            Some(open) => format!("{open}, {index}]"),
            None => format!("{name}[{index}]"),
        },
        _ => name,
    }
}

fn entry(entry: ParameterEntry) -> String {
    let mark = if entry.learned { "?" } else { "" };
    match entry.value {
        None => "?".to_string(),
        Some(value) => format!("{mark}{}", number(value)),
    }
}

/// A value in three significant digits.
fn number(value: ParameterValue) -> String {
    let linear = value.linear();
    match linear.abs() {
        0.0 if !value.is_zero() => format!("e^{:.4}", value.log()),
        0.0 => "0".to_string(),
        size if (1e-3..1e4).contains(&size) => {
            let digits = (2 - size.log10().floor() as i32).clamp(0, 6) as usize;
            let text = format!("{linear:.digits$}");
            if text.contains('.') {
                text.trim_end_matches('0').trim_end_matches('.').to_string()
            } else {
                text
            }
        }
        _ => format!("{linear:.2e}"),
    }
}

/// The first `limit` characters of a text, with a sign that there were more.
pub(super) fn shorten(text: &str, limit: usize) -> String {
    if text.chars().count() > limit {
        text.chars()
            .take(limit.saturating_sub(1))
            .chain(['…'])
            .collect()
    } else {
        text.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_three_digits() {
        for (value, text) in [
            (0.3, "0.3"),
            (1.0 / 3.0, "0.333"),
            (0.9999, "1"),
            (12.345, "12.3"),
            (1234.0, "1234"),
            (1e-9, "1.00e-9"),
            (0.0, "0"),
            (-2.5, "-2.5"),
        ] {
            assert_eq!(number(ParameterValue::Linear(value)), text);
        }
        assert_eq!(number(ParameterValue::Log(-1000.0)), "e^-1000.0000");
        assert_eq!(shorten("abcdef", 4), "abc…");
    }
}
