//! Small circuits of anything.

use super::draft::Draft;
use pelton_compiler::circuit::{UnitId, VarId};

/// Sums of sums end here.
const DEEPEST: usize = 4;

impl Draft {
    pub fn soup(&mut self) -> UnitId {
        let n = 1 + self.dice.below(6);
        let variables = self.variables(n);
        let mentioned = if n > 1 && self.dice.chance(5) {
            self.count("unused variable");
            &variables[1..]
        } else {
            &variables[..]
        };
        self.unit(mentioned, 0)
    }

    /// A unit over `variables`.
    fn unit(&mut self, variables: &[VarId], depth: usize) -> UnitId {
        let old = self.pool.get(variables).cloned().unwrap_or_default();
        if !old.is_empty() && self.dice.chance(25) {
            self.count("shared unit");
            return self.dice.pick(&old);
        }
        let unit = match (variables, self.dice.below(10)) {
            (_, 0..=3) if depth < DEEPEST => self.sum_over(variables, depth),
            ([variable], _) => self.leaf(*variable),
            _ => self.split(variables, depth),
        };
        self.pool.entry(variables.to_vec()).or_default().push(unit);
        unit
    }

    fn sum_over(&mut self, variables: &[VarId], depth: usize) -> UnitId {
        let n = 1 + self.dice.below(5);
        let units: Vec<UnitId> = (0..n).map(|_| self.unit(variables, depth + 1)).collect();
        self.sum(&units)
    }

    fn split(&mut self, variables: &[VarId], depth: usize) -> UnitId {
        let mut order = variables.to_vec();
        self.dice.shuffle(&mut order);
        let n_parts = match order.len() {
            2 => 2,
            _ => 2 + self.dice.below(2),
        };
        let mut parts: Vec<Vec<VarId>> = vec![Vec::new(); n_parts];
        for (at, variable) in order.into_iter().enumerate() {
            parts[at % n_parts].push(variable);
        }
        let mut factors: Vec<UnitId> = Vec::new();
        for part in &mut parts {
            part.sort_unstable();
            factors.push(self.unit(part, depth));
        }
        if self.dice.chance(3) {
            let one = self.product(&[]);
            factors.push(one);
        }
        let product = self.product(&factors);
        if self.dice.chance(3) {
            self.product(&[product])
        } else {
            product
        }
    }
}
