//! Circuits of d4.
//!
//! `o id 0`, `a id 0`, `t id 0` and `f id 0` declare units; `parent child literal* 0` is
//! an arc, whose literals are factors of the child. The root is unit 1. Arcs may come in
//! any order, so the graph is read first and built from its leaves up.

use super::lines::{Id, Line, Lines};
use super::logic::{Meaning, and, finish, or};
use super::units::Units;
use super::{Context, Fault, Imported};
use pelton_compiler::cycle;
use pelton_grammar::source::Span;
use std::collections::HashMap;

pub(super) fn read(context: &Context) -> Result<Imported, Fault> {
    let mut graph = Graph {
        units: Units::new(context),
        positions: HashMap::new(),
        nodes: Vec::new(),
        arcs: Vec::new(),
    };
    for line in Lines::of(context.source) {
        graph.line(line)?;
    }
    let root = graph.positions.get(&1).copied();
    let root = root.ok_or_else(|| Fault::whole("there is no unit 1, which is the root"))?;
    let meaning = graph.build(root)?;
    let n = graph.units.builder.variables().len();
    let note = format!("the file does not say how many variables there are; the largest is {n}");
    finish(meaning, graph.units, context, vec![note])
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Or,
    And,
    True,
    False,
}

struct Node {
    id: Id,
    kind: Kind,
    span: Span,
    /// Positions of its arcs, in the order of the file.
    arcs: Vec<u32>,
}

struct Arc {
    child: usize,
    literals: Vec<(Meaning, Span)>,
    span: Span,
    child_span: Span,
}

struct Graph<'a> {
    units: Units<'a>,
    positions: HashMap<Id, usize>,
    nodes: Vec<Node>,
    arcs: Vec<Arc>,
}

impl Graph<'_> {
    fn line(&mut self, mut line: Line) -> Result<(), Fault> {
        let word = line.clone().word("kind of a unit")?;
        let kind = match word {
            "o" => Kind::Or,
            "a" => Kind::And,
            "t" => Kind::True,
            "f" => Kind::False,
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

    fn node(&mut self, kind: Kind, mut line: Line) -> Result<(), Fault> {
        let id = line.id()?;
        if self.positions.contains_key(&id) {
            return Err(line.fault(format!("unit {id} is defined a second time")));
        }
        self.units.make_room(1, &line)?;
        self.positions.insert(id, self.nodes.len());
        self.nodes.push(Node {
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

    fn arc(&mut self, mut line: Line) -> Result<(), Fault> {
        let parent = self.position(&mut line)?;
        if let Kind::True | Kind::False = self.nodes[parent].kind {
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
                    literals.push((Meaning::Unit(unit), line.last_span()));
                }
            }
        }
        self.nodes[parent].arcs.push(self.arcs.len() as u32);
        self.arcs.push(Arc {
            child,
            literals,
            span: line.span(),
            child_span,
        });
        line.end()
    }

    fn position(&self, line: &mut Line) -> Result<usize, Fault> {
        let id = line.id()?;
        let known = self.positions.get(&id).copied();
        known.ok_or_else(|| Units::undefined(id, line))
    }

    /// Builds what is below a node, children first.
    fn build(&mut self, root: usize) -> Result<Meaning, Fault> {
        let children = |at: usize| -> Vec<(usize, Span)> {
            let arcs = self.nodes[at].arcs.iter();
            let arcs = arcs.map(|&arc| &self.arcs[arc as usize]);
            arcs.map(|arc| (arc.child, arc.span)).collect()
        };
        if let Some(cycle) = cycle::find(self.nodes.len(), children) {
            let (at, span) = cycle[0];
            let message = format!("unit {} is a part of itself", self.nodes[at].id);
            return Err(Fault::at(span, message));
        }
        let below = |at: usize| {
            let arcs = self.nodes[at].arcs.iter().rev();
            arcs.map(|&arc| self.arcs[arc as usize].child)
        };
        let order = cycle::children_first(self.nodes.len(), [root], below);
        let mut meanings: Vec<Option<Meaning>> = vec![None; self.nodes.len()];
        for at in order {
            meanings[at] = Some(self.meaning(at, &meanings));
        }
        Ok(meanings[root].unwrap_or(Meaning::False))
    }

    /// What a node means whose children are built.
    fn meaning(&mut self, at: usize, meanings: &[Option<Meaning>]) -> Meaning {
        let node = &self.nodes[at];
        let origin = match node.kind {
            Kind::True => return Meaning::True,
            Kind::False => return Meaning::False,
            Kind::Or | Kind::And => self.units.named(node.id, node.span),
        };
        let inner = origin.unnamed();
        let mut parts = Vec::with_capacity(node.arcs.len());
        for &arc in &node.arcs {
            let arc = &self.arcs[arc as usize];
            let child = meanings[arc.child].unwrap_or(Meaning::False);
            let factors = arc
                .literals
                .iter()
                .copied()
                .chain([(child, arc.child_span)]);
            match node.kind {
                Kind::Or => parts.push((and(factors, &mut self.units, inner), arc.span)),
                _ => parts.extend(factors),
            }
        }
        match node.kind {
            Kind::Or => or(parts, &mut self.units, origin),
            _ => and(parts, &mut self.units, origin),
        }
    }
}
