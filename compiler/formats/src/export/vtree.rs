//! The tree of variables that a PSDD or SDD is written along: every split has two parts.

use pelton_compiler::circuit::{CircuitGraph, UnitId, UnitKind, VarId, Vtree, VtreeNode};
use rustc_hash::FxHashMap;

/// A node of a binary tree; the fields are positions of other nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BinaryVtreeNode {
    /// One variable.
    Leaf(VarId),
    /// Two parts.
    Split(u32, u32),
}

/// A binary tree over the variables of a circuit.
pub(super) struct BinaryVtree {
    /// Children before parents; the root is the last.
    nodes: Vec<BinaryVtreeNode>,
    /// The node above each; itself for the root.
    parents: Vec<u32>,
    /// The variables below each node are a range of places, from left to right.
    ranges: Vec<(u32, u32)>,
    /// The ids in the file: nodes numbered from left to right, as the tools do.
    ids: Vec<u32>,
    leaves: FxHashMap<VarId, u32>,
}

impl BinaryVtree {
    /// Splits with more than two parts take them off one by one, in the order in which
    /// the circuit's products have them.
    pub fn of(vtree: &Vtree, circuit: &CircuitGraph) -> Self {
        let mut tree = BinaryVtree::unarranged(vtree, circuit);
        tree.arrange();
        tree
    }

    /// The same, with the variables that the circuit does not mention to the right.
    pub fn of_all(vtree: &Vtree, circuit: &CircuitGraph) -> Self {
        let mut tree = BinaryVtree::unarranged(vtree, circuit);
        for variable in (0..circuit.variables().len()).map(VarId::new) {
            if tree.leaf(variable).is_none() {
                let root = (tree.nodes.len() - 1) as u32;
                let leaf = tree.push(BinaryVtreeNode::Leaf(variable));
                tree.leaves.insert(variable, leaf);
                tree.push(BinaryVtreeNode::Split(root, leaf));
            }
        }
        tree.arrange();
        tree
    }

    fn unarranged(vtree: &Vtree, circuit: &CircuitGraph) -> Self {
        let first_seen = first_seen(circuit);
        let mut tree = BinaryVtree {
            nodes: Vec::new(),
            parents: Vec::new(),
            ranges: Vec::new(),
            ids: Vec::new(),
            leaves: FxHashMap::default(),
        };
        // For each node of the given tree its own, and when its first variable was seen.
        let mut done: Vec<(u32, usize)> = Vec::with_capacity(vtree.nodes().len());
        for node in vtree.nodes() {
            done.push(match node {
                VtreeNode::Leaf(variable) => {
                    let leaf = tree.push(BinaryVtreeNode::Leaf(*variable));
                    tree.leaves.insert(*variable, leaf);
                    (
                        leaf,
                        first_seen.get(variable).copied().unwrap_or(usize::MAX),
                    )
                }
                VtreeNode::Split(parts) => {
                    let mut parts: Vec<(u32, usize)> =
                        parts.iter().map(|part| done[part.index()]).collect();
                    parts.sort_by_key(|(_, seen)| *seen);
                    let seen = parts[0].1;
                    let parts = parts.into_iter().rev().map(|(part, _)| part);
                    let joined =
                        parts.reduce(|right, left| tree.push(BinaryVtreeNode::Split(left, right)));
                    (joined.expect("a split has parts"), seen)
                }
            });
        }
        tree
    }

    fn push(&mut self, node: BinaryVtreeNode) -> u32 {
        self.nodes.push(node);
        (self.nodes.len() - 1) as u32
    }

    /// Finds parents, ranges and ids. Children have smaller positions than their parents.
    fn arrange(&mut self) {
        let n = self.nodes.len();
        self.parents = (0..n as u32).collect();
        let mut sizes: Vec<u32> = vec![1; n];
        for (at, node) in self.nodes.iter().enumerate() {
            if let BinaryVtreeNode::Split(left, right) = *node {
                self.parents[left as usize] = at as u32;
                self.parents[right as usize] = at as u32;
                sizes[at] = sizes[left as usize] + sizes[right as usize];
            }
        }
        self.ranges = vec![(0, 0); n];
        self.ids = vec![0; n];
        for at in (0..n).rev() {
            if at + 1 == n {
                self.ranges[at] = (0, sizes[at]);
            }
            let (from, to) = self.ranges[at];
            // Left of a node there are the leaves before its right part, and one split
            // less than that; a leaf has none of its own.
            self.ids[at] = match self.nodes[at] {
                BinaryVtreeNode::Leaf(_) => 2 * from,
                BinaryVtreeNode::Split(left, right) => {
                    let middle = from + sizes[left as usize];
                    self.ranges[left as usize] = (from, middle);
                    self.ranges[right as usize] = (middle, to);
                    2 * middle - 1
                }
            };
        }
    }

    /// The node of a variable.
    pub fn leaf(&self, variable: VarId) -> Option<u32> {
        self.leaves.get(&variable).copied()
    }

    /// The id of a node in the file.
    pub fn id(&self, node: u32) -> u32 {
        self.ids[node as usize]
    }

    /// Where the variables of a node begin, from left to right.
    pub fn place(&self, node: u32) -> u32 {
        self.ranges[node as usize].0
    }

    /// The lowest node above both, which are disjoint.
    pub fn join(&self, a: u32, b: u32) -> u32 {
        self.meet(a, b).0
    }

    /// The lowest node that is above or the same as both, and the number of steps to it.
    pub fn meet(&self, a: u32, b: u32) -> (u32, usize) {
        let mut n_steps = 1;
        let mut at = a;
        while !self.is_within(b, at) {
            at = self.parents[at as usize];
            n_steps += 1;
        }
        (at, n_steps)
    }

    /// Whether a node is in the left part of one above it.
    pub fn is_left_of(&self, node: u32, above: u32) -> bool {
        match self.nodes[above as usize] {
            BinaryVtreeNode::Split(left, _) => self.is_within(node, left),
            BinaryVtreeNode::Leaf(_) => false,
        }
    }

    /// Whether all variables of a node are below another, or both are the same.
    pub fn is_within(&self, node: u32, other: u32) -> bool {
        let (a, b) = (self.ranges[node as usize], self.ranges[other as usize]);
        b.0 <= a.0 && a.1 <= b.1
    }

    /// The tree in its own format.
    pub fn text(&self) -> String {
        let mut text = format!("vtree {}\n", self.nodes.len());
        for (node, id) in self.nodes.iter().zip(&self.ids) {
            text += &match *node {
                BinaryVtreeNode::Leaf(variable) => format!("L {id} {}\n", variable.index() + 1),
                BinaryVtreeNode::Split(left, right) => {
                    format!("I {id} {} {}\n", self.id(left), self.id(right))
                }
            };
        }
        text
    }
}

/// When each variable is first met on a walk from the root that takes factors in order.
fn first_seen(circuit: &CircuitGraph) -> FxHashMap<VarId, usize> {
    let mut seen = FxHashMap::default();
    let mut is_visited = vec![false; circuit.n_units()];
    let mut stack = vec![circuit.root()];
    while let Some(unit) = stack.pop() {
        if std::mem::replace(&mut is_visited[unit.index()], true) {
            continue;
        }
        if let UnitKind::Input(leaf) = circuit.kind(unit) {
            let next = seen.len();
            seen.entry(circuit.leaf(leaf).variable).or_insert(next);
        }
        let children: Vec<UnitId> = circuit.children(unit).map(|child| child.unit).collect();
        stack.extend(children.into_iter().rev());
    }
    seen
}
