//! Normalization: weights and masses add up to 1.

use super::PropertyVerdict;
use super::inspection::Inspection;
use super::mass::{Masses, warn_of_masses};
use super::report::{FaultyUnit, report_places, unknown, weight_before};
use super::total::{UnitTotal, UnitTotals};
use crate::circuit::{CircuitGraph, ParamKind, ParameterValue, Property, UnitId, UnitKind};
use pelton_grammar::diagnostic::{Code, SourceDiagnostic, SourceDiagnostics};

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
    for &unit in open.iter().take(1) {
        if let Some(demand) = inspection.demands.on(circuit, Property::Normalized, unit) {
            found.push(
                unknown(inspection, &demand, reason).label(circuit.span(unit), "such weights"),
            );
        }
    }
    inspection.record_faults(Property::Normalized, faults);
    let is_open = open
        .iter()
        .any(|&unit| inspection.root_reach.contains(unit));
    if is_open && inspection.is_proven(Property::Normalized) {
        inspection.record(
            Property::Normalized,
            PropertyVerdict::Unknown(reason.to_string()),
        );
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
    report_places(
        circuit,
        &errors,
        "units are not normalized",
        found,
        |place| {
            let message = message(inspection, totals, place, Code::NotNormalized);
            match inspection
                .demands
                .on(circuit, Property::Normalized, place.unit)
            {
                Some(demand) => demand.explain(message),
                None => message,
            }
        },
    );
    if rest.is_empty() {
        return;
    }
    let masses = Masses::new(circuit, totals);
    // Where nothing is asserted, only what looks like a slip is told; other masses may be meant.
    let (slips, rest): (Vec<UnitId>, Vec<UnitId>) = rest
        .into_iter()
        .filter(|&unit| circuit.kind(unit) != UnitKind::Sum || !makes_up(circuit, &masses, unit))
        .partition(|&unit| is_slip(circuit, totals, unit));
    let are_off = "sums have weights that do not add up to 1";
    report_places(circuit, &slips, are_off, found, |place| {
        message(inspection, totals, place, Code::WeightsOff)
    });
    warn_of_masses(inspection, totals, &masses, rest.into_iter(), found);
}

/// Whether the fixed weights of a sum make up for the masses of its terms.
fn makes_up(circuit: &CircuitGraph, masses: &Masses, sum: UnitId) -> bool {
    let mut weights = circuit.children(sum).filter_map(|child| child.weight);
    masses.is_one(sum) && weights.all(|weight| !circuit.entry(weight).learned)
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
        return SourceDiagnostic::new(code, circuit.span(unit), sentence)
            .at(format!("this leaf has mass {total}"))
            .help(
                "give the variable a distribution, such as `uniform(low, high)` on the same values",
            );
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
    /// What should have been written.
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
    let total: f64 = totals.weights(sum).map(|w| totals.value(w).linear()).sum();
    let candidates = totals.weights(sum).enumerate().filter_map(|(at, weight)| {
        let in_place = circuit.parameter(weight.param).name.is_none();
        let ParameterValue::Linear(value) = circuit.entry(weight).value.filter(|_| in_place)?
        else {
            return None;
        };
        let repaired = ((1.0 - (total - value)) * 1e9).round() / 1e9;
        let (before, after) = (value.to_string(), repaired.to_string());
        let distance = strsim::damerau_levenshtein(&before, &after);
        let is_likely = repaired > 0.0 && repaired < 1.0 && distance <= SLIP_LENGTH;
        let slip = WeightTypo {
            child_idx: at,
            written: value,
            meant: after,
        };
        is_likely.then_some((distance, slip))
    });
    let best = candidates.min_by_key(|(distance, slip)| {
        (
            *distance,
            slip.meant.len(),
            std::cmp::Reverse(slip.child_idx),
        )
    });
    best.map(|(_, slip)| slip)
}
