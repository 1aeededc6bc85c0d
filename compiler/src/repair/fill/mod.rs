//! Filling: circuits made smooth by factors for what is missing.

mod along;
mod beside;
mod filler;
mod guide;

pub use filler::{FillFunction, FillRule};

use crate::check::follows_one_tree;
use crate::circuit::{ChildEdge, CircuitGraph, CircuitRebuild, SourceOrigin, UnitId, VarId};
use guide::FactorTree;

/// Multiplies each child of a sum by indicators of all values of the variables that it
/// misses, and the root by those that nothing mentions; `None` if that would take more
/// than `max_size` units and edges, or if a missing variable has no end of values.
///
/// Before: `1: rain * wet + 1: !rain`.
/// After: `1: rain * wet + 1: !rain * [wet in {false, true}]`.
///
/// In logic a missing variable may take any value, so the mass of the result is the
/// number of models. [`smooth`](super::smooth()) may fill in distributions instead.
///
/// What is missing is filled in beside the child. If the products then split their
/// variables in conflicting ways, although there is a tree that all of them can follow
/// (as there is for every decision diagram), all units are filled up to nodes of that
/// tree instead, so that the circuit is structured.
pub fn fill_any(circuit: CircuitGraph, max_size: usize) -> Option<CircuitGraph> {
    let filled = beside::fill(&circuit, max_size);
    if filled.as_ref().is_some_and(follows_one_tree) {
        return filled;
    }
    FactorTree::of(&circuit)
        .and_then(|guide| along::fill(&circuit, &guide, max_size))
        .or(filled)
}

/// A copy in the making whose units are multiplied by factors for variables they miss.
pub(super) struct FilledCopy<'a> {
    pub circuit: &'a CircuitGraph,
    pub rebuild: CircuitRebuild<'a>,
    pub fill: FillRule,
}

impl<'a> FilledCopy<'a> {
    pub fn new(circuit: &'a CircuitGraph, fill: FillRule) -> Self {
        FilledCopy {
            circuit,
            rebuild: CircuitRebuild::new(circuit),
            fill,
        }
    }

    /// The leaf that fills in a variable, if its domain has one. Equal leaves are one unit.
    pub fn leaf(&mut self, variable: VarId, origin: SourceOrigin) -> Option<UnitId> {
        let filler = FillFunction::for_fill(&self.circuit.variable(variable).domain, self.fill)?;
        let builder = &mut self.rebuild.builder;
        let leaf = filler.leaf(builder, variable, origin.span);
        Some(builder.input(leaf, origin))
    }

    /// The root as the copy has it so far.
    pub fn root(&self) -> ChildEdge {
        let root = self.circuit.root();
        self.rebuild
            .child(ChildEdge::factor(root, self.circuit.span(root)))
    }

    /// The finished copy, of which this unit is the root.
    pub fn finish(mut self, root: UnitId) -> CircuitGraph {
        self.rebuild.replace(self.circuit.root(), root);
        self.rebuild.finish()
    }
}
