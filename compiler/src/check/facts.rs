//! What is known about a circuit, and the proof that it was checked.

use super::PropertyVerdict;
use crate::circuit::{Assertion, CircuitGraph, ParameterValue, Property, Scopes, Vtree};
use std::sync::Arc;

/// What the checks found out about the circuit that the root reaches.
#[derive(Clone, Debug)]
pub struct CircuitFacts {
    pub(super) scopes: Scopes,
    pub(super) verdicts: [Option<PropertyVerdict>; Property::ALL.len()],
    pub(super) vtree: Option<Vtree>,
}

impl CircuitFacts {
    /// The scope of every unit.
    pub fn scopes(&self) -> &Scopes {
        &self.scopes
    }

    /// The answer for one property; `None` if nobody asked.
    pub fn verdict(&self, property: Property) -> Option<&PropertyVerdict> {
        self.verdicts[property as usize].as_ref()
    }

    /// Whether the property was asked for and proven.
    pub fn is_proven(&self, property: Property) -> bool {
        self.verdict(property)
            .is_some_and(PropertyVerdict::is_proven)
    }

    /// The vtree that all products follow, if that was asked for and there is one.
    pub fn vtree(&self) -> Option<&Vtree> {
        self.vtree.as_ref()
    }
}

/// A circuit without structural errors, with what is known about it.
///
/// Only [`check`](super::check) makes one, and the passes that preserve what it
/// proved: a function that takes a `Checked` need not ask again whether the
/// circuit is smooth and decomposable.
///
/// Copies share what they hold: a circuit of a million units takes a gigabyte.
#[derive(Clone, Debug)]
#[must_use]
pub struct Checked {
    circuit: Arc<CircuitGraph>,
    facts: Arc<CircuitFacts>,
}

impl Checked {
    /// Joins a circuit with what [`examine`](super::examine) found out about it
    /// without reporting an error.
    pub(crate) fn of(circuit: CircuitGraph, facts: CircuitFacts) -> Self {
        Checked {
            circuit: Arc::new(circuit),
            facts: Arc::new(facts),
        }
    }

    /// The circuit.
    pub fn circuit(&self) -> &CircuitGraph {
        &self.circuit
    }

    /// What is known about it.
    pub fn facts(&self) -> &CircuitFacts {
        &self.facts
    }

    /// The circuit with these values as starts of what is learned, see
    /// [`CircuitGraph::with_values`].
    ///
    /// # Panics
    /// If there is not one value for each of [`CircuitGraph::all_entries`].
    pub fn with_values(self, values: &[ParameterValue]) -> Checked {
        self.with(|circuit| circuit.with_values(values))
    }

    /// The circuit with its fixed numbers learned, see [`CircuitGraph::learn_all`].
    /// Zeros stay fixed, so what was proven of supports stays true.
    pub fn learn_all(self) -> Checked {
        self.with(CircuitGraph::learn_all)
    }

    pub(crate) fn asserting(self, assertion: Assertion) -> Checked {
        self.with(|circuit| circuit.asserting(assertion))
    }

    /// The circuit with a change that leaves true what is known of it.
    fn with(self, change: impl FnOnce(CircuitGraph) -> CircuitGraph) -> Checked {
        let circuit = Arc::new(change(Arc::unwrap_or_clone(self.circuit)));
        Checked { circuit, ..self }
    }

    /// Gives the circuit back, and the proof up.
    pub fn into_circuit(self) -> CircuitGraph {
        Arc::unwrap_or_clone(self.circuit)
    }
}
