//! `emit --as json`: the graph for other programs.
//!
//! One object. Ids are positions in the lists; children come before their
//! parents; nothing is left out, used or not. Keys that would be empty are not
//! written.
//!
//! ```text
//! format      "pelton-circuit"
//! version     1
//! variables   [{name, domain, column, unit, missing}]
//!             domain: "bool" | "real" | "nat" | {"categories": [text]} | {"range": [low, high]}
//! parameters  [{name, kind, learned, values}]
//!             kind: "simplex" | "unit" | "positive" | "real" | "weights"
//!             a unit parameter p has the two values 1 - p and p
//!             learned: true | false | [bool], one for each value where they differ
//!             values: a number, {"log": number} (null there: minus infinity, so 0),
//!             or null where learning starts anywhere
//! units       [{kind: "input", variable, indicator | family, …}]
//!             indicator: set
//!             family: text, constants: {name: number or list}, parameters: [id], truncation: set
//!             [{kind: "product", children: [id]}]
//!             [{kind: "sum", children: [id], weights: [[parameter, position]]}]
//!             all: name, owner (the named node it was written in), span: [source, start, end]
//! root        id
//! assertions  [{unit, properties: [text]}]
//! queries     [text]
//! ```
//!
//! A set is a list of `{low, high, low_closed, high_closed}`; an end that is
//! null is infinite; of integers, `low` belongs to it and `high` does not.

use super::{EmitError, EmitResult};
use crate::circuit::{
    CircuitGraph, CircuitVariable, Distribution, Domain, Family, Leaf, LeafKind, ParamId,
    ParameterEntry, ParameterValue, UnitId, UnitKind, ValueSet,
};
use crate::leaf::family::FamilyConstant;
use serde_json::json;
use std::fmt::Write;

/// Writes the circuit as one JSON object, a line for every list member.
pub fn json(circuit: &CircuitGraph, out: &mut dyn Write) -> Result<(), EmitError> {
    out.write_str("{\"format\":\"pelton-circuit\",\"version\":1")?;
    let variables = circuit.variables().iter().map(variable);
    write_list("variables", variables, out)?;
    let parameters = (0..circuit.parameters().len()).map(ParamId::new);
    write_list(
        "parameters",
        parameters.map(|id| parameter(circuit, id)),
        out,
    )?;
    write_list("units", circuit.units().map(|id| unit(circuit, id)), out)?;
    write!(out, ",\n\"root\":{}", circuit.root().index())?;
    let assertions = circuit.assertions().iter().map(|assertion| {
        let properties = assertion
            .properties
            .iter()
            .map(|property| property.0.name());
        json!({"unit": assertion.target.index(), "properties": properties.collect::<Vec<_>>()})
    });
    write_list("assertions", assertions, out)?;
    let queries = circuit.queries().iter().map(|query| json!(query.text));
    write_list("queries", queries, out)?;
    Ok(out.write_str("}\n")?)
}

fn write_list(
    key: &str,
    members: impl Iterator<Item = serde_json::Value>,
    out: &mut dyn Write,
) -> EmitResult {
    write!(out, ",\n\"{key}\":[")?;
    for (at, member) in members.enumerate() {
        let separator = if at == 0 { "\n" } else { ",\n" };
        write!(out, "{separator}{member}")?;
    }
    Ok(out.write_char(']')?)
}

fn variable(variable: &CircuitVariable) -> serde_json::Value {
    let mut object = json!({"name": variable.name, "domain": domain(&variable.domain)});
    let binding = &variable.binding;
    if let Some(column) = &binding.column {
        object["column"] = json!(column);
    }
    if let Some(unit) = &binding.unit {
        object["unit"] = json!(unit);
    }
    if !binding.missing.is_empty() {
        object["missing"] = json!(binding.missing);
    }
    object
}

fn domain(domain: &Domain) -> serde_json::Value {
    match domain {
        Domain::Bool => json!("bool"),
        Domain::Real => json!("real"),
        Domain::Nat => json!("nat"),
        Domain::Categories(names) => json!({"categories": &names[..]}),
        Domain::Range { low, high } => json!({"range": [low, high]}),
    }
}

fn parameter(circuit: &CircuitGraph, id: ParamId) -> serde_json::Value {
    let parameter = circuit.parameter(id);
    let entries = circuit.entries(id);
    let mut object = serde_json::Map::new();
    if let Some(name) = parameter.name {
        object.insert("name".into(), json!(circuit.names().show(name)));
    }
    object.insert("kind".into(), json!(parameter.kind.name()));
    object.insert("learned".into(), learned(entries));
    let values = entries.iter().map(|entry| match entry.value {
        None => json!(null),
        Some(ParameterValue::Linear(value)) => number(value),
        Some(ParameterValue::Log(log)) => json!({"log": number(log)}),
    });
    object.insert("values".into(), values.collect());
    object.into()
}

fn learned(entries: &[ParameterEntry]) -> serde_json::Value {
    let first = entries.first().is_some_and(|entry| entry.learned);
    if entries.iter().all(|entry| entry.learned == first) {
        json!(first)
    } else {
        entries.iter().map(|entry| json!(entry.learned)).collect()
    }
}

/// A number; one that is not finite is null.
fn number(value: f64) -> serde_json::Value {
    if value.fract() == 0.0 && value.abs() < 1e15 {
        json!(value as i64)
    } else {
        json!(value)
    }
}

fn unit(circuit: &CircuitGraph, id: UnitId) -> serde_json::Value {
    let mut object = match circuit.kind(id) {
        UnitKind::Input(leaf) => input(circuit.leaf(leaf)),
        UnitKind::Product => json!({"kind": "product", "children": children(circuit, id)}),
        UnitKind::Sum => {
            let weights = circuit.children(id).filter_map(|child| child.weight);
            let weights = weights.map(|weight| json!([weight.param.index(), weight.index]));
            json!({
                "kind": "sum",
                "children": children(circuit, id),
                "weights": weights.collect::<Vec<_>>(),
            })
        }
    };
    match (circuit.name(id), circuit.owner(id)) {
        (Some(name), _) => object["name"] = json!(circuit.names().show(name)),
        (None, Some(owner)) => object["owner"] = json!(circuit.names().show(owner)),
        (None, None) => {}
    }
    let span = circuit.span(id);
    if span.end > span.start {
        object["span"] = json!([span.source.0, span.start, span.end]);
    }
    object
}

fn children(circuit: &CircuitGraph, id: UnitId) -> Vec<usize> {
    circuit
        .children(id)
        .map(|child| child.unit.index())
        .collect()
}

fn input(leaf: &Leaf) -> serde_json::Value {
    let mut object = json!({"kind": "input", "variable": leaf.variable.index()});
    match &leaf.kind {
        LeafKind::Indicator(set) => object["indicator"] = value_set(set),
        LeafKind::Distribution(distribution) => {
            let Distribution {
                family,
                params,
                truncation,
            } = distribution;
            object["family"] = json!(family.name());
            if let Some(constants) = constants(family) {
                object["constants"] = constants;
            }
            object["parameters"] = params.iter().map(|id| id.index()).collect();
            if let Some(set) = truncation {
                object["truncation"] = value_set(set);
            }
        }
    }
    object
}

fn constants(family: &Family) -> Option<serde_json::Value> {
    let constants = family.as_distribution().constants();
    let shown = constants.iter().map(|(name, constant)| {
        let value = match constant {
            FamilyConstant::Count(count) => json!(count),
            FamilyConstant::Bound(bound) => number(bound.value()),
            FamilyConstant::Breaks(breaks) => breaks.iter().map(|b| number(b.value())).collect(),
        };
        (name.to_string(), value)
    });
    let object: serde_json::Map<_, _> = shown.collect();
    (!object.is_empty()).then_some(object.into())
}

fn value_set(set: &ValueSet) -> serde_json::Value {
    let runs = set.runs().iter().map(|(low, high)| {
        json!({
            "low": number(low.value()),
            "high": number(high.value()),
            "low_closed": !low.is_after(),
            "high_closed": high.is_after(),
        })
    });
    runs.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::emit::tests::fixture;

    fn written(circuit: &CircuitGraph) -> String {
        let mut text = String::new();
        json(circuit, &mut text).unwrap();
        text
    }

    #[test]
    fn the_sprinkler_in_full() {
        let text = written(&fixture::sprinkler());
        assert_eq!(
            text,
            r#"{"format":"pelton-circuit","version":1,
"variables":[
{"name":"rain","domain":"bool"},
{"name":"wet","domain":"bool"}],
"parameters":[
{"kind":"simplex","learned":false,"values":[0.9,0.1]},
{"kind":"simplex","learned":false,"values":[0.2,0.8]},
{"kind":"simplex","learned":false,"values":[0.3,0.7]}],
"units":[
{"kind":"input","variable":1,"indicator":[{"low":1,"high":2,"low_closed":true,"high_closed":false}]},
{"kind":"input","variable":1,"indicator":[{"low":0,"high":1,"low_closed":true,"high_closed":false}]},
{"kind":"sum","children":[0,1],"weights":[[0,0],[0,1]],"name":"wet_if_rain"},
{"kind":"sum","children":[0,1],"weights":[[1,0],[1,1]],"name":"wet_if_dry"},
{"kind":"input","variable":0,"indicator":[{"low":1,"high":2,"low_closed":true,"high_closed":false}]},
{"kind":"product","children":[4,2],"owner":"joint"},
{"kind":"input","variable":0,"indicator":[{"low":0,"high":1,"low_closed":true,"high_closed":false}]},
{"kind":"product","children":[6,3],"owner":"joint"},
{"kind":"sum","children":[5,7],"weights":[[2,0],[2,1]],"name":"joint"}],
"root":8,
"assertions":[
{"unit":8,"properties":["smooth","deterministic"]}],
"queries":[
"P(rain | wet)"]}
"#
        );
        serde_json::from_str::<serde_json::Value>(&text).unwrap();
    }

    #[test]
    fn bindings_families_and_starts_are_written() {
        let text = written(&fixture::penguins());
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(value["variables"][0]["column"], "height_cm");
        assert_eq!(value["variables"][1]["domain"]["categories"][2], "gentoo");
        assert_eq!(
            value["parameters"][1],
            json!({"name": "sigma", "kind": "positive", "learned": true, "values": [10]})
        );
        assert_eq!(
            value["units"][0],
            json!({"kind": "input", "variable": 0, "family": "normal", "parameters": [2, 1]})
        );
        assert_eq!(value["parameters"][3]["values"], json!([null, null, null]));
    }
}
