//! Circuits of d4: units from the root down, then arcs with literals on them.

use super::logic::{LogicCircuit, LogicPart};
use super::{ExportError, ExportedCircuit};
use pelton_compiler::circuit::{CircuitGraph, UnitId};
use std::fmt::Write;

pub(super) fn write(circuit: &CircuitGraph) -> Result<ExportedCircuit, ExportError> {
    let logic = LogicCircuit::of(circuit)?;
    let writer = D4Writer::new(circuit, &logic);
    Ok(ExportedCircuit::of(
        writer.text().expect("a string takes every text"),
    ))
}

struct D4Writer<'a> {
    logic: &'a LogicCircuit,
    root: UnitId,
    /// Conjunctions and disjunctions, from the root down.
    units: Vec<UnitId>,
    /// Their numbers in the file, by unit.
    ids: Vec<usize>,
    /// The number of the unit that is true.
    leaf: usize,
    /// Whether unit 1 is a conjunction that is no unit of the circuit.
    has_top: bool,
    /// The last variable, if no literal mentions it.
    unmentioned: Option<i64>,
}

impl<'a> D4Writer<'a> {
    fn new(circuit: &CircuitGraph, logic: &'a LogicCircuit) -> Self {
        let root = logic.resolve(circuit.root());
        let needed = logic.needed(root);
        let is_inner =
            |unit: &UnitId| matches!(logic.part(*unit), LogicPart::And(_) | LogicPart::Or(_));
        let units: Vec<UnitId> = needed.iter().copied().rev().filter(is_inner).collect();
        // The format counts variables by the largest literal.
        let last = circuit.variables().len() as i64;
        let is_last = |unit: &UnitId| matches!(logic.part(*unit), LogicPart::Literal(literal) if literal.abs() == last);
        let is_mentioned = last == 0 || needed.iter().any(is_last);
        let unmentioned = (!is_mentioned).then_some(last);
        // A root that is a literal or true is a conjunction of it.
        let has_top = unmentioned.is_some() || units.first() != Some(&root);
        let first = 1 + usize::from(has_top);
        let mut ids = vec![0; circuit.n_units()];
        for (id, unit) in (first..).zip(&units) {
            ids[unit.index()] = id;
        }
        let leaf = first + units.len();
        D4Writer {
            logic,
            root,
            units,
            ids,
            leaf,
            has_top,
            unmentioned,
        }
    }

    fn text(&self) -> Result<String, std::fmt::Error> {
        let mut text = String::new();
        if self.has_top {
            writeln!(text, "a 1 0")?;
        }
        for &unit in &self.units {
            let kind = match self.logic.part(unit) {
                LogicPart::Or(_) => 'o',
                _ => 'a',
            };
            writeln!(text, "{kind} {} 0", self.ids[unit.index()])?;
        }
        writeln!(text, "t {} 0", self.leaf)?;
        if self.has_top {
            self.arc(1, self.root, &mut text)?;
        }
        if let Some(variable) = self.unmentioned {
            let (leaf, either) = (self.leaf, self.leaf + 1);
            writeln!(text, "o {either} 0\n1 {either} 0")?;
            writeln!(
                text,
                "{either} {leaf} {variable} 0\n{either} {leaf} -{variable} 0"
            )?;
        }
        for &unit in &self.units {
            if let LogicPart::And(children) | LogicPart::Or(children) = self.logic.part(unit) {
                for &child in children {
                    self.arc(self.ids[unit.index()], child, &mut text)?;
                }
            }
        }
        Ok(text)
    }

    fn arc(&self, parent: usize, child: UnitId, out: &mut String) -> std::fmt::Result {
        let leaf = self.leaf;
        match self.logic.part(child) {
            LogicPart::Literal(literal) => writeln!(out, "{parent} {leaf} {literal} 0"),
            LogicPart::And(_) | LogicPart::Or(_) => {
                writeln!(out, "{parent} {} 0", self.ids[child.index()])
            }
            LogicPart::True | LogicPart::Same(_) => writeln!(out, "{parent} {leaf} 0"),
        }
    }
}
