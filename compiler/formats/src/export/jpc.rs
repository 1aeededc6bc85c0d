//! Circuits of Juice.

use super::listing::{Dialect, list, listed_terms, listed_units};
use super::{ExportError, ExportedCircuit};
use pelton_compiler::circuit::{CategoricalDistribution, CircuitGraph, Leaf, LeafKind, VarId};
use pelton_grammar::diagnostic::counted;
use std::cell::RefCell;
use std::collections::BTreeMap;

pub(super) fn write(circuit: &CircuitGraph) -> Result<ExportedCircuit, ExportError> {
    let jpc = Jpc::default();
    let lines = list(circuit, &jpc)?;
    let text = ExportedCircuit::lines(format!("jpc {}", lines.len()), lines);
    Ok(text.with(jpc.lost_values(circuit)))
}

/// The vtree of every unit is 0, which says that there is none.
#[derive(Default)]
struct Jpc {
    /// How many values of a variable a reader knows of, by the greatest that was written.
    n_known: RefCell<BTreeMap<usize, usize>>,
}

impl Jpc {
    fn mention(&self, variable: VarId, n_values: usize) {
        let mut n_known = self.n_known.borrow_mut();
        let n_known = n_known.entry(variable.index()).or_default();
        *n_known = n_values.max(*n_known);
    }

    /// Domains are not written, so that values above all that leaves have are lost.
    fn lost_values(&self, circuit: &CircuitGraph) -> Option<String> {
        let n_known = self.n_known.borrow();
        let mut variables = n_known.iter().filter_map(|(&at, &n_known)| {
            let variable = &circuit.variables()[at];
            let is_cut = variable
                .domain
                .size()
                .is_some_and(|size| size > n_known as u64);
            is_cut.then_some((variable, n_known))
        });
        let (variable, n_known) = variables.next()?;
        let others = match variables.count() {
            0 => String::new(),
            n => format!(
                ", and so do {}",
                counted(n, "other variable", "other variables")
            ),
        };
        Some(format!(
            "upper values that no leaf has are lost: `{}` keeps the first {n_known} of {}{others}",
            variable.name, variable.domain
        ))
    }
}

impl Dialect for Jpc {
    fn indicator(&self, id: u32, variable: VarId, value: usize, is_bool: bool) -> String {
        let number = variable.index() + 1;
        // A literal says that there are two values, whichever of them it is.
        self.mention(variable, if is_bool { 2 } else { value + 1 });
        match (is_bool, value) {
            (true, 0) => format!("L {id} 0 -{number}"),
            (true, _) => format!("L {id} 0 {number}"),
            (false, _) => format!("I {id} 0 {number} {value}"),
        }
    }

    fn product(&self, id: u32, children: &[u32]) -> String {
        format!("P {id} 0 {}{}", children.len(), listed_units(children))
    }

    fn sum(&self, id: u32, terms: &[(u32, f64)]) -> String {
        format!("S {id} 0 {}{}", terms.len(), listed_terms(terms))
    }

    /// Other distributions than categorical ones are tables of what they say.
    fn distribution(&self, id: u32, leaf: &Leaf, logs: &[f64], is_bool: bool) -> Option<String> {
        let is_categorical = matches!(
            &leaf.kind,
            LeafKind::Distribution(it) if it.family == CategoricalDistribution.into()
        );
        // A variable with literals is one of Juice's two values; a sum of them keeps it so.
        if is_bool || !is_categorical {
            return None;
        }
        self.mention(leaf.variable, logs.len());
        let mut line = format!("C {id} 0 {}", leaf.variable.index() + 1);
        logs.iter().for_each(|log| line += &format!(" {log:?}"));
        Some(line)
    }
}
