//! The one way to make a circuit.

use super::*;
use hashbrown::HashTable;
use std::hash::{Hash, Hasher};

/// Where a unit comes from and what it is called.
#[derive(Clone, Copy, Debug, Default)]
pub struct SourceOrigin {
    /// The text it was written as.
    pub span: Span,
    /// The named node it belongs to.
    pub owner: Option<NameId>,
    /// Whether it *is* that node, rather than a part of it. Named nodes are
    /// units of their own; other units are shared with equal ones.
    pub is_named: bool,
}

impl SourceOrigin {
    /// A unit without a name that belongs to no named node.
    pub fn anonymous(span: Span) -> Self {
        SourceOrigin {
            span,
            ..SourceOrigin::default()
        }
    }

    /// The same for a part of a named node.
    pub fn unnamed(self) -> Self {
        SourceOrigin {
            is_named: false,
            ..self
        }
    }

    /// A part of what another unit belongs to.
    pub fn part_of(circuit: &CircuitGraph, unit: UnitId, span: Span) -> Self {
        SourceOrigin {
            owner: circuit.owner(unit),
            ..SourceOrigin::anonymous(span)
        }
    }
}

/// Builds a [`CircuitGraph`], children before parents.
///
/// Anonymous units that are equal (same function, same children, same weights)
/// become one unit. Weights written in place with `?` are parameters of their
/// own, so units that hold one are never merged.
#[derive(Debug, Default)]
pub struct CircuitBuilder {
    graph: UnitGraph,
    variables: Vec<CircuitVariable>,
    leaves: Vec<Leaf>,
    leaf_ids: HashTable<LeafId>,
    parameters: Vec<CircuitParameter>,
    entries: Vec<ParameterEntry>,
    fixed_parameters: FxHashMap<FixedKey, ParamId>,
    /// How many parameters have been looked at for `fixed_parameters`.
    n_looked_up: usize,
    names: CircuitNames,
    /// Anonymous units, looked up by their content.
    shared: HashTable<UnitId>,
    assertions: Vec<Assertion>,
    queries: Vec<DeclaredQuery>,
    /// Whether equal products and sums stay apart.
    keeps_apart: bool,
}

/// What makes two fixed, unnamed parameters the same.
type FixedKey = (ParamKind, Vec<(u8, u64)>);

impl CircuitBuilder {
    /// Nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Starts from the variables, names and parameters of a circuit, without its
    /// units. What starts out like this keeps its id, and every entry its
    /// position: values kept for the old circuit fit the new one.
    pub(crate) fn over(circuit: &CircuitGraph) -> Self {
        CircuitBuilder {
            graph: UnitGraph::with_capacity(circuit.n_units(), circuit.n_edges()),
            variables: circuit.variables.clone(),
            leaf_ids: HashTable::with_capacity(circuit.leaves.len()),
            parameters: circuit.parameters.clone(),
            entries: circuit.entries.clone(),
            names: circuit.names.clone(),
            shared: HashTable::with_capacity(circuit.n_units()),
            ..CircuitBuilder::default()
        }
    }

    /// Keeps equal products and sums apart from now on. A rewrite that counts
    /// parents needs this: merging units would change the counts behind its back.
    pub(crate) fn keep_apart(&mut self) {
        self.keeps_apart = true;
    }

    /// Declares a variable.
    pub fn variable(&mut self, variable: CircuitVariable) -> VarId {
        self.variables.push(variable);
        VarId::new(self.variables.len() - 1)
    }

    /// The number of units and edges so far.
    pub fn size(&self) -> usize {
        self.graph.node_count() + self.graph.edge_count()
    }

    /// Gives a variable another domain, before anything is said about its values.
    pub fn set_domain(&mut self, variable: VarId, domain: Domain) {
        self.variables[variable.index()].domain = domain;
    }

    /// The variables declared so far.
    pub fn variables(&self) -> &[CircuitVariable] {
        &self.variables
    }

    pub(crate) fn n_parameters(&self) -> usize {
        self.parameters.len()
    }

    /// Makes a name for a unit or parameter.
    pub fn name(&mut self, base: &str, indices: &[i64]) -> NameId {
        self.names.add(base, indices)
    }

    /// A name as the language writes it.
    pub fn show_name(&self, name: NameId) -> String {
        self.names.show(name)
    }

    /// Adds a parameter. One that has no name and is fixed throughout is
    /// shared with equal ones.
    ///
    /// `UnitNode` takes two entries, `Positive` and `Real` one.
    pub fn parameter(
        &mut self,
        name: Option<NameId>,
        kind: ParamKind,
        entries: &[ParameterEntry],
        span: Span,
    ) -> ParamId {
        let key = fixed_key(name, kind, entries);
        if key.is_some() {
            self.look_up_fixed();
        }
        if let Some(&id) = key.as_ref().and_then(|key| self.fixed_parameters.get(key)) {
            return id;
        }
        let id = ParamId::new(self.parameters.len());
        self.parameters.push(CircuitParameter {
            name,
            kind,
            span,
            first_entry: u32::try_from(self.entries.len()).expect("below 2^32 entries"),
            n_entries: entries.len() as u32,
        });
        self.entries.extend_from_slice(entries);
        if let Some(key) = key {
            self.fixed_parameters.insert(key, id);
            self.n_looked_up = self.parameters.len();
        }
        id
    }

    /// Weights of a sum: the entries of a parameter of their own.
    pub fn weights(
        &mut self,
        kind: ParamKind,
        entries: &[ParameterEntry],
        span: Span,
    ) -> impl Iterator<Item = Weight> + use<> {
        let param = self.parameter(None, kind, entries, span);
        (0..entries.len() as u32).map(move |index| Weight { param, index })
    }

    /// Weights of a sum that never change. Those printed with six digits, or kept as `f32`,
    /// still count as adding up to 1.
    pub fn fixed_weights(
        &mut self,
        values: impl IntoIterator<Item = ParameterValue>,
        span: Span,
    ) -> Vec<Weight> {
        let entries = values.into_iter().map(ParameterEntry::constant);
        let entries: Vec<ParameterEntry> = entries.collect();
        let kind = if (given_total(&entries) - 1.0).abs() <= 1e-6 {
            ParamKind::Simplex
        } else {
            ParamKind::Weights
        };
        self.weights(kind, &entries, span).collect()
    }

    /// Adds an input unit with a distribution that has this parameter for itself.
    pub fn distribution(
        &mut self,
        variable: VarId,
        family: Family,
        kind: ParamKind,
        entries: &[ParameterEntry],
        origin: SourceOrigin,
    ) -> UnitId {
        let param = self.parameter(None, kind, entries, origin.span);
        self.input(Leaf::distribution(variable, family, vec![param]), origin)
    }

    /// Takes fixed parameters that were there from the start into account. Many
    /// rewrites add none, so they are looked at when the first one is added.
    fn look_up_fixed(&mut self) {
        for at in self.n_looked_up..self.parameters.len() {
            let parameter = &self.parameters[at];
            let entries = &self.entries[parameter.entries()];
            if let Some(key) = fixed_key(parameter.name, parameter.kind, entries) {
                self.fixed_parameters.entry(key).or_insert(ParamId::new(at));
            }
        }
        self.n_looked_up = self.parameters.len();
    }

    /// The numbers of a parameter added before.
    pub fn entries(&self, param: ParamId) -> &[ParameterEntry] {
        &self.entries[self.parameters[param.index()].entries()]
    }

    /// The kind of a parameter added before.
    pub fn param_kind(&self, param: ParamId) -> ParamKind {
        self.parameters[param.index()].kind
    }

    /// Adds an input unit.
    pub fn input(&mut self, leaf: Leaf, origin: SourceOrigin) -> UnitId {
        let id = self.leaf(leaf);
        self.input_of(id, origin)
    }

    /// Adds an input unit with a leaf that was added before.
    pub(super) fn input_of(&mut self, leaf: LeafId, origin: SourceOrigin) -> UnitId {
        self.unit(UnitKind::Input(leaf), &[], origin)
    }

    /// Adds a product. `children` were added before; their weights are ignored.
    pub fn product(&mut self, children: &[ChildEdge], origin: SourceOrigin) -> UnitId {
        self.unit(UnitKind::Product, children, origin)
    }

    /// Adds the product of units that were all written where it was.
    pub fn product_of(
        &mut self,
        units: impl IntoIterator<Item = UnitId>,
        origin: SourceOrigin,
    ) -> UnitId {
        let factors = units
            .into_iter()
            .map(|unit| ChildEdge::factor(unit, origin.span));
        self.product(&factors.collect::<Vec<_>>(), origin)
    }

    /// Adds a sum. `children` were added before, have weights, and are not empty.
    pub fn sum(&mut self, children: &[ChildEdge], origin: SourceOrigin) -> UnitId {
        assert!(!children.is_empty(), "a sum has children");
        self.unit(UnitKind::Sum, children, origin)
    }

    /// Records what is asserted of a unit.
    pub fn assertion(&mut self, assertion: Assertion) {
        self.assertions.push(assertion);
    }

    /// Records a question.
    pub fn query(&mut self, query: DeclaredQuery) {
        self.queries.push(query);
    }

    /// The finished circuit, without the room that was left for more of it.
    pub fn finish(mut self, root: UnitId) -> CircuitGraph {
        // Buffers grew by doubling; a finished circuit never grows again.
        self.graph.shrink_to_fit();
        self.leaves.shrink_to_fit();
        self.parameters.shrink_to_fit();
        self.entries.shrink_to_fit();
        CircuitGraph {
            graph: self.graph,
            variables: self.variables,
            leaves: self.leaves,
            parameters: self.parameters,
            entries: self.entries,
            names: self.names,
            root,
            assertions: self.assertions,
            queries: self.queries,
        }
    }

    pub(super) fn leaf(&mut self, leaf: Leaf) -> LeafId {
        // The table holds ids only: what they stand for is compared in place, so that no leaf
        // is kept twice.
        let (hash, leaves) = (hash_of(&leaf), &mut self.leaves);
        let known = self.leaf_ids.find(hash, |id| leaves[id.index()] == leaf);
        if let Some(&id) = known {
            return id;
        }
        let id = LeafId::new(leaves.len());
        leaves.push(leaf);
        let rehash = |id: &LeafId| hash_of(&leaves[id.index()]);
        self.leaf_ids.insert_unique(hash, id, rehash);
        id
    }

    fn unit(&mut self, kind: UnitKind, children: &[ChildEdge], origin: SourceOrigin) -> UnitId {
        let is_input = matches!(kind, UnitKind::Input(_));
        if origin.is_named || (self.keeps_apart && !is_input) {
            return self.append(kind, children, origin);
        }
        // Units without a name are looked up by what they compute; where it was written is that of
        // the first.
        let content = children.iter().map(|child| (child.unit, child.weight));
        let hash = content_hash(kind, content);
        let same = |old: &UnitId| self.equals(*old, kind, children);
        if let Some(&same) = self.shared.find(hash, same) {
            return same;
        }
        let id = self.append(kind, children, origin);
        let graph = &self.graph;
        let rehash = |id: &UnitId| stored_hash(graph, *id);
        self.shared.insert_unique(hash, id, rehash);
        id
    }

    fn equals(&self, old: UnitId, kind: UnitKind, children: &[ChildEdge]) -> bool {
        let (unit, edges) = stored(&self.graph, old);
        let content = |child: ChildEdge| (child.unit, child.weight);
        let own = edges.iter().map(|edge| content(child_of(edge)));
        unit.kind == kind && own.eq(children.iter().copied().map(content))
    }

    fn append(&mut self, kind: UnitKind, children: &[ChildEdge], origin: SourceOrigin) -> UnitId {
        let node = self.graph.add_node(UnitNode {
            kind,
            span: origin.span,
            first_edge: u32::try_from(self.graph.edge_count()).expect("below 2^32 edges"),
            n_children: children.len() as u32,
            owner: origin.owner,
            is_named: origin.is_named,
        });
        for child in children {
            assert!(child.unit.index() < node.index(), "children come first");
            let weight = match kind {
                UnitKind::Sum => Some(child.weight.expect("a sum's children have weights")),
                _ => None,
            };
            let edge = UnitEdge {
                weight,
                span: child.span,
            };
            self.graph
                .add_edge(node, NodeIndex::new(child.unit.index()), edge);
        }
        UnitId::new(node.index())
    }
}

/// What makes a parameter the same as others; none if it has a name or learns.
fn fixed_key(
    name: Option<NameId>,
    kind: ParamKind,
    entries: &[ParameterEntry],
) -> Option<FixedKey> {
    let bits = entries
        .iter()
        .map(|entry| Some(entry.fixed_value()?.bits()));
    match name {
        None => Some((kind, bits.collect::<Option<_>>()?)),
        Some(_) => None,
    }
}

fn hash_of(value: &impl Hash) -> u64 {
    let mut hasher = rustc_hash::FxHasher::default();
    value.hash(&mut hasher);
    hasher.finish()
}

/// The hash of what makes two anonymous units the same.
fn content_hash(kind: UnitKind, children: impl Iterator<Item = (UnitId, Option<Weight>)>) -> u64 {
    let mut hasher = rustc_hash::FxHasher::default();
    kind.hash(&mut hasher);
    children.for_each(|child| child.hash(&mut hasher));
    hasher.finish()
}

fn stored_hash(graph: &UnitGraph, unit: UnitId) -> u64 {
    let (unit, edges) = stored(graph, unit);
    let children = edges.iter().map(child_of);
    content_hash(unit.kind, children.map(|child| (child.unit, child.weight)))
}

pub(super) fn stored(
    graph: &UnitGraph,
    unit: UnitId,
) -> (&UnitNode, &[petgraph::graph::Edge<UnitEdge, u32>]) {
    let unit = &graph[NodeIndex::new(unit.index())];
    let first = unit.first_edge as usize;
    let edges = &graph.raw_edges()[first..first + unit.n_children as usize];
    (unit, edges)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn literal(builder: &mut CircuitBuilder, variable: VarId, value: i64) -> UnitId {
        let kind = LeafKind::Indicator(ValueSet::integers(value, value + 1));
        builder.input(Leaf { variable, kind }, SourceOrigin::default())
    }

    fn coin(builder: &mut CircuitBuilder, entries: &[ParameterEntry]) -> UnitId {
        let variable = VarId::new(0);
        let units = [literal(builder, variable, 0), literal(builder, variable, 1)];
        let param = builder.parameter(None, ParamKind::Simplex, entries, Span::default());
        let children: Vec<ChildEdge> = (0..2)
            .map(|index| {
                ChildEdge::term(
                    units[index as usize],
                    Weight { param, index },
                    Span::default(),
                )
            })
            .collect();
        builder.sum(&children, SourceOrigin::default())
    }

    #[test]
    fn equal_fixed_sums_are_one_unit_and_learned_ones_are_not() {
        let mut builder = CircuitBuilder::new();
        builder.variable(CircuitVariable {
            name: "a".into(),
            domain: Domain::Bool,
            span: Span::default(),
            binding: VariableAttributes::default(),
        });
        let fixed = [ParameterEntry::fixed(0.25), ParameterEntry::fixed(0.75)];
        let first = coin(&mut builder, &fixed);
        assert_eq!(first, coin(&mut builder, &fixed));
        let learned = [ParameterEntry::learned(), ParameterEntry::learned()];
        let second = coin(&mut builder, &learned);
        assert_ne!(second, coin(&mut builder, &learned));
        let circuit = builder.finish(first);
        assert_eq!(circuit.n_units(), 5);
        assert_eq!(circuit.start_values()[2].linear(), 0.5);
    }
}
