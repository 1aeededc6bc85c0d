//! Draws rows that a circuit finds likely, so that few of them are impossible.

use crate::dice::Dice;
use pelton_compiler::circuit::{CircuitGraph, Domain, Leaf, ParameterValue, UnitId, UnitKind};
use pelton_compiler::flow::is_tabular;
use pelton_compiler::leaf::{log_density, log_table, mode};

/// A value for each variable, from the root down. Weights say how often a child is
/// taken, or only whether, so that rare parts of the circuit are reached too.
pub(super) fn draw(circuit: &CircuitGraph, values: &[ParameterValue], dice: &mut Dice) -> Vec<f64> {
    let variables = circuit.variables().iter();
    let mut row: Vec<f64> = variables.map(|v| anything(&v.domain, dice)).collect();
    if dice.chance(10) {
        return row;
    }
    let faithful = dice.chance(60);
    let mut chosen = vec![false; circuit.root().index() + 1];
    chosen[circuit.root().index()] = true;
    for unit in circuit.units().take(chosen.len()).rev() {
        match circuit.kind(unit) {
            _ if !chosen[unit.index()] => {}
            UnitKind::Input(leaf) => {
                let leaf = circuit.leaf(leaf);
                row[leaf.variable.index()] = of_leaf(circuit, values, leaf, dice);
            }
            UnitKind::Product => {
                for child in circuit.children(unit) {
                    chosen[child.unit.index()] = true;
                }
            }
            UnitKind::Sum => {
                let child = of_sum(circuit, values, unit, faithful, dice);
                chosen[child.index()] = true;
            }
        }
    }
    row
}

fn of_sum(
    circuit: &CircuitGraph,
    values: &[ParameterValue],
    sum: UnitId,
    faithful: bool,
    dice: &mut Dice,
) -> UnitId {
    let weights: Vec<f64> = circuit
        .children(sum)
        .map(|child| {
            let weight = child.weight.expect("a sum's children have weights");
            let value = values[circuit.entry_position(weight)];
            if faithful {
                value.linear()
            } else {
                f64::from(u8::from(!value.is_zero()))
            }
        })
        .collect();
    circuit.child(sum, pick(&weights, dice)).unit
}

fn of_leaf(circuit: &CircuitGraph, values: &[ParameterValue], leaf: &Leaf, dice: &mut Dice) -> f64 {
    let domain = &circuit.variable(leaf.variable).domain;
    if is_tabular(domain) {
        let table = log_table(circuit, values, leaf);
        let weights: Vec<f64> = table.iter().map(|log| log.exp()).collect();
        return domain.first() + pick(&weights, dice) as f64;
    }
    let peak = mode(circuit, values, leaf).0;
    let reach = if dice.chance(3) { 2_000.0 } else { 5.0 };
    let tries = (0..4).map(|_| {
        let x = peak + reach * (dice.fraction() - 0.5);
        if domain.is_discrete() { x.round() } else { x }
    });
    let tries: Vec<f64> = tries.collect();
    let likely = |x: &f64| log_density(circuit, values, leaf, *x) > f64::NEG_INFINITY;
    tries.into_iter().find(likely).unwrap_or(peak)
}

/// A position, each as often as its weight says; the first if all are zero.
fn pick(weights: &[f64], dice: &mut Dice) -> usize {
    let mut left = dice.fraction() * weights.iter().sum::<f64>();
    let positive = weights.iter().position(|&weight| weight > 0.0);
    for (at, weight) in weights.iter().enumerate() {
        if left < *weight {
            return at;
        }
        left -= weight;
    }
    positive.unwrap_or(0)
}

fn anything(domain: &Domain, dice: &mut Dice) -> f64 {
    match domain.size() {
        Some(size) => domain.first() + dice.below(size as usize) as f64,
        None if domain.is_discrete() => dice.below(12) as f64,
        None => 10.0 * dice.fraction() - 4.0,
    }
}
