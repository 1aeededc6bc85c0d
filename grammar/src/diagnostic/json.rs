//! Diagnostics as JSON, in the shape that programs rely on.

use super::{SourceDiagnostic, WitnessValue};
use crate::remedy::RemedyWords;
use crate::source::{SourceMap, Span};
use serde_json::{Map, Value, json};

/// One message as a JSON object with the keys
/// `code severity message spans notes help suggestions witness`.
pub fn to_json(diagnostic: &SourceDiagnostic, sources: &SourceMap, words: RemedyWords) -> Value {
    let spans = diagnostic.labels.iter().map(|label| {
        let mut span = span_json(label.span, sources);
        span["primary"] = label.primary.into();
        span["label"] = label.text.as_str().into();
        span
    });
    let suggestions = diagnostic.suggestions.iter().flat_map(|suggestion| {
        suggestion.edits.iter().map(|(span, replacement)| {
            json!({
                "message": suggestion.message,
                "span": span_json(*span, sources),
                "replacement": replacement,
            })
        })
    });
    let witness = diagnostic.witness.iter();
    let witness: Map<String, Value> = witness
        .map(|(name, value)| (name.clone(), witness_json(value)))
        .collect();
    json!({
        "code": diagnostic.code.as_str(),
        "severity": diagnostic.severity.name(),
        "message": diagnostic.message,
        "spans": spans.collect::<Vec<_>>(),
        "notes": diagnostic.notes,
        "help": diagnostic.worded_help(words),
        "suggestions": suggestions.collect::<Vec<_>>(),
        "witness": if witness.is_empty() { Value::Null } else { witness.into() },
    })
}

fn span_json(span: Span, sources: &SourceMap) -> Value {
    let source = sources.get(span.source);
    let (line, col) = source.line_col(span.start as usize);
    json!({
        "file": source.name(),
        "line": line,
        "col": col,
        "byte_start": span.start,
        "byte_end": span.end,
    })
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
