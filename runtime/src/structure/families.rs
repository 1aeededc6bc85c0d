//! Parameters by the names they were declared with.

use pelton_compiler::circuit::{Circuit, Value};
use std::collections::BTreeMap;

/// The values of declared parameters, all members of an array in a row.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Families(BTreeMap<String, Vec<Value>>);

impl Families {
    /// The parameters of a circuit with these values.
    pub fn of(circuit: &Circuit, values: &[Value]) -> Self {
        let mut families = Families::default();
        for (name, entries) in named(circuit) {
            let family = families.0.entry(name.to_string()).or_default();
            family.extend_from_slice(&values[entries]);
        }
        families
    }

    /// A value for each entry of a circuit: that of its family's member, and the
    /// circuit's own start where there is none.
    pub fn values(&self, circuit: &Circuit) -> Vec<Value> {
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

    /// One family.
    pub fn get(&self, name: &str) -> Option<&[Value]> {
        self.0.get(name).map(Vec::as_slice)
    }

    /// Sets a family.
    pub fn insert(&mut self, name: String, values: Vec<Value>) {
        self.0.insert(name, values);
    }

    /// The families of one tree, with the number of another in their names.
    pub fn renumbered(&self, from: usize, to: usize) -> impl Iterator<Item = (String, Vec<Value>)> {
        let from = from.to_string();
        self.0.iter().filter_map(move |(name, values)| {
            let (stem, number, end) = numbered(name)?;
            let is_own = number == from;
            is_own.then(|| (format!("{stem}{to}{end}"), values.clone()))
        })
    }
}

/// Declared parameters and where their entries are, in the order of declaration.
fn named(circuit: &Circuit) -> impl Iterator<Item = (&str, std::ops::Range<usize>)> {
    let parameters = circuit.parameters().iter();
    parameters.filter_map(|parameter| {
        let name = circuit.names().base(parameter.name?);
        Some((name, parameter.entries()))
    })
}

/// `p`, `12`, `_rain` of `p12_rain`.
fn numbered(name: &str) -> Option<(&str, &str, &str)> {
    let first = name.find(|c: char| c.is_ascii_digit())?;
    let (stem, rest) = name.split_at(first);
    let end = rest
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(rest.len());
    let (number, end) = rest.split_at(end);
    Some((stem, number, end))
}
