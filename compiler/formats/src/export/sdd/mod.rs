//! Sentential decision diagrams.
//!
//! The primes of a decision exclude each other and cover all cases, which a circuit does
//! not spell out. So the circuit is compiled: units become nodes of a [`SddDiagram`], from the
//! leaves up, along the tree that the circuit's products follow.

mod apply;
mod diagram;

use super::logic::{LogicCircuit, LogicPart};
use super::vtree::{BinaryVtree, vtree_of};
use super::{ExportError, ExportedCircuit};
use apply::SddOperation;
use diagram::{FALSE, SddDiagram, SddNode, SddNodeId, SddTooLarge, TRUE};
use pelton_compiler::check::Checked;
use pelton_compiler::circuit::{CircuitGraph, UnitId, VarId};
use pelton_grammar::diagnostic::thousands;

pub(super) fn write(checked: &Checked) -> Result<ExportedCircuit, ExportError> {
    write_within(checked, diagram::LARGEST)
}

/// The same with a limit of elements and results.
fn write_within(checked: &Checked, largest: usize) -> Result<ExportedCircuit, ExportError> {
    let circuit = checked.circuit();
    let logic = LogicCircuit::of(circuit)?;
    let vtree = BinaryVtree::of_all(vtree_of(checked)?, circuit);
    let mut diagram = SddDiagram::new(&vtree, largest);
    let root = logic.resolve(circuit.root());
    let mut nodes: Vec<SddNodeId> = vec![FALSE; circuit.n_units()];
    for unit in logic.needed(root) {
        let refuse = |SddTooLarge: SddTooLarge| too_large(circuit, unit, largest);
        nodes[unit.index()] = match logic.part(unit) {
            LogicPart::True | LogicPart::Same(_) => TRUE,
            LogicPart::Literal(literal) => diagram.literal(*literal),
            LogicPart::And(children) => {
                let children = children.iter().map(|child| nodes[child.index()]);
                conjunction(children, &mut diagram).map_err(refuse)?
            }
            LogicPart::Or(children) => {
                let children = children.iter().map(|child| nodes[child.index()]);
                let found = disjunction(children, &mut diagram).map_err(refuse)?;
                found.ok_or_else(|| {
                    let why = "counts some inputs more than once, which an SDD cannot; \
                               write .nnf, which keeps the circuit as it is";
                    ExportError::of(circuit, unit, why)
                })?
            }
        };
    }
    match nodes[root.index()] {
        FALSE => Err(ExportError("the circuit has no model".to_string())),
        root => Ok(ExportedCircuit::of(text(&diagram, root, circuit)).along(&vtree)),
    }
}

fn conjunction(
    children: impl Iterator<Item = SddNodeId>,
    diagram: &mut SddDiagram,
) -> Result<SddNodeId, SddTooLarge> {
    let mut children = diagram.near_first(children).into_iter();
    children.try_fold(TRUE, |all, child| {
        diagram.apply(SddOperation::And, all, child)
    })
}

/// None if two children are true together: models would be counted twice.
fn disjunction(
    children: impl Iterator<Item = SddNodeId>,
    diagram: &mut SddDiagram,
) -> Result<Option<SddNodeId>, SddTooLarge> {
    let mut any = FALSE;
    for child in children {
        if diagram.apply(SddOperation::And, any, child)? != FALSE {
            return Ok(None);
        }
        any = diagram.apply(SddOperation::Or, any, child)?;
    }
    Ok(Some(any))
}

fn too_large(circuit: &CircuitGraph, unit: UnitId, largest: usize) -> ExportError {
    let why = format!(
        "takes the diagram beyond its limit of {} elements and intermediate results; write .nnf \
         or .ddnnf, which keep the circuit as it is",
        thousands(largest)
    );
    ExportError::of(circuit, unit, &why)
}

/// The file: what is below the root, in an order in which parts come first, so that the root
/// is the last. Literals of variables that the diagram does not need come before, so that
/// they are not forgotten.
fn text(diagram: &SddDiagram, root: SddNodeId, circuit: &CircuitGraph) -> String {
    let is_used = diagram.below(root);
    let mut is_mentioned = vec![false; circuit.variables().len()];
    for (at, is_used) in is_used.iter().enumerate() {
        if let (true, SddNode::Literal(literal)) = (is_used, diagram.node(at as SddNodeId)) {
            is_mentioned[literal.unsigned_abs() as usize - 1] = true;
        }
    }
    let mut body = String::new();
    // Tools take a unit 0 for the root.
    let mut id = 1;
    for at in (0..is_mentioned.len()).filter(|&at| !is_mentioned[at]) {
        let leaf = diagram.vtree().leaf(VarId::new(at));
        let leaf = leaf.expect("the tree has all variables");
        body += &format!("L {id} {} {}\n", diagram.vtree().id(leaf), at + 1);
        id += 1;
    }
    let mut ids: Vec<usize> = vec![0; is_used.len()];
    for (at, _) in is_used.iter().enumerate().filter(|(_, is_used)| **is_used) {
        ids[at] = id;
        body += &line(diagram, at as SddNodeId, &ids);
        id += 1;
    }
    format!("sdd {}\n{body}", id - 1)
}

fn line(diagram: &SddDiagram, node: SddNodeId, ids: &[usize]) -> String {
    let id = ids[node as usize];
    let vtree_id = || diagram.vtree().id(diagram.vtree_node(node));
    match diagram.node(node) {
        SddNode::False => format!("F {id}\n"),
        SddNode::True => format!("T {id}\n"),
        SddNode::Literal(literal) => format!("L {id} {} {literal}\n", vtree_id()),
        SddNode::Decision => {
            let elements = diagram.elements(node);
            let mut line = format!("D {id} {} {}", vtree_id(), elements.len());
            for &(prime, sub) in elements {
                line += &format!(" {} {}", ids[prime as usize], ids[sub as usize]);
            }
            line + "\n"
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pelton_compiler::circuit::Property;
    use pelton_compiler::load::{FileLoader, SourceInput};
    use pelton_compiler::{AnalysisOptions, analyze};

    #[test]
    fn a_diagram_beyond_the_limit_is_refused_with_the_limit_and_the_unit() {
        let text = "var a, b, c : bool;\n\
            node same = 1: a * b + 1: !a * !b;\nroot 1: same * c + 1: same * !c;\n";
        let input = SourceInput {
            name: "a.pcirc".to_string(),
            path: None,
            bytes: text.as_bytes().to_vec(),
        };
        let options = AnalysisOptions {
            decide: vec![Property::Structured],
            ..AnalysisOptions::default()
        };
        let checked = analyze(input, &FileLoader, &options).into_checked();
        let checked = checked.expect("the circuit is right");
        assert!(write_within(&checked, 1000).is_ok());
        let refusal = write_within(&checked, 5).map(|_| ()).unwrap_err();
        let wanted = "product in node `same` takes the diagram beyond its limit of 5 elements";
        assert!(refusal.0.starts_with(wanted), "{refusal}");
    }
}
