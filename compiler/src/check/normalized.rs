//! Normalization: weights and masses add up to 1.

use super::PropertyVerdict;
use super::inspection::Inspection;
use super::mass::{Masses, warn_of_masses};
use super::report::{FaultyUnit, report_places};
use super::total::{UnitTotal, UnitTotals};
use crate::circuit::{CircuitGraph, ParamKind, ParameterValue, Property, UnitId, UnitKind};
use pelton_grammar::diagnostic::{Code, SourceDiagnostic, SourceDiagnostics};
use pelton_grammar::source::{SourceMap, Span};
use std::cmp::Reverse;

/// Reports sums whose weights, and leaves whose masses, do not add up to 1.
///
/// In a *normalized* circuit they all do; if it is also smooth and
/// decomposable, its value is a probability without division. Where this is
/// asserted a fault is an error. Elsewhere weights that are off are likely a
/// slip, hence a warning; leaves of other mass and sums with all weights 1 are
/// how logic is written, and a warning in circuits that are no logic. Parameters
/// declared as `weights` and a root that scales one circuit are meant.
///
/// Linear in edges.
pub(super) fn check_normalized(inspection: &mut Inspection, found: &mut SourceDiagnostics) {
    let circuit = inspection.circuit;
    let totals = UnitTotals::new(circuit);
    let (mut faults, mut open) = (Vec::new(), Vec::new());
    for unit in inspection.reach.units() {
        match totals.of(unit) {
            UnitTotal::One => {}
            UnitTotal::Off(_) => faults.push(unit),
            UnitTotal::OneAtFirst => open.push(unit),
        }
    }
    report_faults(inspection, &totals, &faults, found);
    let reason = "weights that are learned one by one need not keep adding up to 1";
    let demand = |&unit: &UnitId| {
        let demand = inspection.demands.on(circuit, Property::Normalized, unit)?;
        Some(
            inspection
                .unknown(&demand, reason)
                .label(circuit.span(unit), "such weights"),
        )
    };
    open.first()
        .and_then(demand)
        .into_iter()
        .for_each(|message| found.push(message));
    inspection.record_faults(Property::Normalized, faults);
    let is_open = open
        .iter()
        .any(|&unit| inspection.root_reach.contains(unit));
    if is_open && inspection.is_proven(Property::Normalized) {
        let verdict = PropertyVerdict::Unknown(reason.to_string());
        inspection.record(Property::Normalized, verdict);
    }
}

/// Errors where normalization is asserted, warnings on likely slips elsewhere.
fn report_faults(
    inspection: &Inspection,
    totals: &UnitTotals,
    faults: &[UnitId],
    found: &mut SourceDiagnostics,
) {
    let circuit = inspection.circuit;
    let demanded = inspection.demanded_reach(Property::Normalized);
    let is_demanded = |unit| demanded.as_ref().is_some_and(|reach| reach.contains(unit));
    let (errors, rest): (Vec<UnitId>, Vec<UnitId>) =
        faults.iter().partition(|&&unit| is_demanded(unit));
    let are_not = "units are not normalized";
    report_places(circuit, &errors, are_not, found, |place| {
        let message = message(inspection, totals, place, Code::NotNormalized);
        inspection.explain(Property::Normalized, place.unit, message)
    });
    if rest.is_empty() {
        return;
    }
    let masses = Masses::new(circuit, totals);
    // Where nothing is asserted, only what looks like a slip is told; other masses may be meant.
    let makes_up = |&unit: &UnitId| makes_up(circuit, &masses, unit);
    let rest = rest.into_iter().filter(|unit| !makes_up(unit));
    let (slips, rest): (Vec<UnitId>, Vec<UnitId>) =
        rest.partition(|&unit| is_slip(circuit, totals, unit));
    let are_off = "sums have weights that do not add up to 1";
    report_places(circuit, &slips, are_off, found, |place| {
        message(inspection, totals, place, Code::WeightsOff)
    });
    warn_of_masses(inspection, totals, &masses, rest.into_iter(), found);
}

/// Whether a unit is a sum whose fixed weights make up for the masses of its terms.
fn makes_up(circuit: &CircuitGraph, masses: &Masses, unit: UnitId) -> bool {
    let is_learned = |(_, weight)| circuit.entry(weight).learned;
    circuit.kind(unit) == UnitKind::Sum
        && masses.is_one(unit)
        && !circuit.terms(unit).any(is_learned)
}

/// Whether a total other than 1 was hardly meant.
fn is_slip(circuit: &CircuitGraph, totals: &UnitTotals, unit: UnitId) -> bool {
    let is_scale = unit == circuit.root() && circuit.n_children(unit) == 1;
    if circuit.kind(unit) != UnitKind::Sum || is_scale {
        return false;
    }
    let is_meant = totals.weights(unit).all(|weight| {
        let parameter = circuit.parameter(weight.param);
        let is_declared = parameter.name.is_some() && parameter.kind == ParamKind::Weights;
        is_declared || totals.value(weight).linear() == 1.0
    });
    !is_meant
}

fn message(
    inspection: &Inspection,
    totals: &UnitTotals,
    place: FaultyUnit,
    code: Code,
) -> SourceDiagnostic {
    let (circuit, unit) = (inspection.circuit, place.unit);
    let (whose, more) = (circuit.describe(unit), place.and_more());
    let total = totals.show(unit);
    if circuit.kind(unit) != UnitKind::Sum {
        let sentence = format!("{whose} has mass {total}, not 1{more}");
        let help =
            "give the variable a distribution, such as `uniform(low, high)` on the same values";
        return SourceDiagnostic::new(code, circuit.span(unit), sentence)
            .at(format!("this leaf has mass {total}"))
            .help(help);
    }
    let sentence = format!("weights of {whose} add up to {total}, not 1{more}");
    let message = SourceDiagnostic::new(code, circuit.span(unit), sentence)
        .at(format!("these weights add up to {total}"));
    match likely_slip(circuit, totals, unit) {
        Some(slip) => slip.offer(inspection, unit, message),
        None => message.help(
            "correct a weight, or write `@normalize` before the statement to have them scaled",
        ),
    }
}

/// A weight that looks like a slip of the pen.
struct WeightTypo {
    child_idx: usize,
    written: f64,
    meant: String,
}

impl WeightTypo {
    /// Adds the repair to a message: as an edit if the number stands in the text.
    fn offer(
        &self,
        inspection: &Inspection,
        sum: UnitId,
        message: SourceDiagnostic,
    ) -> SourceDiagnostic {
        let (meant, number) = (&self.meant, self.child_idx + 1);
        let repair = format!(
            "did you mean {meant}? With it as the weight of child {number} they add up to 1"
        );
        let child = inspection.circuit.child(sum, self.child_idx);
        let sources = inspection.options.sources;
        match sources.and_then(|sources| weight_before(sources, child.span, self.written)) {
            Some(span) => message.suggest(repair, span, meant.clone()),
            None => message.help(repair),
        }
    }
}

/// Sums with more children than this are not searched for the one slip.
const SEARCHED_CHILDREN: usize = 64;
/// A weight that has to change in more characters than this is no slip of the pen.
const SLIP_LENGTH: usize = 2;

/// The weight written in place that looks most like a slip, and what it should be.
///
/// Any one weight could take up the difference. The one whose text changes
/// least is the likely one; of equals the shortest, then the last, because
/// authors fill in the rest at the end.
fn likely_slip(circuit: &CircuitGraph, totals: &UnitTotals, sum: UnitId) -> Option<WeightTypo> {
    if circuit.n_children(sum) > SEARCHED_CHILDREN {
        return None;
    }
    // What each weight would have to be for the others to stay, and by how many characters that
    // differs.
    let total: f64 = totals.weights(sum).map(|w| totals.value(w).linear()).sum();
    let candidates = totals.weights(sum).enumerate().filter_map(|(at, weight)| {
        // Weights of declared parameters and logarithms are not what is written beside the
        // term.
        let in_place = circuit.parameter(weight.param).name.is_none();
        let value = circuit.entry(weight).value.filter(|_| in_place)?;
        let ParameterValue::Linear(written) = value else {
            return None;
        };
        let repaired = ((1.0 - (total - written)) * 1e9).round() / 1e9;
        let meant = repaired.to_string();
        let distance = strsim::damerau_levenshtein(&written.to_string(), &meant);
        let is_likely = repaired > 0.0 && repaired < 1.0 && distance <= SLIP_LENGTH;
        let slip = WeightTypo {
            child_idx: at,
            written,
            meant,
        };
        is_likely.then_some((distance, slip))
    });
    let best = candidates
        .min_by_key(|(distance, slip)| (*distance, slip.meant.len(), Reverse(slip.child_idx)));
    best.map(|(_, slip)| slip)
}

/// The span of the number `value` if it is what stands before the term at
/// `body`: the `0.3` of `0.3: rain`.
///
/// Edges remember where their term was written and not their weight, because
/// a circuit has many edges and few messages.
fn weight_before(sources: &SourceMap, body: Span, value: f64) -> Option<Span> {
    let source = sources.iter().find(|source| source.id() == body.source)?;
    let text = source.text().get(..body.start as usize)?;
    // From the term leftwards: blanks, the colon, blanks, and then the characters of a number.
    let before = text.trim_end().strip_suffix(':')?.trim_end();
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '.' || c == '_';
    let number = &before[before.trim_end_matches(is_part).len()..];
    let is_it = number.parse() == Ok(value);
    let start = before.len() - number.len();
    is_it.then(|| Span::new(body.source, start, before.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_number_and_nothing_else() {
        let mut sources = SourceMap::new();
        let id = sources.add("a", None, "node a = 0.9: x + 0.01 : y + w[0]: z;");
        let at = |text: &str| {
            let start = sources.get(id).text().find(text).unwrap();
            Span::new(id, start, start + 1)
        };
        let found = weight_before(&sources, at("y"), 0.01).unwrap();
        assert_eq!(sources.slice(found), "0.01");
        assert_eq!(weight_before(&sources, at("y"), 0.02), None);
        assert_eq!(weight_before(&sources, at("z"), 0.0), None);
    }
}
