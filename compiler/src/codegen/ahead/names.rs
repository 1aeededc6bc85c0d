//! Names: of the functions that programs call, and of variables and categories.

use super::weights::WeightsAre;
use super::writer::{Library, Writer};
use crate::circuit::{CircuitGraph, Domain};
use crate::codegen::CodegenError;
use cranelift_codegen::ir::{InstBuilder, Value, types};

/// The symbols that programs call.
pub(super) fn public(name: &str, weights: WeightsAre) -> Vec<String> {
    let mut endings = vec![
        "log_likelihood",
        "log_likelihood_with",
        "workspace_bytes",
        "variables",
        "variable_name",
        "domain_size",
        "category_name",
    ];
    if weights == WeightsAre::Loaded {
        endings.push("check_weights");
    }
    let symbols = endings.iter().map(|ending| format!("{name}_{ending}"));
    symbols.collect()
}

/// Bytes of a variable: where its name is, which category is its first, how many it
/// has (32 bits each), nothing, and its number of values (64 bits), 0 for infinitely many.
const VARIABLE: i64 = 24;

/// Names with the tables that find them.
struct Names {
    bytes: Vec<u8>,
    n_variables: i64,
    /// Where the places of categories' names begin.
    categories: i64,
    /// Where names begin.
    texts: i64,
}

impl Names {
    fn new(circuit: &CircuitGraph) -> Self {
        let (mut bytes, mut categories, mut texts) = (Vec::new(), Vec::new(), Vec::new());
        for variable in circuit.variables() {
            let name = put(&mut texts, &variable.name);
            let first = categories.len() as u32 / 4;
            let names = match &variable.domain {
                Domain::Categories(names) => &names[..],
                _ => &[],
            };
            for name in names {
                categories.extend(put(&mut texts, name).to_le_bytes());
            }
            let row = [name, first, names.len() as u32, 0];
            bytes.extend(row.iter().flat_map(|word| word.to_le_bytes()));
            bytes.extend(variable.domain.size().unwrap_or(0).to_le_bytes());
        }
        let at = bytes.len();
        let texts_at = at + categories.len();
        bytes.extend(categories);
        bytes.extend(texts);
        Names {
            bytes,
            n_variables: circuit.variables().len() as i64,
            categories: at as i64,
            texts: texts_at as i64,
        }
    }
}

/// Adds a text that ends in zero; says where.
fn put(texts: &mut Vec<u8>, text: &str) -> u32 {
    let at = texts.len() as u32;
    texts.extend(text.bytes().filter(|&byte| byte != 0));
    texts.push(0);
    at
}

/// Defines the functions about variables.
pub(super) fn define(
    library: &mut Library,
    name: &str,
    circuit: &CircuitGraph,
) -> Result<(), CodegenError> {
    let names = Names::new(circuit);
    let data = library.data("names", &names.bytes, 8)?;
    let none = (&[][..], Some(types::I64));
    let one = (&[types::I64][..], Some(types::I64));
    let two = (&[types::I64; 2][..], Some(types::I64));
    library.public(&format!("{name}_variables"), none, |w, _| {
        let n = w.int(names.n_variables);
        w.give(&[n]);
    })?;
    library.public(&format!("{name}_variable_name"), one, |w, arguments| {
        let first = w.address(data);
        let variable = variable(w, &names, first, arguments[0]);
        let at = w.load_u32(variable, 0);
        let text = text(w, &names, first, at);
        w.give(&[text]);
    })?;
    library.public(&format!("{name}_domain_size"), one, |w, arguments| {
        let first = w.address(data);
        let variable = variable(w, &names, first, arguments[0]);
        let size = w.load(types::I64, variable, 16);
        w.give(&[size]);
    })?;
    library.public(&format!("{name}_category_name"), two, |w, arguments| {
        let first = w.address(data);
        let variable = variable(w, &names, first, arguments[0]);
        let n = w.load_u32(variable, 8);
        let is_category = w.less(arguments[1], n);
        let is_none = w.equals(is_category, 0);
        w.return_if(is_none, |w| vec![w.int(0)]);
        let before = w.load_u32(variable, 4);
        let category = w.b.ins().iadd(before, arguments[1]);
        let all = w.plus(first, names.categories);
        let place = w.element(all, category, 4);
        let at = w.load_u32(place, 0);
        let text = text(w, &names, first, at);
        w.give(&[text]);
    })
}

/// The row of a variable; returns 0 from the function if there is none.
fn variable(w: &mut Writer, names: &Names, first: Value, number: Value) -> Value {
    let n = w.int(names.n_variables);
    let is_variable = w.less(number, n);
    let is_none = w.equals(is_variable, 0);
    w.return_if(is_none, |w| vec![w.int(0)]);
    w.element(first, number, VARIABLE)
}

fn text(w: &mut Writer, names: &Names, first: Value, at: Value) -> Value {
    let texts = w.plus(first, names.texts);
    w.b.ins().iadd(texts, at)
}
