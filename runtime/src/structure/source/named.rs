//! Trees over variables with names or of several kinds: a node for each variable.

use super::leaf::{ColumnLeaf, indicator, n_values, word_list};
use super::writer::StructureWriter;
use super::{HiddenTree, HiddenTreeForm, VariableTree, WrittenTree};
use crate::structure::places::TreePlaces;
use pelton_compiler::circuit::Domain;

pub(super) fn hclt(
    writer: &mut StructureWriter,
    number: usize,
    hidden: &HiddenTree,
    form: HiddenTreeForm,
) -> WrittenTree {
    let columns = &writer.schema.columns;
    let is_hidden = |variable: usize| {
        form == HiddenTreeForm::Pelton && columns[variable].domain == Domain::Real
    };
    let places = TreePlaces::new(hidden.tree, is_hidden);
    let names = TreeNames::new(writer, number, ["k", "j"]);
    tree(writer, &names, &places, &|_| hidden.n_states, leaf)
}

/// A Chow-Liu tree: values of variables take the place of hidden states.
pub(super) fn clt(writer: &mut StructureWriter, number: usize, tree: &VariableTree) -> WrittenTree {
    let places = TreePlaces::new(tree, |_| true);
    let names = TreeNames::new(writer, number, ["a", "b"]);
    let schema = writer.schema;
    let n_values = |variable: usize| n_values(&schema.columns[variable].domain) as usize;
    self::tree(writer, &names, &places, &n_values, own_value)
}

/// A node for each inner place, whose own factor is what `own` writes.
fn tree(
    writer: &mut StructureWriter,
    names: &TreeNames,
    places: &TreePlaces,
    n_states: &dyn Fn(usize) -> usize,
    own: fn(&mut StructureWriter, &TreeNames, usize, usize) -> String,
) -> WrittenTree {
    writer.add(&format!("// Tree {}, from the root down.", names.number));
    for place in 0..places.n_inner {
        let variable = places.variables[place];
        let n_own = n_states(variable);
        let mut factors = vec![own(writer, names, variable, n_own)];
        for child in places.inner_children(place) {
            let child = places.variables[child];
            factors.push(step(writer, names, child, n_own, n_states(child)));
        }
        for child in places.outer_children(place) {
            factors.push(leaf(writer, names, places.variables[child], n_own));
        }
        let node = names.of(writer, "z", variable);
        let (k, factors) = (&names.k, factors.join(" * "));
        writer.add(&format!("node {node}[{k} in 0..{n_own}] = {factors};\n"));
    }
    let root = places.variables[0];
    WrittenTree {
        number: names.number,
        node: format!("{}[", names.of(writer, "z", root)),
        n_states: n_states(root),
    }
}

/// What a tree's names end in, and what its indices are called.
struct TreeNames {
    number: usize,
    /// The state of a variable.
    k: String,
    /// The state of its child.
    j: String,
}

impl TreeNames {
    fn new(writer: &StructureWriter, number: usize, [k, j]: [&str; 2]) -> Self {
        TreeNames {
            number,
            k: writer.name(k),
            j: writer.name(j),
        }
    }

    /// `z1_rain`: the name of something that belongs to a variable.
    fn of(&self, writer: &StructureWriter, stem: &str, variable: usize) -> String {
        writer.belonging(stem, self.number, variable)
    }
}

/// Declares the parameters of a leaf, one for each state, and gives the leaf.
fn leaf(
    writer: &mut StructureWriter,
    names: &TreeNames,
    variable: usize,
    n_states: usize,
) -> String {
    let schema = writer.schema;
    let leaf = ColumnLeaf(&schema.columns[variable].domain);
    for parameter in leaf.parameters() {
        let (name, kind) = (names.of(writer, parameter.stem, variable), parameter.kind);
        writer.add(&format!("param {name}[0..{n_states}] : {kind} = ?;"));
    }
    leaf.expression(&writer.references[variable], |stem| {
        format!("{}[{}]", names.of(writer, stem, variable), names.k)
    })
}

/// That a variable has the value of its state.
fn own_value(writer: &mut StructureWriter, names: &TreeNames, variable: usize, _: usize) -> String {
    let domain = &writer.schema.columns[variable].domain;
    let words = names.of(writer, "word", variable);
    if let Domain::Categories(categories) = domain {
        writer.add(&format!("const {words} = {};", word_list(categories)));
    }
    indicator(domain, &writer.references[variable], &names.k, &words)
}

/// Declares the weights of a child's states given those of its parent, and gives the sum.
fn step(
    writer: &mut StructureWriter,
    names: &TreeNames,
    child: usize,
    n_states: usize,
    n_child: usize,
) -> String {
    let weights = names.of(writer, "to", child);
    writer.add(&format!(
        "param {weights}[0..{n_states}] : simplex({n_child}) = ?;"
    ));
    let (node, TreeNames { k, j, .. }) = (names.of(writer, "z", child), names);
    format!("(sum {j} in 0..{n_child} {{ {weights}[{k}, {j}]: {node}[{j}] }})")
}
