//! Filling in what is missing beside each child.

use super::factor;
use crate::check::Scopes;
use crate::check::smooth::short_children;
use crate::circuit::{Child, Circuit, Leaf, LeafKind, Origin, Rebuild, UnitId, UnitKind, VarId};

/// Multiplies short children of sums, and the root, by a factor for each variable that they
/// miss; `None` if that would take more than `max_size` units and edges.
///
/// The factors stand beside the child in one product, so that a circuit whose scopes nest
/// is structured. Linear in edges and in what is filled in.
pub(super) fn fill(circuit: &Circuit, max_size: usize) -> Option<Circuit> {
    let scopes = Scopes::compute(circuit);
    let mut filling = Filling {
        rebuild: Rebuild::new(circuit),
        circuit,
        // Each variable has one leaf that is filled in wherever it is missed.
        n_left: max_size
            .saturating_sub(circuit.n_units() + circuit.n_edges() + circuit.variables().len()),
    };
    for unit in circuit.units() {
        let mut children = filling.rebuild.children(unit);
        if circuit.kind(unit) == UnitKind::Sum {
            for at in short_children(circuit, &scopes, unit) {
                let old = circuit.child(unit, at).unit;
                let missing: Vec<VarId> = scopes.of(unit).minus(scopes.of(old)).iter().collect();
                children[at].unit = filling.fill(unit, children[at], &missing)?;
            }
        }
        filling.rebuild.copy(unit, &children);
    }
    let root = circuit.root();
    let all = (0..circuit.variables().len()).map(VarId::new);
    let unmentioned: Vec<VarId> = all.filter(|&id| !scopes.of(root).contains(id)).collect();
    if !unmentioned.is_empty() {
        let copy = filling.rebuild.child(factor(root, circuit.span(root)));
        let filled = filling.fill(root, copy, &unmentioned)?;
        filling.rebuild.replace(root, filled);
    }
    Some(filling.rebuild.finish())
}

struct Filling<'a> {
    circuit: &'a Circuit,
    rebuild: Rebuild<'a>,
    /// Units and edges that may still be added.
    n_left: usize,
}

impl Filling<'_> {
    /// A child of `parent` times everything that it misses.
    fn fill(&mut self, parent: UnitId, child: Child, missing: &[VarId]) -> Option<UnitId> {
        let origin = Origin {
            span: child.span,
            owner: self.circuit.owner(parent),
            is_named: false,
        };
        // A product, and its edges to the child and to leaves.
        self.n_left = self.n_left.checked_sub(missing.len() + 2)?;
        let mut factors = vec![factor(child.unit, child.span)];
        for &variable in missing {
            let domain = &self.circuit.variable(variable).domain;
            let kind = LeafKind::Indicator(domain.full());
            let unit = self.rebuild.builder.input(Leaf { variable, kind }, origin);
            factors.push(factor(unit, child.span));
        }
        Some(self.rebuild.builder.product(&factors, origin))
    }
}
