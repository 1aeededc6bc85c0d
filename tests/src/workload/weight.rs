//! Random parameters of sums and categorical leaves.

use super::draft::Draft;
use pelton_compiler::circuit::{ParamId, ParamKind, ParameterEntry, ParameterValue, Weight};

impl Draft {
    /// Weights for the children of one sum.
    pub fn weights(&mut self, n: usize) -> Vec<Weight> {
        let at = |param, index: usize| Weight {
            param,
            index: index as u32,
        };
        match self.dice.below(12) {
            0 => {
                self.count("unnormalised weights");
                let entries: Vec<ParameterEntry> = (0..n).map(|_| self.loose_entry()).collect();
                let param = self.sketch.parameter(ParamKind::Weights, &entries);
                (0..n).map(|index| at(param, index)).collect()
            }
            1 if n > 1 => {
                self.count("weights of several parameters");
                let params = [self.simplex(n), self.simplex(n)];
                let pick = |index| at(params[index % 2], index);
                (0..n).map(pick).collect()
            }
            2 if n > 1 => {
                self.count("one weight on several edges");
                let param = self.simplex(n);
                (0..n).map(|index| at(param, index / 2)).collect()
            }
            _ => {
                let param = self.simplex(n);
                (0..n).map(|index| at(param, index)).collect()
            }
        }
    }

    /// A simplex of `n` entries, new or tied to an earlier one.
    pub fn simplex(&mut self, n: usize) -> ParamId {
        let old = self.simplexes.get(&n).cloned().unwrap_or_default();
        if !old.is_empty() && self.dice.chance(25) {
            self.count("tied parameter");
            return self.dice.pick(&old);
        }
        let param = self.own_simplex(n);
        self.simplexes.entry(n).or_default().push(param);
        param
    }

    /// A simplex of `n` entries that nothing else uses yet.
    pub fn own_simplex(&mut self, n: usize) -> ParamId {
        let entries = match self.dice.below(6) {
            0 => {
                self.count("learned without a start");
                vec![ParameterEntry::learned(); n]
            }
            1 | 2 => self.entries(n, true),
            _ => self.entries(n, false),
        };
        self.sketch.parameter(ParamKind::Simplex, &entries)
    }

    fn entries(&mut self, n: usize, learned: bool) -> Vec<ParameterEntry> {
        self.count(if learned {
            "learned start"
        } else {
            "fixed weights"
        });
        let mut raw: Vec<f64> = (0..n).map(|_| 0.02 + self.dice.fraction()).collect();
        // The first entry stays, so that something is left.
        if n > 1 && self.dice.chance(15) {
            self.count("exact zero");
            raw[1 + self.dice.below(n - 1)] = 0.0;
        }
        let total: f64 = raw.iter().sum();
        let mut entries: Vec<ParameterEntry> = raw
            .iter()
            .map(|number| ParameterEntry {
                value: Some(ParameterValue::Linear(number / total)),
                learned,
            })
            .collect();
        if n > 1 && self.has_tiny && self.dice.chance(20) {
            let at = 1 + self.dice.below(n - 1);
            // The first entry takes over what another one loses.
            entries[0].value = Some(ParameterValue::Linear((raw[0] + raw[at]) / total));
            entries[at].value = Some(self.tiny_value());
        }
        if learned && self.dice.chance(20) {
            self.count("fixed beside learned");
            entries[0].learned = false;
        }
        entries
    }

    /// A weight far below the others.
    pub fn tiny_value(&mut self) -> ParameterValue {
        if self.dice.chance(50) {
            self.count("weight 1e-30");
            ParameterValue::Linear(1e-30)
        } else {
            self.count("weight exp(-1000)");
            ParameterValue::Log(-1000.0)
        }
    }

    fn loose_entry(&mut self) -> ParameterEntry {
        match self.dice.below(3) {
            0 => ParameterEntry::fixed(1.0),
            _ => ParameterEntry::fixed(0.1 + 5.0 * self.dice.fraction()),
        }
    }
}
