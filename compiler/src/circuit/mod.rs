//! The circuit graph.
//!
//! A [`CircuitGraph`] is append-only and built only through [`CircuitBuilder`]: the text
//! language, importers and learners all go the same way. Children are added
//! before their parents, so ascending ids are a topological order, and the
//! edges of one unit are added together, so they are one contiguous range in
//! the order they were written. Petgraph stores the graph and is not visible
//! outside this module.

mod builder;
mod fingerprint;
mod id;
mod leaf;
mod learn;
mod name;
mod parameter;
mod property;
mod reach;
mod rebuild;
mod scope;
mod usage;
mod value_set;
mod variable;

pub use crate::evidence::{DeclaredQuery, Event};
pub use builder::{CircuitBuilder, SourceOrigin};
pub use fingerprint::Fingerprint;
pub use id::{LeafId, NameId, ParamId, ScopeId, UnitId, VarId, VtreeId};
pub use leaf::{Distribution, FiniteConstant, Leaf, LeafKind};
pub use name::{CircuitNames, show_name, split_name};
pub(crate) use name::{index_tuples, n_members};
pub use parameter::{CircuitParameter, ParamKind, ParameterEntry, ParameterValue};
pub(crate) use parameter::{freeze, given_total};
pub use property::{Assertion, Property};
pub(crate) use reach::targets;
pub use reach::{ReachableUnits, mentioned};
pub use rebuild::CircuitRebuild;
pub use scope::{Scope, Scopes, Vtree, VtreeNode};
pub(crate) use scope::{ScopeCrossing, arrange};
pub use usage::{ParameterRole, ParameterUsage};
pub use value_set::{Cut, ValueSet};
pub use variable::{CircuitVariable, Domain, VariableAttributes};

pub use crate::leaf::family::*;

use pelton_grammar::source::Span;
use petgraph::graph::{DiGraph, EdgeIndex, NodeIndex};
use rustc_hash::FxHashMap;

/// What a unit computes from its children.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnitKind {
    /// A function of one variable.
    Input(LeafId),
    /// The product of its children; 1 if there are none.
    Product,
    /// The weighted sum of its children.
    Sum,
}

/// One number of one parameter, used as the weight of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Weight {
    /// The parameter.
    pub param: ParamId,
    /// The entry in it.
    pub index: u32,
}

/// An edge from a sum or product to one of its children.
#[derive(Clone, Copy, Debug)]
pub struct ChildEdge {
    /// The child.
    pub unit: UnitId,
    /// The weight; `None` in products.
    pub weight: Option<Weight>,
    /// Where the term or factor was written.
    pub span: Span,
}

impl ChildEdge {
    /// A factor of a product.
    pub fn factor(unit: UnitId, span: Span) -> Self {
        ChildEdge {
            unit,
            weight: None,
            span,
        }
    }

    /// A term of a sum.
    pub fn term(unit: UnitId, weight: Weight, span: Span) -> Self {
        ChildEdge {
            unit,
            weight: Some(weight),
            span,
        }
    }
}

#[derive(Clone, Debug)]
struct UnitNode {
    kind: UnitKind,
    span: Span,
    first_edge: u32,
    n_children: u32,
    owner: Option<NameId>,
    is_named: bool,
}

#[derive(Clone, Debug)]
struct UnitEdge {
    weight: Option<Weight>,
    span: Span,
}

type UnitGraph = DiGraph<UnitNode, UnitEdge, u32>;

/// A probabilistic circuit: units, variables, parameters, and what the author
/// said about them.
#[derive(Clone, Debug)]
pub struct CircuitGraph {
    graph: UnitGraph,
    variables: Vec<CircuitVariable>,
    leaves: Vec<Leaf>,
    parameters: Vec<CircuitParameter>,
    entries: Vec<ParameterEntry>,
    names: CircuitNames,
    root: UnitId,
    assertions: Vec<Assertion>,
    queries: Vec<DeclaredQuery>,
}

impl CircuitGraph {
    /// The unit whose value is the circuit's.
    pub fn root(&self) -> UnitId {
        self.root
    }

    /// Number of units.
    pub fn n_units(&self) -> usize {
        self.graph.node_count()
    }

    /// Number of edges.
    pub fn n_edges(&self) -> usize {
        self.graph.edge_count()
    }

    /// All units, children before parents.
    pub fn units(&self) -> impl DoubleEndedIterator<Item = UnitId> + ExactSizeIterator + use<> {
        (0..self.n_units()).map(UnitId::new)
    }

    /// All sums, children before parents.
    pub fn sums(&self) -> impl Iterator<Item = UnitId> + '_ {
        self.units()
            .filter(|&unit| self.kind(unit) == UnitKind::Sum)
    }

    /// All products, children before parents.
    pub fn products(&self) -> impl Iterator<Item = UnitId> + '_ {
        self.units()
            .filter(|&unit| self.kind(unit) == UnitKind::Product)
    }

    fn unit(&self, unit: UnitId) -> &UnitNode {
        &self.graph[NodeIndex::new(unit.index())]
    }

    /// What the unit computes.
    pub fn kind(&self, unit: UnitId) -> UnitKind {
        self.unit(unit).kind
    }

    /// The leaf of an input unit.
    pub fn leaf_of(&self, unit: UnitId) -> Option<&Leaf> {
        match self.kind(unit) {
            UnitKind::Input(leaf) => Some(self.leaf(leaf)),
            _ => None,
        }
    }

    /// The children in the order they were written.
    pub fn children(
        &self,
        unit: UnitId,
    ) -> impl DoubleEndedIterator<Item = ChildEdge> + ExactSizeIterator + '_ {
        self.edges(unit).iter().map(child_of)
    }

    /// The children of a sum with their weights.
    pub fn terms(&self, sum: UnitId) -> impl ExactSizeIterator<Item = (UnitId, Weight)> + '_ {
        let weighted = |child: ChildEdge| child.weight.expect("a sum's children have weights");
        self.children(sum)
            .map(move |child| (child.unit, weighted(child)))
    }

    fn edges(&self, unit: UnitId) -> &[petgraph::graph::Edge<UnitEdge, u32>] {
        builder::stored(&self.graph, unit).1
    }

    /// Number of children.
    pub fn n_children(&self, unit: UnitId) -> usize {
        self.unit(unit).n_children as usize
    }

    /// One child by position.
    pub fn child(&self, unit: UnitId, child_idx: usize) -> ChildEdge {
        child_of(&self.edges(unit)[child_idx])
    }

    /// Where the unit was written.
    pub fn span(&self, unit: UnitId) -> Span {
        self.unit(unit).span
    }

    /// The unit's own name, if it is a named node.
    pub fn name(&self, unit: UnitId) -> Option<NameId> {
        let unit = self.unit(unit);
        unit.owner.filter(|_| unit.is_named)
    }

    /// The named node in whose text the unit was first written, itself included.
    pub fn owner(&self, unit: UnitId) -> Option<NameId> {
        self.unit(unit).owner
    }

    /// The unit in words: ``sum node `mix` ``, ``product in node `z[3, 7]` ``, `sum at the root`.
    pub fn describe(&self, unit: UnitId) -> String {
        let kind = match self.kind(unit) {
            UnitKind::Input(_) => "leaf",
            UnitKind::Product => "product",
            UnitKind::Sum => "sum",
        };
        match (self.name(unit), self.owner(unit)) {
            (Some(name), _) => format!("{kind} node `{}`", self.names.show(name)),
            (None, Some(owner)) => format!("{kind} in node `{}`", self.names.show(owner)),
            (None, None) if unit == self.root() => format!("{kind} at the root"),
            (None, None) => format!("{kind} in the root statement"),
        }
    }

    /// All variables; ids are positions.
    pub fn variables(&self) -> &[CircuitVariable] {
        &self.variables
    }

    /// One variable.
    pub fn variable(&self, id: VarId) -> &CircuitVariable {
        &self.variables[id.index()]
    }

    pub(crate) fn variables_by_name(&self) -> FxHashMap<&str, VarId> {
        let names = self.variables.iter().map(|variable| variable.name.as_str());
        names.zip((0..).map(VarId::new)).collect()
    }

    /// All distinct leaves; ids are positions.
    pub fn leaves(&self) -> &[Leaf] {
        &self.leaves
    }

    /// One leaf.
    pub fn leaf(&self, id: LeafId) -> &Leaf {
        &self.leaves[id.index()]
    }

    /// All parameters; ids are positions.
    pub fn parameters(&self) -> &[CircuitParameter] {
        &self.parameters
    }

    /// One parameter.
    pub fn parameter(&self, id: ParamId) -> &CircuitParameter {
        &self.parameters[id.index()]
    }

    /// The numbers of one parameter.
    pub fn entries(&self, id: ParamId) -> &[ParameterEntry] {
        &self.entries[self.parameter(id).entries()]
    }

    /// The numbers of all parameters, in the order of their ids.
    pub fn all_entries(&self) -> &[ParameterEntry] {
        &self.entries
    }

    /// The number an edge's weight refers to.
    pub fn entry(&self, weight: Weight) -> ParameterEntry {
        self.entries(weight.param)[weight.index as usize]
    }

    /// Whether a weight can be multiplied by a number: it is fixed, and no other sum shares it
    /// by its parameter's name.
    pub(crate) fn is_scalable(&self, weight: Weight) -> bool {
        self.parameter(weight.param).name.is_none() && !self.entry(weight).learned
    }

    /// The position of a weight's entry in [`CircuitGraph::all_entries`].
    pub fn entry_position(&self, weight: Weight) -> usize {
        self.parameter(weight.param).entries().start + weight.index as usize
    }

    /// Names of nodes and parameters.
    pub fn names(&self) -> &CircuitNames {
        &self.names
    }

    /// What the author asserts, in the order written.
    pub fn assertions(&self) -> &[Assertion] {
        &self.assertions
    }

    /// What the author asks, in the order written.
    pub fn queries(&self) -> &[DeclaredQuery] {
        &self.queries
    }

    /// A value for every entry: fixed and started ones as given, the rest by
    /// the neutral choice of their kind (an equal share of what is left, 1 for
    /// `positive`, 0 for `real`).
    pub fn start_values(&self) -> Vec<ParameterValue> {
        parameter::start_values(&self.parameters, &self.entries)
    }
}

fn child_of(edge: &petgraph::graph::Edge<UnitEdge, u32>) -> ChildEdge {
    ChildEdge {
        unit: UnitId::new(edge.target().index()),
        weight: edge.weight.weight,
        span: edge.weight.span,
    }
}
