//! Entropies of units.

use super::flat_circuit::{FlatCircuit, FlatUnitKind, params_of};
use super::leaf::LeafPlan;
use super::simplex::entropy_terms;
use crate::model::Model;
use pelton_compiler::circuit::{CircuitGraph, LeafId, ParamKind, ParameterValue, Property};
use pelton_compiler::leaf;

/// The entropy of a circuit in nats: that of the observed variables and of the
/// choices that sums make, together. In a deterministic circuit the variables
/// decide all choices, and it is the entropy of the distribution.
///
/// `values` holds what [`Model::parameters`] takes. None if the circuit is not
/// normalized, which leaves it without an entropy.
pub fn entropy(model: &Model, values: &[ParameterValue]) -> Option<f64> {
    let all = unit_entropies(model, values)?;
    all[model.circuit().root().index()]
}

/// The entropy of every unit that the root reaches, by index in the model's circuit.
///
/// A product's is the sum of its children's; a sum's is the mean of its children's and
/// the entropy of the choice between them. None under the conditions of [`entropy`].
pub fn unit_entropies(model: &Model, values: &[ParameterValue]) -> Option<Vec<Option<f64>>> {
    let circuit = model.circuit();
    if !model.facts().is_proven(Property::Normalized) {
        return None;
    }
    // What optimisation added has values too.
    let parameters = model.parameters(values.to_vec());
    let values = parameters.values();
    let flat = FlatCircuit::new(circuit, &LeafPlan::new(circuit));
    let theta: Vec<f64> = values.iter().map(|value| value.linear()).collect();
    let mut entropies = UnitEntropies::new(&flat, circuit);
    entropies.update(&flat, circuit, values, &theta);
    let mut all = vec![None; circuit.n_units()];
    for (unit, entropy) in flat.ids.iter().zip(entropies.of_units) {
        all[unit.index()] = Some(entropy);
    }
    Some(all)
}

/// The entropies of all units for given parameters.
#[derive(Debug)]
pub(super) struct UnitEntropies {
    /// By position in the flat circuit.
    pub of_units: Vec<f64>,
    /// `-theta * log theta` of each entry.
    terms: Vec<f64>,
    /// Entropies of leaves that are no tables, by leaf index, with the values that
    /// they were computed for: some of them take a while.
    leaves: Vec<Option<(Vec<ParameterValue>, f64)>>,
}

impl UnitEntropies {
    pub fn new(flat: &FlatCircuit, circuit: &CircuitGraph) -> Self {
        UnitEntropies {
            of_units: vec![0.0; flat.units.len()],
            terms: vec![0.0; circuit.all_entries().len()],
            leaves: vec![None; circuit.leaves().len()],
        }
    }

    /// Computes all of them, children before parents; `theta` are the values as
    /// plain numbers.
    pub fn update(
        &mut self,
        flat: &FlatCircuit,
        circuit: &CircuitGraph,
        values: &[ParameterValue],
        theta: &[f64],
    ) {
        entropy_terms(theta, &mut self.terms);
        for (at, unit) in flat.units.iter().enumerate() {
            let children = &flat.children[unit.edges()];
            self.of_units[at] = match unit.kind {
                // Children of a product are independent, so that their entropies add up.
                FlatUnitKind::Product => {
                    let entropies = children.iter().map(|&child| self.of_units[child as usize]);
                    entropies.sum()
                }
                // The mean of what is chosen, and the entropy of the choice.
                FlatUnitKind::Sum(_) => {
                    let edges = children.iter().zip(&flat.entries[unit.edges()]);
                    let term = |(&child, &entry): (&u32, &u32)| {
                        let chosen = theta[entry as usize] * self.of_units[child as usize];
                        self.terms[entry as usize] + chosen
                    };
                    edges.map(term).sum()
                }
                // The same; what a bin gains is the logarithm of its width.
                FlatUnitKind::Table(leaf, param) => {
                    let entries = circuit.parameter(param).entries();
                    let chosen = entries.clone().zip(&flat.gains[leaf.index()]);
                    let chosen = chosen.map(|(entry, gain)| theta[entry] * gain);
                    chosen.sum::<f64>() + self.terms[entries].iter().sum::<f64>()
                }
                FlatUnitKind::Leaf(leaf) => self.leaf(circuit, values, leaf),
            };
        }
    }

    fn leaf(&mut self, circuit: &CircuitGraph, values: &[ParameterValue], id: LeafId) -> f64 {
        let params = params_of(circuit, id).iter();
        let entries = params.flat_map(|&param| circuit.parameter(param).entries());
        let own: Vec<ParameterValue> = entries.map(|entry| values[entry]).collect();
        if let Some((known, entropy)) = &self.leaves[id.index()]
            && *known == own
        {
            return *entropy;
        }
        let entropy = leaf::entropy(circuit, values, circuit.leaf(id));
        self.leaves[id.index()] = Some((own, entropy));
        entropy
    }
}

/// Why a circuit has no entropy that could be regularized, if it has none: sums
/// whose weights do not stay a distribution while they are learned.
pub(super) fn obstacle(flat: &FlatCircuit, circuit: &CircuitGraph) -> Option<String> {
    let learned = |&entry: &u32| circuit.all_entries()[entry as usize].learned;
    let unit = flat.units.iter().find(|unit| {
        let entries = &flat.entries[unit.edges()];
        let is_mixed = unit.kind == FlatUnitKind::Sum(None);
        is_mixed && entries.iter().any(learned) && !covers_a_vector(flat, circuit, entries)
    })?;
    let entry = flat.entries[unit.edges().start];
    let param = flat.param_of[entry as usize] as usize;
    let name = circuit.parameters()[param].name;
    let whose = name.map_or(String::new(), |name| {
        format!(" (`{}` is one of its weights)", circuit.names().show(name))
    });
    Some(format!(
        "a sum{whose} is not weighed by all entries of one parameter"
    ))
}

/// Whether the entries are all of one vector, each once, in any order.
fn covers_a_vector(flat: &FlatCircuit, circuit: &CircuitGraph, entries: &[u32]) -> bool {
    let param = flat.param_of[entries[0] as usize] as usize;
    let parameter = &circuit.parameters()[param];
    let mut sorted = entries.to_vec();
    sorted.sort_unstable();
    let sorted = sorted.into_iter().map(|entry| entry as usize);
    parameter.kind != ParamKind::Weights && sorted.eq(parameter.entries())
}
