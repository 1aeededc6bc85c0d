//! Sparse sums over random pairs: what learned circuits without layers look like.

use super::kit::WorkloadBuilder;
use pelton_compiler::circuit::{CircuitGraph, Domain, UnitId, VarId};

/// Children of a sum: as many or one to three more.
const FEWEST_TERMS: usize = 2;

/// Terms of a sum on average.
const MEAN_TERMS: f64 = 3.5;

/// A circuit over `bool` variables with about `n_sum_edges` edges below sums. The
/// variables are halved again and again; each half has as many sums, each of a few
/// products of one unit from either half of the half.
pub fn irregular(n_variables: usize, n_sum_edges: usize, seed: u64) -> CircuitGraph {
    let mut kit = WorkloadBuilder::new(seed);
    let variables = kit.variables(n_variables, &Domain::Bool);
    let n_inner = n_variables.saturating_sub(2).max(1) as f64;
    // Below the root every half has `width` sums; the root has `width` terms.
    let width = (n_sum_edges as f64 / (n_inner * MEAN_TERMS + 1.0)).ceil() as usize;
    let elements = Halves {
        kit: &mut kit,
        width,
    }
    .elements(&variables, width.max(1));
    let root = kit.own_sum(&elements);
    kit.finish(root)
}

struct Halves<'k> {
    kit: &'k mut WorkloadBuilder,
    width: usize,
}

impl Halves<'_> {
    /// Units over all of `variables`.
    fn units(&mut self, variables: &[VarId]) -> Vec<UnitId> {
        if let [variable] = *variables {
            return self.leaves(variable);
        }
        // Each sum takes its own part of the products, so that none is shared.
        let sizes: Vec<usize> = (0..self.width)
            .map(|_| FEWEST_TERMS + self.kit.below(4))
            .collect();
        let elements = self.elements(variables, sizes.iter().sum());
        let mut rest = elements.as_slice();
        let mut sums = Vec::with_capacity(self.width);
        for size in sizes {
            let (own, others) = rest.split_at(size);
            sums.push(self.kit.own_sum(own));
            rest = others;
        }
        sums
    }

    /// Literals, and distributions that make every value possible.
    fn leaves(&mut self, variable: VarId) -> Vec<UnitId> {
        let literals = [false, true].map(|value| self.kit.literal(variable, value));
        let mut leaves = literals.to_vec();
        leaves.extend((0..4).map(|_| self.kit.bernoulli(variable)));
        leaves
    }

    /// `n` products of a unit over the first and one over the second half.
    fn elements(&mut self, variables: &[VarId], n: usize) -> Vec<UnitId> {
        if let [variable] = *variables {
            return self.leaves(variable);
        }
        let (left, right) = variables.split_at(variables.len() / 2);
        let (left, right) = (self.units(left), self.units(right));
        // Units are dealt like cards: all are used before any comes again.
        let (left, right) = (self.kit.deal(&left, n), self.kit.deal(&right, n));
        let pairs = left.into_iter().zip(right);
        pairs
            .map(|(left, right)| self.kit.product(&[left, right]))
            .collect()
    }
}
