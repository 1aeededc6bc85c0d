//! Hidden Chow-Liu trees: a dense block on every edge of a tree.

use super::kit::WorkloadBuilder;
use pelton_compiler::circuit::{CircuitGraph, Domain, UnitId, VarId};

/// A mixture of hidden Chow-Liu trees over `bool` variables. Every tree is drawn
/// at random; every variable hangs on a latent of `n_states` states.
pub fn hclt(n_variables: usize, n_trees: usize, n_states: usize, seed: u64) -> CircuitGraph {
    let mut kit = WorkloadBuilder::new(seed);
    let variables = kit.variables(n_variables, &Domain::Bool);
    let mut tops = Vec::new();
    for _ in 0..n_trees {
        tops.extend(tree(&mut kit, &variables, n_states));
    }
    let root = kit.own_sum(&tops);
    kit.finish(root)
}

/// A unit for each state of the root's latent.
fn tree(kit: &mut WorkloadBuilder, variables: &[VarId], n_states: usize) -> Vec<UnitId> {
    // A parent stands before its children, so the last variables are leaves.
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); variables.len()];
    for at in 1..variables.len() {
        children[kit.below(at)].push(at);
    }
    // From the leaves up: a unit for each state, which multiplies what the variable emits with a
    // sum over the states of each child.
    let mut states: Vec<Vec<UnitId>> = vec![Vec::new(); variables.len()];
    for at in (0..variables.len()).rev() {
        let mut own = Vec::with_capacity(n_states);
        for _ in 0..n_states {
            let mut factors = vec![kit.bernoulli(variables[at])];
            for &child in &children[at] {
                factors.push(kit.own_sum(&states[child]));
            }
            own.push(kit.product(&factors));
        }
        states[at] = own;
    }
    states.swap_remove(0)
}
