//! Circuits of the regular shapes that learners and modellers use.

use super::draft::Draft;
use pelton_compiler::circuit::{
    CategoricalDistribution, Domain, Family, ParamId, UnitId, VarId, Weight,
};

/// Widths of layers: around the tiles of the kernels, and beside them.
const WIDTHS: [usize; 12] = [2, 3, 4, 5, 7, 8, 9, 12, 16, 17, 33, 40];

impl Draft {
    /// Layers of sums over a tree of regions, each layer complete, but for one
    /// edge in some of the circuits.
    pub fn blocks(&mut self) -> UnitId {
        let n = 2 + self.dice.below(4);
        let variables = self.variables(n);
        let width = self.dice.pick(&WIDTHS);
        let mut layer: Vec<UnitId> = self.leaves(variables[0], width);
        for &variable in &variables[1..] {
            let others = self.leaves(variable, layer.len());
            let pairs = layer.iter().zip(&others);
            let pairs: Vec<[UnitId; 2]> = pairs.map(|(&a, &b)| [a, b]).collect();
            let products: Vec<UnitId> = pairs.iter().map(|pair| self.product(pair)).collect();
            let width = self.dice.pick(&WIDTHS);
            layer = self.block(&products, width);
        }
        self.sum(&layer)
    }

    fn leaves(&mut self, variable: VarId, n: usize) -> Vec<UnitId> {
        (0..n).map(|_| self.leaf(variable)).collect()
    }

    /// `n_out` sums over the same children.
    fn block(&mut self, children: &[UnitId], n_out: usize) -> Vec<UnitId> {
        self.count("dense block");
        if self.dice.chance(40) {
            // As a second layer on top, so that both have the same shape.
            let n = children.len();
            let params: Vec<ParamId> = (0..n).map(|_| self.own_simplex(n)).collect();
            self.count("blocks with shared weights");
            let below = self.dense(&params, children, false);
            return self.dense(&params, &below, false);
        }
        let params: Vec<ParamId> = (0..n_out)
            .map(|_| self.own_simplex(children.len()))
            .collect();
        let gap = self.dice.chance(30);
        if gap {
            self.count("block with a gap");
        }
        self.dense(&params, children, gap)
    }

    /// A sum for each parameter; the last one may lack its last edge.
    fn dense(&mut self, params: &[ParamId], children: &[UnitId], gap: bool) -> Vec<UnitId> {
        let last = params.len() - 1;
        let rows = params.iter().enumerate();
        rows.map(|(at, &param)| {
            let n = if gap && at == last && children.len() > 1 {
                children.len() - 1
            } else {
                children.len()
            };
            let weights: Vec<Weight> = (0..n as u32).map(|index| Weight { param, index }).collect();
            self.weighted(&weights, &children[..n])
        })
        .collect()
    }

    /// A hidden Markov model whose steps share their parameters.
    pub fn chain(&mut self) -> UnitId {
        let steps = 2 + self.dice.below(30);
        let n_values = self.dice.pick(&[2, 5, 8, 9, 27]);
        self.hidden_chain(steps, n_values)
    }

    pub fn hidden_chain(&mut self, steps: usize, n_values: usize) -> UnitId {
        self.count("hidden Markov model");
        let states = 2 + self.dice.below(6);
        let domain = Domain::Range {
            low: 0,
            high: n_values as i64,
        };
        let variables: Vec<VarId> = (0..steps)
            .map(|_| self.sketch.variable(domain.clone()))
            .collect();
        let moves: Vec<ParamId> = (0..states).map(|_| self.own_simplex(states)).collect();
        let emits: Vec<ParamId> = (0..states).map(|_| self.own_simplex(n_values)).collect();
        let mut next: Vec<UnitId> = Vec::new();
        for &variable in variables.iter().rev() {
            let own: Vec<UnitId> = emits
                .iter()
                .map(|&emit| {
                    self.sketch.tied_distribution(
                        variable,
                        Family::Categorical(CategoricalDistribution),
                        &[emit],
                        None,
                    )
                })
                .collect();
            next = if next.is_empty() {
                own
            } else {
                let later = self.dense(&moves, &next, false);
                let pairs = own.into_iter().zip(later);
                pairs
                    .map(|(emit, rest)| self.sketch.product(&[emit, rest]))
                    .collect()
            };
        }
        self.sum(&next)
    }

    /// A mixture of hidden trees over the same variables.
    pub fn trees(&mut self) -> UnitId {
        self.count("mixture of trees");
        let (n, n_trees, states) = (
            2 + self.dice.below(6),
            1 + self.dice.below(3),
            2 + self.dice.below(7),
        );
        let variables = if self.dice.chance(50) {
            self.bools(n)
        } else {
            self.variables(n)
        };
        let roots: Vec<UnitId> = (0..n_trees)
            .map(|_| self.tree(&variables, states))
            .collect();
        self.sum(&roots)
    }

    /// A hidden tree in which the parent of each variable comes before it.
    fn tree(&mut self, variables: &[VarId], states: usize) -> UnitId {
        let parents: Vec<usize> = (0..variables.len())
            .map(|at| self.dice.below(at.max(1)))
            .collect();
        // For each variable and state what its subtree is worth.
        let mut messages: Vec<Vec<Vec<UnitId>>> = vec![Vec::new(); variables.len()];
        for at in (0..variables.len()).rev() {
            let own = self.leaves(variables[at], states);
            let states: Vec<UnitId> = (0..states)
                .map(|state| {
                    let below = messages[at].iter().map(|message| message[state]);
                    let factors: Vec<UnitId> = [own[state]].into_iter().chain(below).collect();
                    match factors[..] {
                        [only] => only,
                        _ => self.product(&factors),
                    }
                })
                .collect();
            if at == 0 {
                return self.sum(&states);
            }
            let params: Vec<ParamId> = states
                .iter()
                .map(|_| self.own_simplex(states.len()))
                .collect();
            let message = self.dense(&params, &states, false);
            messages[parents[at]].push(message);
        }
        unreachable!("a tree has a first variable")
    }
}
