//! A circuit in the making, which stops growing at its limit.

use super::units::too_large;
use super::{ImportContext, ImportError, ImportedCircuit};
use pelton_compiler::circuit::{
    ChildEdge, CircuitBuilder, CircuitVariable, Domain, Leaf, ParameterValue, SourceOrigin, UnitId,
    ValueSet, VarId, VariableAttributes,
};
use pelton_grammar::source::Span;

/// Builds a circuit of anonymous units, which are shared where they are equal.
pub(super) struct CircuitAssembly {
    /// Takes what has no shorthand here.
    pub builder: CircuitBuilder,
    max_size: usize,
}

impl CircuitAssembly {
    /// Nothing yet.
    pub fn new(context: &ImportContext) -> Self {
        CircuitAssembly {
            builder: CircuitBuilder::new(),
            max_size: context.max_size,
        }
    }

    /// Declares a variable.
    pub fn variable(&mut self, name: String, domain: Domain, span: Span) -> VarId {
        self.builder.variable(CircuitVariable {
            name,
            domain,
            span,
            binding: VariableAttributes::default(),
        })
    }

    /// `[x = value]`
    pub fn literal(&mut self, variable: VarId, value: i64, origin: SourceOrigin) -> UnitId {
        self.indicator(variable, ValueSet::integers(value, value + 1), origin)
    }

    /// 1 on the values given.
    pub fn indicator(&mut self, variable: VarId, values: ValueSet, origin: SourceOrigin) -> UnitId {
        let leaf = Leaf::indicator(variable, values);
        self.builder.input(leaf, origin)
    }

    /// The product of units; one alone stays itself.
    pub fn product(
        &mut self,
        factors: &[UnitId],
        origin: SourceOrigin,
    ) -> Result<UnitId, ImportError> {
        if let &[factor] = factors {
            return Ok(factor);
        }
        let product = self.builder.product_of(factors.iter().copied(), origin);
        self.within_limit(product, origin.span)
    }

    /// The weighted sum of units, of which there is at least one; one alone of weight 1
    /// stays itself.
    pub fn sum(
        &mut self,
        terms: &[(ParameterValue, UnitId)],
        origin: SourceOrigin,
    ) -> Result<UnitId, ImportError> {
        if let &[(weight, unit)] = terms
            && weight.is_one()
        {
            return Ok(unit);
        }
        let values = terms.iter().map(|(weight, _)| *weight);
        let weights = self.builder.fixed_weights(values, origin.span);
        let children = terms.iter().zip(weights);
        let children = children.map(|(term, weight)| ChildEdge::term(term.1, weight, origin.span));
        let children: Vec<ChildEdge> = children.collect();
        let sum = self.builder.sum(&children, origin);
        self.within_limit(sum, origin.span)
    }

    fn within_limit(&self, unit: UnitId, span: Span) -> Result<UnitId, ImportError> {
        if self.builder.size() > self.max_size {
            Err(too_large(span, self.max_size))
        } else {
            Ok(unit)
        }
    }

    /// The finished circuit.
    pub fn finish(self, root: UnitId, notes: Vec<String>) -> ImportedCircuit {
        ImportedCircuit {
            circuit: self.builder.finish(root),
            notes,
        }
    }
}
