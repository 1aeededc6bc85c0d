//! Circuits of c2d.

use super::logic::{Logic, Part};
use super::{Exported, Refusal};
use pelton_compiler::circuit::{Circuit, UnitId};
use pelton_grammar::diagnostic::joined;

pub(super) fn write(circuit: &Circuit) -> Result<Exported, Refusal> {
    let logic = Logic::of(circuit)?;
    let mut ids: Vec<Option<usize>> = vec![None; circuit.n_units()];
    let (mut lines, mut n_edges) = (Vec::new(), 0);
    let root = logic.resolve(circuit.root());
    for unit in logic.needed(root) {
        let list = |children: &[UnitId]| -> String {
            let ids = children.iter().map(|child| ids[child.index()]);
            joined(ids.map(|id| id.expect("children come first")), " ")
        };
        let line = match logic.part(unit) {
            Part::True | Part::Same(_) => "A 0".to_string(),
            Part::Literal(literal) => format!("L {literal}"),
            Part::And(children) => {
                n_edges += children.len();
                format!("A {} {}", children.len(), list(children))
            }
            Part::Or(children) => {
                n_edges += children.len();
                format!("O 0 {} {}", children.len(), list(children))
            }
        };
        ids[unit.index()] = Some(lines.len());
        lines.push(line);
    }
    let (n_units, n_variables) = (lines.len(), circuit.variables().len());
    let header = format!("nnf {n_units} {n_edges} {n_variables}");
    Ok(Exported::lines(header, lines))
}
