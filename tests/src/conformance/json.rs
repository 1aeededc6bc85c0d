//! Numbers of the suite's files.

use serde_json::{Value as Json, json};

/// A number, of which JSON does not know all.
pub fn number(json: &Json) -> f64 {
    match json {
        Json::String(text) if text == "inf" => f64::INFINITY,
        Json::String(text) if text == "-inf" => f64::NEG_INFINITY,
        other => other.as_f64().unwrap_or(f64::NAN),
    }
}

/// The number as a file has it.
pub fn to_json(number: f64) -> Json {
    match number {
        f64::INFINITY => json!("inf"),
        f64::NEG_INFINITY => json!("-inf"),
        number => json!(number),
    }
}

/// A list of numbers.
pub fn numbers(json: &Json) -> Vec<f64> {
    json.as_array()
        .map_or(Vec::new(), |all| all.iter().map(number).collect())
}

/// Rows of cells.
pub fn rows(json: &Json) -> Vec<Vec<f64>> {
    json.as_array()
        .map_or(Vec::new(), |all| all.iter().map(numbers).collect())
}
