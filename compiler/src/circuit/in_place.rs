//! Parameters that were written in place, and what they are called.

use super::{Circuit, LeafKind, ParamId, Reach, Role, UnitId};
use std::collections::HashMap;

/// A parameter without a name of its own, at one of the units that use it.
#[derive(Clone, Debug, PartialEq)]
pub struct InPlace {
    /// Its node and what it is to it: `root.weights`, `comp.species.p`. The second one of
    /// a node that would be called the same has `_2` behind it, and so on.
    pub name: String,
    /// The node that holds it.
    pub node: String,
    /// The unit that uses it.
    pub unit: UnitId,
    /// The parameter.
    pub param: ParamId,
}

impl Circuit {
    /// Parameters without a name at every unit that the root reaches, in the order of units.
    pub fn parameters_in_place(&self) -> Vec<InPlace> {
        let mut found = Vec::new();
        let mut seen: HashMap<String, usize> = HashMap::new();
        for unit in Reach::of(self, &[self.root()]).units() {
            let owner = self.owner(unit);
            let node = owner.map_or("root".to_string(), |owner| self.names().show(owner));
            for (param, role) in self.params_of(unit) {
                if self.parameter(param).name.is_some() {
                    continue;
                }
                let label = match self.leaf_of(unit) {
                    Some(leaf) => {
                        let variable = &self.variable(leaf.variable).name;
                        format!("{node}.{variable}.{}", role.name())
                    }
                    None => format!("{node}.{}", role.name()),
                };
                let n_before = seen.entry(label.clone()).or_insert(0);
                *n_before += 1;
                let name = match *n_before {
                    1 => label,
                    n => format!("{label}_{n}"),
                };
                let node = node.clone();
                found.push(InPlace {
                    name,
                    node,
                    unit,
                    param,
                });
            }
        }
        found
    }

    /// The parameters of a unit, each once, and what they are to it.
    pub fn params_of(&self, unit: UnitId) -> Vec<(ParamId, Role)> {
        if let Some(leaf) = self.leaf_of(unit) {
            let LeafKind::Distribution(distribution) = &leaf.kind else {
                return Vec::new();
            };
            let names = distribution.family.param_names().iter();
            let params = distribution.params.iter().zip(names);
            return params
                .map(|(&param, name)| (param, Role::Argument(name)))
                .collect();
        }
        let mut params: Vec<ParamId> = Vec::new();
        for weight in self.children(unit).filter_map(|child| child.weight) {
            // Weights of one parameter mostly stand together.
            if params.last() != Some(&weight.param) && !params.contains(&weight.param) {
                params.push(weight.param);
            }
        }
        let weights = params.into_iter().map(|param| (param, Role::Weights));
        weights.collect()
    }
}
