//! The circuit as the planner sees it: reachable units in the order of growing
//! scopes, products bounded in what they may lose, every scope on one exponent.
//!
//! The order (scope size, then id) is topological: a factor's scope is smaller
//! than its product's, and within one scope ids are. A scope is therefore
//! finished before anything uses it, which is when its exponent is decided.

use super::bits::{RescaleLimits, leaf_bits};
use super::scale::{ExponentDemand, ScopeExponents};
use crate::check::Checked;
use crate::circuit::{CircuitGraph, LeafId, ReachableUnits, UnitId, UnitKind};
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

/// A node of the net.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct PlanNodeId(pub u32);

impl PlanNodeId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A scope of the net: one of the circuit's, or a part of a wide product.
pub(super) type ScopeIdx = u32;

/// What a node computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NodeKind {
    /// The constant 1.
    One,
    /// A function of one variable.
    Leaf(LeafId),
    /// The product of two or more kids.
    Product,
    /// The weighted sum of its kids.
    Sum,
}

#[derive(Clone, Copy, Debug)]
struct PlanNode {
    kind: NodeKind,
    scope: ScopeIdx,
    first_kid: u32,
    n_kids: u32,
}

/// The nodes that the root reaches, kids before parents.
pub(super) struct PlanNet<'a> {
    pub circuit: &'a CircuitGraph,
    pub root: PlanNodeId,
    pub scales: ScopeExponents,
    nodes: Vec<PlanNode>,
    kids: Vec<PlanNodeId>,
    /// Positions of the weights' entries, for the kids of sums.
    entries: Vec<u32>,
    uses: Vec<u32>,
    is_top: Vec<bool>,
}

impl<'a> PlanNet<'a> {
    /// The net of a circuit, for kernels whose numbers have so many bits of range.
    pub fn new(checked: &'a Checked, bits: RescaleLimits) -> Self {
        PlanNetBuilder::new(checked, bits).run()
    }

    pub fn nodes(&self) -> impl DoubleEndedIterator<Item = PlanNodeId> + use<> {
        (0..self.nodes.len() as u32).map(PlanNodeId)
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn kind(&self, node: PlanNodeId) -> NodeKind {
        self.nodes[node.index()].kind
    }

    pub fn scope(&self, node: PlanNodeId) -> ScopeIdx {
        self.nodes[node.index()].scope
    }

    pub fn kids(&self, node: PlanNodeId) -> &[PlanNodeId] {
        &self.kids[self.range(node)]
    }

    /// Positions of the weights' entries of a sum.
    pub fn entries(&self, node: PlanNodeId) -> &[u32] {
        &self.entries[self.range(node)]
    }

    /// How many edges lead to the node.
    pub fn uses(&self, node: PlanNodeId) -> u32 {
        self.uses[node.index()]
    }

    /// Whether the node is used outside its scope, or is the root.
    pub fn is_top(&self, node: PlanNodeId) -> bool {
        self.is_top[node.index()]
    }

    fn range(&self, node: PlanNodeId) -> std::ops::Range<usize> {
        let node = &self.nodes[node.index()];
        let first = node.first_kid as usize;
        first..first + node.n_kids as usize
    }
}

/// A part of wide products.
struct ProductPart {
    scope: ScopeIdx,
    nodes: Vec<PlanNodeId>,
}

struct PlanNetBuilder<'a> {
    checked: &'a Checked,
    bits: RescaleLimits,
    net: PlanNet<'a>,
    /// The node of each unit.
    node_of: Vec<Option<PlanNodeId>>,
    one: Option<PlanNodeId>,
    /// Parts of the wide products of the scope at hand, by the scopes that they
    /// join: products that are cut alike share their parts' exponents.
    parts: IndexMap<Vec<ScopeIdx>, ProductPart, FxBuildHasher>,
    /// Which units are used outside their scope, or are the root.
    is_top: Vec<bool>,
}

impl<'a> PlanNetBuilder<'a> {
    fn new(checked: &'a Checked, bits: RescaleLimits) -> Self {
        let circuit = checked.circuit();
        let n_scopes = checked.facts().scopes().distinct().len();
        PlanNetBuilder {
            checked,
            bits,
            net: PlanNet {
                circuit,
                root: PlanNodeId(0),
                scales: ScopeExponents::new(n_scopes),
                nodes: Vec::new(),
                kids: Vec::new(),
                entries: Vec::new(),
                uses: Vec::new(),
                is_top: Vec::new(),
            },
            node_of: vec![None; circuit.n_units()],
            one: None,
            parts: IndexMap::default(),
            is_top: tops(checked),
        }
    }

    fn run(mut self) -> PlanNet<'a> {
        let circuit = self.net.circuit;
        let scopes = self.checked.facts().scopes();
        // Scopes from small to large, units of one scope by id: factors come before products,
        // and all of a scope is seen before its exponent has to be decided.
        let mut units: Vec<UnitId> = ReachableUnits::of(circuit, &[circuit.root()])
            .units()
            .collect();
        units.sort_unstable_by_key(|&unit| {
            let scope = scopes.id(unit);
            (scopes.size(scope), scope, unit)
        });
        for same_scope in units.chunk_by(|&a, &b| scopes.id(a) == scopes.id(b)) {
            let scope = scopes.id(same_scope[0]).index() as ScopeIdx;
            self.scope(scope, same_scope);
        }
        self.net.root = self.node(circuit.root());
        self.count_uses();
        self.net
    }

    /// Makes the nodes of all units of one scope and decides its exponent.
    fn scope(&mut self, scope: ScopeIdx, units: &[UnitId]) {
        // Nodes first. Wide products leave parts behind, scopes of their own below this one.
        let first = self.net.nodes.len() as u32;
        for &unit in units {
            let node = self.unit(scope, unit);
            self.node_of[unit.index()] = Some(node);
            self.net.is_top[node.index()] |= self.is_top[unit.index()];
        }
        // The parts are rescaled before the products that read them, in the order they were
        // made.
        for part in std::mem::take(&mut self.parts).into_values() {
            let scale = ExponentDemand::of(&self.net, &part.nodes);
            self.net.scales.rescale(part.scope, scale, self.bits);
        }
        // What is left is of the scope itself. There may be nothing: a product of one factor
        // is that factor, and of none the constant.
        let own = first..self.net.nodes.len() as u32;
        let own: Vec<PlanNodeId> = own
            .map(PlanNodeId)
            .filter(|&node| self.net.scope(node) == scope)
            .collect();
        if !own.is_empty() {
            self.finish_scope(scope, &own);
        }
    }

    fn finish_scope(&mut self, scope: ScopeIdx, nodes: &[PlanNodeId]) {
        let leaf = nodes.iter().find_map(|&node| match self.net.kind(node) {
            NodeKind::Leaf(leaf) => Some(leaf),
            _ => None,
        });
        match leaf {
            Some(leaf) => {
                let (bits, is_density) = leaf_bits(self.net.circuit, leaf);
                self.net.scales.leaf(scope, bits, is_density);
            }
            None => {
                let scale = ExponentDemand::of(&self.net, nodes);
                self.net.scales.inner(scope, scale, self.bits);
            }
        }
    }

    fn unit(&mut self, scope: ScopeIdx, unit: UnitId) -> PlanNodeId {
        let circuit = self.net.circuit;
        match circuit.kind(unit) {
            UnitKind::Input(leaf) => self.push(NodeKind::Leaf(leaf), scope, &[]),
            UnitKind::Product => {
                let kids: Vec<PlanNodeId> = circuit
                    .children(unit)
                    .map(|child| self.node(child.unit))
                    .filter(|&kid| self.net.kind(kid) != NodeKind::One)
                    .collect();
                self.product(scope, kids)
            }
            UnitKind::Sum => {
                let kids: Vec<PlanNodeId> = circuit
                    .children(unit)
                    .map(|child| self.node(child.unit))
                    .collect();
                let node = self.push(NodeKind::Sum, scope, &kids);
                let first = self.net.entries.len() - kids.len();
                for (entry, (_, weight)) in self.net.entries[first..]
                    .iter_mut()
                    .zip(circuit.terms(unit))
                {
                    *entry = circuit.entry_position(weight) as u32;
                }
                node
            }
        }
    }

    /// A product of kids in the order of their scopes; wide ones in parts that
    /// are rescaled one by one, so that no product falls out of range.
    fn product(&mut self, scope: ScopeIdx, mut kids: Vec<PlanNodeId>) -> PlanNodeId {
        match kids[..] {
            [] => return self.one(),
            [kid] => return kid,
            _ => {}
        }
        // Products over the same scopes are cut alike then, and can share exponents.
        kids.sort_by_key(|&kid| self.net.scope(kid));
        // Each round joins neighbours into rescaled parts, as in a tree, until the rest may be
        // multiplied safely or nothing more can be joined.
        while self.loss(&kids) > self.bits.product_limit {
            let joined = self.join(&kids);
            if joined.len() == kids.len() {
                break;
            }
            kids = joined;
        }
        match kids[..] {
            [kid] => kid,
            _ => self.push(NodeKind::Product, scope, &kids),
        }
    }

    fn loss(&self, kids: &[PlanNodeId]) -> f32 {
        kids.iter()
            .map(|&kid| self.net.scales.since(self.net.scope(kid)))
            .sum()
    }

    /// Joins neighbouring kids into parts that stay within the limit.
    fn join(&mut self, kids: &[PlanNodeId]) -> Vec<PlanNodeId> {
        let mut joined = Vec::new();
        let mut rest = kids;
        while !rest.is_empty() {
            let mut loss = 0.0;
            // As many as may be multiplied before something could be lost; at least one, so
            // that the list is worked off even if a single factor is beyond the limit.
            let fits = rest.iter().take_while(|&&kid| {
                loss += self.net.scales.since(self.net.scope(kid));
                loss <= self.bits.product_limit
            });
            let n = fits.count().max(1);
            let (part, tail) = rest.split_at(n);
            joined.push(self.part(part));
            rest = tail;
        }
        joined
    }

    fn part(&mut self, kids: &[PlanNodeId]) -> PlanNodeId {
        if let [kid] = *kids {
            return kid;
        }
        // Parts of the same scopes are one scope, whoever they belong to: one exponent serves
        // all.
        let key: Vec<ScopeIdx> = kids.iter().map(|&kid| self.net.scope(kid)).collect();
        let (scales, bits) = (&mut self.net.scales, self.bits);
        let part = self.parts.entry(key).or_insert_with(|| ProductPart {
            scope: scales.new_scope(bits.residue),
            nodes: Vec::new(),
        });
        let (scope, node) = (part.scope, PlanNodeId(self.net.nodes.len() as u32));
        part.nodes.push(node);
        self.push(NodeKind::Product, scope, kids);
        self.net.is_top[node.index()] = true;
        node
    }

    fn one(&mut self) -> PlanNodeId {
        if let Some(one) = self.one {
            return one;
        }
        let scope = self.net.scales.new_scope(0.0);
        let one = self.push(NodeKind::One, scope, &[]);
        self.one = Some(one);
        one
    }

    fn push(&mut self, kind: NodeKind, scope: ScopeIdx, kids: &[PlanNodeId]) -> PlanNodeId {
        let id = PlanNodeId(self.net.nodes.len() as u32);
        self.net.nodes.push(PlanNode {
            kind,
            scope,
            first_kid: self.net.kids.len() as u32,
            n_kids: kids.len() as u32,
        });
        self.net.kids.extend_from_slice(kids);
        self.net.entries.resize(self.net.kids.len(), 0);
        self.net.is_top.push(false);
        id
    }

    fn node(&self, unit: UnitId) -> PlanNodeId {
        self.node_of[unit.index()].expect("factors and terms come first")
    }

    fn count_uses(&mut self) {
        let mut uses = vec![0; self.net.nodes.len()];
        for kid in &self.net.kids {
            uses[kid.index()] += 1;
        }
        self.net.uses = uses;
    }
}

fn tops(checked: &Checked) -> Vec<bool> {
    let (circuit, scopes) = (checked.circuit(), checked.facts().scopes());
    let mut is_top = vec![false; circuit.n_units()];
    is_top[circuit.root().index()] = true;
    for parent in circuit.units() {
        for child in circuit.children(parent) {
            is_top[child.unit.index()] |= scopes.id(child.unit) != scopes.id(parent);
        }
    }
    is_top
}
