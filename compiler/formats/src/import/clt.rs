//! Chow-Liu trees over `bool` variables.
//!
//! The number of variables, the number of roots, a line `variable P(true)` for each root,
//! and `child parent P(child | parent) P(child | not parent)` for the others. Variables
//! count from 1; lines may come in any order.

use super::lines::{FormatLine, FormatLines};
use super::units::{FileUnits, too_large};
use super::{ImportContext, ImportError, ImportedCircuit};
use pelton_compiler::circuit::{
    BernoulliDistribution, ChildEdge, NameId, ParamKind, ParameterEntry, SourceOrigin, UnitId,
    ValueSet, VarId, Weight,
};
use pelton_grammar::source::Span;

pub(super) fn read(context: &ImportContext) -> Result<ImportedCircuit, ImportError> {
    let mut lines = FormatLines::of(context.source);
    let mut tree = CltReader {
        units: FileUnits::new(context),
        edges: Vec::new(),
    };
    let n_variables = single(lines.next(), "number of variables")?;
    let n_roots = single(lines.next(), "number of roots")?;
    for (at, line) in lines.enumerate() {
        tree.line(line, at < n_roots)?;
    }
    tree.check_complete(n_variables)?;
    let order = tree.order()?;
    // A variable takes up to six units and eight edges.
    if order.len().saturating_mul(14) > context.max_size {
        return Err(too_large(context.source.span().before(), context.max_size));
    }
    tree.build(&order, context)
}

/// The number that a line consists of.
fn single(line: Option<FormatLine>, what: &str) -> Result<usize, ImportError> {
    let mut line = line.ok_or_else(|| ImportError::whole(format!("the {what} is missing")))?;
    let number = line.index(what)?;
    line.end()?;
    Ok(number)
}

/// How a variable depends on another.
#[derive(Clone, Copy)]
struct CltEdge {
    /// The parent's position; none for a root.
    parent: Option<usize>,
    /// The probability of true where the parent is false, and where it is true; equal
    /// for a root.
    probabilities: [f64; 2],
    span: Span,
}

struct CltReader<'a> {
    units: FileUnits<'a>,
    /// By position of the variable; none for one that no line is about so far.
    edges: Vec<Option<CltEdge>>,
}

impl CltReader<'_> {
    fn line(&mut self, mut line: FormatLine, is_root: bool) -> Result<(), ImportError> {
        let child = self.variable(&mut line)?;
        if self.edges[child].is_some() {
            return Err(line.fault(format!("variable {} has two lines", child + 1)));
        }
        let (parent, probabilities) = if is_root {
            (None, [line.probability("probability")?; 2])
        } else {
            let parent = self.variable(&mut line)?;
            let if_true = line.probability("probability")?;
            (Some(parent), [line.probability("probability")?, if_true])
        };
        self.edges[child] = Some(CltEdge {
            parent,
            probabilities,
            span: line.span(),
        });
        line.end()
    }

    /// The next word as a variable, by its position.
    fn variable(&mut self, line: &mut FormatLine) -> Result<usize, ImportError> {
        let number = line.int("variable")?;
        let position = self.units.variable(number, line)?.index();
        if self.edges.len() <= position {
            self.edges.resize(position + 1, None);
        }
        Ok(position)
    }

    fn check_complete(&self, n_variables: usize) -> Result<(), ImportError> {
        if let Some(at) = self.edges.iter().position(Option::is_none) {
            let message = format!("there is no line for variable {}", at + 1);
            return Err(ImportError::whole(message).help("the file may be cut"));
        }
        if self.edges.len() == n_variables {
            Ok(())
        } else {
            Err(ImportError::whole(format!(
                "the first line counts {n_variables} variables, but there are lines for {}",
                self.edges.len()
            )))
        }
    }

    /// Positions of the variables, parents first.
    fn order(&self) -> Result<Vec<usize>, ImportError> {
        let mut children: Vec<Vec<usize>> = vec![Vec::new(); self.edges.len()];
        let mut order: Vec<usize> = Vec::with_capacity(self.edges.len());
        for (at, edge) in self.edges.iter().flatten().enumerate() {
            match edge.parent {
                Some(parent) => children[parent].push(at),
                None => order.push(at),
            }
        }
        let mut next = 0;
        while next < order.len() {
            order.append(&mut children[order[next]]);
            next += 1;
        }
        if order.len() == self.edges.len() {
            return Ok(order);
        }
        let mut is_below = vec![false; self.edges.len()];
        order.iter().for_each(|&at| is_below[at] = true);
        let lost = is_below.iter().position(|is_below| !is_below);
        let edge = lost.and_then(|at| self.edges[at].map(|edge| (at, edge.span)));
        match edge {
            Some((at, span)) => {
                let message = format!("variable {} depends on itself through others", at + 1);
                Err(ImportError::at(span, message).help("every variable hangs below a root"))
            }
            None => Err(ImportError::whole("the variables form no tree")),
        }
    }

    /// Builds the circuit from the last variables up: one unit for each variable and
    /// value of its parent.
    fn build(
        mut self,
        order: &[usize],
        context: &ImportContext,
    ) -> Result<ImportedCircuit, ImportError> {
        let edges: Vec<CltEdge> = self.edges.iter().copied().flatten().collect();
        // What hangs below each variable, where it is false and where it is true.
        let mut below: Vec<[Vec<UnitId>; 2]> = vec![[const { Vec::new() }; 2]; edges.len()];
        let mut roots = Vec::new();
        for &at in order.iter().rev() {
            let edge = edges[at];
            let branches = std::mem::take(&mut below[at]);
            match edge.parent {
                None => {
                    let name = self.units.builder.name("n", &[at as i64 + 1]);
                    roots.push(self.unit(at, edge.probabilities[1], &branches, edge.span, name));
                }
                Some(parent) => {
                    for (value, p) in (0..).zip(edge.probabilities) {
                        let name = self.units.builder.name("n", &[at as i64 + 1, value]);
                        let unit = self.unit(at, p, &branches, edge.span, name);
                        below[parent][value as usize].push(unit);
                    }
                }
            }
        }
        roots.reverse();
        let span = context.source.span().before();
        let root = match roots[..] {
            [] => return Err(ImportError::whole("the file has no variables")),
            [only] => only,
            _ => self
                .units
                .builder
                .product_of(roots, SourceOrigin::anonymous(span)),
        };
        self.units.define(0, root);
        self.units.finish(Vec::new())
    }

    /// A variable that is true with probability `p`, with what hangs below it.
    fn unit(
        &mut self,
        at: usize,
        p: f64,
        branches: &[Vec<UnitId>; 2],
        span: Span,
        name: NameId,
    ) -> UnitId {
        let variable = VarId::new(at);
        let origin = SourceOrigin {
            span,
            owner: Some(name),
            is_named: true,
        };
        let entries = [ParameterEntry::fixed(1.0 - p), ParameterEntry::fixed(p)];
        if branches[0].is_empty() {
            let (builder, kind) = (&mut self.units.builder, ParamKind::Unit);
            let family = BernoulliDistribution.into();
            return builder.distribution(variable, family, kind, &entries, origin);
        }
        let builder = &mut self.units.builder;
        let weights: Vec<Weight> = builder
            .weights(ParamKind::Simplex, &entries, span)
            .collect();
        let children = [0, 1].map(|value| {
            let values = ValueSet::integers(value, value + 1);
            let literal = self.units.indicator(variable, values, span);
            let branch = branches[value as usize].iter().rev().copied();
            let factors = std::iter::once(literal).chain(branch);
            let product = self.units.builder.product_of(factors, origin.unnamed());
            ChildEdge::term(product, weights[value as usize], span)
        });
        self.units.builder.sum(&children, origin)
    }
}
