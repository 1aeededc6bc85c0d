//! The check: determinism of what someone wants to know it of.

use crate::check::inspection::Inspection;
use crate::check::report::refuted;
use crate::check::requirement::RequiredProperty;
use crate::check::{PropertyVerdict, determinism};
use crate::circuit::{Property, ReachableUnits};
use pelton_grammar::diagnostic::SourceDiagnostics;
use pelton_grammar::remedy::{RemedyOption, RemedyText};

/// Why nothing is decided on a circuit with such products.
const NOT_DECOMPOSABLE: &str = "it is not decomposable";

/// Decides whether sums are deterministic, where someone wants to know.
///
/// Deterministic circuits have closed-form maximum likelihood, exact entropy
/// and exact most probable completions. The answer for the root holds for all
/// that it reaches, so other units are decided only if the root's is no.
///
/// The cost is that of the search, which the limits bound, for each unit that
/// the property is asserted of.
pub(in crate::check) fn check_deterministic(
    inspection: &mut Inspection,
    found: &mut SourceDiagnostics,
) {
    if inspection.is_wanted(Property::Deterministic) {
        let verdict = decide(inspection, &inspection.root_reach);
        inspection.record(Property::Deterministic, verdict);
    }
    let demands = inspection.demands.clone();
    for demand in demands.of(Property::Deterministic) {
        match verdict_on(inspection, demand) {
            PropertyVerdict::Proven => {}
            PropertyVerdict::Refuted(why) => {
                let message = refuted(inspection.circuit, &why, demand.span);
                found.push(match demand.span {
                    Some(_) => message,
                    None => demand.explain(message),
                });
            }
            // Where this is the reason, it is an error that is reported already.
            PropertyVerdict::Unknown(reason) if reason == NOT_DECOMPOSABLE => {}
            PropertyVerdict::Unknown(reason) => {
                let help = "let each sum decide one variable, so that its children differ there";
                let help = RemedyText::from(help).or(RemedyOption::SearchLonger);
                found.push(inspection.unknown(demand, &reason).help(help));
            }
        }
    }
}

fn verdict_on(inspection: &Inspection, demand: &RequiredProperty) -> PropertyVerdict {
    let of_root = inspection.verdict(Property::Deterministic);
    let is_below = inspection.root_reach.contains(demand.target);
    match of_root {
        Some(verdict) if demand.target == inspection.circuit.root() => verdict.clone(),
        Some(PropertyVerdict::Proven) if is_below => PropertyVerdict::Proven,
        _ => {
            let reach = ReachableUnits::of(inspection.circuit, &[demand.target]);
            decide(inspection, &reach)
        }
    }
}

fn decide(inspection: &Inspection, reach: &ReachableUnits) -> PropertyVerdict {
    if !inspection.holds_within(Property::Decomposable, reach) {
        return PropertyVerdict::Unknown(NOT_DECOMPOSABLE.to_string());
    }
    let (circuit, limits) = (inspection.circuit, &inspection.options.limits);
    determinism::decide(circuit, &inspection.scopes, reach.marked(), limits)
}
