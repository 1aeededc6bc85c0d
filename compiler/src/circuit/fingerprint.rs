//! A number that tells whether two circuits are the same.

use super::{
    CircuitGraph, CircuitVariable, Distribution, Domain, FiniteConstant, LeafKind, ParameterValue,
    UnitKind, ValueSet,
};
use crate::leaf::family::FamilyConstant;
use std::fmt;
use twox_hash::XxHash3_128;

/// What a circuit's [`CircuitGraph::fingerprint`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fingerprint(u128);

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

impl CircuitGraph {
    /// A fingerprint of variables, leaves, units, edges and parameters, the same
    /// on every machine and in every run.
    ///
    /// Values that are learned are no part of it, and fixed ones only with seven
    /// digits: the last digit of one that was computed is up to the machine. Neither
    /// are names of nodes, places in texts, assertions and queries. It guards against
    /// mistakes, not against forgery. Linear in edges.
    pub fn fingerprint(&self) -> Fingerprint {
        let mut digest = Digest(XxHash3_128::new());
        digest.list(self.variables(), Digest::variable);
        digest.list(self.leaves(), |digest, leaf| {
            digest.count(leaf.variable.index());
            digest.leaf_kind(&leaf.kind);
        });
        digest.parameters(self);
        digest.count(self.n_units());
        for unit in self.units() {
            match self.kind(unit) {
                UnitKind::Input(leaf) => digest.tagged(0, leaf.index()),
                UnitKind::Product => digest.tagged(1, self.n_children(unit)),
                UnitKind::Sum => digest.tagged(2, self.n_children(unit)),
            }
            for child in self.children(unit) {
                digest.count(child.unit.index());
                if let Some(weight) = child.weight {
                    digest.tagged(weight.index as u64, weight.param.index());
                }
            }
        }
        digest.count(self.root().index());
        Fingerprint(digest.0.finish_128())
    }
}

/// Takes parts one after the other. Every list begins with its length and every
/// choice with a number, so that no two circuits give the same bytes.
struct Digest(XxHash3_128);

impl Digest {
    fn number(&mut self, number: u64) {
        self.0.write(&number.to_le_bytes());
    }

    fn count(&mut self, count: usize) {
        self.number(count as u64);
    }

    fn tagged(&mut self, tag: u64, count: usize) {
        self.number(tag);
        self.count(count);
    }

    fn real(&mut self, value: f64) {
        self.number(value.to_bits());
    }

    fn rounded(&mut self, tag: u64, value: f64) {
        self.number(tag);
        self.number(u64::from((value as f32).to_bits()));
    }

    fn bound(&mut self, bound: &FiniteConstant) {
        self.real(bound.value());
    }

    fn text(&mut self, text: &str) {
        self.count(text.len());
        self.0.write(text.as_bytes());
    }

    fn optional_text(&mut self, text: Option<&str>) {
        self.number(u64::from(text.is_some()));
        self.text(text.unwrap_or(""));
    }

    fn list<T>(&mut self, items: &[T], each: impl Fn(&mut Self, &T)) {
        self.count(items.len());
        items.iter().for_each(|item| each(self, item));
    }

    fn variable(&mut self, variable: &CircuitVariable) {
        self.text(&variable.name);
        match &variable.domain {
            Domain::Bool => self.number(0),
            Domain::Categories(names) => {
                self.number(1);
                self.list(names, |digest, name| digest.text(name));
            }
            Domain::Range { low, high } => {
                self.number(2);
                self.number(*low as u64);
                self.number(*high as u64);
            }
            Domain::Real => self.number(3),
            Domain::Nat => self.number(4),
        }
        let binding = &variable.binding;
        self.optional_text(binding.column.as_deref());
        self.optional_text(binding.unit.as_deref());
        self.list(&binding.missing, |digest, cell| digest.text(cell));
    }

    fn leaf_kind(&mut self, kind: &LeafKind) {
        match kind {
            LeafKind::Indicator(set) => {
                self.number(0);
                self.set(set);
            }
            LeafKind::Distribution(distribution) => {
                self.number(1);
                self.distribution(distribution);
            }
        }
    }

    fn set(&mut self, set: &ValueSet) {
        self.list(set.runs(), |digest, (low, high)| {
            for cut in [low, high] {
                digest.real(cut.value());
                digest.number(u64::from(cut.is_after()));
            }
        });
    }

    fn distribution(&mut self, distribution: &Distribution) {
        let family = &distribution.family;
        self.text(family.name());
        for (_, constant) in family.as_distribution().constants() {
            match constant {
                FamilyConstant::Count(count) => self.number(u64::from(count)),
                FamilyConstant::Bound(bound) => self.bound(&bound),
                FamilyConstant::Breaks(breaks) => self.list(&breaks, Digest::bound),
            }
        }
        self.list(&distribution.params, |digest, param| {
            digest.count(param.index());
        });
        self.number(u64::from(distribution.truncation.is_some()));
        distribution.truncation.iter().for_each(|set| self.set(set));
    }

    fn parameters(&mut self, circuit: &CircuitGraph) {
        self.list(circuit.parameters(), |digest, parameter| {
            let name = parameter.name.map(|name| circuit.names().show(name));
            digest.optional_text(name.as_deref());
            digest.text(parameter.kind.name());
            let entries = &circuit.all_entries()[parameter.entries()];
            digest.list(entries, |digest, entry| match entry.fixed_value() {
                None => digest.number(0),
                Some(ParameterValue::Linear(value)) => digest.rounded(1, value),
                Some(ParameterValue::Log(log)) => digest.rounded(2, log),
            });
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::emit::tests::fixture;

    /// The value is part of the file format: a change makes old files unreadable.
    #[test]
    fn fingerprints_do_not_change_from_version_to_version() {
        let shown = fixture::sprinkler().fingerprint().to_string();
        assert_eq!(shown, "34e3270fa62f8dcd6fd39f2277420faf");
    }

    #[test]
    fn values_do_not_matter_and_everything_else_does() {
        let circuit = fixture::hmm(3, 2, 4);
        let values: Vec<ParameterValue> = circuit.start_values();
        let other = circuit.clone().with_values(&values);
        assert_eq!(circuit.fingerprint(), other.fingerprint());
        for other in [
            fixture::hmm(3, 2, 5),
            fixture::hmm(4, 2, 4),
            fixture::hmm(3, 3, 4),
        ] {
            assert_ne!(circuit.fingerprint(), other.fingerprint());
        }
        assert_ne!(
            fixture::sprinkler().fingerprint(),
            fixture::sprinkler().learn_all().fingerprint()
        );
    }
}
