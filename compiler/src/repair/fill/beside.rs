//! Filling in what is missing beside each child.

use super::{FillRule, FilledCopy};
use crate::check::short_children;
use crate::circuit::{ChildEdge, CircuitGraph, Scopes, SourceOrigin, UnitId, UnitKind, VarId};

/// Multiplies short children of sums, and the root, by a factor for each variable that they
/// miss; `None` if that would take more than `max_size` units and edges.
///
/// The factors stand beside the child in one product, so that a circuit whose scopes nest
/// is structured. Linear in edges and in what is filled in.
pub(super) fn fill(circuit: &CircuitGraph, max_size: usize) -> Option<CircuitGraph> {
    let scopes = Scopes::compute(circuit);
    let mut filling = ChildFilling {
        copy: FilledCopy::new(circuit, FillRule::Logic),
        // Each variable has one leaf that is filled in wherever it is missed.
        n_left: max_size
            .saturating_sub(circuit.n_units() + circuit.n_edges() + circuit.variables().len()),
    };
    // Terms that miss variables of their sum are multiplied by a leaf for each.
    for unit in circuit.units() {
        let mut children = filling.copy.rebuild.children(unit);
        if circuit.kind(unit) == UnitKind::Sum {
            for at in short_children(circuit, &scopes, unit) {
                let old = circuit.child(unit, at).unit;
                let missing: Vec<VarId> = scopes.of(unit).minus(scopes.of(old)).iter().collect();
                children[at].unit = filling.fill(unit, children[at], &missing)?;
            }
        }
        filling.copy.rebuild.copy(unit, &children);
    }
    // The root stands for all variables, be they mentioned or not.
    let root = circuit.root();
    let all = (0..circuit.variables().len()).map(VarId::new);
    let unmentioned: Vec<VarId> = all.filter(|&id| !scopes.of(root).contains(id)).collect();
    let copied = filling.copy.root();
    let filled = if unmentioned.is_empty() {
        copied.unit
    } else {
        filling.fill(root, copied, &unmentioned)?
    };
    Some(filling.copy.finish(filled))
}

struct ChildFilling<'a> {
    copy: FilledCopy<'a>,
    /// Units and edges that may still be added.
    n_left: usize,
}

impl ChildFilling<'_> {
    /// A child of `parent` times everything that it misses.
    fn fill(&mut self, parent: UnitId, child: ChildEdge, missing: &[VarId]) -> Option<UnitId> {
        let origin = SourceOrigin::part_of(self.copy.circuit, parent, child.span);
        // A product, and its edges to the child and to leaves.
        self.n_left = self.n_left.checked_sub(missing.len() + 2)?;
        let mut factors = vec![child.unit];
        for &variable in missing {
            factors.push(self.copy.leaf(variable, origin)?);
        }
        Some(self.copy.rebuild.builder.product_of(factors, origin))
    }
}
