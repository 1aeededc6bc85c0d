//! Sentential decision diagrams.
//!
//! The primes of a decision exclude each other and cover all cases, which a circuit does
//! not spell out. So the circuit is compiled: units become nodes of a [`SddDiagram`], from the
//! leaves up, along the tree that the circuit's products follow.

mod apply;
mod diagram;

use super::logic::{LogicCircuit, LogicPart};
use super::vtree::BinaryVtree;
use super::{ExportError, ExportedCircuit};
use apply::SddOperation;
use diagram::{FALSE, SddDiagram, SddNode, SddNodeId, SddTooLarge, TRUE};
use pelton_compiler::check::Checked;
use pelton_compiler::circuit::{CircuitGraph, UnitId, VarId};
use pelton_grammar::diagnostic::thousands;
use std::fmt::Write;

pub(super) fn write(checked: &Checked) -> Result<ExportedCircuit, ExportError> {
    write_within(checked, diagram::LARGEST)
}

/// The same with a limit of elements and results.
fn write_within(checked: &Checked, largest: usize) -> Result<ExportedCircuit, ExportError> {
    let circuit = checked.circuit();
    let logic = LogicCircuit::of(circuit)?;
    let vtree = checked.facts().vtree();
    let vtree = vtree.filter(|vtree| vtree.root().is_some());
    let vtree = vtree.ok_or_else(|| ExportError("the circuit mentions no variable".to_string()))?;
    let vtree = BinaryVtree::of_all(vtree, circuit);
    let mut diagram = SddDiagram::new(&vtree, largest);
    let root = logic.resolve(circuit.root());
    let mut nodes: Vec<SddNodeId> = vec![FALSE; circuit.n_units()];
    for unit in logic.needed(root) {
        let found = node(circuit, &logic, unit, &nodes, &mut diagram);
        nodes[unit.index()] = found.map_err(|stop| match stop {
            SddFailure::Refused(refusal) => refusal,
            SddFailure::TooLarge => too_large(circuit, unit, largest),
        })?;
    }
    match nodes[root.index()] {
        FALSE => Err(ExportError("the circuit has no model".to_string())),
        root => Ok(ExportedCircuit {
            text: text(&diagram, root, circuit),
            vtree: Some(vtree.text()),
            notes: Vec::new(),
        }),
    }
}

/// What a unit becomes, given what its children are.
fn node(
    circuit: &CircuitGraph,
    logic: &LogicCircuit,
    unit: UnitId,
    nodes: &[SddNodeId],
    diagram: &mut SddDiagram,
) -> Result<SddNodeId, SddFailure> {
    match logic.part(unit) {
        LogicPart::True | LogicPart::Same(_) => Ok(TRUE),
        LogicPart::Literal(literal) => Ok(diagram.literal(*literal)),
        LogicPart::And(children) => {
            let children = children.iter().map(|child| nodes[child.index()]);
            let mut all = TRUE;
            for child in diagram.near_first(children) {
                all = diagram.apply(SddOperation::And, all, child)?;
            }
            Ok(all)
        }
        LogicPart::Or(children) => {
            let mut any = FALSE;
            for child in children.iter().map(|child| nodes[child.index()]) {
                if diagram.apply(SddOperation::And, any, child)? != FALSE {
                    let why = "counts some inputs more than once, which an SDD cannot; \
                               write .nnf, which keeps the circuit as it is";
                    return Err(SddFailure::Refused(ExportError::of(circuit, unit, why)));
                }
                any = diagram.apply(SddOperation::Or, any, child)?;
            }
            Ok(any)
        }
    }
}

/// Why a unit did not become a node.
enum SddFailure {
    Refused(ExportError),
    TooLarge,
}

impl From<SddTooLarge> for SddFailure {
    fn from(SddTooLarge: SddTooLarge) -> Self {
        SddFailure::TooLarge
    }
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
        let vtree_id = diagram.vtree().id(leaf);
        // Writing to a string does not fail.
        let _ = writeln!(body, "L {id} {vtree_id} {}", at + 1);
        id += 1;
    }
    let mut ids: Vec<usize> = vec![0; is_used.len()];
    for (at, _) in is_used.iter().enumerate().filter(|(_, is_used)| **is_used) {
        ids[at] = id;
        line(diagram, at as SddNodeId, &ids, &mut body);
        id += 1;
    }
    format!("sdd {}\n{body}", id - 1)
}

fn line(diagram: &SddDiagram, node: SddNodeId, ids: &[usize], out: &mut String) {
    let id = ids[node as usize];
    let vtree_id = |at| diagram.vtree().id(at);
    let written = match diagram.node(node) {
        SddNode::False => writeln!(out, "F {id}"),
        SddNode::True => writeln!(out, "T {id}"),
        SddNode::Literal(literal) => {
            let at = vtree_id(diagram.vtree_node(node));
            writeln!(out, "L {id} {at} {literal}")
        }
        SddNode::Decision => {
            let elements = diagram.elements(node);
            let at = vtree_id(diagram.vtree_node(node));
            let mut written = write!(out, "D {id} {at} {}", elements.len());
            for &(prime, sub) in elements {
                let (prime, sub) = (ids[prime as usize], ids[sub as usize]);
                written = written.and_then(|()| write!(out, " {prime} {sub}"));
            }
            written.and_then(|()| writeln!(out))
        }
    };
    written.expect("a string takes every text");
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
