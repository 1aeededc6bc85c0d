//! `emit --as circuit`: the graph as source text that reads back as the same circuit.
//!
//! The text is flat: families, repetitions and definitions are gone, every
//! named or shared unit is one `node`. What is kept is the distribution, what
//! is learned, what is tied, the variables with their columns, the assertions
//! and the queries.

mod declare;
mod leaf;
mod naming;
mod query;
mod set;
#[cfg(test)]
mod tests;
mod tie;
mod unit;

pub(super) use leaf::constants;

use super::{EmitError, EmitResult};
use crate::circuit::{CircuitGraph, CircuitVariable, ReachableUnits, UnitId, targets};
use naming::EmittedNames;
use pelton_grammar::diagnostic::listed;
use std::fmt::Write;
use unit::UnitWriter;

/// Writes the circuit as source text.
///
/// Units that neither the root nor an assertion reaches are left out. Instances
/// of a family keep the name that messages call them by, in backquotes: the
/// node `z[3, 7]` is written `` `z[3, 7]` ``. Linear in edges.
pub fn circuit(circuit: &CircuitGraph, out: &mut dyn Write) -> Result<(), EmitError> {
    let reach = ReachableUnits::of(circuit, &targets(circuit));
    let mut naming = EmittedNames::of(circuit, reach.marked());
    declare::variables(circuit.variables(), &naming, out)?;
    declare::parameters(circuit, &naming, out)?;
    out.write_char('\n')?;
    UnitWriter::new(circuit, &mut naming, out).write(reach.marked())?;
    write_assertions(circuit, &naming, out)?;
    for query in circuit.queries() {
        query::write(circuit, &naming, query, out)?;
    }
    Ok(())
}

/// Variables as the language declares them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariableDeclarations {
    /// The `var` statements.
    pub text: String,
    /// How the text behind them refers to each variable: `x[3]`, `rain`.
    pub references: Vec<String>,
}

/// Declares variables as [`circuit()`] does, for a text whose rest is written by others.
/// Names that are taken get a number, so that they are best made to differ before.
pub fn declarations(variables: &[CircuitVariable]) -> VariableDeclarations {
    let naming = EmittedNames::of_variables(variables);
    let mut text = String::new();
    declare::variables(variables, &naming, &mut text).expect("a string takes every text");
    VariableDeclarations {
        text,
        references: naming.into_variables(),
    }
}

fn write_assertions(
    circuit: &CircuitGraph,
    naming: &EmittedNames,
    out: &mut dyn Write,
) -> EmitResult {
    for assertion in circuit.assertions() {
        let properties = assertion.properties.iter().map(|p| p.0.name());
        let target = target_text(circuit, naming, assertion.target);
        if !assertion.properties.is_empty() {
            writeln!(out, "assert {target} is {};", listed(properties))?;
        }
    }
    Ok(())
}

fn target_text<'a>(circuit: &CircuitGraph, naming: &'a EmittedNames, target: UnitId) -> &'a str {
    if target == circuit.root() {
        "root"
    } else {
        naming
            .unit(target)
            .expect("targets of assertions are nodes")
    }
}
