//! Hidden Markov models: one dense block, used again at every step.

use super::kit::WorkloadBuilder;
use pelton_compiler::circuit::{CircuitGraph, Domain, ParamId, UnitId};

/// A hidden Markov model whose transitions and emissions are tied over time.
pub fn hmm(n_steps: usize, n_states: usize, n_values: usize, seed: u64) -> CircuitGraph {
    let mut kit = WorkloadBuilder::new(seed);
    let domain = Domain::Range {
        low: 0,
        high: n_values as i64,
    };
    let variables = kit.variables(n_steps, &domain);
    let transitions: Vec<ParamId> = (0..n_states).map(|_| kit.simplex(n_states)).collect();
    let emissions: Vec<ParamId> = (0..n_states).map(|_| kit.simplex(n_values)).collect();
    // From the last step back: `later` has a unit for each state of the step behind.
    let mut later: Vec<UnitId> = Vec::new();
    for &variable in variables.iter().rev() {
        let mut states = Vec::with_capacity(n_states);
        for (&transition, &emission) in transitions.iter().zip(&emissions) {
            let emitted = kit.categorical(variable, emission);
            states.push(if later.is_empty() {
                emitted
            } else {
                let next = kit.sum(transition, &later);
                kit.product(&[emitted, next])
            });
        }
        later = states;
    }
    let root = kit.own_sum(&later);
    kit.finish(root)
}
