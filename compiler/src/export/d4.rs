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
    // A root that is a literal or true is a conjunction of it.
    let is_plain = units.first() != Some(&root);
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
        notes: unmentioned(circuit, &logic, &needed),
    })
}

/// The format counts variables by the largest literal.
fn unmentioned(circuit: &Circuit, logic: &Logic, needed: &[UnitId]) -> Vec<String> {
    let literals = needed.iter().map(|&unit| match logic.part(unit) {
        Part::Literal(literal) => literal.unsigned_abs() as usize,
        _ => 0,
    });
    let (largest, n) = (literals.max().unwrap_or(0), circuit.variables().len());
    match largest < n {
        true => vec![format!(
            "only the first {largest} of {n} variables are counted: the format goes by the largest literal"
        )],
        false => Vec::new(),
    }
}
