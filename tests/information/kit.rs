//! Circuits to ask, and what enumeration says of them.

use pelton_compiler::check::{CheckOptions, Checked, check};
use pelton_compiler::circuit::{
    CircuitGraph, Domain, ParamKind, ParameterEntry, ParameterValue, UnitId, VarId,
};
use pelton_compiler::reference::{assignments, log_likelihood};
use pelton_grammar::diagnostic::SourceDiagnostics;
use pelton_tests::dice::Dice;
use pelton_tests::random::deterministic;
use pelton_tests::sketch::Sketch;
use pelton_tests::text::circuit;

/// More states than this are left to other tests.
pub const MOST: u64 = 1 << 12;

/// The circuit with everything decided.
pub fn checked(circuit: CircuitGraph) -> Checked {
    let options = CheckOptions {
        decide: pelton_compiler::circuit::Property::ALL.to_vec(),
        ..CheckOptions::default()
    };
    let mut found = SourceDiagnostics::new();
    check(circuit, &options, &mut found).expect("the circuit is right")
}

pub fn of_text(text: &str) -> Checked {
    checked(circuit(text))
}

/// Deterministic circuits over few states, with their seeds.
pub fn decisions(seeds: std::ops::Range<u64>) -> impl Iterator<Item = (u64, Checked)> {
    seeds.filter_map(|seed| {
        let circuit = deterministic(seed).circuit;
        let is_small = assignments(&circuit, MOST).is_some();
        is_small.then(|| (seed, checked(circuit)))
    })
}

/// Every state with its probability, scaled to 1; impossible ones left out. Variables
/// that the circuit does not mention are at their first value.
pub fn states(circuit: &CircuitGraph, values: &[ParameterValue]) -> Vec<(Vec<f64>, f64)> {
    let mentioned = pelton_runtime::query::mentioned(circuit);
    let is_first = |row: &[f64]| {
        let all = circuit.variables().iter().enumerate();
        all.filter(|(at, _)| !mentioned.contains(&VarId::new(*at)))
            .all(|(at, variable)| row[at] == variable.domain.first())
    };
    let rows = assignments(circuit, 1 << 20)
        .unwrap()
        .filter(|row| is_first(row));
    let rows = rows.map(|row| {
        let p = log_likelihood(circuit, values, &row).exp();
        (row, p)
    });
    let rows: Vec<(Vec<f64>, f64)> = rows.filter(|row| row.1 > 0.0).collect();
    let total: f64 = rows.iter().map(|row| row.1).sum();
    rows.into_iter().map(|(row, p)| (row, p / total)).collect()
}

/// Other values for the same circuit; zeros stay, and some numbers become zero.
pub fn other_values(
    circuit: &CircuitGraph,
    dice: &mut Dice,
    zero_percent: usize,
) -> Vec<ParameterValue> {
    let mut values = circuit.start_values();
    for parameter in circuit.parameters() {
        let own = &mut values[parameter.entries()];
        match parameter.kind {
            ParamKind::Simplex | ParamKind::Unit | ParamKind::Weights => {
                for value in own.iter_mut() {
                    let factor = if dice.chance(zero_percent) {
                        0.0
                    } else {
                        0.2 + dice.fraction()
                    };
                    *value = ParameterValue::Linear(value.linear() * factor);
                }
                let total: f64 = own.iter().map(|value| value.linear()).sum();
                for value in own.iter_mut() {
                    let share = if total > 0.0 {
                        value.linear() / total
                    } else {
                        0.0
                    };
                    *value = ParameterValue::Linear(share);
                }
            }
            ParamKind::Positive => {
                own[0] = ParameterValue::Linear(own[0].linear() * (0.5 + dice.fraction()))
            }
            ParamKind::Real => {
                own[0] = ParameterValue::Linear(own[0].linear() + dice.fraction() - 0.5)
            }
        }
    }
    values
}

/// A decision tree over `n` variables `x0`, `x1`, … in an order of its own on every
/// path, with sets of values decided together; some branches are impossible.
pub fn tree(n: usize, dice: &mut Dice, zero_percent: usize) -> CircuitGraph {
    let mut sketch = Sketch::new();
    let variables: Vec<VarId> = (0..n)
        .map(|at| match at {
            0 => sketch.variable(Domain::Range { low: -1, high: 2 }),
            _ => sketch.variable(Domain::Bool),
        })
        .collect();
    let root = branch(&mut sketch, &variables, dice, zero_percent);
    sketch.finish(root)
}

fn branch(
    sketch: &mut Sketch,
    variables: &[VarId],
    dice: &mut Dice,
    zero_percent: usize,
) -> UnitId {
    let at = dice.below(variables.len());
    let variable = variables[at];
    let rest: Vec<VarId> = variables
        .iter()
        .copied()
        .filter(|&v| v != variable)
        .collect();
    // Independent parts make products of more than one decision.
    if rest.len() >= 2 && dice.chance(30) {
        let middle = 1 + dice.below(variables.len() - 1);
        let left = branch(sketch, &variables[..middle], dice, zero_percent);
        let right = branch(sketch, &variables[middle..], dice, zero_percent);
        return sketch.product(&[left, right]);
    }
    let domain = sketch.domain(variable).clone();
    let (first, size) = (domain.first() as i64, domain.size().unwrap() as i64);
    let mut terms = Vec::new();
    for value in first..first + size {
        let literal = sketch.literal(variable, value);
        let child = if rest.is_empty() {
            literal
        } else {
            let below = branch(sketch, &rest, dice, zero_percent);
            sketch.product(&[literal, below])
        };
        let weight = if terms.is_empty() || !dice.chance(zero_percent) {
            0.1 + dice.fraction()
        } else {
            0.0
        };
        terms.push((ParameterEntry::fixed(weight), child));
    }
    sketch.sum(&terms)
}

#[track_caller]
pub fn close(found: f64, expected: f64, tolerance: f64, name: &str) {
    let error = (found - expected).abs() / expected.abs().max(1.0);
    assert!(
        error < tolerance,
        "{name}: {found} is not {expected} ({error:e})"
    );
}
