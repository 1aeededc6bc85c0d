//! How many inputs a circuit is positive for.

use super::enumerate::EnumeratedStates;
use super::{AnswerMethod, InformationError, mentioned};
use crate::tractability::QueryKind;
use num_bigint::BigUint;
use pelton_compiler::check::Checked;
use pelton_compiler::circuit::{CircuitGraph, Leaf, ParamKind, ParameterValue, UnitKind};
use pelton_compiler::evidence::ValueBox;
use pelton_compiler::leaf::support;
use pelton_grammar::remedy::{RemedyOption, RemedyText};

/// Bits of counts that are kept at a time: 512 MiB.
const MOST_BITS: u64 = 1 << 32;

/// Steps of long multiplication before giving up: seconds.
const MOST_WORK: u64 = 1 << 34;

/// A number of inputs, and how it was found.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelCount {
    /// The number.
    pub models: BigUint,
    /// How it was found.
    pub method: AnswerMethod,
}

/// The number of states of the mentioned variables at which the circuit can be positive
/// and one of the parts holds, which exclude each other: fixed zeros count, whatever
/// learned numbers are.
///
/// One pass if the circuit is proven deterministic, else all states are visited, if these
/// are few. Variables have to be finite.
pub fn count(
    checked: &Checked,
    parts: &[ValueBox],
    n_threads: usize,
) -> Result<ModelCount, InformationError> {
    let circuit = checked.circuit();
    let variables = mentioned(circuit);
    let infinite = |&&variable: &&_| circuit.variable(variable).domain.size().is_none();
    if let Some(&variable) = variables.iter().find(infinite) {
        let variable = circuit.variable(variable);
        let (name, domain) = (&variable.name, &variable.domain);
        let message = format!(
            "`{name}` is {domain}, so that there are infinitely many inputs; \
             only circuits over finite domains have a count"
        );
        return Err(InformationError::Structure(message.into()));
    }
    // 1. One pass: children of a deterministic sum have no input in common, so that counts add up.
    let Some(refusal) = QueryKind::ModelCount.refusal(circuit, checked.facts()) else {
        let mut models = BigUint::ZERO;
        for part in parts {
            models += by_structure(circuit, part)?;
        }
        return Ok(ModelCount {
            models,
            method: AnswerMethod::Structure,
        });
    };
    // 2. Otherwise each state, under values that make everything positive that may become so.
    let states = EnumeratedStates::of(checked, &variables).map_err(|more| refusal.because(more))?;
    let logs = states.log_masses(checked, &possible_values(circuit), n_threads)?;
    let rows = logs.iter().zip(states.rows(circuit));
    let possible = rows.filter(|(log, _)| **log > f64::NEG_INFINITY);
    let chosen = possible.filter(|(_, row)| parts.iter().any(|part| part.contains(row)));
    let n_models = chosen.count();
    Ok(ModelCount {
        models: BigUint::from(n_models),
        method: states.method(),
    })
}

/// Values under which everything is positive that learning may make positive.
fn possible_values(circuit: &CircuitGraph) -> Vec<ParameterValue> {
    let mut values = circuit.start_values();
    for parameter in circuit.parameters() {
        if matches!(parameter.kind, ParamKind::Positive | ParamKind::Real) {
            continue;
        }
        let share = 1.0 / parameter.len() as f64;
        for at in parameter.entries() {
            let is_zero = circuit.all_entries()[at].is_fixed_zero();
            values[at] = ParameterValue::Linear(if is_zero { 0.0 } else { share });
        }
    }
    values
}

fn by_structure(circuit: &CircuitGraph, part: &ValueBox) -> Result<BigUint, InformationError> {
    // Children before parents. A count is dropped after its last use, and work and memory are
    // watched: counts have as many bits as the circuit has variables, or more.
    let mut uses = n_uses(circuit);
    let mut counts: Vec<Option<BigUint>> = vec![None; circuit.n_units()];
    let (mut bits, mut work) = (0, 0);
    for unit in circuit.units().take(circuit.root().index() + 1) {
        if uses[unit.index()] == 0 {
            continue;
        }
        let of = |at: usize| counts[at].clone().unwrap_or_default();
        let count = match circuit.kind(unit) {
            UnitKind::Input(leaf) => leaf_count(circuit, circuit.leaf(leaf), part),
            UnitKind::Product => {
                let mut all = BigUint::from(1_u8);
                for child in circuit.children(unit) {
                    let factor = of(child.unit.index());
                    work += (1 + all.bits() / 64) * (1 + factor.bits() / 64);
                    all *= factor;
                    if work > MOST_WORK {
                        return Err(too_large());
                    }
                }
                all
            }
            UnitKind::Sum => {
                let children = circuit.children(unit).filter(|child| {
                    let weight = child.weight.expect("a sum's children have weights");
                    !circuit.entry(weight).is_fixed_zero()
                });
                children.map(|child| of(child.unit.index())).sum()
            }
        };
        bits += count.bits();
        work += 1 + count.bits() / 64;
        counts[unit.index()] = Some(count);
        for child in circuit.children(unit) {
            let at = child.unit.index();
            uses[at] -= 1;
            if uses[at] == 0 {
                bits -= counts[at].take().map_or(0, |old| old.bits());
            }
        }
        if bits > MOST_BITS || work > MOST_WORK {
            return Err(too_large());
        }
    }
    Ok(counts[circuit.root().index()].take().unwrap_or_default())
}

/// How often each unit is needed below the root, itself included, so that a count is
/// dropped after its last use.
fn n_uses(circuit: &CircuitGraph) -> Vec<u32> {
    let mut uses = vec![0; circuit.n_units()];
    uses[circuit.root().index()] = 1;
    for unit in circuit.units().rev() {
        if uses[unit.index()] > 0 {
            for child in circuit.children(unit) {
                uses[child.unit.index()] += 1;
            }
        }
    }
    uses
}

fn leaf_count(circuit: &CircuitGraph, leaf: &Leaf, part: &ValueBox) -> BigUint {
    let possible = support(circuit, leaf);
    let set = match part.set(leaf.variable) {
        Some(set) => possible.intersect(set),
        None => possible,
    };
    // Domains end at 2^53, so that sizes of sets are exact.
    BigUint::from(set.measure() as u64)
}

fn too_large() -> InformationError {
    let why = "the counts of the circuit's units have too many digits to be worth the time";
    InformationError::Structure(RemedyText::from(why).also(RemedyOption::WeightedCount))
}
