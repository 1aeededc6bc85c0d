//! A circuit in the making, which stops growing at its limit.

use super::units::too_large;
use super::{Context, Fault, Imported};
use pelton_compiler::circuit::{
    Binding, Builder, Child, Domain, Leaf, Origin, UnitId, Value, ValueSet, VarId, Variable,
};
use pelton_grammar::source::Span;

/// Builds a circuit of anonymous units, which are shared where they are equal.
pub(super) struct Assembly {
    /// Takes what has no shorthand here.
    pub builder: Builder,
    max_size: usize,
}

impl Assembly {
    /// Nothing yet.
    pub fn new(context: &Context) -> Self {
        Assembly {
            builder: Builder::new(),
            max_size: context.max_size,
        }
    }

    /// Declares a variable.
    pub fn variable(&mut self, name: String, domain: Domain, span: Span) -> VarId {
        self.builder.variable(Variable {
            name,
            domain,
            span,
            binding: Binding::default(),
        })
    }

    /// `[x = value]`
    pub fn literal(&mut self, variable: VarId, value: i64, origin: Origin) -> UnitId {
        self.indicator(variable, ValueSet::integers(value, value + 1), origin)
    }

    /// 1 on the values given.
    pub fn indicator(&mut self, variable: VarId, values: ValueSet, origin: Origin) -> UnitId {
        let leaf = Leaf::indicator(variable, values);
        self.builder.input(leaf, origin)
    }

    /// The product of units; one alone stays itself.
    pub fn product(&mut self, factors: &[UnitId], origin: Origin) -> Result<UnitId, Fault> {
        if let &[factor] = factors {
            return Ok(factor);
        }
        let product = self.builder.product_of(factors.iter().copied(), origin);
        self.within_limit(product, origin.span)
    }

    /// The weighted sum of units, of which there is at least one; one alone of weight 1
    /// stays itself.
    pub fn sum(&mut self, terms: &[(Value, UnitId)], origin: Origin) -> Result<UnitId, Fault> {
        if let &[(weight, unit)] = terms
            && weight.is_one()
        {
            return Ok(unit);
        }
        let values = terms.iter().map(|(weight, _)| *weight);
        let weights = self.builder.fixed_weights(values, origin.span);
        let children = terms.iter().zip(weights);
        let children = children.map(|(term, weight)| Child::term(term.1, weight, origin.span));
        let children: Vec<Child> = children.collect();
        let sum = self.builder.sum(&children, origin);
        self.within_limit(sum, origin.span)
    }

    fn within_limit(&self, unit: UnitId, span: Span) -> Result<UnitId, Fault> {
        match self.builder.size() > self.max_size {
            true => Err(too_large(span, self.max_size)),
            false => Ok(unit),
        }
    }

    /// The finished circuit.
    pub fn finish(self, root: UnitId, notes: Vec<String>) -> Imported {
        Imported {
            circuit: self.builder.finish(root),
            notes,
        }
    }
}
