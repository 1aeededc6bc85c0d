//! Circuits in a few words: the builder without places and names.

use pelton_compiler::circuit::{
    ChildEdge, CircuitBuilder, CircuitGraph, CircuitVariable, Distribution, Domain, Family, Leaf,
    LeafKind, ParamId, ParamKind, ParameterEntry, SourceOrigin, UnitId, ValueSet, VarId,
    VariableAttributes, Weight,
};
use pelton_grammar::source::Span;

/// A circuit under construction.
#[derive(Default)]
pub struct Sketch {
    builder: CircuitBuilder,
}

impl Sketch {
    /// Nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Declares a variable, named by its number.
    pub fn variable(&mut self, domain: Domain) -> VarId {
        let name = format!("x{}", self.builder.variables().len());
        self.builder.variable(CircuitVariable {
            name,
            domain,
            span: Span::default(),
            binding: VariableAttributes::default(),
        })
    }

    /// The domain of a variable.
    pub fn domain(&self, variable: VarId) -> &Domain {
        &self.builder.variables()[variable.index()].domain
    }

    /// 1 where the variable's value lies in the set.
    pub fn indicator(&mut self, variable: VarId, set: ValueSet) -> UnitId {
        let kind = LeafKind::Indicator(set);
        self.builder
            .input(Leaf { variable, kind }, SourceOrigin::default())
    }

    /// 1 where the variable has one value of its discrete domain.
    pub fn literal(&mut self, variable: VarId, value: i64) -> UnitId {
        self.indicator(variable, ValueSet::integers(value, value + 1))
    }

    /// A distribution whose parameters are given by their kinds and entries.
    pub fn distribution(
        &mut self,
        variable: VarId,
        family: Family,
        params: &[(ParamKind, Vec<ParameterEntry>)],
        truncation: Option<ValueSet>,
    ) -> UnitId {
        let params = params.iter();
        let params: Vec<ParamId> = params
            .map(|(kind, entries)| self.parameter(*kind, entries))
            .collect();
        self.tied_distribution(variable, family, &params, truncation)
    }

    /// A distribution whose parameters were added before.
    pub fn tied_distribution(
        &mut self,
        variable: VarId,
        family: Family,
        params: &[ParamId],
        truncation: Option<ValueSet>,
    ) -> UnitId {
        let kind = LeafKind::Distribution(Distribution {
            family,
            params: params.to_vec(),
            truncation,
        });
        self.builder
            .input(Leaf { variable, kind }, SourceOrigin::default())
    }

    /// Adds a parameter without a name.
    pub fn parameter(&mut self, kind: ParamKind, entries: &[ParameterEntry]) -> ParamId {
        self.builder.parameter(None, kind, entries, Span::default())
    }

    /// The product of some units.
    pub fn product(&mut self, units: &[UnitId]) -> UnitId {
        let children: Vec<ChildEdge> = units.iter().map(|&unit| child(unit, None)).collect();
        self.builder.product(&children, SourceOrigin::default())
    }

    /// A sum with the given weights.
    pub fn sum(&mut self, terms: &[(ParameterEntry, UnitId)]) -> UnitId {
        let entries: Vec<ParameterEntry> = terms.iter().map(|&(entry, _)| entry).collect();
        let param = self.parameter(ParamKind::Simplex, &entries);
        let weighted: Vec<(Weight, UnitId)> = (0..)
            .zip(terms)
            .map(|(index, &(_, unit))| (Weight { param, index }, unit))
            .collect();
        self.tied_sum(&weighted)
    }

    /// A sum whose weights were added before.
    pub fn tied_sum(&mut self, terms: &[(Weight, UnitId)]) -> UnitId {
        let terms = terms.iter();
        let children: Vec<ChildEdge> = terms
            .map(|&(weight, unit)| child(unit, Some(weight)))
            .collect();
        self.builder.sum(&children, SourceOrigin::default())
    }

    /// A sum of equal fixed weights.
    pub fn even_sum(&mut self, units: &[UnitId]) -> UnitId {
        let weight = ParameterEntry::fixed(1.0 / units.len() as f64);
        let terms: Vec<_> = units.iter().map(|&unit| (weight, unit)).collect();
        self.sum(&terms)
    }

    /// The finished circuit.
    pub fn finish(self, root: UnitId) -> CircuitGraph {
        self.builder.finish(root)
    }
}

fn child(unit: UnitId, weight: Option<Weight>) -> ChildEdge {
    ChildEdge {
        unit,
        weight,
        span: Span::default(),
    }
}
