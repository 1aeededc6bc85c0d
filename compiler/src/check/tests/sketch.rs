//! A circuit and the text that its spans point into.

use crate::check::{CheckOptions, CircuitFacts, examine};
use crate::circuit::*;
use pelton_grammar::diagnostic::{Code, SourceDiagnostics, render};
use pelton_grammar::remedy::no_options;
use pelton_grammar::source::{SourceId, SourceMap, Span};

/// Builds a circuit whose units point at words of a text.
pub struct Sketch {
    pub sources: SourceMap,
    source: SourceId,
    pub builder: CircuitBuilder,
}

impl Sketch {
    pub fn new(text: &str) -> Self {
        let mut sources = SourceMap::new();
        let source = sources.add("test.pcirc", None, text);
        Sketch {
            sources,
            source,
            builder: CircuitBuilder::new(),
        }
    }

    /// The place of the only or first occurrence of `words`.
    pub fn span(&self, words: &str) -> Span {
        let start = self.sources.get(self.source).text().find(words);
        let start = start.unwrap_or_else(|| panic!("{words} is not in the text"));
        Span::new(self.source, start, start + words.len())
    }

    pub fn variable(&mut self, name: &str, domain: Domain) -> VarId {
        self.builder.variable(CircuitVariable {
            name: name.to_string(),
            domain,
            span: Span::default(),
            binding: VariableAttributes::default(),
        })
    }

    pub fn booleans<const N: usize>(&mut self, names: [&str; N]) -> [VarId; N] {
        names.map(|name| self.variable(name, Domain::Bool))
    }

    fn origin(&mut self, name: Option<(&str, &[i64])>, words: &str) -> SourceOrigin {
        SourceOrigin {
            span: self.span(words),
            owner: name.map(|(base, indices)| self.builder.name(base, indices)),
            is_named: name.is_some(),
        }
    }

    /// A literal of a `bool` variable.
    pub fn literal(&mut self, variable: VarId, value: i64) -> UnitId {
        self.indicator(variable, ValueSet::integers(value, value + 1))
    }

    pub fn indicator(&mut self, variable: VarId, set: ValueSet) -> UnitId {
        let origin = self.origin(None, "");
        let kind = LeafKind::Indicator(set);
        self.builder.input(Leaf { variable, kind }, origin)
    }

    /// A leaf of a family without parameters.
    pub fn uniform(&mut self, variable: VarId, low: f64, high: f64) -> UnitId {
        let origin = self.origin(None, "");
        let (low, high) = (FiniteConstant::new(low), FiniteConstant::new(high));
        let kind = LeafKind::Distribution(Distribution {
            family: Family::Uniform(UniformDistribution { low, high }),
            params: Vec::new(),
            truncation: None,
        });
        self.builder.input(Leaf { variable, kind }, origin)
    }

    /// A product of units, each written as the words beside it.
    pub fn product(&mut self, factors: &[(UnitId, &str)], words: &str) -> UnitId {
        let children: Vec<ChildEdge> = factors
            .iter()
            .map(|&(unit, words)| ChildEdge::factor(unit, self.span(words)))
            .collect();
        let origin = self.origin(None, words);
        self.builder.product(&children, origin)
    }

    /// A sum with fixed weights, named if there is a name.
    pub fn sum(
        &mut self,
        name: Option<(&str, &[i64])>,
        terms: &[(f64, UnitId, &str)],
        words: &str,
    ) -> UnitId {
        let entries: Vec<ParameterEntry> = terms
            .iter()
            .map(|term| ParameterEntry::fixed(term.0))
            .collect();
        self.sum_of(name, &entries, ParamKind::Simplex, terms, words)
    }

    pub fn sum_of(
        &mut self,
        name: Option<(&str, &[i64])>,
        entries: &[ParameterEntry],
        kind: ParamKind,
        terms: &[(f64, UnitId, &str)],
        words: &str,
    ) -> UnitId {
        let param = self.builder.parameter(None, kind, entries, Span::default());
        let children: Vec<ChildEdge> = terms
            .iter()
            .enumerate()
            .map(|(index, &(_, unit, words))| {
                ChildEdge::term(
                    unit,
                    Weight {
                        param,
                        index: index as u32,
                    },
                    self.span(words),
                )
            })
            .collect();
        let origin = self.origin(name, words);
        self.builder.sum(&children, origin)
    }

    /// Asserts a property where the text says so.
    pub fn assert(&mut self, target: UnitId, property: Property) {
        let span = self.span(property.name());
        self.builder.assertion(Assertion {
            target,
            properties: vec![(property, Some(span))],
        });
    }

    pub fn finish(self, root: UnitId) -> Sketched {
        Sketched {
            circuit: self.builder.finish(root),
            sources: self.sources,
        }
    }
}

/// A finished sketch.
pub struct Sketched {
    pub circuit: CircuitGraph,
    pub sources: SourceMap,
}

impl Sketched {
    /// What the checks say and know, with every property decided.
    pub fn examine(&self) -> (CircuitFacts, SourceDiagnostics) {
        let options = CheckOptions {
            decide: Property::ALL.to_vec(),
            sources: Some(&self.sources),
            ..CheckOptions::default()
        };
        let mut found = SourceDiagnostics::new();
        let facts = examine(&self.circuit, &options, &mut found);
        (facts, found)
    }

    /// All messages as people see them.
    pub fn messages(&self) -> String {
        let (_, found) = self.examine();
        let texts = found
            .iter()
            .map(|d| render::human(d, &self.sources, no_options, false));
        texts.collect::<Vec<_>>().join("\n\n")
    }

    pub fn codes(&self) -> Vec<Code> {
        self.examine().1.iter().map(|d| d.code).collect()
    }

    pub fn verdict(&self, property: Property) -> &'static str {
        let facts = self.examine().0;
        facts.verdict(property).map_or("undecided", |v| v.name())
    }
}
