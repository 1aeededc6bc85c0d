//! Entropy of a circuit.

use super::enumerate::EnumeratedStates;
use super::error::finite;
use super::estimate::{Estimate, EstimateOptions, SampledLogs};
use super::{AnswerMethod, InformationError, ScaledCircuit, ValueBox, mentioned};
use crate::tractability::{QueryKind, TractabilityRefusal};
use pelton_compiler::check::Checked;
use pelton_compiler::circuit::{CircuitGraph, ParameterValue, UnitKind, VarId};
use pelton_compiler::leaf;

/// An entropy and how it was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Entropy {
    /// In nats; with respect to real variables a differential entropy.
    pub nats: f64,
    /// How it was found.
    pub method: AnswerMethod,
}

/// The entropy of the variables that the circuit mentions.
///
/// One pass if the circuit is proven deterministic: the variables then decide what sums
/// choose. Otherwise all states are added up, if they are few enough.
pub fn entropy(
    checked: &Checked,
    values: &[ParameterValue],
    n_threads: usize,
) -> Result<Entropy, InformationError> {
    let circuit = checked.circuit();
    match QueryKind::Entropy.refusal(circuit, checked.facts()) {
        None => Ok(Entropy {
            nats: joint_entropy(circuit, values)?,
            method: AnswerMethod::Structure,
        }),
        Some(refusal) => {
            entropy_of_states((checked, values), &mentioned(circuit), n_threads, refusal)
        }
    }
}

/// The entropy of some variables by visiting their states, which structure refuses to tell.
pub(super) fn entropy_of_states(
    (checked, values): (&Checked, &[ParameterValue]),
    variables: &[VarId],
    n_threads: usize,
    refusal: TractabilityRefusal,
) -> Result<Entropy, InformationError> {
    let states = EnumeratedStates::of(checked, variables).map_err(|why| refusal.because(why))?;
    let logs = states.log_probabilities(checked, values, n_threads)?;
    Ok(Entropy {
        nats: finite(entropy_of(&logs), "the entropy")?,
        method: states.method(),
    })
}

/// The entropy of the variables and of the choices that sums make, together, in nats:
/// for a deterministic circuit the entropy of the variables, for others more.
pub fn joint_entropy(
    circuit: &CircuitGraph,
    values: &[ParameterValue],
) -> Result<f64, InformationError> {
    let scaled = ScaledCircuit::new(circuit, values, &ValueBox::default())?;
    let mut known = vec![None; circuit.leaves().len()];
    let of_leaf = |unit| match circuit.kind(unit) {
        UnitKind::Input(id) => *known[id.index()]
            .get_or_insert_with(|| leaf::entropy(circuit, values, circuit.leaf(id))),
        _ => 0.0,
    };
    let entropies = scaled.upward(of_leaf, |children| children.sum(), |own, share| own - share);
    finite(entropies[circuit.root().index()], "the entropy")
}

/// The entropy of states given by the logarithms of their probabilities.
pub(super) fn entropy_of(logs: &[f64]) -> f64 {
    let possible = logs.iter().filter(|log| **log > f64::NEG_INFINITY);
    possible.map(|log| -log * log.exp()).sum::<f64>() + 0.0
}

/// The entropy of a circuit from samples of it.
pub fn estimate_entropy(
    circuit: (&Checked, &[ParameterValue]),
    sampling: &EstimateOptions,
) -> Result<Estimate, InformationError> {
    let logs = SampledLogs::new(circuit, sampling.n_threads)?;
    logs.mean(sampling, |samples| {
        logs.of(samples).iter().map(|log| -log).collect()
    })
}
