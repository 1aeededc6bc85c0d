//! Values and numbers of answers.

use pelton_compiler::circuit::{CircuitGraph, Domain};
use pelton_grammar::diagnostic::json::witness_json;
use serde_json::{Map, Value};

/// A value of a variable for people.
pub fn shown_value(domain: &Domain, x: f64) -> String {
    if x.is_nan() {
        "?".to_string()
    } else {
        domain.witness(x).to_string()
    }
}

/// A value of a variable for programs.
pub fn json_value(domain: &Domain, x: f64) -> Value {
    if x.is_finite() {
        witness_json(&domain.witness(x))
    } else {
        Value::Null
    }
}

/// A probability or another number for people: six decimals, unless they would show what
/// is rare as impossible.
pub fn text_number(value: f64) -> String {
    let is_plain = value == 0.0 || (1e-4..1e15).contains(&value.abs()) || !value.is_finite();
    if is_plain {
        format!("{value:.6}")
    } else {
        format!("{value:.6e}")
    }
}

/// The most letters of a variable's name.
pub fn name_width(circuit: &CircuitGraph) -> usize {
    let names = circuit
        .variables()
        .iter()
        .map(|own| own.name.chars().count());
    names.max().unwrap_or(0)
}

/// The fields of an object that `json!` writes.
pub fn object(object: Value) -> Map<String, Value> {
    match object {
        Value::Object(fields) => fields,
        _ => Map::new(),
    }
}
