//! Sum-product networks as libraries keep them, before they are circuits.
//!
//! Such files do not declare variables: what values one has is known only when all of
//! its leaves were seen. So leaves are described first and made when the domains are
//! settled.

mod domain;
mod leaf;

pub(super) use leaf::DescribedLeaf;

use super::assembly::CircuitAssembly;
use super::rounding::{Rounding, scaled};
use super::units::too_large;
use super::{ImportContext, ImportError, ImportedCircuit};
use domain::OutlineDomains;
use pelton_compiler::circuit::{ParameterValue, SourceOrigin, UnitId};
use pelton_grammar::source::Span;

/// A node of an outline, as a position.
pub(super) type OutlineNodeId = usize;

/// What a node computes; children come before their parents.
pub(super) enum OutlineNode {
    /// A function of the variable of this number.
    Leaf(usize, DescribedLeaf),
    /// A product of at least one node.
    Product(Vec<OutlineNodeId>),
    /// A sum of at least one node, each with a weight that is finite and not negative.
    Sum(Vec<(f64, OutlineNodeId)>),
}

/// A network in the making.
pub(super) struct CircuitOutline {
    nodes: Vec<(OutlineNode, Span)>,
    size: usize,
    max_size: usize,
    /// How far weights and probabilities were from adding up to 1.
    pub rounding: Rounding,
}

impl CircuitOutline {
    /// Nothing yet.
    pub fn new(context: &ImportContext) -> Self {
        CircuitOutline {
            nodes: Vec::new(),
            size: 0,
            max_size: context.max_size,
            rounding: Rounding::default(),
        }
    }

    /// Adds a node.
    pub fn add(&mut self, shape: OutlineNode, span: Span) -> Result<OutlineNodeId, ImportError> {
        self.size += 1 + match &shape {
            OutlineNode::Leaf(_, leaf) => leaf.n_shares(),
            OutlineNode::Product(children) => children.len(),
            OutlineNode::Sum(terms) => terms.len(),
        };
        if self.size > self.max_size {
            return Err(too_large(span, self.max_size));
        }
        self.nodes.push((shape, span));
        Ok(self.nodes.len() - 1)
    }

    /// Adds a sum whose weights may have been rounded. Those that are further from
    /// adding up to 1 stay as they are, for the checks to tell.
    pub fn add_sum(
        &mut self,
        mut weights: Vec<f64>,
        children: Vec<OutlineNodeId>,
        span: Span,
    ) -> Result<OutlineNodeId, ImportError> {
        scaled(&mut weights, &mut self.rounding);
        let terms = weights.into_iter().zip(children).collect();
        self.add(OutlineNode::Sum(terms), span)
    }

    /// Numbers the variables by a key of their names and returns the names in that order.
    pub fn sort_variables<K: Ord>(
        &mut self,
        mut names: Vec<String>,
        key: impl Fn(&str) -> K,
    ) -> Vec<String> {
        let mut order: Vec<usize> = (0..names.len()).collect();
        order.sort_by_key(|&at| key(&names[at]));
        let mut position = vec![0; order.len()];
        for (new, &old) in order.iter().enumerate() {
            position[old] = new;
        }
        for (shape, _) in &mut self.nodes {
            if let OutlineNode::Leaf(variable, _) = shape {
                *variable = position[*variable];
            }
        }
        order
            .iter()
            .map(|&at| std::mem::take(&mut names[at]))
            .collect()
    }

    /// Makes a circuit of the nodes, the last of which is the root; `names` are those of
    /// the variables, each of which has a leaf.
    pub fn build(
        self,
        context: &ImportContext,
        names: &[String],
    ) -> Result<ImportedCircuit, ImportError> {
        let domains = OutlineDomains::of(&self.nodes, names, context.max_size)?;
        let mut assembly = CircuitAssembly::new(context);
        for (at, name) in names.iter().enumerate() {
            let (domain, span) = domains.get(at);
            assembly.variable(name.clone(), domain.clone(), span);
        }
        let mut units: Vec<UnitId> = Vec::with_capacity(self.nodes.len());
        for (shape, span) in &self.nodes {
            let origin = SourceOrigin::anonymous(*span);
            units.push(match shape {
                OutlineNode::Leaf(variable, leaf) => {
                    let domain = domains.get(*variable).0;
                    leaf.unit(*variable, domain, &mut assembly, origin)
                }
                OutlineNode::Product(children) => {
                    let factors: Vec<UnitId> = children.iter().map(|&at| units[at]).collect();
                    assembly.product(&factors, origin)?
                }
                OutlineNode::Sum(terms) => {
                    let term = |&(weight, at): &(f64, OutlineNodeId)| {
                        (ParameterValue::Linear(weight), units[at])
                    };
                    let terms: Vec<(ParameterValue, UnitId)> = terms.iter().map(term).collect();
                    assembly.sum(&terms, origin)?
                }
            });
        }
        let root = units.last().copied();
        let root = root.ok_or_else(|| ImportError::whole("the file holds no network"))?;
        let notes = self.rounding.note("weights and probabilities").into_iter();
        Ok(assembly.finish(root, notes.collect()))
    }
}
