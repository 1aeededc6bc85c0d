//! Circuits of extreme width, depth and range.

use super::draft::Draft;
use pelton_compiler::circuit::{
    Domain, Family, NormalDistribution, ParamKind, ParameterEntry, ParameterValue, UnitId, Weight,
};

impl Draft {
    /// A sum of more than 500 children.
    pub fn wide(&mut self) -> UnitId {
        self.count("sum of 500 children");
        let variables = self.variables(2);
        let n = 500 + self.dice.below(200);
        let terms: Vec<UnitId> = (0..n)
            .map(|_| {
                let factors = [self.leaf(variables[0]), self.leaf(variables[1])];
                self.sketch.product(&factors)
            })
            .collect();
        let param = self.own_simplex(n);
        let weights: Vec<Weight> = (0..n as u32).map(|index| Weight { param, index }).collect();
        self.weighted(&weights, &terms)
    }

    /// More than 1,000 levels: a tower over two variables, or a long chain.
    pub fn deep(&mut self) -> UnitId {
        self.count("depth of 1,000");
        if self.dice.chance(50) {
            let steps = 600 + self.dice.below(300);
            return self.hidden_chain(steps, 2);
        }
        let variables = self.variables(2);
        let mut top = {
            let factors = [self.leaf(variables[0]), self.leaf(variables[1])];
            self.product(&factors)
        };
        for level in 0..1_200 {
            top = match level % 3 {
                0 => {
                    let aside = [self.leaf(variables[0]), self.leaf(variables[1])];
                    let aside = self.sketch.product(&aside);
                    // Mostly downwards, so that what lies at the bottom counts.
                    let terms = [
                        (ParameterEntry::fixed(0.99), top),
                        (ParameterEntry::fixed(0.01), aside),
                    ];
                    self.sketch.sum(&terms)
                }
                1 => self.sketch.product(&[top]),
                _ => self.sketch.even_sum(&[top]),
            };
        }
        top
    }

    /// Probabilities beyond the range of single or double precision.
    pub fn tiny(&mut self) -> UnitId {
        self.count("tiny probabilities");
        let n = 20 + self.dice.below(40);
        let variables = self.bools(n);
        let other = self.sketch.variable(Domain::Real);
        let mut factors: Vec<UnitId> = Vec::new();
        for variable in variables {
            let (no, yes) = (
                self.sketch.literal(variable, 0),
                self.sketch.literal(variable, 1),
            );
            let value = self.tiny_value();
            let rare = ParameterEntry {
                value: Some(value),
                learned: self.dice.chance(50),
            };
            let rest = ParameterEntry {
                value: Some(ParameterValue::Linear(1.0)),
                learned: false,
            };
            let mut terms = [(rare, yes), (rest, no)];
            if self.dice.chance(30) {
                terms.swap(0, 1);
            }
            let unit = self.sketch.sum(&terms);
            factors.push(unit);
        }
        let params = [
            (ParamKind::Real, vec![ParameterEntry::fixed(0.0)]),
            (ParamKind::Positive, vec![ParameterEntry::fixed(0.01)]),
        ];
        let narrow =
            self.sketch
                .distribution(other, Family::Normal(NormalDistribution), &params, None);
        factors.push(narrow);
        // In pairs, and of those pairs again, with a choice at every level.
        while factors.len() > 1 {
            let pairs: Vec<Vec<UnitId>> = factors.chunks(2).map(<[_]>::to_vec).collect();
            factors = pairs.iter().map(|pair| self.product(pair)).collect();
            let last = factors.len() - 1;
            let param = self.own_simplex(1);
            factors[last] = self.weighted(&[Weight { param, index: 0 }], &factors[last..]);
        }
        factors[0]
    }
}
