//! Circuits of d4: units from the root down, then arcs with literals on them.

use super::logic::{Logic, Part};
use super::{Exported, Refusal};
use crate::circuit::{Circuit, UnitId};

pub(super) fn write(circuit: &Circuit) -> Result<Exported, Refusal> {
    let logic = Logic::of(circuit)?;
    let root = logic.resolve(circuit.root());
    let needed = logic.needed(root);
    let is_inner = |unit: &UnitId| matches!(logic.part(*unit), Part::And(_) | Part::Or(_));
    let units: Vec<UnitId> = needed.iter().copied().rev().filter(is_inner).collect();
    let mut ids: Vec<usize> = vec![0; circuit.n_units()];
    let (mut nodes, mut arcs) = (String::new(), String::new());
    // A root that is a literal or true is a conjunction of it. The format counts variables
    // by the largest literal, so the last one is mentioned where nothing else does.
    let n_variables = circuit.variables().len() as i64;
    let is_literal = |unit: &UnitId| match logic.part(*unit) {
        Part::Literal(literal) => literal.abs() == n_variables,
        _ => false,
    };
    let is_short = n_variables > 0 && !needed.iter().any(is_literal);
    let is_plain = is_short || units.first() != Some(&root);
    if is_plain {
        nodes.push_str("a 1 0\n");
    }
    let first = 1 + usize::from(is_plain);
    for (id, &unit) in (first..).zip(&units) {
        ids[unit.index()] = id;
        let kind = match logic.part(unit) {
            Part::Or(_) => 'o',
            _ => 'a',
        };
        nodes.push_str(&format!("{kind} {id} 0\n"));
    }
    let leaf = first + units.len();
    let arc = |parent: usize, child: UnitId| match logic.part(child) {
        Part::Literal(literal) => format!("{parent} {leaf} {literal} 0\n"),
        Part::And(_) | Part::Or(_) => format!("{parent} {} 0\n", ids[child.index()]),
        Part::True | Part::Same(_) => format!("{parent} {leaf} 0\n"),
    };
    if is_plain {
        arcs.push_str(&arc(1, root));
    }
    if is_short {
        let either = leaf + 1;
        nodes.push_str(&format!("o {either} 0\n"));
        arcs.push_str(&format!("1 {either} 0\n{either} {leaf} {n_variables} 0\n"));
        arcs.push_str(&format!("{either} {leaf} -{n_variables} 0\n"));
    }
    for &unit in &units {
        if let Part::And(children) | Part::Or(children) = logic.part(unit) {
            let parent = ids[unit.index()];
            children
                .iter()
                .for_each(|&child| arcs.push_str(&arc(parent, child)));
        }
    }
    nodes.push_str(&format!("t {leaf} 0\n"));
    Ok(Exported {
        text: nodes + &arcs,
        vtree: None,
        notes: Vec::new(),
    })
}
