//! Where parameters are used, and what for.

use super::{CircuitGraph, LeafKind, ParamId, ParameterEntry, ReachableUnits, UnitId, UnitKind};
use rustc_hash::FxHashSet;

/// The first unit that uses a parameter, and what for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParameterUsage {
    /// The unit.
    pub unit: UnitId,
    /// What the parameter is to it.
    pub role: ParameterRole,
}

/// What a parameter is to a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ParameterRole {
    /// Weights of a sum.
    Weights,
    /// The argument of a distribution that has this name, such as `mean`.
    Argument(&'static str),
}

impl ParameterRole {
    /// `weights`, or the name of the argument.
    pub fn name(self) -> &'static str {
        match self {
            ParameterRole::Weights => "weights",
            ParameterRole::Argument(name) => name,
        }
    }
}

impl CircuitGraph {
    /// For each parameter, whether a unit that the root reaches uses it.
    pub fn used_parameters(&self) -> Vec<bool> {
        self.parameters_of(ReachableUnits::of(self, &[self.root()]).marked())
    }

    /// For each parameter, whether one of the units marked, by index, uses it.
    pub(crate) fn parameters_of(&self, marked: &[bool]) -> Vec<bool> {
        let mut is_used = vec![false; self.parameters().len()];
        for unit in self.units().filter(|unit| marked[unit.index()]) {
            for (param, _) in self.params_of(unit) {
                is_used[param.index()] = true;
            }
        }
        is_used
    }

    /// Whether the circuit says which inputs are models and nothing else: all leaves are
    /// indicators, and all weights are 1 for ever.
    ///
    /// Its value is a number of models, 1 or 0 where all variables are observed. Linear in
    /// edges.
    pub fn is_counting(&self) -> bool {
        let is_one =
            |entry: ParameterEntry| entry.fixed_value().is_some_and(|value| value.log() == 0.0);
        let reach = ReachableUnits::of(self, &[self.root()]);
        reach.units().all(|unit| match self.kind(unit) {
            UnitKind::Product => true,
            UnitKind::Input(leaf) => matches!(self.leaf(leaf).kind, LeafKind::Indicator(_)),
            UnitKind::Sum => self
                .terms(unit)
                .all(|(_, weight)| is_one(self.entry(weight))),
        })
    }

    /// The first use of every parameter; none for one that no unit uses. Linear in edges.
    pub fn usages(&self) -> Vec<Option<ParameterUsage>> {
        let mut usages = vec![None; self.parameters().len()];
        for unit in self.units() {
            for (param, role) in self.params_of(unit) {
                usages[param.index()].get_or_insert(ParameterUsage { unit, role });
            }
        }
        usages
    }

    /// The parameters of a unit, each once, and what they are to it.
    pub fn params_of(&self, unit: UnitId) -> Vec<(ParamId, ParameterRole)> {
        if let Some(leaf) = self.leaf_of(unit) {
            let LeafKind::Distribution(distribution) = &leaf.kind else {
                return Vec::new();
            };
            let names = distribution.family.description().parameters();
            let roles = names.map(|(name, _)| ParameterRole::Argument(name));
            return distribution.params.iter().copied().zip(roles).collect();
        }
        let mut params: Vec<ParamId> = Vec::new();
        let mut seen: FxHashSet<ParamId> = FxHashSet::default();
        for weight in self.children(unit).filter_map(|child| child.weight) {
            // Weights of one parameter mostly stand together.
            if params.last() != Some(&weight.param) && seen.insert(weight.param) {
                params.push(weight.param);
            }
        }
        params
            .into_iter()
            .map(|param| (param, ParameterRole::Weights))
            .collect()
    }
}
