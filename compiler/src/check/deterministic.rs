//! Determinism: at most one child of a sum is positive for any input.

use super::demand::Demand;
use super::inspection::Inspection;
use super::unknown::unknown;
use super::wording::{show_child, show_number, thousands};
use super::{Reach, Refutation, Scopes, Verdict};
use crate::circuit::{Circuit, Property, VarId};
use pelton_grammar::diagnostic::{Code, Diagnostic, Diagnostics};

/// Variables of a witness that are listed in the message; JSON has them all.
const LISTED: usize = 12;

/// Decides whether sums are deterministic, where someone wants to know.
///
/// Deterministic circuits have closed-form maximum likelihood, exact entropy
/// and exact most probable completions. The answer for the root holds for all
/// that it reaches, so other units are decided only if the root's is no.
///
/// The cost is that of the search, which the limits bound, for each unit that
/// the property is asserted of.
pub(super) fn check_deterministic(inspection: &mut Inspection, found: &mut Diagnostics) {
    if inspection.is_wanted(Property::Deterministic) {
        let verdict = decide(inspection, &inspection.root_reach);
        inspection.record(Property::Deterministic, verdict);
    }
    let demands = inspection.demands.clone();
    for demand in demands.of(Property::Deterministic) {
        match verdict_on(inspection, demand) {
            Verdict::Proven => {}
            Verdict::Refuted(why) => found.push(message(inspection.circuit, demand, &why)),
            Verdict::Unknown(reason) => found.push(unknown(inspection, demand, &reason)),
        }
    }
}

/// The answer for what one demand is about.
fn verdict_on(inspection: &Inspection, demand: &Demand) -> Verdict {
    let of_root = inspection.verdict(Property::Deterministic);
    let is_below = inspection.root_reach.contains(demand.target);
    match of_root {
        Some(verdict) if demand.target == inspection.circuit.root() => verdict.clone(),
        Some(Verdict::Proven) if is_below => Verdict::Proven,
        _ => decide(inspection, &Reach::of(inspection.circuit, &[demand.target])),
    }
}

fn decide(inspection: &Inspection, reach: &Reach) -> Verdict {
    match inspection.holds_within(Property::Decomposable, reach) {
        true => search(
            inspection.circuit,
            &inspection.scopes,
            reach,
            &inspection.options.limits,
        ),
        false => Verdict::Unknown("it is not decomposable".to_string()),
    }
}

/// How long to search.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {}

/// The place where the decision procedure is called.
fn search(_: &Circuit, _: &Scopes, _: &Reach, _: &Limits) -> Verdict {
    Verdict::Unknown("not decided yet".to_string())
}

fn message(circuit: &Circuit, demand: &Demand, why: &Refutation) -> Diagnostic {
    let sentence = format!("{} is not deterministic", circuit.describe(why.unit));
    let children = children_text(why);
    let span = circuit.span(why.unit);
    let message = match demand.span {
        Some(asserted) => Diagnostic::new(Code::NotDeterministic, asserted, sentence)
            .at("asserted here")
            .label(span, children),
        None => {
            demand.explain(Diagnostic::new(Code::NotDeterministic, span, sentence).at(children))
        }
    };
    let known = circuit.variables().iter().zip(&why.witness);
    let known = known.filter(|(_, value)| !value.is_nan());
    let witness = known.map(|(v, &value)| (v.name.clone(), v.domain.witness(value)));
    message
        .witness(witness.collect())
        .note(witness_note(circuit, why, None))
        .help(
            "make the children disagree on one variable, or drop `deterministic` and train with EM",
        )
}

fn children_text(why: &Refutation) -> String {
    match why.children[..] {
        [a, b] => format!(
            "children {} and {} are both positive for one input",
            a + 1,
            b + 1
        ),
        _ => "two children are both positive for one input".to_string(),
    }
}

/// `witness: rain = true, wet = true   (child 1 = 0.5, child 2 = 0.5)`
fn witness_note(circuit: &Circuit, why: &Refutation, values: Option<&[f64]>) -> String {
    let known = (0..why.witness.len()).filter(|&at| !why.witness[at].is_nan());
    let shown = known.clone().take(LISTED).map(|at| {
        let variable = circuit.variable(VarId::new(at));
        format!(
            "{} = {}",
            variable.name,
            variable.domain.witness(why.witness[at])
        )
    });
    let mut parts: Vec<String> = shown.collect();
    let n_left = known.count() - parts.len();
    if n_left > 0 {
        parts.push(format!("… {} more", thousands(n_left)));
    }
    let children = why.children.iter().zip(values.unwrap_or(&[]));
    let children: Vec<String> = children
        .map(|(&at, &value)| {
            format!(
                "{} = {}",
                show_child(circuit, why.unit, at),
                show_number(value)
            )
        })
        .collect();
    match children.is_empty() {
        true => format!("witness: {}", parts.join(", ")),
        false => format!("witness: {}   ({})", parts.join(", "), children.join(", ")),
    }
}
