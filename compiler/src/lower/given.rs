//! Events that are stated of a circuit after it was built.
//!
//! They are written as in queries. What a file declares beside its variables is gone by
//! then, so that an event speaks of variables and numbers; the variables are declared
//! anew from the circuit, which need not come from any file.

use super::{LowerOptions, lower};
use crate::circuit::{Circuit, Domain, Event};
use crate::emit::declarations;
use crate::load::{FileLoader, Input, load};
use pelton_grammar::diagnostic::Diagnostics;
use pelton_grammar::parse::ParseOptions;
use pelton_grammar::source::SourceMap;

/// An event that was not understood: what is wrong with it, and the text that the
/// messages point into.
#[derive(Debug)]
pub struct NotUnderstood {
    /// What is wrong; nothing if the text is right but says more than an event.
    pub found: Diagnostics,
    /// The event beside the variables that it may speak of.
    pub sources: SourceMap,
}

/// Reads what is known, such as `wet, temp <= 10`; nothing at all always holds.
pub fn ask_given(circuit: &Circuit, text: &str) -> Result<Event, NotUnderstood> {
    if text.trim().is_empty() {
        return Ok(Event::And(Vec::new()));
    }
    let mut found = Diagnostics::new();
    let input = Input {
        name: "event".to_string(),
        path: None,
        bytes: program_text(circuit, text).into_bytes(),
    };
    let program = load(input, &FileLoader, &ParseOptions::default(), &mut found);
    let lowered = lower(&program, &LowerOptions::default(), &mut found);
    let lowered = lowered.filter(|_| !found.has_errors());
    let queries = lowered.map(|lowered| lowered.circuit.queries().to_vec());
    match queries.as_deref() {
        Some([query]) if query.given == Event::And(Vec::new()) => Ok(query.event.clone()),
        _ => Err(NotUnderstood {
            found,
            sources: program.sources,
        }),
    }
}

/// A program that asks for the event's probability. The event stands in lines of its own,
/// so that a comment in it ends there.
fn program_text(circuit: &Circuit, text: &str) -> String {
    let declared = declarations(circuit.variables());
    let first = declared.references.first().zip(circuit.variables().first());
    let root = first.map_or(String::new(), |(name, variable)| match variable.domain {
        Domain::Real => format!("root {name} ~ normal(0, 1);\n"),
        Domain::Nat => format!("root {name} ~ poisson(1);\n"),
        _ => format!("root {name} ~ uniform();\n"),
    });
    format!("query P(\n{text}\n);\n{}{root}", declared.text)
}
