//! Sum-product networks as libraries keep them, before they are circuits.
//!
//! Such files do not declare variables: what values one has is known only when all of
//! its leaves were seen. So leaves are described first and made when the domains are
//! settled.

mod domain;
mod leaf;

pub(super) use leaf::Described;

use super::assembly::Assembly;
use super::rounding::{Rounding, scaled};
use super::units::too_large;
use super::{Context, Fault, Imported};
use domain::Domains;
use pelton_compiler::circuit::{Origin, UnitId, Value};
use pelton_grammar::source::Span;

/// A node of an outline, as a position.
pub(super) type NodeId = usize;

/// What a node computes; children come before their parents.
pub(super) enum Shape {
    /// A function of the variable of this number.
    Leaf(usize, Described),
    /// A product of at least one node.
    Product(Vec<NodeId>),
    /// A sum of at least one node, each with a weight that is finite and not negative.
    Sum(Vec<(f64, NodeId)>),
}

/// A network in the making.
pub(super) struct Outline {
    nodes: Vec<(Shape, Span)>,
    size: usize,
    max_size: usize,
    /// How far weights and probabilities were from adding up to 1.
    pub rounding: Rounding,
}

impl Outline {
    /// Nothing yet.
    pub fn new(context: &Context) -> Self {
        Outline {
            nodes: Vec::new(),
            size: 0,
            max_size: context.max_size,
            rounding: Rounding::default(),
        }
    }

    /// Adds a node.
    pub fn add(&mut self, shape: Shape, span: Span) -> Result<NodeId, Fault> {
        self.size += 1 + match &shape {
            Shape::Leaf(_, leaf) => leaf.n_shares(),
            Shape::Product(children) => children.len(),
            Shape::Sum(terms) => terms.len(),
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
        children: Vec<NodeId>,
        span: Span,
    ) -> Result<NodeId, Fault> {
        scaled(&mut weights, &mut self.rounding);
        let terms = weights.into_iter().zip(children).collect();
        self.add(Shape::Sum(terms), span)
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
            if let Shape::Leaf(variable, _) = shape {
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
    pub fn build(self, context: &Context, names: &[String]) -> Result<Imported, Fault> {
        let domains = Domains::of(&self.nodes, names, context.max_size)?;
        let mut assembly = Assembly::new(context);
        for (at, name) in names.iter().enumerate() {
            let (domain, span) = domains.get(at);
            assembly.variable(name.clone(), domain.clone(), span);
        }
        let mut units: Vec<UnitId> = Vec::with_capacity(self.nodes.len());
        for (shape, span) in &self.nodes {
            let origin = Origin::anonymous(*span);
            units.push(match shape {
                Shape::Leaf(variable, leaf) => {
                    let domain = domains.get(*variable).0;
                    leaf.unit(*variable, domain, &mut assembly, origin)
                }
                Shape::Product(children) => {
                    let factors: Vec<UnitId> = children.iter().map(|&at| units[at]).collect();
                    assembly.product(&factors, origin)?
                }
                Shape::Sum(terms) => {
                    let term = |&(weight, at): &(f64, NodeId)| (Value::Linear(weight), units[at]);
                    let terms: Vec<(Value, UnitId)> = terms.iter().map(term).collect();
                    assembly.sum(&terms, origin)?
                }
            });
        }
        let root = units.last().copied();
        let root = root.ok_or_else(|| Fault::whole("the file holds no network"))?;
        let notes = self.rounding.note("weights and probabilities").into_iter();
        Ok(assembly.finish(root, notes.collect()))
    }
}
