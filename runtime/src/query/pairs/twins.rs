//! Circuits of one structure.

use crate::query::ScaledCircuit;
use pelton_compiler::circuit::{UnitId, UnitKind, VarId};
use pelton_compiler::leaf::positive_set;

/// Whether two circuits have the same units, each positive where its twin is: they are
/// then one structure with other numbers, as before and after learning.
///
/// Linear in edges and in the tables of leaves.
pub(super) fn are_twins(
    first: &ScaledCircuit,
    second: &ScaledCircuit,
    other_variable: &[Option<VarId>],
) -> bool {
    let (one, other) = (first.circuit(), second.circuit());
    one.n_units() == other.n_units()
        && one.n_edges() == other.n_edges()
        && one.root() == other.root()
        && one.units().all(|unit| {
            let mut children = one.children(unit).zip(other.children(unit));
            let is_alike = match (one.kind(unit), other.kind(unit)) {
                (UnitKind::Input(_), UnitKind::Input(_)) => {
                    leaves_are_alike(first, second, other_variable, unit)
                }
                (UnitKind::Product, UnitKind::Product) => true,
                (UnitKind::Sum, UnitKind::Sum) => {
                    let positions = second.log_shares(unit).map(|(at, ..)| at);
                    first.log_shares(unit).map(|(at, ..)| at).eq(positions)
                }
                _ => false,
            };
            is_alike
                && one.n_children(unit) == other.n_children(unit)
                && children.all(|(left, right)| left.unit == right.unit)
        })
}

fn leaves_are_alike(
    first: &ScaledCircuit,
    second: &ScaledCircuit,
    other_variable: &[Option<VarId>],
    unit: UnitId,
) -> bool {
    let (one, other) = (first.circuit(), second.circuit());
    let leaves = one.leaf_of(unit).zip(other.leaf_of(unit));
    leaves.is_some_and(|(left, right)| {
        other_variable[right.variable.index()] == Some(left.variable)
            && positive_set(one, first.values(), left)
                == positive_set(other, second.values(), right)
    })
}
