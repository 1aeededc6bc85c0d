//! Circuits of c2d.

use super::logic::{LogicCircuit, LogicPart};
use super::{ExportError, ExportedCircuit};
use pelton_compiler::circuit::{CircuitGraph, UnitId};
use pelton_grammar::diagnostic::joined;

pub(super) fn write(circuit: &CircuitGraph) -> Result<ExportedCircuit, ExportError> {
    let logic = LogicCircuit::of(circuit)?;
    let mut ids: Vec<Option<usize>> = vec![None; circuit.n_units()];
    let (mut lines, mut n_edges) = (Vec::new(), 0);
    let root = logic.resolve(circuit.root());
    for unit in logic.needed(root) {
        let list = |children: &[UnitId]| -> String {
            let ids = children.iter().map(|child| ids[child.index()]);
            joined(ids.map(|id| id.expect("children come first")), " ")
        };
        let line = match logic.part(unit) {
            LogicPart::True | LogicPart::Same(_) => "A 0".to_string(),
            LogicPart::Literal(literal) => format!("L {literal}"),
            LogicPart::And(children) => {
                n_edges += children.len();
                format!("A {} {}", children.len(), list(children))
            }
            LogicPart::Or(children) => {
                n_edges += children.len();
                format!("O 0 {} {}", children.len(), list(children))
            }
        };
        ids[unit.index()] = Some(lines.len());
        lines.push(line);
    }
    let (n_units, n_variables) = (lines.len(), circuit.variables().len());
    let header = format!("nnf {n_units} {n_edges} {n_variables}");
    Ok(ExportedCircuit::lines(header, lines))
}
