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
use pelton_grammar::diagnostic::counted;
use pelton_grammar::source::Span;
use rustc_hash::FxBuildHasher;

pub(super) fn read(context: &ImportContext) -> Result<ImportedCircuit, ImportError> {
    let file = file::parse(context.source)?;
    let mut reader = DeeprobReader {
        outline: CircuitOutline::new(context),
        variables: IndexSet::default(),
        span: context.source.span().before(),
    };
    let is_tree = !file.nodes.is_empty() && file.nodes.iter().all(|node| node.class.is_none());
    let mut note = None;
    if is_tree {
        tree::add(&mut reader, &tree::alone(&file)?)?;
    } else {
        note = reader.network(&file)?;
    }
    reader.finish(context, note)
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

    /// Adds all nodes below the root; a note says how many are not.
    fn network(&mut self, file: &DeeprobFile) -> Result<Option<String>, ImportError> {
        let graph = DeeprobGraph::of(file)?;
        let order = graph.order(file)?;
        let mut known: Vec<Option<OutlineNodeId>> = vec![None; file.nodes.len()];
        for &at in &order {
            let children = graph.children[at].iter();
            let children = children.map(|&(_, at)| known[at].expect("children come first"));
            known[at] = Some(self.node(&file.nodes[at], children.collect())?);
        }
        let n_unused = file.nodes.len() - order.len();
        let unused = counted(n_unused, "node is", "nodes are");
        Ok((n_unused > 0).then(|| format!("{unused} not below node 0, which is the root")))
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
        note: Option<String>,
    ) -> Result<ImportedCircuit, ImportError> {
        let mut numbers: Vec<u64> = self.variables.into_iter().collect();
        self.outline.sort_variables(&mut numbers);
        let names: Vec<String> = numbers.iter().map(|n| format!("x[{n}]")).collect();
        let mut imported = self.outline.build(context, &names)?;
        imported.notes.extend(note);
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
        let missing = || ImportError::whole("there is no node 0, which would be the root");
        let root = positions.get(&0).copied().ok_or_else(missing)?;
        let mut children = vec![Vec::new(); file.nodes.len()];
        for link in &file.links {
            let (child, parent) = link.ends(&positions)?;
            let (from, to) = (link.source, link.target);
            let missing =
                || ImportError::whole(format!("the link from {from} to {to} has no `idx`"));
            let number = link.idx.ok_or_else(missing)?;
            children[parent].push((number, child));
        }
        for (node, children) in file.nodes.iter().zip(&mut children) {
            children.sort_unstable();
            let mut numbered = (0..).zip(children.iter());
            if numbered.any(|(expected, &(number, _))| number != expected) {
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
