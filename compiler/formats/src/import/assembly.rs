//! A circuit in the making, which stops growing at its limit.

use super::units::too_large;
use super::weights::TOLERANCE;
use super::{Context, Fault, Imported};
use pelton_compiler::circuit::{
    Binding, Builder, Child, Domain, Entry, Leaf, LeafKind, Origin, ParamKind, UnitId, Value,
    ValueSet, VarId, Variable, Weight,
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
        let kind = LeafKind::Indicator(values);
        self.builder.input(Leaf { variable, kind }, origin)
    }

    /// The product of units; one alone stays itself.
    pub fn product(&mut self, factors: &[UnitId], origin: Origin) -> Result<UnitId, Fault> {
        if let &[factor] = factors {
            return Ok(factor);
        }
        let children = factors.iter().map(|&unit| Child::factor(unit, origin.span));
        let children: Vec<Child> = children.collect();
        let product = self.builder.product(&children, origin);
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
        let entry = |&(weight, _): &(Value, UnitId)| Entry {
            value: Some(weight),
            learned: false,
        };
        let entries: Vec<Entry> = terms.iter().map(entry).collect();
        let total: f64 = terms.iter().map(|(weight, _)| weight.linear()).sum();
        let kind = match (total - 1.0).abs() <= TOLERANCE {
            true => ParamKind::Simplex,
            false => ParamKind::Weights,
        };
        let param = self.builder.parameter(None, kind, &entries, origin.span);
        let child = |(index, &(_, unit)): (usize, &(Value, UnitId))| {
            Child::term(
                unit,
                Weight {
                    param,
                    index: index as u32,
                },
                origin.span,
            )
        };
        let children: Vec<Child> = terms.iter().enumerate().map(child).collect();
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
