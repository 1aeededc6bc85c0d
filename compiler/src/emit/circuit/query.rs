//! Queries, written from their meaning: the names they were written with may be gone.

use super::super::Written;
use super::naming::Naming;
use super::set::conditions;
use crate::circuit::{Circuit, Event, Query};
use pelton_grammar::diagnostic::listed;
use std::fmt::Write;

/// Writes `query P(… | …);`.
pub(super) fn write(
    circuit: &Circuit,
    naming: &Naming,
    query: &Query,
    out: &mut dyn Write,
) -> Written {
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
fn list_text(circuit: &Circuit, naming: &Naming, event: &Event) -> String {
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
enum Binding {
    Or,
    And,
    Tight,
}

fn event_text(circuit: &Circuit, naming: &Naming, event: &Event) -> (String, Binding) {
    match event {
        Event::In(variable, set) => {
            let domain = &circuit.variable(*variable).domain;
            let parts = conditions(naming, *variable, set, domain);
            match parts.len() {
                1 => (parts.concat(), Binding::Tight),
                _ => (parts.join(" || "), Binding::Or),
            }
        }
        Event::And(parts) if parts.is_empty() => ("true".into(), Binding::Tight),
        Event::Or(parts) if parts.is_empty() => ("false".into(), Binding::Tight),
        Event::And(parts) | Event::Or(parts) if parts.len() == 1 => {
            event_text(circuit, naming, &parts[0])
        }
        Event::And(parts) => (join(circuit, naming, parts, " && "), Binding::And),
        Event::Or(parts) => (join(circuit, naming, parts, " || "), Binding::Or),
    }
}

fn join(circuit: &Circuit, naming: &Naming, parts: &[Event], operator: &str) -> String {
    let texts: Vec<String> = parts
        .iter()
        .map(|part| match event_text(circuit, naming, part) {
            (text, Binding::Tight) => text,
            (text, _) => format!("({text})"),
        })
        .collect();
    texts.join(operator)
}
