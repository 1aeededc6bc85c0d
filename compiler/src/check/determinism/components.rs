//! Groups of factors that common variables connect.

use super::implied::Supports;
use crate::circuit::UnitId;
use crate::disjoint_sets::DisjointSets;

/// A connected group of factors of two products.
pub(super) enum FactorComponent {
    /// A factor that shares no variable with the other product.
    Free(UnitId),
    /// Factors of the first and of the second product.
    Tied(Vec<UnitId>, Vec<UnitId>),
}

/// Finds components; keeps a table over the variables between calls.
pub(super) struct ComponentFinder<'a> {
    supports: &'a Supports<'a>,
    /// For each variable the round in which it was last seen, and whose it was then.
    owner: Vec<(u32, u32)>,
    round: u32,
    work: u64,
}

impl<'a> ComponentFinder<'a> {
    pub(super) fn new(supports: &'a Supports<'a>) -> Self {
        ComponentFinder {
            supports,
            owner: vec![(0, 0); supports.circuit.variables().len()],
            round: 0,
            work: 0,
        }
    }

    /// Variables looked at since the last call.
    pub(super) fn take_work(&mut self) -> u64 {
        std::mem::take(&mut self.work)
    }

    /// The components of two products, each given by factors without common variables.
    pub(super) fn of(&mut self, left: &[UnitId], right: &[UnitId]) -> Vec<FactorComponent> {
        one_to_one(self.supports, left, right).unwrap_or_else(|| self.by_variables(left, right))
    }

    fn by_variables(&mut self, left: &[UnitId], right: &[UnitId]) -> Vec<FactorComponent> {
        // Each variable remembers the factor of the left side that has it. The number of the round
        // says whether that is of now, so that the table is never cleared.
        self.round += 1;
        for (at, &unit) in left.iter().enumerate() {
            for variable in self.supports.scopes.of(unit).iter() {
                self.work += 1;
                self.owner[variable.index()] = (self.round, at as u32);
            }
        }
        // Factors of the right side are united with the owners of their variables.
        let mut sets = DisjointSets::new(left.len() + right.len());
        for (at, &unit) in right.iter().enumerate() {
            for variable in self.supports.scopes.of(unit).iter() {
                self.work += 1;
                let (round, owner) = self.owner[variable.index()];
                if round == self.round {
                    sets.unite(owner as usize, left.len() + at);
                }
            }
        }
        let parts = sets.parts();
        let unit = |&at: &usize| match at.checked_sub(left.len()) {
            None => left[at],
            Some(at) => right[at],
        };
        let free = parts
            .single
            .iter()
            .map(|at| FactorComponent::Free(unit(at)));
        let tied = parts.several.iter().map(|part| {
            let n_left = part.partition_point(|&at| at < left.len());
            let (ours, theirs) = part.split_at(n_left);
            FactorComponent::Tied(
                ours.iter().map(unit).collect(),
                theirs.iter().map(unit).collect(),
            )
        });
        free.chain(tied).collect()
    }
}

/// The common case of two products that split their variables alike, told by
/// comparing the ids of scopes.
fn one_to_one(
    supports: &Supports,
    left: &[UnitId],
    right: &[UnitId],
) -> Option<Vec<FactorComponent>> {
    if left.len() != right.len() {
        return None;
    }
    let by_scope = |units: &[UnitId]| {
        let mut units = units.to_vec();
        units.sort_unstable_by_key(|&unit| supports.scopes.id(unit));
        units
    };
    let (left, right) = (by_scope(left), by_scope(right));
    let pairs = || left.iter().zip(&right);
    let alike = pairs().all(|(&a, &b)| supports.scopes.id(a) == supports.scopes.id(b));
    alike.then(|| {
        pairs()
            .map(|(&a, &b)| FactorComponent::Tied(vec![a], vec![b]))
            .collect()
    })
}
