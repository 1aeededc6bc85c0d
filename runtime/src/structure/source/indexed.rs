//! Trees over an array of variables: lists of places, and one indexed node.

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
    let domain = domain(writer);
    let is_hidden = form == HiddenTreeForm::Pelton && domain == Domain::Real;
    let places = TreePlaces::new(hidden.tree, |_| is_hidden);
    let (n, n_inner, n_states) = (places.variables.len(), places.n_inner, hidden.n_states);
    let lists = TreePlaceLists::write(writer, number, &places);
    let leaf = ColumnLeaf(&domain);
    for parameter in leaf.parameters() {
        let (stem, kind) = (parameter.stem, parameter.kind);
        writer.add(&format!(
            "param {stem}{number}[0..{n}, 0..{n_states}] : {kind} = ?;"
        ));
    }
    if n_inner > 1 {
        writer.add(&format!(
            "param to{number}[1..{n_inner}, 0..{n_states}] : simplex({n_states}) = ?;"
        ));
    }
    let at = |place: &str| {
        leaf.expression(&lists.variable(place), |stem| {
            format!("{stem}{number}[{place}, k]")
        })
    };
    let mut factors = vec![at("i")];
    if n_inner > 1 {
        factors.push(format!(
            "(prod c in inner{number}[i]..inner{number}[i + 1] \
             {{ sum j in 0..{n_states} {{ to{number}[c, k, j]: z{number}[c, j] }} }})"
        ));
    }
    if n > n_inner {
        let leaf = at("c");
        factors.push(format!(
            "(prod c in outer{number}[i]..outer{number}[i + 1] {{ {leaf} }})"
        ));
    }
    writer.add(&format!(
        "/// The variables from place i down, given that its hidden variable is in state k.\n\
         node z{number}[i in 0..{n_inner}, k in 0..{n_states}] = {};\n",
        factors.join(" * ")
    ));
    WrittenTree {
        number,
        node: format!("z{number}[0, "),
        n_states,
    }
}

pub(super) fn clt(writer: &mut StructureWriter, number: usize, tree: &VariableTree) -> WrittenTree {
    let domain = domain(writer);
    let places = TreePlaces::new(tree, |_| true);
    let n_values = n_values(&domain) as usize;
    let n = places.variables.len();
    let lists = TreePlaceLists::write(writer, number, &places);
    if let Domain::Categories(names) = &domain {
        writer.add(&format!("const word{number} = {};", word_list(names)));
    }
    let own = indicator(&domain, &lists.variable("i"), "a", &format!("word{number}"));
    let children = match n {
        1 => String::new(),
        _ => {
            writer.add(&format!(
                "param to{number}[1..{n}, 0..{n_values}] : simplex({n_values}) = ?;"
            ));
            format!(
                " * prod c in inner{number}[i]..inner{number}[i + 1] \
                 {{ sum b in 0..{n_values} {{ to{number}[c, a, b]: z{number}[c, b] }} }}"
            )
        }
    };
    writer.add(&format!(
        "/// The variables from place i down, if that at place i has its value number a.\n\
         node z{number}[i in 0..{n}, a in 0..{n_values}] = {own}{children};\n"
    ));
    WrittenTree {
        number,
        node: format!("z{number}[0, "),
        n_states: n_values,
    }
}

/// The domain that all variables share.
fn domain(writer: &StructureWriter) -> Domain {
    let first = writer.schema.columns.first();
    first.map_or(Domain::Bool, |column| column.domain.clone())
}

/// The lists that say which variable is where, and which places hang on which.
struct TreePlaceLists {
    number: usize,
}

impl TreePlaceLists {
    fn write(writer: &mut StructureWriter, number: usize, places: &TreePlaces) -> Self {
        let has_outer = places.variables.len() > places.n_inner;
        let lists = [
            ("column", &places.variables, true),
            ("inner", &places.inner_from, places.n_inner > 1),
            ("outer", &places.outer_from, has_outer),
        ];
        let used = lists.iter().filter(|list| list.2);
        writer.add(&format!(
            "// Tree {number}: the variable at each place, from the root down, and where the \
             children of places begin."
        ));
        for (name, list, _) in used {
            let list: Vec<String> = list.iter().map(usize::to_string).collect();
            writer.add(&format!("const {name}{number} = [{}];", list.join(", ")));
        }
        TreePlaceLists { number }
    }

    fn variable(&self, place: &str) -> String {
        format!("x[column{}[{place}]]", self.number)
    }
}
