//! Other values for what is learned, and learning what was fixed.

use super::{
    CircuitGraph, EdgeIndex, LeafKind, ParamId, ParamKind, ParameterEntry, ParameterValue,
};
use rustc_hash::FxHashMap;

impl CircuitGraph {
    /// The circuit with these values as starts of its learned entries; fixed
    /// entries stay as they are. No proof looks at the start of what is learned,
    /// so whatever is known about the circuit stays true.
    ///
    /// # Panics
    /// If there is not one value for each of [`CircuitGraph::all_entries`].
    #[must_use]
    pub fn with_values(mut self, values: &[ParameterValue]) -> CircuitGraph {
        assert_eq!(values.len(), self.entries.len(), "a value for each entry");
        let learned = self.entries.iter_mut().zip(values);
        for (entry, &value) in learned.filter(|(entry, _)| entry.learned) {
            entry.value = Some(value);
        }
        self
    }

    /// The circuit with its fixed numbers learned, each from its value.
    ///
    /// What supports and totals rest on stays: zeros, a vector whose only
    /// positive entry must be 1, and weights that need not add up to 1. Equal
    /// numbers written in several places are one parameter only as long as they are
    /// fixed, so each place gets a parameter of its own; entries that were there
    /// keep their positions, and units their ids.
    #[must_use]
    pub fn learn_all(mut self) -> CircuitGraph {
        self.untie_fixed();
        for parameter in &self.parameters {
            let entries = &mut self.entries[parameter.entries()];
            if can_learn(parameter.kind, entries) {
                let fixed = entries.iter_mut().filter(|entry| !entry.is_fixed_zero());
                fixed.for_each(|entry| entry.learned = true);
            }
        }
        self
    }

    /// Gives every place but the first of a fixed parameter without a name a copy.
    fn untie_fixed(&mut self) {
        let mut places = ParameterCopies::of(self);
        // Arguments of leaves first, then weights; copies are added behind all entries there
        // are.
        for leaf_idx in 0..self.leaves.len() {
            let LeafKind::Distribution(distribution) = &self.leaves[leaf_idx].kind else {
                continue;
            };
            for (argument_idx, param) in distribution.params.clone().into_iter().enumerate() {
                let place = ParameterSite::Argument(leaf_idx, argument_idx);
                let own = self.own_copy(param, place, &mut places);
                if let LeafKind::Distribution(leaf) = &mut self.leaves[leaf_idx].kind {
                    leaf.params[argument_idx] = own;
                }
            }
        }
        for edge_idx in 0..self.n_edges() {
            let edge = &self.graph.raw_edges()[edge_idx];
            let (sum, Some(mut weight)) = (edge.source().index(), edge.weight.weight) else {
                continue;
            };
            weight.param = self.own_copy(weight.param, ParameterSite::Sum(sum), &mut places);
            self.graph[EdgeIndex::new(edge_idx)].weight = Some(weight);
        }
    }

    /// The parameter that a place has of its own instead of `param`.
    fn own_copy(
        &mut self,
        param: ParamId,
        place: ParameterSite,
        places: &mut ParameterCopies,
    ) -> ParamId {
        if !places.is_untied[param.index()] {
            return param;
        }
        // The first place keeps the parameter, every other one gets a copy.
        let first = *places.first.entry(param).or_insert(place);
        if first == place {
            return param;
        }
        *places.copies.entry((param, place)).or_insert_with(|| {
            let mut parameter = self.parameter(param).clone();
            let first_entry = u32::try_from(self.entries.len()).expect("below 2^32 entries");
            self.entries.extend_from_within(parameter.entries());
            parameter.first_entry = first_entry;
            self.parameters.push(parameter);
            ParamId::new(self.parameters.len() - 1)
        })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum ParameterSite {
    /// As the weights of a sum, by its position.
    Sum(usize),
    /// As an argument of a leaf, by the positions of both.
    Argument(usize, usize),
}

struct ParameterCopies {
    /// Whether places of a parameter get copies. It is decided once for each parameter: a
    /// sum asks for each of its edges, and looking at all weights again would be quadratic.
    is_untied: Vec<bool>,
    first: FxHashMap<ParamId, ParameterSite>,
    copies: FxHashMap<(ParamId, ParameterSite), ParamId>,
}

impl ParameterCopies {
    fn of(circuit: &CircuitGraph) -> ParameterCopies {
        let parameters = circuit.parameters.iter();
        let is_untied = parameters.map(|parameter| {
            let entries = &circuit.entries[parameter.entries()];
            let is_fixed = || entries.iter().all(|entry| !entry.learned);
            parameter.name.is_none() && is_fixed() && can_learn(parameter.kind, entries)
        });
        ParameterCopies {
            is_untied: is_untied.collect(),
            first: FxHashMap::default(),
            copies: FxHashMap::default(),
        }
    }
}

/// Whether the fixed entries of a vector may change without changing supports or totals.
fn can_learn(kind: ParamKind, entries: &[ParameterEntry]) -> bool {
    // A single positive entry of a vector that adds up to 1 has to stay 1.
    let n_positive = entries
        .iter()
        .filter(|entry| !entry.is_fixed_zero())
        .count();
    match kind {
        ParamKind::Simplex | ParamKind::Unit => n_positive > 1,
        ParamKind::Positive | ParamKind::Real => true,
        ParamKind::Weights => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::Checked;
    use crate::circuit::Property;
    use crate::load::{FileLoader, SourceInput};
    use crate::{AnalysisOptions, analyze};

    fn read(text: &str) -> Checked {
        let input = SourceInput {
            name: "test".into(),
            path: None,
            bytes: text.as_bytes().to_vec(),
        };
        let options = AnalysisOptions {
            decide: Property::ALL.to_vec(),
            ..AnalysisOptions::default()
        };
        let analysis = analyze(input, &FileLoader, &options);
        let found = format!("{:?}", analysis.found);
        analysis.into_checked().unwrap_or_else(|| panic!("{found}"))
    }

    fn learned(checked: &Checked) -> Vec<bool> {
        let entries = checked.circuit().all_entries().iter();
        entries.map(|entry| entry.learned).collect()
    }

    #[test]
    fn learned_entries_take_values_and_fixed_ones_keep_theirs() {
        let checked = read("var x : 0..3; root x ~ categorical(0.5, ?, ?0.1);");
        let values = [0.7, 0.2, 0.3].map(ParameterValue::Linear);
        let checked = checked.with_values(&values);
        let expected = [0.5, 0.2, 0.3].map(ParameterValue::Linear);
        assert_eq!(checked.circuit().start_values(), expected);
        assert_eq!(learned(&checked), [false, true, true]);
    }

    #[test]
    #[should_panic(expected = "a value for each entry")]
    fn a_wrong_number_of_values_is_a_bug_of_the_caller() {
        let _ = read("var x : bool; root x ~ bernoulli(?);")
            .with_values(&[ParameterValue::Linear(1.0)]);
    }

    #[test]
    fn supports_stay_when_all_is_learned() {
        let checked = read(
            "var x : 0..3; var y : bool; var z : real;
             root 1: (x ~ categorical(0.5, 0, 0.5) * y ~ bernoulli(1) * z ~ normal(0, 2));",
        );
        let all = checked.learn_all();
        let circuit = all.circuit();
        let is_learned = |text: &str| {
            let entries = circuit.all_entries().iter();
            let shown =
                entries.map(|entry| (entry.learned, entry.value.map(ParameterValue::linear)));
            format!("{:?}", shown.collect::<Vec<_>>()).contains(text)
        };
        assert!(is_learned(
            "(true, Some(0.5)), (false, Some(0.0)), (true, Some(0.5))"
        ));
        assert!(is_learned("(false, Some(0.0)), (false, Some(1.0))"));
        assert!(is_learned("(true, Some(2.0))"));
        assert_eq!(circuit.start_values().len(), learned(&all).len());
    }

    #[test]
    fn equal_fixed_numbers_are_learned_apart() {
        let checked = read(
            "var a, b : bool; var r : real;
             node left = 0.5: a + 0.5: !a;
             node right = 0.5: b + 0.5: !b;
             root left * right * r ~ gamma(2, 2);",
        );
        let before = checked.circuit().clone();
        let all = checked.learn_all();
        let circuit = all.circuit();
        assert_eq!(before.parameters().len() + 2, circuit.parameters().len());
        let weights = |name: &str| {
            let mut sums = circuit.sums();
            let is_it = |&unit: &_| {
                circuit
                    .name(unit)
                    .is_some_and(|id| circuit.names().show(id) == name)
            };
            let sum = sums.find(is_it).unwrap();
            circuit.child(sum, 0).weight.unwrap().param
        };
        assert_ne!(weights("left"), weights("right"));
        assert_eq!(circuit.n_units(), before.n_units());
        assert!(all.facts().is_proven(Property::Deterministic));
        assert!(learned(&all).iter().all(|&learned| learned));
    }

    #[test]
    fn declared_parameters_stay_tied_and_loose_weights_fixed() {
        let checked = read(
            "var a, b, c : bool;
             param w : simplex(2) = [0.25, 0.75];
             root (w[0]: a + w[1]: !a) * (w[0]: b + w[1]: !b) * (1: c + 1: !c);",
        );
        let all = checked.learn_all();
        assert_eq!(learned(&all), [true, true, false, false]);
    }
}
