//! Units as `node` statements, small ones inside their parents.

use super::super::token::EntryText;
use super::super::{EmitError, EmitResult};
use super::declare::LINE_WIDTH;
use super::leaf::leaf_text;
use super::naming::EmittedNames;
use crate::circuit::{ChildEdge, CircuitGraph, LeafKind, UnitId, UnitKind};
use std::fmt::Write;

/// Longest text of a unit that is written inside its parent.
const LONGEST_INLINE: usize = 60;

/// What binds the parts of a text together.
#[derive(Clone, Copy, PartialEq, Eq)]
enum UnitTextOperator {
    /// One piece: a name, a leaf, something in parentheses.
    Atom,
    /// Factors.
    Product,
    /// Weighted terms.
    Sum,
}

/// The text of a unit in the pieces at which a line may be broken.
struct UnitText {
    pieces: Vec<String>,
    joint: UnitTextOperator,
}

impl UnitText {
    fn len(&self) -> usize {
        self.pieces.iter().map(|piece| piece.len() + 3).sum()
    }

    fn flat(&self) -> String {
        self.pieces.join(self.operator())
    }

    fn operator(&self) -> &'static str {
        match self.joint {
            UnitTextOperator::Product => " * ",
            _ => " + ",
        }
    }
}

/// A text that waits for its parents.
struct Inline {
    text: String,
    joint: UnitTextOperator,
}

/// Writes units in the order of their ids: children first, so that the text of
/// what a unit is made of is always at hand and nothing recurses.
pub(super) struct UnitWriter<'a> {
    circuit: &'a CircuitGraph,
    naming: &'a mut EmittedNames,
    out: &'a mut dyn Write,
    inline: Vec<Option<Inline>>,
    n_parents: Vec<u32>,
}

impl<'a> UnitWriter<'a> {
    pub fn new(
        circuit: &'a CircuitGraph,
        naming: &'a mut EmittedNames,
        out: &'a mut dyn Write,
    ) -> Self {
        UnitWriter {
            circuit,
            naming,
            out,
            inline: (0..circuit.n_units()).map(|_| None).collect(),
            n_parents: vec![0; circuit.n_units()],
        }
    }

    /// Writes the nodes, then the root.
    pub fn write(mut self, reached: &[bool]) -> EmitResult {
        // What several parents use needs a name; what one uses may stand inside it.
        for unit in self.circuit.units().filter(|u| reached[u.index()]) {
            for child in self.circuit.children(unit) {
                self.n_parents[child.unit.index()] += 1;
            }
        }
        for assertion in self.circuit.assertions() {
            if assertion.target != self.circuit.root() {
                // An assertion speaks of a node by its name.
                self.n_parents[assertion.target.index()] += 2;
            }
        }
        for unit in self.circuit.units().filter(|u| reached[u.index()]) {
            self.write_unit(unit)?;
        }
        self.write_root()
    }

    fn write_unit(&mut self, unit: UnitId) -> EmitResult {
        let text = self.text(unit)?;
        if unit == self.circuit.root() && !self.is_node(unit, &text) {
            return self.write_statement("root", &text);
        }
        if !self.is_node(unit, &text) {
            self.inline[unit.index()] = Some(Inline {
                text: text.flat(),
                joint: text.joint,
            });
            return Ok(());
        }
        let name = match self.naming.unit(unit) {
            Some(name) => name.to_string(),
            None => self.naming.name_unit(unit).to_string(),
        };
        self.write_statement(&format!("node {name} ="), &text)
    }

    /// Whether the unit gets a statement of its own rather than being written
    /// inside its parents.
    fn is_node(&self, unit: UnitId, text: &UnitText) -> bool {
        let is_short = text.len() <= LONGEST_INLINE;
        let n_parents = self.n_parents[unit.index()];
        match unit == self.circuit.root() {
            _ if self.naming.unit(unit).is_some() => true,
            true => n_parents > 0,
            // Equal leaves become one unit again when the text is read.
            false if self.is_copyable(unit) && is_short => false,
            false => n_parents != 1 || !is_short,
        }
    }

    /// Whether writing the unit twice still means one unit.
    fn is_copyable(&self, unit: UnitId) -> bool {
        let is_asserted = || {
            let assertions = self.circuit.assertions();
            assertions.iter().any(|assertion| assertion.target == unit)
        };
        let Some(leaf) = self.circuit.leaf_of(unit) else {
            return false;
        };
        let holds_its_own = match &leaf.kind {
            LeafKind::Indicator(_) => false,
            LeafKind::Distribution(distribution) => distribution.params.iter().any(|&param| {
                let entries = self.circuit.entries(param);
                self.naming.parameter(param).is_none() && entries.iter().any(|e| e.learned)
            }),
        };
        !holds_its_own && !is_asserted()
    }

    fn text(&mut self, unit: UnitId) -> Result<UnitText, EmitError> {
        let circuit = self.circuit;
        match circuit.kind(unit) {
            UnitKind::Input(leaf) => Ok(UnitText {
                pieces: vec![leaf_text(circuit, self.naming, circuit.leaf(leaf))?],
                joint: UnitTextOperator::Atom,
            }),
            UnitKind::Product => Ok(self.product_text(unit)),
            UnitKind::Sum => {
                let terms = circuit.children(unit).map(|child| {
                    let body = self.child_text(child.unit, UnitTextOperator::Product);
                    format!("{}: {body}", self.weight_text(child))
                });
                Ok(UnitText {
                    pieces: terms.collect(),
                    joint: UnitTextOperator::Sum,
                })
            }
        }
    }

    fn product_text(&mut self, unit: UnitId) -> UnitText {
        let circuit = self.circuit;
        let n_children = circuit.n_children(unit);
        if n_children == 0 {
            return UnitText {
                pieces: vec!["prod i in 0..0 { 1 }".to_string()],
                joint: UnitTextOperator::Atom,
            };
        }
        let factors = circuit
            .children(unit)
            .map(|child| self.child_text(child.unit, UnitTextOperator::Atom));
        UnitText {
            pieces: factors.collect(),
            joint: match n_children {
                1 => UnitTextOperator::Atom,
                _ => UnitTextOperator::Product,
            },
        }
    }

    /// A reference to a node, or the child's own text, in parentheses if it
    /// binds more loosely than `loosest`.
    fn child_text(&self, child: UnitId, loosest: UnitTextOperator) -> String {
        if let Some(name) = self.naming.unit(child) {
            return name.to_string();
        }
        let inline = self.inline[child.index()]
            .as_ref()
            .expect("children are written before their parents");
        let fits = inline.joint == UnitTextOperator::Atom || inline.joint == loosest;
        if fits {
            inline.text.clone()
        } else {
            format!("({})", inline.text)
        }
    }

    fn weight_text(&self, child: ChildEdge) -> String {
        let weight = child.weight.expect("a sum's children have weights");
        let kind = self.circuit.parameter(weight.param).kind;
        match self.naming.entry(weight.param, kind, weight.index) {
            Some(name) => name,
            None => EntryText(self.circuit.entry(weight)).to_string(),
        }
    }

    fn write_statement(&mut self, head: &str, text: &UnitText) -> EmitResult {
        if head.len() + text.len() <= LINE_WIDTH {
            return Ok(writeln!(self.out, "{head} {};", text.flat())?);
        }
        self.out.write_str(head)?;
        let mut width = LINE_WIDTH;
        for (at, piece) in text.pieces.iter().enumerate() {
            let operator = text.operator();
            width += piece.len() + operator.len();
            match (at, width > LINE_WIDTH) {
                (0, _) => write!(self.out, "\n    {piece}")?,
                (_, true) => write!(self.out, "\n {operator}{piece}")?,
                (_, false) => write!(self.out, "{operator}{piece}")?,
            }
            if width > LINE_WIDTH {
                width = 4 + piece.len();
            }
        }
        Ok(self.out.write_str(";\n")?)
    }

    fn write_root(self) -> EmitResult {
        match self.naming.unit(self.circuit.root()) {
            Some(name) => Ok(writeln!(self.out, "root {name};")?),
            None => Ok(()),
        }
    }
}
