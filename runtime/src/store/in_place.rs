//! Parameters that were written in place, and what they are called.

use super::layout::{TensorBlock, layout_of_all, of_owner};
use pelton_compiler::circuit::{CircuitGraph, ParamId, ParameterUsage, ReachableUnits, UnitId};
use std::collections::HashMap;

/// A parameter without a name of its own, at one of the units that use it.
#[derive(Clone, Debug, PartialEq)]
pub struct InPlaceParameter {
    /// Its node and what it is to it: `root.weights`, `comp[1].species.p`. Without what stands
    /// in brackets it is the name of the tensor that holds it in model files, with its number
    /// (`root.weights_2`); `[1]` at its end is the second of several from one place.
    pub name: String,
    /// The same without number and end, where that means nothing else.
    pub plain: Option<String>,
    /// The node that holds it.
    pub node: String,
    /// The unit that uses it.
    pub unit: UnitId,
    /// The parameter.
    pub param: ParamId,
}

/// Parameters without a name at every unit that the root reaches, in the order of units.
pub fn parameters_in_place(circuit: &CircuitGraph) -> Vec<InPlaceParameter> {
    let names = InPlaceNames::of(circuit);
    let mut found = Vec::new();
    for unit in ReachableUnits::of(circuit, &[circuit.root()]).units() {
        for (param, _) in circuit.params_of(unit) {
            let Some((name, plain)) = names.of_param[param.index()].clone() else {
                continue;
            };
            let is_clear = names.n_plain[&plain] == 1;
            found.push(InPlaceParameter {
                name,
                plain: Some(plain).filter(|_| is_clear),
                node: node(circuit, unit),
                unit,
                param,
            });
        }
    }
    found
}

#[derive(Default)]
struct InPlaceNames {
    /// For each parameter without a name of its own, what it is called, numbered and not.
    of_param: Vec<Option<(String, String)>>,
    /// How many are called the same before they are numbered.
    n_plain: HashMap<String, usize>,
}

impl InPlaceNames {
    fn of(circuit: &CircuitGraph) -> Self {
        let mut names = InPlaceNames {
            of_param: vec![None; circuit.parameters().len()],
            ..InPlaceNames::default()
        };
        let usages = circuit.usages();
        for block in layout_of_all(circuit) {
            names.add(circuit, &usages, &block);
        }
        names
    }

    fn add(
        &mut self,
        circuit: &CircuitGraph,
        usages: &[Option<ParameterUsage>],
        block: &TensorBlock,
    ) {
        let label = |usage: ParameterUsage| {
            let node = node(circuit, usage.unit);
            of_owner(circuit, usage, &node, |variable| variable)
        };
        let own = |&param: &ParamId| match circuit.parameter(param).name {
            Some(_) => None,
            None => Some((param, label(usages[param.index()]?))),
        };
        let members: Vec<(ParamId, String)> = block.params.iter().filter_map(own).collect();
        let mut n_alike: HashMap<&str, (usize, usize)> = HashMap::new();
        for (_, plain) in &members {
            n_alike.entry(plain).or_default().0 += 1;
        }
        for (param, plain) in &members {
            let numbered = block.name.replacen(&block.stem, plain, 1);
            let (n, at) = n_alike.entry(plain).or_default();
            let name = match *n {
                1 => numbered,
                _ => format!("{numbered}[{at}]"),
            };
            *at += 1;
            *self.n_plain.entry(plain.clone()).or_default() += 1;
            self.of_param[param.index()] = Some((name, plain.clone()));
        }
    }
}

fn node(circuit: &CircuitGraph, unit: UnitId) -> String {
    let owner = circuit.owner(unit);
    owner.map_or("root".to_string(), |owner| circuit.names().show(owner))
}
