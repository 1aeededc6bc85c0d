//! Sum-product networks of deeprob-kit: graphs in JSON.
//!
//! Nodes have a class, a scope and weights or parameters; links lead from children to
//! parents and number the children. Node 0 is the root. A Chow-Liu tree that was saved
//! alone has nodes without a class; its links lead from parents to children. Variable 0
//! is called `x[0]`. Numbers were rounded to eight digits when they were written.

mod file;
mod leaf;
mod tree;

use super::outline::{CircuitOutline, OutlineNode, OutlineNodeId};
use super::{ImportContext, ImportError, ImportedCircuit};
use file::{DeeprobFile, DeeprobNode};
use indexmap::IndexSet;
use pelton_compiler::cycle;
use pelton_grammar::diagnostic::{counted, thousands};
use pelton_grammar::source::Span;
use rustc_hash::FxBuildHasher;

/// Reads a network.
pub(super) fn read(context: &ImportContext) -> Result<ImportedCircuit, ImportError> {
    let file = file::parse(context.source)?;
    let mut reader = DeeprobReader {
        outline: CircuitOutline::new(context),
        variables: IndexSet::default(),
        span: context.source.span().before(),
    };
    let is_tree = !file.nodes.is_empty() && file.nodes.iter().all(|node| node.class.is_none());
    let notes = if is_tree {
        reader.tree(&file)?
    } else {
        reader.network(&file)?
    };
    reader.finish(context, notes)
}

struct DeeprobReader {
    outline: CircuitOutline,
    /// The numbers of the file's variables, in the order in which they appear.
    variables: IndexSet<u64, FxBuildHasher>,
    span: Span,
}

impl DeeprobReader {
    /// A variable by its number in the file.
    fn variable(&mut self, number: u64) -> usize {
        self.variables.insert_full(number).0
    }

    fn add(&mut self, shape: OutlineNode) -> Result<OutlineNodeId, ImportError> {
        self.outline.add(shape, self.span)
    }

    fn tree(&mut self, file: &DeeprobFile) -> Result<Vec<String>, ImportError> {
        let tree = tree::alone(file)?;
        tree::add(self, &tree)?;
        Ok(Vec::new())
    }

    fn network(&mut self, file: &DeeprobFile) -> Result<Vec<String>, ImportError> {
        let graph = DeeprobGraph::of(file)?;
        let order = graph.order(file)?;
        let mut known: Vec<Option<OutlineNodeId>> = vec![None; file.nodes.len()];
        for &at in &order {
            let children = graph.children[at].iter();
            let children = children.map(|&(_, child)| known[child]);
            let children: Vec<OutlineNodeId> = children
                .map(|child| child.expect("children come first"))
                .collect();
            known[at] = Some(self.node(&file.nodes[at], children)?);
        }
        let n_unused = file.nodes.len() - order.len();
        Ok(match n_unused {
            0 => Vec::new(),
            n => vec![format!(
                "{} not below node 0, which is the root",
                match n {
                    1 => "1 node is".to_string(),
                    n => format!("{} nodes are", thousands(n)),
                }
            )],
        })
    }

    fn node(
        &mut self,
        node: &DeeprobNode,
        children: Vec<OutlineNodeId>,
    ) -> Result<OutlineNodeId, ImportError> {
        let class = node.class.as_deref().unwrap_or_default();
        let is_inner = matches!(class, "Sum" | "Product");
        if is_inner == children.is_empty() {
            let has = counted(children.len(), "child", "children");
            return Err(node.fault(format!("a `{}` cannot have {has}", class.escape_debug())));
        }
        match class {
            "Sum" => {
                let weights = node.weights(children.len())?;
                self.outline.add_sum(weights, children, self.span)
            }
            "Product" => self.add(OutlineNode::Product(children)),
            "BinaryCLT" => tree::add(self, &tree::leaf(node)?),
            _ => {
                let leaf = leaf::describe(node, &mut self.outline.rounding)?;
                let variable = self.variable(node.only_variable()?);
                self.add(OutlineNode::Leaf(variable, leaf))
            }
        }
    }

    fn finish(
        mut self,
        context: &ImportContext,
        notes: Vec<String>,
    ) -> Result<ImportedCircuit, ImportError> {
        let numbers = self.variables.iter();
        let names = numbers.map(|number| format!("x[{number}]"));
        let names: IndexSet<String> = names.collect();
        let number = |name: &str| names.get_index_of(name).map(|at| self.variables[at]);
        let sorted = names.iter().cloned().collect();
        let names = self.outline.sort_variables(sorted, number);
        let mut imported = self.outline.build(context, &names)?;
        imported.notes.extend(notes);
        Ok(imported)
    }
}

/// The children of each node, by position, each with its number.
struct DeeprobGraph {
    children: Vec<Vec<(u64, usize)>>,
    root: usize,
}

impl DeeprobGraph {
    fn of(file: &DeeprobFile) -> Result<Self, ImportError> {
        let positions = file.positions()?;
        let Some(&root) = positions.get(&0) else {
            return Err(ImportError::whole(
                "there is no node 0, which would be the root",
            ));
        };
        let mut children = vec![Vec::new(); file.nodes.len()];
        for link in &file.links {
            let (child, parent) = link.ends(&positions)?;
            let Some(number) = link.idx else {
                let message = format!(
                    "the link from {} to {} has no `idx`",
                    link.source, link.target
                );
                return Err(ImportError::whole(message));
            };
            children[parent].push((number, child));
        }
        for (node, children) in file.nodes.iter().zip(&mut children) {
            children.sort_unstable();
            let mut expected = 0..;
            if children
                .iter()
                .any(|(number, _)| Some(*number) != expected.next())
            {
                return Err(node.fault("its children are not numbered 0, 1, 2, …"));
            }
        }
        Ok(DeeprobGraph { children, root })
    }

    /// All nodes below the root, children first.
    fn order(&self, file: &DeeprobFile) -> Result<Vec<usize>, ImportError> {
        let successors = |at: usize| self.children[at].iter().map(|&(_, to)| (to, ())).collect();
        if let Some(cycle) = cycle::find(file.nodes.len(), successors) {
            let node = &file.nodes[cycle[0].0];
            return Err(node.fault("it is below itself"));
        }
        let below = |at: usize| self.children[at].iter().map(|&(_, child)| child);
        Ok(cycle::children_first(file.nodes.len(), [self.root], below))
    }
}
