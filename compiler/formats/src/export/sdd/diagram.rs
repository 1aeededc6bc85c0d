//! Decision diagrams in their canonical form: equal functions are one node.
//!
//! A decision at a node of the vtree is a list of primes over its left part, which exclude
//! each other and cover all cases, each with a sub over its right part. No two subs are the
//! same (*compressed*), and a decision that says no more than one of its parts is that part
//! (*trimmed*); that makes the form unique (A. Darwiche, *SDD: a new canonical
//! representation of propositional knowledge bases*, 2011).

use super::apply::SddOperation;
use crate::export::vtree::BinaryVtree;
use pelton_compiler::circuit::VarId;
use rustc_hash::FxHashMap;

/// Elements of decisions and results that are remembered, in all.
pub(super) const LARGEST: usize = 5_000_000;

/// Steps up the vtree and sizes of lists that are looked at, in all: seconds.
const MOST_STEPS: usize = 1_000_000_000;

/// A node; parts come before wholes.
pub(super) type SddNodeId = u32;

/// Never true.
pub(super) const FALSE: SddNodeId = 0;
/// Always true.
pub(super) const TRUE: SddNodeId = 1;

/// The diagram would take more than its limits allow.
#[derive(Clone, Copy, Debug)]
pub(super) struct SddTooLarge;

/// A prime and its sub.
pub(super) type SddElement = (SddNodeId, SddNodeId);

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SddNode {
    /// Never true.
    False,
    /// Always true.
    True,
    /// A variable from 1 up, or with a minus its negation.
    Literal(i64),
    /// One of its elements.
    Decision,
}

/// The nodes made so far, over one vtree.
pub(super) struct SddDiagram<'v> {
    vtree: &'v BinaryVtree,
    nodes: Vec<SddNode>,
    /// The node of the vtree that each belongs to; that of constants means nothing.
    places: Vec<u32>,
    /// Elements of each, by prime; none for what is no decision.
    elements: Vec<Box<[SddElement]>>,
    literals: FxHashMap<i64, SddNodeId>,
    /// Decisions by their elements.
    decisions: FxHashMap<Box<[SddElement]>, SddNodeId>,
    /// What operations gave.
    pub(super) known: FxHashMap<(SddOperation, SddNodeId, SddNodeId), SddNodeId>,
    size_left: usize,
    steps_left: usize,
}

impl<'v> SddDiagram<'v> {
    /// The two constants alone; elements and results may be so many.
    pub fn new(vtree: &'v BinaryVtree, largest: usize) -> Self {
        SddDiagram {
            vtree,
            nodes: vec![SddNode::False, SddNode::True],
            places: vec![0, 0],
            elements: vec![Box::default(), Box::default()],
            literals: FxHashMap::default(),
            decisions: FxHashMap::default(),
            known: FxHashMap::default(),
            size_left: largest,
            steps_left: MOST_STEPS,
        }
    }

    /// The tree that it follows.
    pub fn vtree(&self) -> &'v BinaryVtree {
        self.vtree
    }

    /// What a node is.
    pub fn node(&self, node: SddNodeId) -> SddNode {
        self.nodes[node as usize]
    }

    /// The node of the vtree that a node belongs to, if it is no constant.
    pub fn vtree_node(&self, node: SddNodeId) -> u32 {
        self.places[node as usize]
    }

    /// The elements of a decision.
    pub fn elements(&self, node: SddNodeId) -> &[SddElement] {
        &self.elements[node as usize]
    }

    fn push(&mut self, node: SddNode, place: u32, elements: Box<[SddElement]>) -> SddNodeId {
        self.nodes.push(node);
        self.places.push(place);
        self.elements.push(elements);
        (self.nodes.len() - 1) as SddNodeId
    }

    /// The node of a literal.
    pub fn literal(&mut self, literal: i64) -> SddNodeId {
        if let Some(&known) = self.literals.get(&literal) {
            return known;
        }
        let variable = VarId::new(literal.unsigned_abs() as usize - 1);
        let place = self.vtree.leaf(variable);
        let place = place.expect("the tree has all variables");
        let node = self.push(SddNode::Literal(literal), place, Box::default());
        self.literals.insert(literal, node);
        node
    }

    /// The decision with these elements, the subs of which all differ.
    pub fn decision(
        &mut self,
        mut elements: Vec<SddElement>,
        at: u32,
    ) -> Result<SddNodeId, SddTooLarge> {
        elements.sort_unstable();
        match elements[..] {
            [(_, only)] => return Ok(only),
            [(prime, TRUE), (_, FALSE)] | [(_, FALSE), (prime, TRUE)] => return Ok(prime),
            _ => {}
        }
        let elements: Box<[SddElement]> = elements.into();
        if let Some(&known) = self.decisions.get(&elements) {
            return Ok(known);
        }
        self.take_size(2 * elements.len())?;
        let node = self.push(SddNode::Decision, at, elements.clone());
        self.decisions.insert(elements, node);
        Ok(node)
    }

    /// Remembers what an operation gave.
    pub fn remember(
        &mut self,
        key: (SddOperation, SddNodeId, SddNodeId),
        result: SddNodeId,
    ) -> Result<(), SddTooLarge> {
        self.take_size(1)?;
        self.known.insert(key, result);
        Ok(())
    }

    fn take_size(&mut self, n: usize) -> Result<(), SddTooLarge> {
        self.size_left = self.size_left.checked_sub(n).ok_or(SddTooLarge)?;
        Ok(())
    }

    /// Counts work that makes nothing.
    pub fn take_steps(&mut self, n: usize) -> Result<(), SddTooLarge> {
        self.steps_left = self.steps_left.checked_sub(n).ok_or(SddTooLarge)?;
        Ok(())
    }

    /// Nodes in an order in which neighbours in the vtree meet early: from right to left,
    /// because splits with many parts take them off from the left.
    pub fn near_first(&self, nodes: impl Iterator<Item = SddNodeId>) -> Vec<SddNodeId> {
        let mut nodes: Vec<SddNodeId> = nodes.collect();
        nodes.sort_by_key(|&node| std::cmp::Reverse(self.vtree.place(self.vtree_node(node))));
        nodes
    }

    /// For each node, whether it is the root or part of what is below it.
    pub fn below(&self, root: SddNodeId) -> Vec<bool> {
        let mut is_used = vec![false; root as usize + 1];
        is_used[root as usize] = true;
        for at in (0..is_used.len()).rev().filter(|&at| at > TRUE as usize) {
            if is_used[at] {
                for &(prime, sub) in &self.elements[at] {
                    is_used[prime as usize] = true;
                    is_used[sub as usize] = true;
                }
            }
        }
        is_used
    }
}
