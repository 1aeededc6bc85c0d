//! The normal form: one order of factors, one order of units.

use crate::check::Checked;
use crate::circuit::{ChildEdge, CircuitGraph, CircuitRebuild, Scopes, UnitId, UnitKind, VarId};
use crate::cycle;

/// Puts factors into the order of their variables, and units into the order of
/// a depth-first evaluation.
///
/// Before: `(b * c) * a` with `c` added first, `a` last.
/// After: `a * (b * c)`, with ids 0 for `a`, 1 for `b`, 2 for `c`, then the
/// products.
///
/// In normal form
///
/// * the factors of a product stand in the order of the smallest variable that
///   each mentions, those that mention none in front: products that split
///   their variables alike have their parts in the same places, so that a layer
///   of them is one operation on blocks of rows;
/// * the ids of units are the order in which a depth-first walk from the root,
///   first child first, leaves them: what a unit needs is computed shortly
///   before it, which keeps working sets small;
/// * every unit is reached by the root.
///
/// Terms of sums stay in the order they were written, which is the order of
/// their weights. Sums and products need not alternate: a sum below a sum whose
/// weights are learned, or a product that several products share, is left as it
/// is by `flatten` for a reason.
///
/// Linear in edges, apart from sorting the factors of each product.
pub(super) fn normal_form(checked: Checked) -> Checked {
    let circuit = checked.circuit();
    // 1. The order of factors, which decides on the order of units.
    let ordered = Ordered::of(circuit, checked.facts().scopes());
    let order = ordered.depth_first();
    if ordered.is_as_written && order.iter().copied().eq(circuit.units()) {
        return checked;
    }
    // 2. A copy in both orders.
    let mut rebuild = CircuitRebuild::new(circuit);
    for unit in order {
        let children = ordered.children(unit);
        let children: Vec<ChildEdge> = children.map(|child| rebuild.child(child)).collect();
        rebuild.copy(unit, &children);
    }
    let ordered = rebuild.finish();
    checked.rewritten(ordered)
}

/// The children of every unit in the order they are to have.
struct Ordered<'a> {
    circuit: &'a CircuitGraph,
    /// Positions of children, unit after unit.
    positions: Vec<u32>,
    /// Where the positions of each unit begin.
    starts: Vec<usize>,
    /// Whether that is the order in which all are written.
    is_as_written: bool,
}

impl<'a> Ordered<'a> {
    fn of(circuit: &'a CircuitGraph, scopes: &Scopes) -> Self {
        let first_variables = scopes.distinct().iter().map(|scope| scope.iter().next());
        let first_variable: Vec<Option<VarId>> = first_variables.collect();
        let mut ordered = Ordered {
            circuit,
            positions: Vec::with_capacity(circuit.n_edges()),
            starts: Vec::with_capacity(circuit.n_units()),
            is_as_written: true,
        };
        for unit in circuit.units() {
            let start = ordered.positions.len();
            ordered.starts.push(start);
            ordered.positions.extend(0..circuit.n_children(unit) as u32);
            if circuit.kind(unit) != UnitKind::Product {
                continue;
            }
            // Only factors are moved; their first variables are those of their scopes, looked up once.
            let key = |&at: &u32| {
                let child = circuit.child(unit, at as usize).unit;
                first_variable[scopes.id(child).index()]
            };
            let own = &mut ordered.positions[start..];
            if !own.is_sorted_by_key(key) {
                own.sort_by_key(key);
                ordered.is_as_written = false;
            }
        }
        ordered
    }

    fn children(&self, unit: UnitId) -> impl Iterator<Item = ChildEdge> {
        let positions = &self.positions[self.starts[unit.index()]..];
        let own = positions.iter().take(self.circuit.n_children(unit));
        own.map(move |&at| self.circuit.child(unit, at as usize))
    }

    /// The units that the root reaches, each after its children.
    fn depth_first(&self) -> Vec<UnitId> {
        let children = |at| {
            self.children(UnitId::new(at))
                .map(|child| child.unit.index())
        };
        let root = self.circuit.root().index();
        let order = cycle::children_first(self.circuit.n_units(), [root], children);
        order.into_iter().map(UnitId::new).collect()
    }
}
