//! Diagnostics as JSON, in the shape that programs rely on.

use super::{SourceDiagnostic, WitnessValue};
use crate::remedy::RemedyWords;
use crate::source::{SourceMap, Span};
use serde_json::{Map, Value, json};

/// One message as a JSON object with the keys
/// `code severity message spans notes help suggestions witness`.
pub fn to_json(diagnostic: &SourceDiagnostic, sources: &SourceMap, words: RemedyWords) -> Value {
    let spans: Vec<Value> = diagnostic
        .labels
        .iter()
        .map(|label| {
            let mut object = span_object(label.span, sources);
            object.insert("primary".into(), label.primary.into());
            object.insert("label".into(), label.text.clone().into());
            Value::Object(object)
        })
        .collect();
    let suggestions: Vec<Value> = diagnostic
        .suggestions
        .iter()
        .flat_map(|suggestion| {
            suggestion.edits.iter().map(|(span, replacement)| {
                json!({
                    "message": suggestion.message,
                    "span": span_object(*span, sources),
                    "replacement": replacement,
                })
            })
        })
        .collect();
    let witness: Map<String, Value> = diagnostic
        .witness
        .iter()
        .map(|(name, value)| (name.clone(), witness_json(value)))
        .collect();
    json!({
        "code": diagnostic.code.as_str(),
        "severity": diagnostic.severity.name(),
        "message": diagnostic.message,
        "spans": spans,
        "notes": diagnostic.notes,
        "help": diagnostic.worded_help(words),
        "suggestions": suggestions,
        "witness": if witness.is_empty() { Value::Null } else { witness.into() },
    })
}

fn span_object(span: Span, sources: &SourceMap) -> Map<String, Value> {
    let source = sources.get(span.source);
    let (line, col) = source.line_col(span.start as usize);
    let mut object = Map::new();
    object.insert("file".into(), source.name().into());
    object.insert("line".into(), line.into());
    object.insert("col".into(), col.into());
    object.insert("byte_start".into(), span.start.into());
    object.insert("byte_end".into(), span.end.into());
    object
}

/// A value of a variable.
pub fn witness_json(value: &WitnessValue) -> Value {
    match value {
        WitnessValue::Bool(value) => (*value).into(),
        WitnessValue::Int(value) => (*value).into(),
        // JSON has no infinity; a witness is always a finite point.
        WitnessValue::Real(value) => json!(value),
        WitnessValue::Category(name) => name.clone().into(),
    }
}
