//! Where parameters are used.

use super::{CircuitGraph, LeafKind, ParamId, ReachableUnits, UnitId};
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
        let mut is_used = vec![false; self.parameters().len()];
        for unit in ReachableUnits::of(self, &[self.root()]).units() {
            for (param, _) in self.params_of(unit) {
                is_used[param.index()] = true;
            }
        }
        is_used
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
            let params = distribution.params.iter().zip(names);
            return params
                .map(|(&param, (name, _))| (param, ParameterRole::Argument(name)))
                .collect();
        }
        let mut params: Vec<ParamId> = Vec::new();
        let mut seen: FxHashSet<ParamId> = FxHashSet::default();
        for weight in self.children(unit).filter_map(|child| child.weight) {
            // Weights of one parameter mostly stand together.
            if params.last() != Some(&weight.param) && seen.insert(weight.param) {
                params.push(weight.param);
            }
        }
        let weights = params
            .into_iter()
            .map(|param| (param, ParameterRole::Weights));
        weights.collect()
    }
}
