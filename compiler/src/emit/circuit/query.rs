//! Queries, written from their meaning: the names they were written with may be gone.

use super::super::EmitResult;
use super::naming::EmittedNames;
use super::set::conditions;
use crate::circuit::{CircuitGraph, DeclaredQuery, Event};
use pelton_grammar::diagnostic::listed;
use std::fmt::Write;

/// Writes `query P(… | …);`.
pub(super) fn write(
    circuit: &CircuitGraph,
    naming: &EmittedNames,
    query: &DeclaredQuery,
    out: &mut dyn Write,
) -> EmitResult {
    let kind = query.text.split('(').next().unwrap_or("P").trim();
    let list = |event: &Event| list_text(circuit, naming, event);
    write!(out, "query {kind}({}", list(&query.event))?;
    let given = list(&query.given);
    if !given.is_empty() {
        write!(out, " | {given}")?;
    }
    Ok(out.write_str(");\n")?)
}

/// A conjunction as the list that stands on one side of the bar.
fn list_text(circuit: &CircuitGraph, naming: &EmittedNames, event: &Event) -> String {
    match event {
        Event::And(parts) => {
            let parts = parts.iter();
            listed(parts.map(|part| event_text(circuit, naming, part).0))
        }
        other => event_text(circuit, naming, other).0,
    }
}

/// How tightly an event's text holds together.
#[derive(Clone, Copy, PartialEq, Eq)]
enum EventPrecedence {
    Or,
    And,
    Tight,
}

fn event_text(
    circuit: &CircuitGraph,
    naming: &EmittedNames,
    event: &Event,
) -> (String, EventPrecedence) {
    match event {
        Event::In(variable, set) => {
            let domain = &circuit.variable(*variable).domain;
            let parts = conditions(naming, *variable, set, domain);
            match parts.len() {
                1 => (parts.concat(), EventPrecedence::Tight),
                _ => (parts.join(" || "), EventPrecedence::Or),
            }
        }
        Event::And(parts) if parts.is_empty() => ("true".into(), EventPrecedence::Tight),
        Event::Or(parts) if parts.is_empty() => ("false".into(), EventPrecedence::Tight),
        Event::And(parts) | Event::Or(parts) if parts.len() == 1 => {
            event_text(circuit, naming, &parts[0])
        }
        Event::And(parts) => (join(circuit, naming, parts, " && "), EventPrecedence::And),
        Event::Or(parts) => (join(circuit, naming, parts, " || "), EventPrecedence::Or),
    }
}

fn join(circuit: &CircuitGraph, naming: &EmittedNames, parts: &[Event], operator: &str) -> String {
    let texts: Vec<String> = parts
        .iter()
        .map(|part| match event_text(circuit, naming, part) {
            (text, EventPrecedence::Tight) => text,
            (text, _) => format!("({text})"),
        })
        .collect();
    texts.join(operator)
}
