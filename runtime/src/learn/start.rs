//! Where learning starts.

use super::run::Task;
use super::survey::Survey;
use super::{LearnError, Start};
use pelton_compiler::circuit::{Circuit, ParamId, Value};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The values that a run starts from.
pub(super) fn start(task: &Task, _survey: &Survey) -> Result<Vec<Value>, LearnError> {
    let circuit = task.model.circuit();
    let mut values = circuit.start_values();
    if task.options.start != Start::Keep {
        draw_weights(circuit, task.options.seed, &mut values);
    }
    Ok(values)
}

/// Values near equal shares for probabilities that the circuit leaves open; those
/// that it gives are kept.
///
/// Shares are drawn between 0.6 and 1.4 before they are scaled, as in the paper:
/// far enough from equal that hidden states part, near enough that none is lost.
pub(super) fn draw_weights(circuit: &Circuit, seed: u64, values: &mut [Value]) {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    for param in (0..circuit.parameters().len()).map(ParamId::new) {
        let parameter = circuit.parameter(param);
        if !parameter.kind.adds_up() {
            continue;
        }
        let entries = circuit.entries(param).iter().zip(parameter.entries());
        let open: Vec<usize> = entries
            .filter(|(entry, _)| entry.learned && entry.value.is_none())
            .map(|(_, position)| position)
            .collect();
        let mass: f64 = open.iter().map(|&at| values[at].linear()).sum();
        let drawn: Vec<f64> = open.iter().map(|_| 0.6 + 0.8 * unit(&mut random)).collect();
        let total: f64 = drawn.iter().sum();
        for (&at, share) in open.iter().zip(drawn) {
            values[at] = Value::Linear(mass * share / total);
        }
    }
}

/// A number from 0 up to 1.
pub(super) fn unit(random: &mut impl Rng) -> f64 {
    (random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
}
