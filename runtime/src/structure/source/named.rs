//! Trees over variables with names or of several kinds: a node for each variable.

use super::leaf::{Leaf, indicator, n_values, word_list};
use super::writer::Writer;
use super::{Form, HiddenTree, Tree, Written};
use crate::structure::places::Places;
use pelton_compiler::circuit::Domain;

/// A hidden Chow-Liu tree.
pub(super) fn hclt(writer: &mut Writer, number: usize, hidden: &HiddenTree, form: Form) -> Written {
    let columns = &writer.schema.columns;
    let is_hidden =
        |variable: usize| form == Form::Pelton && columns[variable].domain == Domain::Real;
    let places = Places::new(hidden.tree, is_hidden);
    let names = Names {
        number,
        k: writer.name("k"),
        j: writer.name("j"),
    };
    let n_states = hidden.n_states;
    writer.add(&format!("// Tree {number}, from the root down."));
    for place in 0..places.n_inner {
        let mut factors = vec![leaf(writer, &names, places.variables[place], n_states)];
        for child in places.inner_children(place) {
            factors.push(step(
                writer,
                &names,
                places.variables[child],
                n_states,
                n_states,
            ));
        }
        for child in places.outer_children(place) {
            factors.push(leaf(writer, &names, places.variables[child], n_states));
        }
        let node = names.of(writer, "z", places.variables[place]);
        let (k, factors) = (&names.k, factors.join(" * "));
        writer.add(&format!("node {node}[{k} in 0..{n_states}] = {factors};\n"));
    }
    let node = names.of(writer, "z", places.variables[0]);
    Written {
        number,
        node: format!("{node}["),
        n_states,
    }
}

/// A Chow-Liu tree.
pub(super) fn clt(writer: &mut Writer, number: usize, tree: &Tree) -> Written {
    let places = Places::new(tree, |_| true);
    let names = Names {
        number,
        k: writer.name("a"),
        j: writer.name("b"),
    };
    let size = |writer: &Writer, variable: usize| {
        n_values(&writer.schema.columns[variable].domain) as usize
    };
    writer.add(&format!("// Tree {number}, from the root down."));
    for (place, &variable) in places.variables.iter().enumerate() {
        let n_own = size(writer, variable);
        let words = names.of(writer, "word", variable);
        if let Domain::Categories(categories) = &writer.schema.columns[variable].domain {
            writer.add(&format!("const {words} = {};", word_list(categories)));
        }
        let domain = &writer.schema.columns[variable].domain;
        let reference = &writer.references[variable];
        let mut factors = vec![indicator(domain, reference, &names.k, &words)];
        for child in places.inner_children(place) {
            let child = places.variables[child];
            let n_child = size(writer, child);
            factors.push(step(writer, &names, child, n_own, n_child));
        }
        let node = names.of(writer, "z", variable);
        let (a, factors) = (&names.k, factors.join(" * "));
        writer.add(&format!("node {node}[{a} in 0..{n_own}] = {factors};\n"));
    }
    let root = places.variables[0];
    let (node, n_states) = (names.of(writer, "z", root), size(writer, root));
    Written {
        number,
        node: format!("{node}["),
        n_states,
    }
}

/// What a tree's names end in, and what its indices are called.
struct Names {
    number: usize,
    /// The state of a variable.
    k: String,
    /// The state of its child.
    j: String,
}

impl Names {
    /// `z1_rain`: the name of something that belongs to a variable.
    fn of(&self, writer: &Writer, stem: &str, variable: usize) -> String {
        writer.belonging(stem, self.number, variable)
    }
}

/// Declares the parameters of a leaf, one for each state, and gives the leaf.
fn leaf(writer: &mut Writer, names: &Names, variable: usize, n_states: usize) -> String {
    let schema = writer.schema;
    let leaf = Leaf(&schema.columns[variable].domain);
    for parameter in leaf.parameters() {
        let name = names.of(writer, parameter.stem, variable);
        writer.add(&format!(
            "param {name}[0..{n_states}] : {} = ?;",
            parameter.kind
        ));
    }
    leaf.expression(&writer.references[variable], |stem| {
        format!("{}[{}]", names.of(writer, stem, variable), names.k)
    })
}

/// Declares the weights of a child's states given those of its parent, and gives the sum.
fn step(
    writer: &mut Writer,
    names: &Names,
    child: usize,
    n_states: usize,
    n_child: usize,
) -> String {
    let weights = names.of(writer, "to", child);
    writer.add(&format!(
        "param {weights}[0..{n_states}] : simplex({n_child}) = ?;"
    ));
    let (node, Names { k, j, .. }) = (names.of(writer, "z", child), names);
    format!("(sum {j} in 0..{n_child} {{ {weights}[{k}, {j}]: {node}[{j}] }})")
}
