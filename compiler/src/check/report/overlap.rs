//! What the author is told about determinism.

use crate::check::Refutation;
use crate::circuit::CircuitGraph;
use crate::reference::log_values;
use pelton_grammar::diagnostic::{Code, SourceDiagnostic, WitnessValue};
use pelton_grammar::source::Span;

/// A witness of more variables than this is cut short in the text.
const SHOWN: usize = 12;

/// PC0103: a sum has two children that are positive for one input.
///
/// The primary place is where determinism was asserted, if it was; else the sum.
pub fn refuted(
    circuit: &CircuitGraph,
    refutation: &Refutation,
    asserted_at: Option<Span>,
) -> SourceDiagnostic {
    let sum = refutation.unit;
    let message = format!("{} is not deterministic", circuit.describe(sum));
    let who = match refutation.children[..] {
        [i, j] => format!("children {} and {}", i + 1, j + 1),
        _ => "two children".to_string(),
    };
    let overlap = format!("{who} are both positive for one input");
    let (code, span) = (Code::NotDeterministic, circuit.span(sum));
    let diagnostic = match asserted_at {
        Some(place) => {
            let diagnostic = SourceDiagnostic::new(code, place, message).at("asserted here");
            diagnostic.label(span, overlap)
        }
        None => SourceDiagnostic::new(code, span, message).at(overlap),
    };
    let witness = witness(circuit, &refutation.witness);
    let values = child_values(circuit, refutation).unwrap_or_default();
    let help =
        "make the children disagree on one variable, or drop `deterministic` and train with EM";
    let note = format!("witness: {}{values}", show(&witness));
    diagnostic.note(note).help(help).witness(witness)
}

fn witness(circuit: &CircuitGraph, values: &[f64]) -> Vec<(String, WitnessValue)> {
    let given = circuit.variables().iter().zip(values);
    let given = given.filter(|(_, value)| !value.is_nan());
    given
        .map(|(variable, &value)| (variable.name.clone(), variable.domain.witness(value)))
        .collect()
}

fn show(witness: &[(String, WitnessValue)]) -> String {
    if witness.is_empty() {
        return "any input".to_string();
    }
    let shown = witness.iter().take(SHOWN);
    let shown = shown.map(|(name, value)| format!("{name} = {value}"));
    let mut parts: Vec<String> = shown.collect();
    if witness.len() > SHOWN {
        parts.push(format!("… {} more", witness.len() - SHOWN));
    }
    parts.join(", ")
}

/// The children's values at the witness, where start values make both positive.
fn child_values(circuit: &CircuitGraph, refutation: &Refutation) -> Option<String> {
    let &[i, j] = &refutation.children[..] else {
        return None;
    };
    let logs = log_values(circuit, &circuit.start_values(), &refutation.witness);
    let value = |child_idx: usize| {
        let unit = circuit.child(refutation.unit, child_idx).unit;
        Some(logs[unit.index()].exp()).filter(|value| value.is_normal())
    };
    let (first, second) = (short(value(i)?), short(value(j)?));
    let (i, j) = (i + 1, j + 1);
    Some(format!("   (child {i} = {first}, child {j} = {second})"))
}

/// Six significant digits without trailing zeros.
fn short(value: f64) -> String {
    let rounded: f64 = format!("{value:.5e}").parse().unwrap_or(value);
    if (1e-4..1e6).contains(&rounded) {
        rounded.to_string()
    } else {
        format!("{rounded:e}")
    }
}
