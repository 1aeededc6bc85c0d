//! Variable trees: one way to split variables that all products follow.

use crate::circuit::{CircuitGraph, VarId, VtreeId};

/// A variable, or a split of the variables below.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VtreeNode {
    /// One variable.
    Leaf(VarId),
    /// Two or more parts that products take apart.
    Split(Vec<VtreeId>),
}

/// A tree over the variables of a circuit along which every product splits.
///
/// A split has as many parts as the circuit needs, not always two: a product
/// of seven variables makes one split into seven.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Vtree {
    nodes: Vec<VtreeNode>,
}

impl Vtree {
    pub(super) fn push(&mut self, node: VtreeNode) -> VtreeId {
        self.nodes.push(node);
        VtreeId::new(self.nodes.len() - 1)
    }

    /// The nodes, children before parents; the root is the last.
    pub fn nodes(&self) -> &[VtreeNode] {
        &self.nodes
    }

    /// The node above all others; `None` if the circuit mentions no variable.
    pub fn root(&self) -> Option<VtreeId> {
        self.nodes.len().checked_sub(1).map(VtreeId::new)
    }

    /// One node.
    pub fn node(&self, id: VtreeId) -> &VtreeNode {
        &self.nodes[id.index()]
    }

    /// The tree as text: `((rain wet) sky)`.
    pub fn show(&self, circuit: &CircuitGraph) -> String {
        // A chain makes a deep tree, so what is still to be written waits in a list.
        enum VtreeFragment {
            Node(VtreeId),
            Text(&'static str),
        }
        let mut text = String::new();
        let mut waiting: Vec<VtreeFragment> =
            self.root().map(VtreeFragment::Node).into_iter().collect();
        while let Some(part) = waiting.pop() {
            match part {
                VtreeFragment::Text(mark) => text.push_str(mark),
                VtreeFragment::Node(id) => match self.node(id) {
                    VtreeNode::Leaf(variable) => text.push_str(&circuit.variable(*variable).name),
                    VtreeNode::Split(parts) => {
                        waiting.push(VtreeFragment::Text(")"));
                        for (at, &part) in parts.iter().enumerate().rev() {
                            waiting.push(VtreeFragment::Node(part));
                            waiting.push(VtreeFragment::Text(if at == 0 { "(" } else { " " }));
                        }
                    }
                },
            }
        }
        text
    }
}
