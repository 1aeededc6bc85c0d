//! First rung: the values that a unit's being positive implies.
//!
//! For every unit and variable, the atoms on which the unit can be positive. A
//! product implies what any factor implies, a sum what all its children imply
//! together. Units whose implied sets exclude each other on one variable have
//! disjoint supports.

use super::atoms::{Atoms, SetId};
use super::trie::{ImpliedMaps, MapId};
use crate::circuit::{CircuitGraph, Scopes, UnitId, UnitKind};

/// Sums of up to this many children are met pair by pair, which profits from
/// what the children share.
const FEW: usize = 8;

/// The supports of a circuit's units, as far as single variables tell.
pub(super) struct Supports<'a> {
    pub circuit: &'a CircuitGraph,
    pub scopes: &'a Scopes,
    pub atoms: Atoms,
    pub maps: ImpliedMaps,
    implied: Vec<MapId>,
    live: Vec<bool>,
    decomposable: Vec<bool>,
}

impl<'a> Supports<'a> {
    /// Visits all units once, children first.
    pub(super) fn new(circuit: &'a CircuitGraph, scopes: &'a Scopes, steps: u64) -> Self {
        let mut supports = Supports {
            circuit,
            scopes,
            atoms: Atoms::new(circuit),
            maps: ImpliedMaps::new(steps),
            implied: Vec::with_capacity(circuit.n_units()),
            live: Vec::with_capacity(circuit.n_units()),
            decomposable: Vec::with_capacity(circuit.n_units()),
        };
        for unit in circuit.units() {
            supports.add(unit);
        }
        supports
    }

    fn add(&mut self, unit: UnitId) {
        let implied = match self.circuit.kind(unit) {
            UnitKind::Input(leaf) => self.of_leaf(self.atoms.of_leaf(leaf), unit),
            UnitKind::Product => self.of_product(unit),
            UnitKind::Sum => self.of_sum(unit),
        };
        let decomposable =
            self.is_split(unit) && self.children(unit).all(|c| self.is_decomposable(c));
        self.live.push(implied.is_some());
        self.implied.push(implied.unwrap_or(MapId::EMPTY));
        self.decomposable.push(decomposable);
    }

    fn of_leaf(&mut self, set: SetId, unit: UnitId) -> Option<MapId> {
        let variable = self.circuit.leaf_of(unit)?.variable;
        (set != SetId::EMPTY).then(|| self.maps.unless_full(&self.atoms, variable, set))
    }

    fn of_product(&mut self, unit: UnitId) -> Option<MapId> {
        let mut all = MapId::EMPTY;
        // All factors have to be positive, so what they say is joined; if two contradict each other
        // the product is zero everywhere.
        for child in self.circuit.children(unit) {
            if !self.is_live(child.unit) {
                return None;
            }
            let own = self.implied(child.unit);
            all = self.maps.join(&mut self.atoms, all, own)?;
        }
        Some(all)
    }

    fn of_sum(&mut self, unit: UnitId) -> Option<MapId> {
        let mut maps: Vec<MapId> = self.children(unit).map(|c| self.implied(c)).collect();
        // Any child may be the one that is positive, so only what all of them say is kept.
        maps.dedup();
        let (&first, rest) = maps.split_first()?;
        // Many maps are met at once, because pair by pair the growing union would be read for
        // each.
        if maps.len() > FEW {
            return Some(self.maps.meet_all(&mut self.atoms, &maps));
        }
        let meet = |all, &map| self.maps.meet(&mut self.atoms, all, map);
        Some(rest.iter().fold(first, meet))
    }

    /// Whether a product's factors share no variable: their scopes then add up.
    fn is_split(&self, unit: UnitId) -> bool {
        let size = |unit| self.scopes.size(self.scopes.id(unit));
        let sizes = self.circuit.children(unit).map(|child| size(child.unit));
        self.circuit.kind(unit) != UnitKind::Product || sizes.sum::<usize>() == size(unit)
    }

    /// The children that can make a unit positive, with their positions: not
    /// those of zero weight, nor those that are zero everywhere.
    pub(super) fn positions(&self, unit: UnitId) -> impl Iterator<Item = (usize, UnitId)> + '_ {
        let children = self.circuit.children(unit).enumerate();
        children.filter_map(|(child_idx, child)| {
            let zero = child.weight.map(|weight| self.circuit.entry(weight));
            let counts = !zero.is_some_and(|entry| entry.is_fixed_zero());
            (counts && self.is_live(child.unit)).then_some((child_idx, child.unit))
        })
    }

    /// The children that can make a unit positive.
    pub(super) fn children(&self, unit: UnitId) -> impl Iterator<Item = UnitId> + '_ {
        self.positions(unit).map(|(_, child)| child)
    }

    pub(super) fn implied(&self, unit: UnitId) -> MapId {
        self.implied[unit.index()]
    }

    /// Whether a unit can be positive; exact for decomposable ones, otherwise
    /// `false` is certain.
    pub(super) fn is_live(&self, unit: UnitId) -> bool {
        self.live[unit.index()]
    }

    /// Whether no product below the unit has factors that share a variable.
    pub(super) fn is_decomposable(&self, unit: UnitId) -> bool {
        self.decomposable[unit.index()]
    }

    pub(super) fn excludes(&self, a: UnitId, b: UnitId) -> bool {
        let (a, b) = (self.implied(a), self.implied(b));
        self.maps.excludes(&self.atoms, a, b)
    }
}
