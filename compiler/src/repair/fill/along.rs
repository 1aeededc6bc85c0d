//! Filling along a tree: every unit ranges over all variables of a node of the tree.

use super::guide::FactorTree;
use super::{FillRule, FilledCopy};
use crate::circuit::{ChildEdge, CircuitGraph, SourceOrigin, UnitId, UnitKind};
use rustc_hash::{FxHashMap, FxHashSet};

/// Steps up the tree before the filling is given up: seconds.
const MOST_STEPS: usize = 200_000_000;

/// Fills each unit up to the lowest node of the tree that holds its variables, children of
/// sums up to the sum's, and the root up to all; `None` if that would take more than
/// `max_size` units and edges.
///
/// Before: `1: a * c + 1: b * c`, along `((a b) c)`.
/// After: `1: a * [b] * c + 1: [a] * b * c`, with `[a]` the indicator of all values.
pub(super) fn fill(
    circuit: &CircuitGraph,
    guide: &FactorTree,
    max_size: usize,
) -> Option<CircuitGraph> {
    let mut filling = FactorTreeFilling {
        copy: FilledCopy::new(circuit, FillRule::Logic),
        guide,
        nodes: vec![None; circuit.n_units()],
        everything: FxHashMap::default(),
        lifted: FxHashMap::default(),
        n_left: max_size.checked_sub(circuit.n_units() + circuit.n_edges())?,
        steps_left: MOST_STEPS,
    };
    // 1. Every unit up to its own node of the tree, children of sums up to the sum's.
    for unit in circuit.units() {
        filling.unit(unit)?;
    }
    // 2. The root up to all variables, be they mentioned or not.
    let root = circuit.root();
    let copied = filling.copy.root();
    let filled = filling.lift(root, copied, filling.nodes[root.index()], guide.root())?;
    Some(filling.copy.finish(filled))
}

struct FactorTreeFilling<'a> {
    copy: FilledCopy<'a>,
    guide: &'a FactorTree,
    /// The node that each unit of the original is filled up to; none without variables.
    nodes: Vec<Option<usize>>,
    /// The unit that is 1 on all values of a node's variables.
    everything: FxHashMap<usize, UnitId>,
    /// Units that were filled up to a higher node.
    lifted: FxHashMap<(UnitId, usize), UnitId>,
    /// Units and edges that may still be added.
    n_left: usize,
    steps_left: usize,
}

impl FactorTreeFilling<'_> {
    fn unit(&mut self, unit: UnitId) -> Option<()> {
        let circuit = self.copy.circuit;
        // The unit goes up to the lowest node that holds what it mentions.
        let below: Vec<usize> = match circuit.leaf_of(unit) {
            Some(leaf) => vec![self.guide.leaf(leaf.variable)],
            None => {
                let children = circuit.children(unit);
                children
                    .filter_map(|child| self.nodes[child.unit.index()])
                    .collect()
            }
        };
        let node = self.join(&below)?;
        self.nodes[unit.index()] = node;
        // Terms of a sum are lifted there; a product takes what is missing as further factors.
        let mut children = self.copy.rebuild.children(unit);
        match (circuit.kind(unit), node) {
            (UnitKind::Sum, Some(node)) => {
                for (at, child) in children.iter_mut().enumerate() {
                    let old = circuit.child(unit, at).unit;
                    child.unit = self.lift(unit, *child, self.nodes[old.index()], node)?;
                }
            }
            (UnitKind::Product, Some(node)) => {
                let span = circuit.span(unit);
                let rest = self.rest(&below, node, SourceOrigin::part_of(circuit, unit, span))?;
                children.extend(rest.into_iter().map(|unit| ChildEdge::factor(unit, span)));
            }
            _ => {}
        }
        self.copy.rebuild.copy(unit, &children);
        Some(())
    }

    /// The lowest node above all of these; none for nothing.
    fn join(&mut self, nodes: &[usize]) -> Option<Option<usize>> {
        let mut joined = None;
        for &node in nodes {
            let (next, n_steps) = match joined {
                None => (node, 1),
                Some(other) => self.guide.join(other, node),
            };
            self.steps_left = self.steps_left.checked_sub(n_steps)?;
            joined = Some(next);
        }
        Some(joined)
    }

    /// A child of `parent`, which ranges over a node's variables, filled up to a node above.
    fn lift(
        &mut self,
        parent: UnitId,
        child: ChildEdge,
        from: Option<usize>,
        to: usize,
    ) -> Option<UnitId> {
        if from == Some(to) {
            return Some(child.unit);
        }
        if let Some(&known) = self.lifted.get(&(child.unit, to)) {
            return Some(known);
        }
        let origin = SourceOrigin::part_of(self.copy.circuit, parent, child.span);
        let mut factors = vec![child.unit];
        match from {
            Some(from) => factors.extend(self.rest(&[from], to, origin)?),
            None => factors.push(self.everything(to, origin)?),
        }
        self.n_left = self.n_left.checked_sub(2)?;
        let unit = self.copy.rebuild.builder.product_of(factors, origin);
        self.lifted.insert((child.unit, to), unit);
        Some(unit)
    }

    /// Units for what a node holds beside these nodes below it.
    fn rest(&mut self, below: &[usize], node: usize, origin: SourceOrigin) -> Option<Vec<UnitId>> {
        // The nodes on the ways up hold what is there; a way ends where another one passed.
        let mut is_held: FxHashSet<usize> = below.iter().copied().collect();
        let mut opened: Vec<usize> = Vec::new();
        for &start in below {
            let mut at = start;
            while at != node {
                self.steps_left = self.steps_left.checked_sub(1)?;
                at = self.guide.parent(at);
                if !is_held.insert(at) {
                    break;
                }
                opened.push(at);
            }
        }
        // What branches off the ways is missing.
        let mut units = Vec::new();
        for at in opened {
            for &part in self.guide.parts(at) {
                if !is_held.contains(&part) {
                    units.push(self.everything(part, origin)?);
                }
            }
        }
        self.n_left = self.n_left.checked_sub(units.len())?;
        Some(units)
    }

    /// The unit that is 1 on all values of a node's variables, made once, after its parts.
    fn everything(&mut self, node: usize, origin: SourceOrigin) -> Option<UnitId> {
        // Depth first with a list, because a tree may be as deep as it has variables.
        let mut open = vec![node];
        while let Some(&at) = open.last() {
            let parts = self.guide.parts(at).iter().copied();
            let missing = parts.filter(|part| !self.everything.contains_key(part));
            let missing: Vec<usize> = missing.collect();
            if !missing.is_empty() {
                open.extend(missing);
                continue;
            }
            if !self.everything.contains_key(&at) {
                let unit = self.node(at, origin)?;
                self.everything.insert(at, unit);
            }
            open.pop();
        }
        self.everything.get(&node).copied()
    }

    /// The same for a node whose parts are there.
    fn node(&mut self, node: usize, origin: SourceOrigin) -> Option<UnitId> {
        let parts = self.guide.parts(node);
        self.n_left = self.n_left.checked_sub(1 + parts.len())?;
        match self.guide.variable(node) {
            Some(variable) => self.copy.leaf(variable, origin),
            None => {
                let units = parts.iter().map(|part| self.everything[part]);
                Some(self.copy.rebuild.builder.product_of(units, origin))
            }
        }
    }
}
