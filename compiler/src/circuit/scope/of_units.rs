//! The scope of every unit of a circuit.

use super::Scope;
use crate::circuit::{CircuitGraph, ScopeId, UnitId, UnitKind};
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

/// The scope of every unit. Equal scopes are kept once and have one id, so
/// that comparing scopes is comparing ids.
#[derive(Clone, Debug)]
pub struct Scopes {
    of_unit: Vec<ScopeId>,
    distinct: Vec<Scope>,
    sizes: Vec<u32>,
}

impl Scopes {
    /// Computes the scope of every unit: a leaf's variable, and the union of
    /// the children elsewhere. Linear in edges times the words of a scope.
    pub fn compute(circuit: &CircuitGraph) -> Self {
        let mut interner = Interner::default();
        let mut of_unit: Vec<ScopeId> = Vec::with_capacity(circuit.n_units());
        let mut child_scopes = Vec::new();
        for unit in circuit.units() {
            let id = match circuit.kind(unit) {
                UnitKind::Input(leaf) => {
                    interner.intern(Scope::single(circuit.leaf(leaf).variable))
                }
                _ => {
                    // Children often have the same scope one after the other; equal ids need no union.
                    child_scopes.clear();
                    child_scopes.extend(circuit.children(unit).map(|c| of_unit[c.unit.index()]));
                    child_scopes.dedup();
                    interner.union(&child_scopes)
                }
            };
            of_unit.push(id);
        }
        let sizes = interner.distinct.iter().map(|s| s.len() as u32).collect();
        Scopes {
            of_unit,
            distinct: interner.distinct.into_iter().collect(),
            sizes,
        }
    }

    /// The id of a unit's scope.
    pub fn id(&self, unit: UnitId) -> ScopeId {
        self.of_unit[unit.index()]
    }

    /// A unit's scope.
    pub fn of(&self, unit: UnitId) -> &Scope {
        &self.distinct[self.id(unit).index()]
    }

    /// The scope of an id.
    pub fn get(&self, id: ScopeId) -> &Scope {
        &self.distinct[id.index()]
    }

    /// Number of variables in a scope, without counting them again.
    pub fn size(&self, id: ScopeId) -> usize {
        self.sizes[id.index()] as usize
    }

    /// The ids of all distinct scopes, in order.
    pub fn ids(&self) -> impl Iterator<Item = ScopeId> + use<> {
        (0..self.distinct.len()).map(ScopeId::new)
    }

    /// All distinct scopes; ids are positions.
    pub fn distinct(&self) -> &[Scope] {
        &self.distinct
    }
}

#[derive(Default)]
struct Interner {
    distinct: IndexSet<Scope, FxBuildHasher>,
    unions: FxHashMap<(ScopeId, ScopeId), ScopeId>,
}

impl Interner {
    fn intern(&mut self, scope: Scope) -> ScopeId {
        ScopeId::new(self.distinct.insert_full(scope).0)
    }

    fn union(&mut self, scopes: &[ScopeId]) -> ScopeId {
        let pair = match *scopes {
            [one] => return one,
            [a, b] => Some((a, b)),
            _ => None,
        };
        // Most unions are of two scopes, and the same two again and again.
        if let Some(&known) = pair.and_then(|pair| self.unions.get(&pair)) {
            return known;
        }
        let parts = scopes.iter().map(|id| &self.distinct[id.index()]);
        let id = self.intern(Scope::union_of(parts));
        self.unions.extend(pair.map(|pair| (pair, id)));
        id
    }
}
