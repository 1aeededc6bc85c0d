//! The same distribution, written in a roundabout way.

use crate::dice::Dice;
use pelton_compiler::circuit::{
    ChildEdge, CircuitBuilder, CircuitGraph, LeafKind, ParamId, ParamKind, ParameterEntry,
    ParameterValue, SourceOrigin, UnitId, UnitKind, Weight,
};
use pelton_grammar::source::Span;

/// A circuit with the distribution and the learned parameters of another, in
/// which units are repeated, named, wrapped, split, reordered and joined by
/// others that are zero: what a rewrite is to see through.
pub fn clutter(circuit: &CircuitGraph, seed: u64) -> CircuitGraph {
    let mut clutter = Clutter {
        circuit,
        dice: Dice::new(seed),
        builder: CircuitBuilder::new(),
        params: Vec::new(),
        variants: Vec::with_capacity(circuit.n_units()),
        n_named: 0,
    };
    for variable in circuit.variables() {
        clutter.builder.variable(variable.clone());
    }
    for (at, parameter) in circuit.parameters().iter().enumerate() {
        let entries = circuit.entries(ParamId::new(at));
        let span = Span::default();
        let id = clutter
            .builder
            .parameter(None, parameter.kind, entries, span);
        clutter.params.push(id);
    }
    for unit in circuit.units() {
        let variants = clutter.variants_of(unit);
        clutter.variants.push(variants);
    }
    let root = clutter.pick(circuit.root());
    clutter.builder.finish(root)
}

struct Clutter<'a> {
    circuit: &'a CircuitGraph,
    dice: Dice,
    builder: CircuitBuilder,
    params: Vec<ParamId>,
    /// Units that are all equal to an old one.
    variants: Vec<Vec<UnitId>>,
    n_named: usize,
}

impl Clutter<'_> {
    fn pick(&mut self, unit: UnitId) -> UnitId {
        self.dice.pick(&self.variants[unit.index()])
    }

    fn variants_of(&mut self, unit: UnitId) -> Vec<UnitId> {
        let mut variants = vec![self.copy(unit)];
        if self.dice.chance(25) {
            variants.push(self.copy(unit));
        }
        if self.dice.chance(25) {
            let wrapped = self.wrapped(variants[0]);
            variants.push(wrapped);
        }
        variants
    }

    fn wrapped(&mut self, unit: UnitId) -> UnitId {
        match self.dice.below(3) {
            0 => self.sum(&[(fixed(1.0), unit)]),
            1 => self.product(&[unit]),
            _ => {
                let one = self.product(&[]);
                self.product(&[one, unit])
            }
        }
    }

    fn copy(&mut self, unit: UnitId) -> UnitId {
        match self.circuit.kind(unit) {
            UnitKind::Input(leaf) => {
                let mut leaf = self.circuit.leaf(leaf).clone();
                if let LeafKind::Distribution(distribution) = &mut leaf.kind {
                    for param in &mut distribution.params {
                        *param = self.params[param.index()];
                    }
                }
                let origin = self.origin();
                self.builder.input(leaf, origin)
            }
            UnitKind::Product => {
                let children = self.circuit.children(unit);
                let old: Vec<UnitId> = children.map(|child| child.unit).collect();
                let mut factors: Vec<UnitId> = old.into_iter().map(|u| self.pick(u)).collect();
                if self.dice.chance(30) {
                    self.dice.shuffle(&mut factors);
                }
                if self.dice.chance(30) {
                    let inner = factors.split_off(factors.len() / 2);
                    factors.push(self.product(&inner));
                }
                self.product(&factors)
            }
            UnitKind::Sum => self.copy_of_sum(unit),
        }
    }

    fn copy_of_sum(&mut self, unit: UnitId) -> UnitId {
        let children: Vec<ChildEdge> = self.circuit.children(unit).collect();
        let mut terms = Vec::new();
        for child in children {
            let weight = child.weight.expect("a sum's children have weights");
            let entry = self.circuit.entry(weight);
            let param = self.params[weight.param.index()];
            let index = weight.index;
            let term = if entry.learned {
                Term::Old(Weight { param, index })
            } else {
                Term::New(entry)
            };
            terms.push((term, self.pick(child.unit)));
        }
        if self.dice.chance(20) {
            // A unit of the same scope that is zero.
            let zero = self.sum(&[(fixed(0.0), terms[0].1)]);
            terms.push((fixed(0.25), zero));
        }
        if self.dice.chance(30) && terms.len() > 1 {
            // Twice a part of the sum, by halves.
            let inner: Vec<_> = terms.split_off(terms.len() / 2);
            let is_fixed = inner.iter().all(|term| matches!(term.0, Term::New(_)));
            let factor = if is_fixed { 0.5 } else { 1.0 };
            let scaled = inner
                .into_iter()
                .map(|(term, unit)| (term.over(factor), unit));
            let scaled: Vec<_> = scaled.collect();
            let inner = self.sum(&scaled);
            terms.push((fixed(factor), inner));
        }
        self.sum(&terms)
    }

    fn product(&mut self, units: &[UnitId]) -> UnitId {
        let children: Vec<ChildEdge> = units.iter().map(|&unit| edge(unit, None)).collect();
        let origin = self.origin();
        self.builder.product(&children, origin)
    }

    fn sum(&mut self, terms: &[(Term, UnitId)]) -> UnitId {
        let entries = terms.iter().filter_map(|(term, _)| match term {
            Term::New(entry) => Some(*entry),
            Term::Old(_) => None,
        });
        let entries: Vec<ParameterEntry> = entries.collect();
        let kind = ParamKind::Weights;
        let span = Span::default();
        let param = if entries.is_empty() {
            ParamId::new(0)
        } else {
            self.builder.parameter(None, kind, &entries, span)
        };
        let mut index = 0;
        let children = terms.iter().map(|&(term, unit)| match term {
            Term::Old(weight) => edge(unit, Some(weight)),
            Term::New(_) => {
                index += 1;
                let index = index - 1;
                edge(unit, Some(Weight { param, index }))
            }
        });
        let children: Vec<ChildEdge> = children.collect();
        let origin = self.origin();
        self.builder.sum(&children, origin)
    }

    fn origin(&mut self) -> SourceOrigin {
        let is_named = self.dice.chance(20);
        let owner = is_named.then(|| {
            self.n_named += 1;
            self.builder.name(&format!("n{}", self.n_named), &[])
        });
        SourceOrigin {
            span: Span::default(),
            owner,
            is_named,
        }
    }
}

/// The weight of a term: one that is learned, or a fixed number.
#[derive(Clone, Copy)]
enum Term {
    Old(Weight),
    New(ParameterEntry),
}

impl Term {
    /// Divides a fixed number.
    fn over(self, factor: f64) -> Term {
        let Term::New(mut entry) = self else {
            return self;
        };
        entry.value = entry.value.map(|value| match value {
            ParameterValue::Linear(value) => ParameterValue::Linear(value / factor),
            ParameterValue::Log(log) => ParameterValue::Log(log - factor.ln()),
        });
        Term::New(entry)
    }
}

fn fixed(value: f64) -> Term {
    Term::New(ParameterEntry::fixed(value))
}

fn edge(unit: UnitId, weight: Option<Weight>) -> ChildEdge {
    ChildEdge {
        unit,
        weight,
        span: Span::default(),
    }
}
