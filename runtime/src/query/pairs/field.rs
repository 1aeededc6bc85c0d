//! Supports by random numbers of a finite field.
//!
//! Whether one circuit is positive wherever another is cannot be read from masses that
//! were rounded. With a random number for each weight, and for each place at which a set
//! may begin or end, a circuit's mass is a polynomial at a random point. Parts of it that
//! are left out make another polynomial, which agrees at that point with a probability
//! of the circuit's depth over 2^61.

use super::super::ScaledCircuit;
use pelton_compiler::circuit::{LeafId, UnitId, UnitKind, ValueSet};
use pelton_compiler::leaf::positive_set;

/// The field's size, a prime.
const PRIME: u64 = (1 << 61) - 1;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FieldElement(u64);

impl FieldElement {
    pub const ZERO: FieldElement = FieldElement(0);
    pub const ONE: FieldElement = FieldElement(1);

    pub fn plus(self, other: FieldElement) -> FieldElement {
        FieldElement((self.0 + other.0) % PRIME)
    }

    pub fn minus(self, other: FieldElement) -> FieldElement {
        FieldElement((self.0 + PRIME - other.0) % PRIME)
    }

    pub fn times(self, other: FieldElement) -> FieldElement {
        let product = u128::from(self.0) * u128::from(other.0);
        FieldElement((product % u128::from(PRIME)) as u64)
    }

    /// The number that belongs to some words, the same in every run.
    fn of(words: [u64; 3]) -> FieldElement {
        let words = words.into_iter().map(mix);
        let mixed = words.fold(0x9e37_79b9_7f4a_7c15, |state, word| mix(state ^ word));
        FieldElement(mixed % PRIME)
    }
}

/// The finalizer of SplitMix64.
fn mix(word: u64) -> u64 {
    let word = word.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}

/// The masses of a circuit's units in the field.
pub(super) struct FieldMasses<'a> {
    scaled: &'a ScaledCircuit<'a>,
    sets: Vec<Option<ValueSet>>,
    others: Vec<Option<ValueSet>>,
    totals: Vec<FieldElement>,
}

impl<'a> FieldMasses<'a> {
    pub fn of(scaled: &'a ScaledCircuit<'a>) -> Self {
        let mut traces = FieldMasses {
            scaled,
            sets: vec![None; scaled.circuit().leaves().len()],
            others: Vec::new(),
            totals: Vec::new(),
        };
        for unit in scaled.circuit().units() {
            let total = match scaled.circuit().kind(unit) {
                UnitKind::Input(leaf) => {
                    let set = traces.set(leaf);
                    traces.weight(leaf, &set)
                }
                UnitKind::Product => {
                    let children = scaled.circuit().children(unit);
                    let factors = children.map(|child| traces.totals[child.unit.index()]);
                    factors.fold(FieldElement::ONE, FieldElement::times)
                }
                UnitKind::Sum => {
                    let shares = scaled.log_shares(unit);
                    let terms = shares.map(|(at, child, _)| {
                        traces.edge(unit, at).times(traces.totals[child.index()])
                    });
                    terms.fold(FieldElement::ZERO, FieldElement::plus)
                }
            };
            traces.totals.push(total);
        }
        traces
    }

    /// The mass of a whole unit.
    pub fn total(&self, unit: UnitId) -> FieldElement {
        self.totals[unit.index()]
    }

    /// What stands for the share of a sum's child.
    pub fn edge(&self, sum: UnitId, at: usize) -> FieldElement {
        FieldElement::of([1, sum.index() as u64, at as u64])
    }

    /// The mass of a leaf where a leaf of another circuit is positive.
    pub fn common(
        &mut self,
        unit: UnitId,
        other: &ScaledCircuit,
        other_unit: UnitId,
    ) -> FieldElement {
        let circuits = (self.scaled.circuit(), other.circuit());
        let (UnitKind::Input(own), UnitKind::Input(theirs)) =
            (circuits.0.kind(unit), circuits.1.kind(other_unit))
        else {
            return FieldElement::ZERO;
        };
        self.others.resize(circuits.1.leaves().len(), None);
        let set = self.others[theirs.index()].get_or_insert_with(|| {
            positive_set(circuits.1, other.values(), circuits.1.leaf(theirs))
        });
        let set = set.clone();
        let both = self.set(own).intersect(&set);
        self.weight(own, &both)
    }

    fn set(&mut self, leaf: LeafId) -> ValueSet {
        let (circuit, values) = (self.scaled.circuit(), self.scaled.values());
        let known = &mut self.sets[leaf.index()];
        let set = known.get_or_insert_with(|| positive_set(circuit, values, circuit.leaf(leaf)));
        set.clone()
    }

    /// The mass of a leaf on a set: of each run, the difference of what belongs to its ends,
    /// so that runs that meet add up. A point of the real axis has none.
    fn weight(&self, leaf: LeafId, set: &ValueSet) -> FieldElement {
        let circuit = self.scaled.circuit();
        let variable = circuit.leaf(leaf).variable;
        let is_discrete = circuit.variable(variable).domain.is_discrete();
        let words = [2 + variable.index() as u64, leaf.index() as u64];
        let at = |value: f64| FieldElement::of([words[0], words[1], value.to_bits()]);
        let runs = set.runs().iter();
        let runs = runs.filter(|(low, high)| is_discrete || low.value() < high.value());
        let masses = runs.map(|(low, high)| at(high.value()).minus(at(low.value())));
        masses.fold(FieldElement::ZERO, FieldElement::plus)
    }
}
