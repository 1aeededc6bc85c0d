//! Copying a circuit with other leaves, and what follows from that above them.

use super::import::{ROUNDING, TransformSource};
use super::part::{ScaledUnit, mixture, product};
use crate::circuit::{
    ChildEdge, CircuitBuilder, CircuitGraph, ReachableUnits, UnitId, UnitKind, Weight,
};
use crate::leaf::log_sum_exp;

/// How far learned weights may be from adding up to 1: they may have been computed in
/// single precision, and are a vector of total 1 whatever their digits.
const LEARNED_ROUNDING: f64 = 1e-5;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SumScaling {
    /// Weights stay wherever the factors of all children agree.
    Kept,
    /// Weights are scaled to add up to 1.
    Scaled,
}

/// Copies what the root reaches, with each leaf replaced by a part.
///
/// Products with one factor and sums with one term become that; sums of numbers become
/// numbers. Linear in edges.
pub(super) fn reduce(
    builder: &mut CircuitBuilder,
    import: &mut TransformSource,
    sums: SumScaling,
    mut leaf: impl FnMut(&mut CircuitBuilder, &mut TransformSource, UnitId) -> ScaledUnit,
) -> ScaledUnit {
    let circuit = import.circuit;
    let mut parts = vec![ScaledUnit::ZERO; circuit.n_units()];
    for unit in ReachableUnits::of(circuit, &[circuit.root()]).units() {
        let part = match circuit.kind(unit) {
            UnitKind::Input(_) => leaf(builder, import, unit),
            UnitKind::Product => {
                let origin = import.origin(builder, unit);
                let children = circuit.children(unit);
                let factors = children.map(|child| (parts[child.unit.index()], child.span));
                product(builder, factors, origin)
            }
            UnitKind::Sum => reduce_sum(builder, import, sums, unit, &parts),
        };
        parts[unit.index()] = part;
    }
    parts[circuit.root().index()]
}

fn reduce_sum(
    builder: &mut CircuitBuilder,
    import: &mut TransformSource,
    sums: SumScaling,
    sum: UnitId,
    parts: &[ScaledUnit],
) -> ScaledUnit {
    let circuit = import.circuit;
    let part_of = |child: &ChildEdge| parts[child.unit.index()];
    let children: Vec<ChildEdge> = circuit.children(sum).collect();
    // A sum stays as it is if its children agree on a factor, which then moves up past it.
    let log_scale = children.first().map_or(0.0, |c| part_of(c).log_scale);
    let log_total = log_sum_exp(weights(&children).map(|weight| import.log_weight(weight)));
    let agree = children.iter().all(|c| part_of(c).log_scale == log_scale);
    let adds_up = log_total.abs() <= ROUNDING;
    let units: Option<Vec<UnitId>> = children.iter().map(|c| part_of(c).unit).collect();
    let origin = import.origin(builder, sum);
    if agree && log_scale.is_finite() && (sums == SumScaling::Kept || adds_up) {
        match units {
            None if children.iter().all(|c| part_of(c).unit.is_none()) => {
                let is_near = log_total.abs() <= LEARNED_ROUNDING;
                let is_one = adds_up || (is_near && is_learned(circuit, &children));
                return ScaledUnit::number(log_scale + if is_one { 0.0 } else { log_total });
            }
            Some(units) if !is_redundant(circuit, &children, &units) => {
                let children = import.weighted(builder, sum, &units);
                return ScaledUnit::of(builder.sum(&children, origin)).times(log_scale);
            }
            _ => {}
        }
    }
    // Otherwise the factors of the children go into the weights, which are scaled.
    let logs = weights(&children).map(|weight| import.log_weight(weight));
    let terms = logs
        .zip(&children)
        .map(|(log, child)| (log, part_of(child), child.span));
    let terms: Vec<_> = terms.collect();
    let part = mixture(builder, terms, origin);
    // Rounding is no factor: it would keep the weights above from staying.
    if agree && adds_up && !part.is_zero() {
        ScaledUnit { log_scale, ..part }
    } else {
        part
    }
}

fn weights(children: &[ChildEdge]) -> impl Iterator<Item = Weight> + '_ {
    children.iter().filter_map(|child| child.weight)
}

/// Whether the weights are a vector that learning keeps at a total of 1.
fn is_learned(circuit: &CircuitGraph, children: &[ChildEdge]) -> bool {
    weights(children).any(|weight| {
        circuit.entry(weight).learned && circuit.parameter(weight.param).kind.adds_up()
    })
}

/// Whether terms can be joined or left out: some weigh the same unit or nothing, or
/// there is only one, and no weight is learned or declared.
fn is_redundant(circuit: &CircuitGraph, children: &[ChildEdge], units: &[UnitId]) -> bool {
    let mut distinct = units.to_vec();
    distinct.sort_unstable();
    distinct.dedup();
    let has_zero = weights(children).any(|weight| circuit.entry(weight).is_fixed_zero());
    let is_plain = |weight: Weight| {
        !circuit.entry(weight).learned && circuit.parameter(weight.param).name.is_none()
    };
    (distinct.len() < units.len() || has_zero || units.len() == 1)
        && weights(children).all(is_plain)
}
