//! Circuits that count.

use super::{CircuitGraph, LeafKind, ReachableUnits, UnitKind};

impl CircuitGraph {
    /// Whether the circuit says which inputs are models and nothing else: all leaves are
    /// indicators, and all weights are 1 for ever.
    ///
    /// Its value is a number of models, 1 or 0 where all variables are observed. Linear in
    /// edges.
    pub fn is_counting(&self) -> bool {
        let reach = ReachableUnits::of(self, &[self.root()]);
        let mut reached = self.units().filter(|&unit| reach.contains(unit));
        reached.all(|unit| match self.kind(unit) {
            UnitKind::Product => true,
            UnitKind::Input(leaf) => matches!(self.leaf(leaf).kind, LeafKind::Indicator(_)),
            UnitKind::Sum => self.children(unit).all(|child| {
                let entry = child.weight.map(|weight| self.entry(weight));
                entry.is_some_and(|entry| {
                    !entry.learned && entry.value.is_some_and(|value| value.log() == 0.0)
                })
            }),
        })
    }
}
