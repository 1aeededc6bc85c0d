//! Names: of the functions that programs call, and of variables and categories.

use super::weights::WeightsAre;
use crate::circuit::{CircuitGraph, Domain};

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

/// Names with the tables that find them.
pub(super) struct NameTable {
    pub(super) bytes: Vec<u8>,
    /// Where the places of categories' names begin.
    pub(super) categories: usize,
    /// Where names begin.
    pub(super) texts: usize,
}

impl NameTable {
    pub(super) fn new(circuit: &CircuitGraph) -> Self {
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
        NameTable {
            bytes,
            categories: at,
            texts: texts_at,
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
