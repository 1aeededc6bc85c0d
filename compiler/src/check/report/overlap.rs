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
    let overlap = match refutation.children[..] {
        [i, j] => format!(
            "children {} and {} are both positive for one input",
            i + 1,
            j + 1
        ),
        _ => "two children are both positive for one input".to_string(),
    };
    let diagnostic = match asserted_at {
        Some(place) => SourceDiagnostic::new(Code::NotDeterministic, place, message)
            .at("asserted here")
            .label(circuit.span(sum), overlap),
        None => {
            SourceDiagnostic::new(Code::NotDeterministic, circuit.span(sum), message).at(overlap)
        }
    };
    let witness = witness(circuit, &refutation.witness);
    let values = child_values(circuit, refutation).unwrap_or_default();
    diagnostic
        .note(format!("witness: {}{values}", show(&witness)))
        .help(
            "make the children disagree on one variable, or drop `deterministic` and train with EM",
        )
        .witness(witness)
}

fn witness(circuit: &CircuitGraph, values: &[f64]) -> Vec<(String, WitnessValue)> {
    let given = circuit.variables().iter().zip(values);
    given
        .filter(|(_, value)| !value.is_nan())
        .map(|(variable, &value)| (variable.name.clone(), variable.domain.witness(value)))
        .collect()
}

fn show(witness: &[(String, WitnessValue)]) -> String {
    if witness.is_empty() {
        return "any input".to_string();
    }
    let shown = witness.iter().take(SHOWN);
    let mut parts: Vec<String> = shown
        .map(|(name, value)| format!("{name} = {value}"))
        .collect();
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
    Some(format!(
        "   (child {} = {first}, child {} = {second})",
        i + 1,
        j + 1
    ))
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
