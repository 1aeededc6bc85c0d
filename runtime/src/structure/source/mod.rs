//! Writes learned structures in the circuit language.
//!
//! A structure is text like any other: what people read is what is compiled. Columns
//! without names that share a domain are an array, and a tree is a few lists of places
//! and one indexed node; columns with names or of several kinds have a node each.

mod indexed;
mod leaf;
mod named;
mod writer;

use super::VariableTree;
use crate::data::Schema;
use writer::StructureWriter;

/// How hidden Chow-Liu trees become a circuit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum HiddenTreeForm {
    /// As in the paper's experiments: leaves of a tree have no hidden variable of their
    /// own, and the root is one sum over the states of all trees.
    Paper,
    /// Each tree is a node with a weight of its own, and reals at the leaves of a tree
    /// have hidden states, because a mixture of normal distributions is more than one.
    /// (Of finite domains it is not: there a hidden variable would add nothing.)
    #[default]
    Pelton,
}

impl HiddenTreeForm {
    /// The word on the command line.
    pub fn name(self) -> &'static str {
        match self {
            HiddenTreeForm::Paper => "paper",
            HiddenTreeForm::Pelton => "pelton",
        }
    }
}

/// A hidden Chow-Liu tree: a tree of hidden variables, each of which decides about a
/// variable that is observed.
#[derive(Clone, Copy, Debug)]
pub struct HiddenTree<'a> {
    /// Which variable hangs on which.
    pub tree: &'a VariableTree,
    /// States of each hidden variable.
    pub n_states: usize,
}

/// A tree that has been written: the number that its names end in, the node of its
/// root up to the last index, and how many instances that has.
struct WrittenTree {
    number: usize,
    node: String,
    n_states: usize,
}

/// A mixture of hidden Chow-Liu trees. Names of each tree's own have its number in
/// them, counted from 1, so that trees that are learned apart can be joined by name.
pub fn hclt_source(schema: &Schema, trees: &[HiddenTree], form: HiddenTreeForm) -> String {
    let mut writer = StructureWriter::new("hidden Chow-Liu tree", trees.len(), schema);
    let write = |(number, tree)| {
        if schema.is_array() {
            indexed::hclt(&mut writer, number, tree, form)
        } else {
            named::hclt(&mut writer, number, tree, form)
        }
    };
    let written: Vec<WrittenTree> = (1..).zip(trees).map(write).collect();
    match form {
        HiddenTreeForm::Paper => one_sum(&mut writer, &written),
        HiddenTreeForm::Pelton => mixture(&mut writer, &written),
    }
    writer.finish()
}

/// A mixture of Chow-Liu trees; that of a single tree is deterministic. Variables have
/// finite domains. Names are numbered as those of [`hclt_source`].
pub fn clt_source(schema: &Schema, trees: &[&VariableTree]) -> String {
    let mut writer = StructureWriter::new("Chow-Liu tree", trees.len(), schema);
    let write = |(number, tree): (_, &&_)| {
        if schema.is_array() {
            indexed::clt(&mut writer, number, tree)
        } else {
            named::clt(&mut writer, number, tree)
        }
    };
    let written: Vec<WrittenTree> = (1..).zip(trees).map(write).collect();
    mixture(&mut writer, &written);
    writer.finish()
}

/// A root that is a sum over the states of all trees.
fn one_sum(writer: &mut StructureWriter, trees: &[WrittenTree]) {
    let (prior, k) = (writer.name("prior"), writer.name("k"));
    let mut terms = Vec::new();
    let mut n_before = 0;
    for WrittenTree { node, n_states, .. } in trees {
        let weight = match n_before {
            0 => k.clone(),
            _ => format!("{n_before} + {k}"),
        };
        terms.push(format!(
            "sum {k} in 0..{n_states} {{ {prior}[{weight}]: {node}{k}] }}"
        ));
        n_before += n_states;
    }
    writer.add(&format!("param {prior} : simplex({n_before}) = ?;"));
    writer.add(&format!("root {};", terms.join(" + ")));
}

/// A node for each tree, and a sum over these.
fn mixture(writer: &mut StructureWriter, trees: &[WrittenTree]) {
    let k = writer.name("k");
    let mut names = Vec::new();
    for tree in trees {
        let prior = writer.numbered("prior", tree.number, "");
        let name = writer.numbered("tree", tree.number, "");
        let WrittenTree { node, n_states, .. } = tree;
        writer.add(&format!(
            "param {prior} : simplex({n_states}) = ?;\n\
             node {name} = sum {k} in 0..{n_states} {{ {prior}[{k}]: {node}{k}] }};\n"
        ));
        names.push(name);
    }
    if let [only] = names.as_slice() {
        writer.add(&format!("root {only};"));
        return;
    }
    let mix = writer.name(MIXTURE);
    let terms = names.iter().enumerate();
    let terms = terms.map(|(at, name)| format!("{mix}[{at}]: {name}"));
    let terms: Vec<String> = terms.collect();
    writer.add(&format!("param {mix} : simplex({}) = ?;", names.len()));
    writer.add(&format!("root {};", terms.join(" + ")));
}

/// What the weights of trees are called.
pub(super) const MIXTURE: &str = "mix";
