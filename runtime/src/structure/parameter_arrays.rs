//! Parameters by the names they were declared with.

use pelton_compiler::circuit::{CircuitGraph, ParameterValue};
use std::collections::BTreeMap;

/// The values of declared parameters, all members of an array in a row.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct ParameterArrays(BTreeMap<String, Vec<ParameterValue>>);

impl ParameterArrays {
    /// The parameters of a circuit with these values.
    pub fn of(circuit: &CircuitGraph, values: &[ParameterValue]) -> Self {
        let mut families = ParameterArrays::default();
        for (name, entries) in named(circuit) {
            let family = families.0.entry(name.to_string()).or_default();
            family.extend_from_slice(&values[entries]);
        }
        families
    }

    /// A value for each entry of a circuit: that of its family's member, and the
    /// circuit's own start where there is none.
    pub fn values(&self, circuit: &CircuitGraph) -> Vec<ParameterValue> {
        let mut values = circuit.start_values();
        let mut taken: BTreeMap<&str, usize> = BTreeMap::new();
        for (name, entries) in named(circuit) {
            let Some(family) = self.0.get(name) else {
                continue;
            };
            let first = taken.entry(name).or_default();
            let own = family.iter().skip(*first);
            *first += entries.len();
            for (value, &own) in values[entries].iter_mut().zip(own) {
                *value = own;
            }
        }
        values
    }

    pub fn get(&self, name: &str) -> Option<&[ParameterValue]> {
        self.0.get(name).map(Vec::as_slice)
    }

    pub fn insert(&mut self, name: String, values: Vec<ParameterValue>) {
        self.0.insert(name, values);
    }

    /// The families of one tree, with the number of another in their names.
    pub fn renumbered(
        &self,
        from: usize,
        to: usize,
    ) -> impl Iterator<Item = (String, Vec<ParameterValue>)> {
        let from = from.to_string();
        self.0.iter().filter_map(move |(name, values)| {
            let (stem, number, end) = numbered(name)?;
            let is_own = number == from;
            is_own.then(|| (format!("{stem}{to}{end}"), values.clone()))
        })
    }
}

/// Declared parameters and where their entries are, in the order of declaration. What
/// a name without a number was given because a variable has it already is left out.
fn named(circuit: &CircuitGraph) -> impl Iterator<Item = (&str, std::ops::Range<usize>)> {
    let parameters = circuit.parameters().iter();
    parameters.filter_map(|parameter| {
        let name = circuit.names().base(parameter.name?);
        let name = match numbered(name) {
            Some(_) => name,
            None => name.trim_end_matches('_'),
        };
        Some((name, parameter.entries()))
    })
}

/// `p`, `12`, `_rain` of `p12_rain`.
fn numbered(name: &str) -> Option<(&str, &str, &str)> {
    let first = name.find(|c: char| c.is_ascii_digit())?;
    let (stem, rest) = name.split_at(first);
    let end = rest.find(|c: char| !c.is_ascii_digit());
    let (number, end) = rest.split_at(end.unwrap_or(rest.len()));
    Some((stem, number, end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_cut_around_the_number_of_a_tree() {
        for (name, parts) in [
            ("p1", Some(("p", "1", ""))),
            ("to12_rain", Some(("to", "12", "_rain"))),
            ("p_tree3_to2_x", Some(("p_tree", "3", "_to2_x"))),
            ("mean1_9", Some(("mean", "1", "_9"))),
            ("mix", None),
            ("prior_", None),
        ] {
            assert_eq!(numbered(name), parts, "{name}");
        }
    }

    fn families(names: &[&str]) -> ParameterArrays {
        let mut families = ParameterArrays::default();
        for (name, number) in names.iter().zip(0..) {
            families.insert(
                name.to_string(),
                vec![ParameterValue::Linear(f64::from(number))],
            );
        }
        families
    }

    #[test]
    fn only_the_trees_own_families_are_renumbered() {
        let all = families(&["p1_a2", "p11_a2", "p2_a1", "mix", "to1"]);
        let renumbered: Vec<(String, Vec<ParameterValue>)> = all.renumbered(1, 7).collect();
        let wanted = [("p7_a2", 0.0), ("to7", 4.0)];
        let wanted =
            wanted.map(|(name, value)| (name.to_string(), vec![ParameterValue::Linear(value)]));
        assert_eq!(renumbered, wanted);
    }
}
