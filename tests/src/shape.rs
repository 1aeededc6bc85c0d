//! Large circuits of the shapes that learners and modellers produce.

use crate::dice::Dice;
use crate::sketch::Sketch;
use pelton_compiler::circuit::{
    CategoricalDistribution, CircuitGraph, Domain, Family, ParamKind, ParameterEntry, UnitId,
    ValueSet, VarId,
};
use std::collections::HashMap;

/// A probabilistic sentential decision diagram over `bool` variables. Every
/// decision's primes partition the space of their variables by conditions that
/// no single variable decides. Each place of the vtree has up to `width`
/// partitions of each size, which are shared; 69 variables and a width of 600
/// make 100,000 units, the size of diagrams learned from real data.
pub fn psdd(n_variables: usize, width: usize, seed: u64) -> CircuitGraph {
    let mut sketch = Sketch::new();
    let variables: Vec<VarId> = (0..n_variables)
        .map(|_| sketch.variable(Domain::Bool))
        .collect();
    let mut partitions = Partitions {
        sketch,
        dice: Dice::new(seed),
        kept: HashMap::new(),
        width,
    };
    let cells = partitions.cells(&variables, 8);
    let root = partitions.sketch.even_sum(&cells);
    partitions.sketch.finish(root)
}

struct Partitions {
    sketch: Sketch,
    dice: Dice,
    /// Partitions by first variable, number of variables and number of cells.
    kept: HashMap<(usize, usize, usize), Vec<Vec<UnitId>>>,
    width: usize,
}

impl Partitions {
    /// `n` units with disjoint supports that cover the space of `variables`.
    fn cells(&mut self, variables: &[VarId], n: usize) -> Vec<UnitId> {
        if let [variable] = *variables {
            return self.literals(variable, n);
        }
        let key = (variables[0].index(), variables.len(), n);
        let kept = self.kept.get(&key).map_or(0, Vec::len);
        if kept >= self.width {
            let at = self.dice.below(kept);
            return self.kept[&key][at].clone();
        }
        let cells = self.new_cells(variables, n);
        self.kept.entry(key).or_default().push(cells.clone());
        cells
    }

    fn literals(&mut self, variable: VarId, n: usize) -> Vec<UnitId> {
        let (no, yes) = (
            self.sketch.literal(variable, 0),
            self.sketch.literal(variable, 1),
        );
        match n {
            1 => vec![self.sketch.even_sum(&[no, yes])],
            _ => vec![no, yes],
        }
    }

    /// Primes over the first variables; for each prime a partition of the rest
    /// whose parts are dealt out to the cells.
    fn new_cells(&mut self, variables: &[VarId], n: usize) -> Vec<UnitId> {
        let (left, right) = variables.split_at(variables.len().div_ceil(4));
        let n_primes = 3 + self.dice.below(4);
        let primes = self.cells(left, n_primes);
        let mut elements: Vec<Vec<UnitId>> = vec![Vec::new(); n];
        for prime in primes {
            for sub in self.cells(right, n) {
                let cell = self.dice.below(n);
                elements[cell].push(self.sketch.product(&[prime, sub]));
            }
        }
        elements.retain(|own| !own.is_empty());
        let cells = elements.iter();
        cells.map(|own| self.sketch.even_sum(own)).collect()
    }
}

/// A hidden Markov model over `steps` variables of `values` values with `states` states.
pub fn hmm(steps: usize, states: usize, values: usize) -> CircuitGraph {
    let mut sketch = Sketch::new();
    let domain = Domain::Range {
        low: 0,
        high: values as i64,
    };
    let variables: Vec<VarId> = (0..steps)
        .map(|_| sketch.variable(domain.clone()))
        .collect();
    let mut next: Vec<UnitId> = Vec::new();
    for &variable in variables.iter().rev() {
        let own: Vec<UnitId> = (0..states)
            .map(|_| emission(&mut sketch, variable, values))
            .collect();
        next = if next.is_empty() {
            own
        } else {
            own.into_iter()
                .map(|emit| {
                    let sum = learned_sum(&mut sketch, &next);
                    sketch.product(&[emit, sum])
                })
                .collect()
        };
    }
    let root = learned_sum(&mut sketch, &next);
    sketch.finish(root)
}

fn emission(sketch: &mut Sketch, variable: VarId, values: usize) -> UnitId {
    let entries = vec![ParameterEntry::learned(); values];
    let params = [(ParamKind::Simplex, entries)];
    sketch.distribution(
        variable,
        Family::Categorical(CategoricalDistribution),
        &params,
        None,
    )
}

fn learned_sum(sketch: &mut Sketch, units: &[UnitId]) -> UnitId {
    let terms: Vec<_> = units
        .iter()
        .map(|&unit| (ParameterEntry::learned(), unit))
        .collect();
    sketch.sum(&terms)
}

/// One sum with a child for each value of one variable, in scattered order.
pub fn wide_sum(n: usize) -> CircuitGraph {
    let mut sketch = Sketch::new();
    let domain = Domain::Range {
        low: 0,
        high: n as i64,
    };
    let (variable, other) = (sketch.variable(domain), sketch.variable(Domain::Bool));
    let mut values: Vec<i64> = (0..n as i64).collect();
    Dice::new(0).shuffle(&mut values);
    let coin = [sketch.literal(other, 0), sketch.literal(other, 1)];
    let terms: Vec<UnitId> = values
        .into_iter()
        .map(|value| {
            let own = sketch.literal(variable, value);
            sketch.product(&[own, coin[value as usize % 2]])
        })
        .collect();
    let root = sketch.even_sum(&terms);
    sketch.finish(root)
}

/// Two towers of one-child units on top of leaves that overlap or not.
pub fn towers(height: usize, overlap: bool) -> CircuitGraph {
    let mut sketch = Sketch::new();
    let variable = sketch.variable(Domain::Range { low: 0, high: 8 });
    let other = sketch.variable(Domain::Bool);
    let mut tops = [(0, 3), (if overlap { 2 } else { 3 }, 5)]
        .map(|(low, high)| sketch.indicator(variable, ValueSet::integers(low, high)));
    for level in 0..height {
        let free = sketch.literal(other, 0);
        for top in &mut tops {
            // The other variable comes in once; the rest is bare height.
            *top = match level {
                0 => sketch.product(&[*top, free]),
                _ if level % 2 == 0 => sketch.product(&[*top]),
                _ => sketch.even_sum(&[*top]),
            };
        }
    }
    let root = sketch.even_sum(&tops);
    sketch.finish(root)
}

/// A decomposable circuit without a vtree: the inputs of even and those of odd
/// parity, each by products that split the variables at random.
pub fn unstructured(n_variables: usize, seed: u64) -> CircuitGraph {
    let mut sketch = Sketch::new();
    let variables: Vec<VarId> = (0..n_variables)
        .map(|_| sketch.variable(Domain::Bool))
        .collect();
    let mut dice = Dice::new(seed);
    let sides = [0, 1].map(|parity| parity_unit(&mut sketch, &mut dice, &variables, parity));
    let root = sketch.even_sum(&sides);
    sketch.finish(root)
}

/// A unit that is positive exactly where the values of the variables add up to `parity`.
fn parity_unit(sketch: &mut Sketch, dice: &mut Dice, variables: &[VarId], parity: i64) -> UnitId {
    if let [variable] = *variables {
        return sketch.literal(variable, parity);
    }
    let mut order = variables.to_vec();
    dice.shuffle(&mut order);
    let (left, right) = order.split_at(order.len() / 2);
    let terms = [0, 1].map(|first| {
        let a = parity_unit(sketch, dice, left, first);
        let b = parity_unit(sketch, dice, right, parity ^ first);
        sketch.product(&[a, b])
    });
    sketch.even_sum(&terms)
}
