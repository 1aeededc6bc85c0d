//! Normalizing: scaling units to mass 1.

mod scaling;

use crate::check::report::show_number;
use crate::check::{UnitTotal, UnitTotals};
use crate::circuit::{CircuitGraph, CircuitRebuild, LeafKind, UnitId, UnitKind};
use crate::transform::flat;
use pelton_grammar::diagnostic::{Code, SourceDiagnostic, SourceDiagnostics, counted};
use scaling::Scaling;

/// Scales the units that `is_wanted` picks, and what they are made of, to mass 1.
///
/// Before: `2: a + 6: !a`. After: `0.25: a + 0.75: !a`. Before: `0.5: [sky = clear] +
/// 0.5: [sky != clear]`, of two values. After: a third and two thirds, of which the second
/// goes to a uniform distribution.
///
/// The distribution stays what it was. What a unit was divided by is multiplied to the
/// weights of the sums above it, which are scaled in turn, and the root's factor is dropped,
/// because a circuit stands for its value over its mass. Where a factor would have to go
/// into learned weights or into those of a declared parameter (others may use it too), the
/// unit stays as it is; so does what has a mass of zero. A note says what was scaled. Linear
/// in edges.
pub fn normalize(
    circuit: CircuitGraph,
    is_wanted: impl Fn(UnitId) -> bool,
    found: &mut SourceDiagnostics,
) -> CircuitGraph {
    let wanted: Vec<UnitId> = circuit.units().filter(|&unit| is_wanted(unit)).collect();
    if wanted.is_empty() {
        return circuit;
    }
    // 1. Decide for every unit what it is divided by, from the children up.
    let totals = UnitTotals::new(&circuit);
    let scaling = Scaling::new(&circuit, &totals, &wanted);
    let changed: Vec<UnitId> = circuit.units().filter(|&u| scaling.changes(u)).collect();
    let Some(&first) = changed.first() else {
        return circuit;
    };
    // 2. Copy: leaves that change become distributions, sums get weights of their own.
    let mut rebuild = CircuitRebuild::new(&circuit);
    for unit in circuit.units() {
        let mut children = rebuild.children(unit);
        match circuit.kind(unit) {
            UnitKind::Input(leaf) if scaling.changes(unit) => {
                let leaf = circuit.leaf(leaf);
                let LeafKind::Indicator(set) = &leaf.kind else {
                    unreachable!("distributions have mass 1");
                };
                let origin = rebuild.origin(unit);
                let part = flat(&mut rebuild.builder, leaf.variable, set, origin);
                rebuild.replace(unit, part.unit.expect("a set with mass has a leaf"));
                continue;
            }
            UnitKind::Sum if scaling.changes(unit) => {
                let builder = &mut rebuild.builder;
                let weights = builder.fixed_weights(scaling.weights(unit), circuit.span(unit));
                for (child, weight) in children.iter_mut().zip(weights) {
                    child.weight = Some(weight);
                }
            }
            _ => {}
        }
        rebuild.copy(unit, &children);
    }
    // 3. Say so once. A sum is the better example, because its weights stand in the text.
    let mut sums = changed.iter().copied();
    let is_sum = |unit: &UnitId| circuit.kind(*unit) == UnitKind::Sum;
    let shown = sums.find(is_sum).unwrap_or(first);
    let n_sums = changed.iter().filter(|unit| is_sum(unit)).count();
    found.push(note(&circuit, &scaling, shown, n_sums));
    rebuild.finish()
}

fn note(
    circuit: &CircuitGraph,
    scaling: &Scaling,
    shown: UnitId,
    n_sums: usize,
) -> SourceDiagnostic {
    let whose = circuit.describe(shown);
    let more = |whose: &str| match n_sums {
        0 | 1 => String::new(),
        n => {
            let others = counted(n - 1, "more sum", "more sums");
            format!(", and {whose}{others} likewise")
        }
    };
    let is_off = matches!(scaling.totals.of(shown), UnitTotal::Off(_));
    let (sentence, as_written) = if is_off && n_sums > 0 {
        let more = more("those of ");
        let total = scaling.totals.show(shown);
        let sentence = format!("weights of {whose} were scaled to add up to 1{more}");
        (sentence, format!("they add up to {total} as written"))
    } else {
        let mass = show_log(scaling.log_mass(shown));
        let sentence = format!("{whose} was scaled to mass 1{}", more(""));
        (sentence, format!("its mass is {mass} as written"))
    };
    SourceDiagnostic::new(Code::Normalized, circuit.span(shown), sentence).at(as_written)
}

/// A number by its logarithm, as messages show it.
fn show_log(log: f64) -> String {
    let number = log.exp();
    if number > 0.0 && number.is_finite() {
        show_number(number)
    } else {
        format!("exp({})", show_number(log))
    }
}
