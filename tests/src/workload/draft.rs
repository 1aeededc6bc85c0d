//! A circuit under construction, with its dice and counts.

use super::Features;
use crate::dice::Dice;
use crate::sketch::Sketch;
use pelton_compiler::circuit::{CircuitGraph, Domain, ParamId, UnitId, VarId, Weight};
use std::collections::HashMap;

pub(super) struct Draft {
    pub sketch: Sketch,
    pub dice: Dice,
    pub features: Features,
    /// Whether weights may be tiny. Kernels that cannot hold one leave the whole
    /// circuit to the reference, so few circuits have them.
    pub has_tiny: bool,
    /// Parameters made before by their number of entries, to be tied.
    pub simplexes: HashMap<usize, Vec<ParamId>>,
    /// Units made before by their variables, to be shared.
    pub pool: HashMap<Vec<VarId>, Vec<UnitId>>,
}

impl Draft {
    pub fn new(mut dice: Dice) -> Self {
        Draft {
            sketch: Sketch::new(),
            has_tiny: dice.chance(12),
            dice,
            features: Features::new(),
            simplexes: HashMap::new(),
            pool: HashMap::new(),
        }
    }

    pub fn finish(self, root: UnitId) -> (CircuitGraph, Features, Dice) {
        (self.sketch.finish(root), self.features, self.dice)
    }

    pub fn count(&mut self, feature: &'static str) {
        *self.features.entry(feature).or_default() += 1;
    }

    pub fn variables(&mut self, n: usize) -> Vec<VarId> {
        (0..n)
            .map(|_| {
                let domain = self.domain();
                self.sketch.variable(domain)
            })
            .collect()
    }

    pub fn bools(&mut self, n: usize) -> Vec<VarId> {
        (0..n).map(|_| self.sketch.variable(Domain::Bool)).collect()
    }

    fn domain(&mut self) -> Domain {
        match self.dice.below(20) {
            0..=6 => Domain::Bool,
            7 | 8 => {
                let n = 2 + self.dice.below(7);
                Domain::Categories((0..n).map(|at| format!("c{at}")).collect())
            }
            9 | 10 => self.range(1, 8),
            11 | 12 => self.range(9, 40),
            13 => self.range(200, 200),
            14 if self.dice.chance(10) => {
                self.count("domain beyond tables");
                self.range((1 << 16) + 1, 50)
            }
            14 => Domain::Bool,
            15 | 16 => Domain::Nat,
            _ => Domain::Real,
        }
    }

    fn range(&mut self, least: usize, spread: usize) -> Domain {
        let size = least + self.dice.below(spread);
        match size {
            9.. => self.count("domain of a table"),
            _ => self.count("small range"),
        }
        // Half of the ranges begin at 0, where counts fit.
        let low = if self.dice.chance(50) {
            0
        } else {
            self.dice.below(9) as i64 - 6
        };
        Domain::Range {
            low,
            high: low + size as i64,
        }
    }

    /// A product; its only factor or none at all are products too.
    pub fn product(&mut self, factors: &[UnitId]) -> UnitId {
        match factors.len() {
            0 => self.count("empty product"),
            1 => self.count("one-factor product"),
            2 => self.count("product of two"),
            _ => self.count("product of more"),
        }
        self.sketch.product(factors)
    }

    /// A sum with weights of any kind.
    pub fn sum(&mut self, units: &[UnitId]) -> UnitId {
        if units.len() == 1 {
            self.count("one-child sum");
        }
        let weights = self.weights(units.len());
        self.weighted(&weights, units)
    }

    pub fn weighted(&mut self, weights: &[Weight], units: &[UnitId]) -> UnitId {
        let terms = weights.iter().copied().zip(units.iter().copied());
        self.sketch.tied_sum(&terms.collect::<Vec<_>>())
    }
}
