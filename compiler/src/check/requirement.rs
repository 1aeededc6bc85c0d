//! What a circuit must satisfy, and who says so.

use super::CheckOptions;
use crate::circuit::{CircuitGraph, Property, ReachableUnits, UnitId};
use pelton_grammar::diagnostic::SourceDiagnostic;
use pelton_grammar::source::Span;

/// One property of one unit that the author asked for.
#[derive(Clone, Copy, Debug)]
pub(super) struct RequiredProperty {
    pub property: Property,
    /// It must hold on all that this unit reaches.
    pub target: UnitId,
    /// Where it was asserted; `None` for the command line.
    pub span: Option<Span>,
}

impl RequiredProperty {
    /// Adds to a message who asked for the property.
    pub fn explain(&self, diagnostic: SourceDiagnostic) -> SourceDiagnostic {
        match self.span {
            Some(span) => diagnostic.label(span, "asserted here"),
            None => diagnostic.note("asserted by an option"),
        }
    }
}

/// All that was asked for, the file's assertions before the command line's.
#[derive(Clone, Debug)]
pub(super) struct RequiredProperties {
    list: Vec<RequiredProperty>,
}

impl RequiredProperties {
    pub fn collect(circuit: &CircuitGraph, options: &CheckOptions) -> Self {
        let written = circuit.assertions().iter().flat_map(|assertion| {
            let each = assertion.properties.iter();
            each.map(|&(property, span)| (property, assertion.target, span))
        });
        let added = options
            .assert
            .iter()
            .map(|&property| (property, circuit.root(), None));
        let list = written
            .chain(added)
            .map(|(property, target, span)| RequiredProperty {
                property,
                target,
                span,
            });
        RequiredProperties {
            list: list.collect(),
        }
    }

    /// The units that something is asserted of.
    pub fn targets(&self) -> impl Iterator<Item = UnitId> {
        self.list.iter().map(|demand| demand.target)
    }

    /// The demands of one property.
    pub fn of(&self, property: Property) -> impl Iterator<Item = &RequiredProperty> {
        self.list.iter().filter(move |d| d.property == property)
    }

    /// The first demand of `property` that `unit` has to meet. Linear in edges,
    /// so it is called for faults only.
    pub fn on(
        &self,
        circuit: &CircuitGraph,
        property: Property,
        unit: UnitId,
    ) -> Option<RequiredProperty> {
        self.of(property).next()?;
        let above = ReachableUnits::to(circuit, unit);
        let mut demands = self.of(property);
        demands
            .find(|demand| above.contains(demand.target))
            .copied()
    }
}
