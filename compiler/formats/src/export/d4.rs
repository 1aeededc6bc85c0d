//! Circuits of d4: units from the root down, then arcs with literals on them.

use super::logic::{LogicCircuit, LogicPart};
use super::{ExportError, ExportedCircuit};
use pelton_compiler::circuit::{CircuitGraph, UnitId};

pub(super) fn write(circuit: &CircuitGraph) -> Result<ExportedCircuit, ExportError> {
    let logic = LogicCircuit::of(circuit)?;
    let root = logic.resolve(circuit.root());
    let needed = logic.needed(root);
    // 1. Conjunctions and disjunctions are units of the file, from the root down.
    let is_inner =
        |unit: &UnitId| matches!(logic.part(*unit), LogicPart::And(_) | LogicPart::Or(_));
    let units: Vec<UnitId> = needed.iter().copied().rev().filter(is_inner).collect();
    // The format counts variables by the largest literal, so the last one has to be there.
    let last = circuit.variables().len() as i64;
    let is_last = |unit: &UnitId| matches!(logic.part(*unit), LogicPart::Literal(literal) if literal.abs() == last);
    let is_mentioned = last == 0 || needed.iter().any(is_last);
    // 2. Unit 1 is the root: a conjunction of its own if the root is a literal or true, or has
    // to be joined with the last variable.
    let has_top = !is_mentioned || units.first() != Some(&root);
    let first = 1 + usize::from(has_top);
    let mut ids = vec![0; circuit.n_units()];
    for (id, unit) in (first..).zip(&units) {
        ids[unit.index()] = id;
    }
    let leaf = first + units.len();
    let mut lines: Vec<String> = Vec::new();
    lines.extend(has_top.then(|| "a 1 0".to_string()));
    for &unit in &units {
        let is_or = matches!(logic.part(unit), LogicPart::Or(_));
        let kind = if is_or { 'o' } else { 'a' };
        lines.push(format!("{kind} {} 0", ids[unit.index()]));
    }
    lines.push(format!("t {leaf} 0"));
    // 3. Arcs: literals stand on arcs to the unit that is true.
    let arc = |parent: usize, child: UnitId| match logic.part(child) {
        LogicPart::Literal(literal) => format!("{parent} {leaf} {literal} 0"),
        LogicPart::And(_) | LogicPart::Or(_) => format!("{parent} {} 0", ids[child.index()]),
        LogicPart::True | LogicPart::Same(_) => format!("{parent} {leaf} 0"),
    };
    lines.extend(has_top.then(|| arc(1, root)));
    if !is_mentioned {
        let either = leaf + 1;
        lines.extend([format!("o {either} 0"), format!("1 {either} 0")]);
        lines.extend([last, -last].map(|literal| format!("{either} {leaf} {literal} 0")));
    }
    for &unit in &units {
        if let LogicPart::And(children) | LogicPart::Or(children) = logic.part(unit) {
            lines.extend(children.iter().map(|&child| arc(ids[unit.index()], child)));
        }
    }
    Ok(ExportedCircuit::of(lines.join("\n") + "\n"))
}
