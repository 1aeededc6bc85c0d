//! Circuits that mention all of their variables.

use super::ExportError;
use pelton_compiler::circuit::{CircuitGraph, CircuitRebuild, VarId, mentioned};
use pelton_compiler::repair::FillFunction;

/// The circuit times a uniform distribution for each variable that it does not mention, for
/// formats that know of a variable only by its leaves; and a note, if there are any.
///
/// A variable without a uniform distribution is refused.
pub(super) fn mention_all(
    circuit: &CircuitGraph,
) -> Result<(CircuitGraph, Option<String>), ExportError> {
    let mut is_missing = vec![true; circuit.variables().len()];
    for variable in mentioned(circuit) {
        is_missing[variable.index()] = false;
    }
    let missing = (0..is_missing.len()).filter(|&at| is_missing[at]);
    let missing: Vec<VarId> = missing.map(VarId::new).collect();
    let Some(first) = missing.first() else {
        return Ok((circuit.clone(), None));
    };
    let mut rebuild = CircuitRebuild::new(circuit);
    for unit in circuit.units() {
        let children = rebuild.children(unit);
        rebuild.copy(unit, &children);
    }
    let root = circuit.root();
    let origin = rebuild.origin(root).unnamed();
    let mut factors = vec![rebuild.get(root).expect("the root was copied")];
    for &id in &missing {
        let variable = circuit.variable(id);
        let filler = FillFunction::of(&variable.domain).ok_or_else(|| {
            ExportError(format!(
                "no unit mentions `{}`, and {} values have no uniform distribution that the \
                 format could hold in its place; take the variable out",
                variable.name, variable.domain
            ))
        })?;
        let leaf = filler.leaf(&mut rebuild.builder, id, origin.span);
        factors.push(rebuild.builder.input(leaf, origin));
    }
    let whole = rebuild.builder.product_of(factors, origin);
    rebuild.replace(root, whole);
    let note = format!(
        "no unit mentions {}: {} written as uniform, because the format knows of variables by \
         their leaves",
        match missing.len() {
            1 => format!("`{}`", circuit.variable(*first).name),
            n => format!("`{}` and {} more", circuit.variable(*first).name, n - 1),
        },
        if missing.len() == 1 {
            "it is"
        } else {
            "they are"
        },
    );
    Ok((rebuild.finish(), Some(note)))
}
