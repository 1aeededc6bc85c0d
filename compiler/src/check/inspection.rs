//! One run of the checks: what they share and what they have found.

use super::requirement::{RequiredProperties, RequiredProperty};
use super::{CheckOptions, CircuitFacts, PropertyVerdict, Refutation};
use crate::circuit::{CircuitGraph, Property, ReachableUnits, Scopes, UnitId, UnitKind, Vtree};
use pelton_grammar::diagnostic::{Code, Severity, SourceDiagnostic};

/// A circuit under inspection. Checks read it and record their verdict.
pub(super) struct Inspection<'a> {
    pub circuit: &'a CircuitGraph,
    pub options: &'a CheckOptions<'a>,
    pub demands: RequiredProperties,
    pub scopes: Scopes,
    /// What the root reaches.
    pub root_reach: ReachableUnits,
    /// The units to look at: what the root reaches, and what something is
    /// asserted of elsewhere.
    pub reach: ReachableUnits,
    faults: [Vec<UnitId>; Property::ALL.len()],
    verdicts: [Option<PropertyVerdict>; Property::ALL.len()],
    vtree: Option<Vtree>,
}

impl<'a> Inspection<'a> {
    pub fn new(circuit: &'a CircuitGraph, options: &'a CheckOptions<'a>) -> Self {
        let demands = RequiredProperties::collect(circuit, options);
        let mut targets: Vec<UnitId> = demands.targets().collect();
        targets.push(circuit.root());
        Inspection {
            circuit,
            options,
            demands,
            scopes: Scopes::compute(circuit),
            root_reach: ReachableUnits::of(circuit, &[circuit.root()]),
            reach: ReachableUnits::of(circuit, &targets),
            faults: Default::default(),
            verdicts: Default::default(),
            vtree: None,
        }
    }

    /// The units of a kind that are at fault.
    pub fn faulty(&self, kind: UnitKind, is_faulty: impl Fn(UnitId) -> bool) -> Vec<UnitId> {
        let units = self.reach.units();
        let of_kind = units.filter(|&unit| self.circuit.kind(unit) == kind);
        of_kind.filter(|&unit| is_faulty(unit)).collect()
    }

    /// Whether someone wants to know about a property of the root.
    pub fn is_wanted(&self, property: Property) -> bool {
        let mut demands = self.demands.of(property);
        self.options.decide.contains(&property)
            || demands.any(|demand| demand.target == self.circuit.root())
    }

    /// The units for which a property is asserted; `None` if it is nowhere.
    pub fn demanded_reach(&self, property: Property) -> Option<ReachableUnits> {
        let demands = self.demands.of(property).map(|demand| demand.target);
        let targets: Vec<UnitId> = demands.collect();
        (!targets.is_empty()).then(|| ReachableUnits::of(self.circuit, &targets))
    }

    /// Adds to a message on what is always checked who asked for it, if the
    /// fault lies where the root does not reach.
    pub fn explain_elsewhere(
        &self,
        property: Property,
        unit: UnitId,
        message: SourceDiagnostic,
    ) -> SourceDiagnostic {
        if self.root_reach.contains(unit) {
            message
        } else {
            self.explain(property, unit, message)
        }
    }

    /// Adds to a message who asked for the property of this unit, if somebody did.
    pub fn explain(
        &self,
        property: Property,
        unit: UnitId,
        message: SourceDiagnostic,
    ) -> SourceDiagnostic {
        match self.demands.on(self.circuit, property, unit) {
            Some(demand) => demand.explain(message),
            None => message,
        }
    }

    /// Says that an asserted property could not be decided, and why: a warning, and an error
    /// where that was asked for.
    pub fn unknown(&self, demand: &RequiredProperty, reason: &str) -> SourceDiagnostic {
        let target = if demand.target == self.circuit.root() {
            "the root".to_string()
        } else {
            self.circuit.describe(demand.target)
        };
        let property = demand.property.name();
        let sentence = format!("cannot decide whether {target} is {property}: {reason}");
        let code = Code::PropertyUnknown;
        let message = match demand.span {
            Some(span) => SourceDiagnostic::new(code, span, sentence).at("asserted here"),
            None => demand.explain(SourceDiagnostic::without_place(code, sentence)),
        };
        if self.options.strict {
            message.severity(Severity::Error)
        } else {
            message
        }
    }

    /// Records the answer for the root.
    pub fn record(&mut self, property: Property, verdict: PropertyVerdict) {
        self.verdicts[property as usize] = Some(verdict);
    }

    /// Records the answer for a property that holds if no unit is at fault.
    pub fn record_faults(&mut self, property: Property, faults: Vec<UnitId>) {
        let mut faulty = faults.iter();
        let below_root = faulty.find(|&&unit| self.root_reach.contains(unit));
        let verdict = below_root.map_or(PropertyVerdict::Proven, |&unit| {
            PropertyVerdict::Refuted(Refutation::of(unit))
        });
        self.record(property, verdict);
        self.faults[property as usize] = faults;
    }

    /// Whether no unit of `reach` was recorded as being at fault.
    pub fn holds_within(&self, property: Property, reach: &ReachableUnits) -> bool {
        let mut faults = self.faults[property as usize].iter();
        !faults.any(|&unit| reach.contains(unit))
    }

    /// Records the vtree all products below the root follow.
    pub fn record_vtree(&mut self, vtree: Vtree) {
        self.vtree = Some(vtree);
    }

    /// The answer recorded for the root.
    pub fn verdict(&self, property: Property) -> Option<&PropertyVerdict> {
        self.verdicts[property as usize].as_ref()
    }

    /// Whether the root was found to have the property.
    pub fn is_proven(&self, property: Property) -> bool {
        self.verdict(property)
            .is_some_and(PropertyVerdict::is_proven)
    }

    pub fn into_facts(self) -> CircuitFacts {
        CircuitFacts {
            scopes: self.scopes,
            verdicts: self.verdicts,
            vtree: self.vtree,
        }
    }
}
