//! Chow-Liu trees over `bool` variables: leaves of a network, or files of their own.

use super::DeeprobReader;
use super::file::{DeeprobFile, DeeprobNode, DeeprobTable};
use crate::import::ImportError;
use crate::import::outline::{DescribedLeaf, OutlineNode, OutlineNodeId};
use crate::import::rounding::scaled;
use pelton_compiler::cycle;
use pelton_grammar::diagnostic::counted;

/// A tree as its variables, their parents and their tables.
pub(super) struct DeeprobTree<'a> {
    members: Vec<DeeprobTreeNode>,
    /// The node that messages name.
    node: &'a DeeprobNode,
}

struct DeeprobTreeNode {
    variable: u64,
    parent: Option<usize>,
    table: DeeprobTable,
}

/// The tree of a leaf.
pub(super) fn leaf(node: &DeeprobNode) -> Result<DeeprobTree<'_>, ImportError> {
    let params = node.params()?;
    let (Some(parents), Some(tables)) = (&params.tree, &params.params) else {
        return Err(node.fault("a `BinaryCLT` has a `tree` and `params`"));
    };
    let scope = node.scope();
    if parents.len() != scope.len() || tables.len() != scope.len() {
        let message = format!(
            "its tree has {} variables, {} parents and {} tables",
            scope.len(),
            parents.len(),
            tables.len()
        );
        return Err(node.fault(message));
    }
    let mut members = Vec::new();
    for ((&variable, &parent), &table) in scope.iter().zip(parents).zip(tables) {
        let known = usize::try_from(parent).ok().filter(|&at| at < scope.len());
        if known.is_none() && parent != -1 {
            return Err(node.fault(format!("there is no parent {parent}")));
        }
        members.push(DeeprobTreeNode {
            variable,
            parent: known,
            table,
        });
    }
    Ok(DeeprobTree { members, node })
}

/// The tree that is the whole file.
pub(super) fn alone(file: &DeeprobFile) -> Result<DeeprobTree<'_>, ImportError> {
    let positions = file.positions()?;
    let mut members = Vec::new();
    for node in &file.nodes {
        let Some(table) = node.weight else {
            return Err(node.fault("it has neither a `class` nor a `weight`"));
        };
        members.push(DeeprobTreeNode {
            variable: node.only_variable()?,
            parent: None,
            table,
        });
    }
    for link in &file.links {
        let (parent, child) = link.ends(&positions)?;
        if members[child].parent.replace(parent).is_some() {
            return Err(file.nodes[child].fault("it has two parents"));
        }
    }
    Ok(DeeprobTree {
        members,
        node: &file.nodes[0],
    })
}

/// Adds a tree: for each value of its parent, a variable is a sum over its own values,
/// each beside what depends on it.
pub(super) fn add(
    reader: &mut DeeprobReader,
    tree: &DeeprobTree,
) -> Result<OutlineNodeId, ImportError> {
    let order = order(tree)?;
    let mut waiting: Vec<Vec<[OutlineNodeId; 2]>> = vec![Vec::new(); tree.members.len()];
    for &at in &order {
        let below = std::mem::take(&mut waiting[at]);
        let member = &tree.members[at];
        let values = add_values(reader, member, &below)?;
        match member.parent {
            Some(parent) => {
                let given = [
                    add_given(reader, tree, at, 0, values)?,
                    add_given(reader, tree, at, 1, values)?,
                ];
                waiting[parent].push(given);
            }
            // The root comes last.
            None => return add_given(reader, tree, at, 0, values),
        }
    }
    Err(tree.node.fault("its tree has no root"))
}

/// The two values of a variable beside what depends on it; none if nothing does.
fn add_values(
    reader: &mut DeeprobReader,
    member: &DeeprobTreeNode,
    below: &[[OutlineNodeId; 2]],
) -> Result<Option<[OutlineNodeId; 2]>, ImportError> {
    if below.is_empty() {
        return Ok(None);
    }
    let mut values = [0; 2];
    for (value, place) in values.iter_mut().enumerate() {
        let variable = reader.variable(member.variable);
        let literal = DescribedLeaf::Literal(value == 1);
        let literal = reader.add(OutlineNode::Leaf(variable, literal))?;
        let children = below.iter().map(|given| given[value]);
        let factors = std::iter::once(literal).chain(children).collect();
        *place = reader.add(OutlineNode::Product(factors))?;
    }
    Ok(Some(values))
}

/// The distribution of a variable given a value of its parent.
fn add_given(
    reader: &mut DeeprobReader,
    tree: &DeeprobTree,
    at: usize,
    given: usize,
    values: Option<[OutlineNodeId; 2]>,
) -> Result<OutlineNodeId, ImportError> {
    let member = &tree.members[at];
    let mut shares = member.table[given].map(f64::exp);
    let is_right = shares.iter().all(|share| share.is_finite());
    if !is_right || !scaled(&mut shares, &mut reader.outline.rounding) {
        let message = format!(
            "the probabilities of variable {} add up to {}, not 1",
            member.variable,
            shares[0] + shares[1]
        );
        return Err(tree.node.fault(message));
    }
    match values {
        Some(values) => {
            let terms = shares.into_iter().zip(values).collect();
            reader.add(OutlineNode::Sum(terms))
        }
        None => {
            let variable = reader.variable(member.variable);
            reader.add(OutlineNode::Leaf(variable, DescribedLeaf::Coin(shares[1])))
        }
    }
}

/// All members, children first and the one root last.
fn order(tree: &DeeprobTree) -> Result<Vec<usize>, ImportError> {
    let mut n_children = vec![0usize; tree.members.len()];
    for parent in tree.members.iter().filter_map(|member| member.parent) {
        n_children[parent] += 1;
    }
    let n_roots = tree.members.iter().filter(|m| m.parent.is_none()).count();
    if n_roots != 1 {
        let roots = counted(n_roots, "root", "roots");
        return Err(tree.node.fault(format!("its tree has {roots}, not 1")));
    }
    let order = cycle::as_ready(n_children, |at| tree.members[at].parent);
    if order.len() == tree.members.len() {
        Ok(order)
    } else {
        Err(tree.node.fault("its tree has a cycle"))
    }
}
