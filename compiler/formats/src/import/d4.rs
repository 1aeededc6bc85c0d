//! Circuits of d4.
//!
//! `o id 0`, `a id 0`, `t id 0` and `f id 0` declare units; `parent child literal* 0` is
//! an arc, whose literals are factors of the child. The root is unit 1. Arcs may come in
//! any order, so the graph is read first and built from its leaves up.

use super::lines::{FileUnitId, FormatLine, FormatLines};
use super::logic::{LogicMeaning, and, finish, or};
use super::units::FileUnits;
use super::{ImportContext, ImportError, ImportedCircuit};
use pelton_compiler::cycle;
use pelton_grammar::source::Span;
use std::collections::HashMap;

pub(super) fn read(context: &ImportContext) -> Result<ImportedCircuit, ImportError> {
    let mut graph = D4Graph {
        units: FileUnits::new(context),
        positions: HashMap::new(),
        nodes: Vec::new(),
        arcs: Vec::new(),
    };
    for line in FormatLines::of(context.source) {
        graph.line(line)?;
    }
    let root = graph.positions.get(&1).copied();
    let root = root.ok_or_else(|| ImportError::whole("there is no unit 1, which is the root"))?;
    let meaning = graph.build(root)?;
    let n = graph.units.builder.variables().len();
    let note = format!("the file does not say how many variables there are; the largest is {n}");
    finish(meaning, graph.units, context, vec![note])
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum D4NodeKind {
    Or,
    And,
    True,
    False,
}

struct D4Node {
    id: FileUnitId,
    kind: D4NodeKind,
    span: Span,
    /// Positions of its arcs, in the order of the file.
    arcs: Vec<u32>,
}

struct D4Arc {
    child: usize,
    literals: Vec<(LogicMeaning, Span)>,
    span: Span,
    child_span: Span,
}

struct D4Graph<'a> {
    units: FileUnits<'a>,
    positions: HashMap<FileUnitId, usize>,
    nodes: Vec<D4Node>,
    arcs: Vec<D4Arc>,
}

impl D4Graph<'_> {
    fn line(&mut self, mut line: FormatLine) -> Result<(), ImportError> {
        let word = line.clone().word("kind of a unit")?;
        let kind = match word {
            "o" => D4NodeKind::Or,
            "a" => D4NodeKind::And,
            "t" => D4NodeKind::True,
            "f" => D4NodeKind::False,
            _ if word.bytes().all(|byte| byte.is_ascii_digit()) => return self.arc(line),
            _ => {
                line.word("kind of a unit")?;
                let message = format!(
                    "`{word}` is no kind of unit: `o`, `a`, `t`, `f` or the number of a parent is meant"
                );
                return Err(line.fault(message));
            }
        };
        line.word("kind of a unit")?;
        self.node(kind, line)
    }

    fn node(&mut self, kind: D4NodeKind, mut line: FormatLine) -> Result<(), ImportError> {
        let id = line.id()?;
        if self.positions.contains_key(&id) {
            return Err(line.fault(format!("unit {id} is defined a second time")));
        }
        self.units.make_room(1, &line)?;
        self.positions.insert(id, self.nodes.len());
        self.nodes.push(D4Node {
            id,
            kind,
            span: line.span(),
            arcs: Vec::new(),
        });
        match line.int("closing 0")? {
            0 => line.end(),
            _ => Err(line.fault("a unit ends with 0")),
        }
    }

    fn arc(&mut self, mut line: FormatLine) -> Result<(), ImportError> {
        let parent = self.position(&mut line)?;
        if let D4NodeKind::True | D4NodeKind::False = self.nodes[parent].kind {
            return Err(line.fault("a constant has no children"));
        }
        let child = self.position(&mut line)?;
        let child_span = line.last_span();
        self.units.make_room(3, &line)?;
        let mut literals = Vec::new();
        loop {
            match line.int("literal or closing 0")? {
                0 => break,
                literal => {
                    let unit = self.units.literal_of(literal, &line)?;
                    literals.push((LogicMeaning::Unit(unit), line.last_span()));
                }
            }
        }
        self.nodes[parent].arcs.push(self.arcs.len() as u32);
        self.arcs.push(D4Arc {
            child,
            literals,
            span: line.span(),
            child_span,
        });
        line.end()
    }

    fn position(&self, line: &mut FormatLine) -> Result<usize, ImportError> {
        let id = line.id()?;
        let known = self.positions.get(&id).copied();
        known.ok_or_else(|| FileUnits::undefined(id, line))
    }

    /// Builds what is below a node, children first.
    fn build(&mut self, root: usize) -> Result<LogicMeaning, ImportError> {
        let children = |at: usize| -> Vec<(usize, Span)> {
            let arcs = self.nodes[at].arcs.iter();
            let arcs = arcs.map(|&arc| &self.arcs[arc as usize]);
            arcs.map(|arc| (arc.child, arc.span)).collect()
        };
        if let Some(cycle) = cycle::find(self.nodes.len(), children) {
            let (at, span) = cycle[0];
            let message = format!("unit {} is a part of itself", self.nodes[at].id);
            return Err(ImportError::at(span, message));
        }
        let below = |at: usize| {
            let arcs = self.nodes[at].arcs.iter().rev();
            arcs.map(|&arc| self.arcs[arc as usize].child)
        };
        let order = cycle::children_first(self.nodes.len(), [root], below);
        let mut meanings: Vec<Option<LogicMeaning>> = vec![None; self.nodes.len()];
        for at in order {
            meanings[at] = Some(self.meaning(at, &meanings));
        }
        Ok(meanings[root].unwrap_or(LogicMeaning::False))
    }

    /// What a node means whose children are built.
    fn meaning(&mut self, at: usize, meanings: &[Option<LogicMeaning>]) -> LogicMeaning {
        let node = &self.nodes[at];
        let origin = match node.kind {
            D4NodeKind::True => return LogicMeaning::True,
            D4NodeKind::False => return LogicMeaning::False,
            D4NodeKind::Or | D4NodeKind::And => self.units.named(node.id, node.span),
        };
        let inner = origin.unnamed();
        let mut parts = Vec::with_capacity(node.arcs.len());
        for &arc in &node.arcs {
            let arc = &self.arcs[arc as usize];
            let child = meanings[arc.child].unwrap_or(LogicMeaning::False);
            let factors = arc
                .literals
                .iter()
                .copied()
                .chain([(child, arc.child_span)]);
            // Below a disjunction the literals of an arc hold with its child; a conjunction takes
            // them as factors of its own.
            match node.kind {
                D4NodeKind::Or => parts.push((and(factors, &mut self.units, inner), arc.span)),
                _ => parts.extend(factors),
            }
        }
        match node.kind {
            D4NodeKind::Or => or(parts, &mut self.units, origin),
            _ => and(parts, &mut self.units, origin),
        }
    }
}
