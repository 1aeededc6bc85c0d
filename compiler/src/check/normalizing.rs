//! Normalizing: scaling the weights of a sum so that they add up to 1.

use super::total::{Total, Totals};
use crate::circuit::{Child, Circuit, Entry, ParamKind, Rebuild, UnitId, UnitKind, Value, Weight};
use pelton_grammar::diagnostic::{Code, Diagnostic, Diagnostics, thousands};

/// Scales the fixed weights of the sums that `is_wanted` picks.
///
/// Before: `2: a + 6: b`. After: `0.25: a + 0.75: b`.
///
/// The distribution stays what it was if the circuit is divided by its total
/// anyway; inside a larger circuit the scaled sum weighs less or more than
/// before. So a note says what was scaled. Sums with learned weights, with
/// weights of a declared parameter (others may use it too), or with a total of
/// zero stay as they are. Linear in edges.
pub fn normalize(
    circuit: Circuit,
    is_wanted: impl Fn(UnitId) -> bool,
    found: &mut Diagnostics,
) -> Circuit {
    let totals = Totals::new(&circuit);
    let wanted = circuit.sums().filter(|&sum| is_wanted(sum));
    let scaled: Vec<UnitId> = wanted
        .filter(|&sum| can_scale(&circuit, &totals, sum))
        .collect();
    let Some(&first) = scaled.first() else {
        return circuit;
    };
    let mut rebuild = Rebuild::new(&circuit);
    let mut rest = scaled.iter().peekable();
    for unit in circuit.units() {
        let mut children = rebuild.children(unit);
        if rest.next_if(|&&next| next == unit).is_some() {
            scale(&circuit, &totals, unit, &mut rebuild, &mut children);
        }
        rebuild.copy(unit, &children);
    }
    found.push(note(&circuit, &totals, first, scaled.len()));
    rebuild.finish()
}

fn can_scale(circuit: &Circuit, totals: &Totals, sum: UnitId) -> bool {
    if !matches!(totals.of(sum), Total::Off(_)) {
        return false;
    }
    let is_own_and_fixed = |weight: Weight| {
        circuit.parameter(weight.param).name.is_none() && !circuit.entry(weight).learned
    };
    let log_total = totals.log(sum);
    log_total.is_finite() && totals.weights(sum).all(is_own_and_fixed)
}

/// Gives the children scaled weights: entries of a parameter of their own.
fn scale(
    circuit: &Circuit,
    totals: &Totals,
    sum: UnitId,
    rebuild: &mut Rebuild,
    children: &mut [Child],
) {
    debug_assert_eq!(circuit.kind(sum), UnitKind::Sum);
    let values: Vec<Value> = totals
        .weights(sum)
        .map(|weight| totals.value(weight))
        .collect();
    let total: f64 = values.iter().map(|value| value.linear()).sum();
    let log_total = totals.log(sum);
    // Totals beyond the range of numbers are divided by as logarithms.
    let is_plain = total > 0.0 && total.is_finite();
    let entries = values.iter().map(|value| Entry {
        learned: false,
        value: Some(match value {
            Value::Linear(value) if is_plain => Value::Linear(value / total),
            value => Value::Log(value.log() - log_total),
        }),
    });
    let entries: Vec<Entry> = entries.collect();
    let span = circuit.span(sum);
    let param = rebuild
        .builder
        .parameter(None, ParamKind::Simplex, &entries, span);
    for (index, child) in children.iter_mut().enumerate() {
        let index = index as u32;
        child.weight = Some(Weight { param, index });
    }
}

fn note(circuit: &Circuit, totals: &Totals, first: UnitId, n_scaled: usize) -> Diagnostic {
    let whose = circuit.describe(first);
    let more = match n_scaled {
        1 => String::new(),
        n => format!(", and those of {} more sums likewise", thousands(n - 1)),
    };
    let total = totals.show(first);
    let sentence = format!("weights of {whose} were scaled to add up to 1{more}");
    Diagnostic::new(Code::Normalized, circuit.span(first), sentence)
        .at(format!("they add up to {total} as written"))
}
