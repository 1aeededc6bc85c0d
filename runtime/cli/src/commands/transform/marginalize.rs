//! `pelton marginalize`

use super::target;
use crate::arguments::{MarginalizeCommand, MessageArguments};
use crate::refusal::not_made;
use crate::{CommandResult, Exit, model};
use pelton_compiler::circuit::CircuitGraph;
use pelton_compiler::transform::{marginalize, variables_named};
use serde_json::json;

pub fn run(options: &MarginalizeCommand, messages: &MessageArguments) -> CommandResult<Exit> {
    target::check(&options.target)?;
    let opened = model::opened(&options.circuit.model, &options.circuit.reading, messages)?;
    let circuit = opened.checked.circuit();
    let is_kept = kept(circuit, options)?;
    let values = circuit.start_values();
    let found = marginalize(&opened.checked, &values, |id| is_kept[id.index()])
        .map_err(|error| not_made(error, &[opened.place()], messages))?;
    let n_gone = is_kept.iter().filter(|is_kept| !**is_kept).count();
    let facts = json!({"summed_out": n_gone});
    target::write(
        &options.target,
        &found,
        facts,
        &options.circuit.reading,
        messages,
    )
}

/// For each variable, whether it stays.
fn kept(circuit: &CircuitGraph, options: &MarginalizeCommand) -> CommandResult<Vec<bool>> {
    let (names, stays) = match (&options.onto, &options.out) {
        (Some(names), _) => (names.as_str(), true),
        (None, names) => (names.as_deref().unwrap_or_default(), false),
    };
    let mut is_kept = vec![!stays; circuit.variables().len()];
    for id in variables_named(circuit, listed(names))? {
        is_kept[id.index()] = stays;
    }
    Ok(is_kept)
}

/// Names between commas that are not inside brackets: `x[0, 1], y`.
fn listed(text: &str) -> Vec<&str> {
    let mut names = Vec::new();
    let (mut depth, mut start) = (0usize, 0);
    for (at, letter) in text.char_indices() {
        match letter {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                names.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    names.push(text[start..].trim());
    names
}
