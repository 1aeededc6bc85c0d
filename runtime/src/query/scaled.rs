//! A circuit whose units are scaled to mass 1.

use super::InformationError;
use crate::tractability::{ZERO_EVIDENCE, ZERO_MASS};
use pelton_compiler::circuit::{CircuitGraph, ParameterValue, UnitId, UnitKind};
use pelton_compiler::evidence::ValueBox;
use pelton_compiler::reference::{EvaluationPurpose, RowLog, RowLogs};

/// A circuit with the mass of each of its units, given what is known.
///
/// Relative to their masses all units are distributions: the share of a child in a sum
/// is its weight times its mass over the sum's, and shares add up to 1 whatever the
/// weights do.
#[derive(Clone, Debug)]
pub struct ScaledCircuit<'a> {
    circuit: &'a CircuitGraph,
    values: &'a [ParameterValue],
    logs: RowLogs,
}

impl<'a> ScaledCircuit<'a> {
    /// Computes masses; `values` holds a value for each of [`CircuitGraph::all_entries`].
    ///
    /// Fails if the root's mass is zero or infinite.
    pub fn new(
        circuit: &'a CircuitGraph,
        values: &'a [ParameterValue],
        evidence: &ValueBox,
    ) -> Result<Self, InformationError> {
        let cells = evidence.cells(circuit);
        let logs = RowLogs::of(circuit, values, &cells, EvaluationPurpose::Value);
        let scaled = ScaledCircuit {
            circuit,
            values,
            logs,
        };
        match scaled.log_mass(circuit.root()) {
            f64::NEG_INFINITY => {
                let is_free = evidence.is_empty();
                let message = if is_free { ZERO_MASS } else { ZERO_EVIDENCE };
                Err(InformationError::Impossible(message.to_string()))
            }
            mass if mass.is_finite() => Ok(scaled),
            _ => Err(InformationError::Structure(scaled.why_infinite().into())),
        }
    }

    /// The circuit.
    pub fn circuit(&self) -> &'a CircuitGraph {
        self.circuit
    }

    /// The values of its parameters.
    pub fn values(&self) -> &'a [ParameterValue] {
        self.values
    }

    /// The logarithm of a unit's mass, to be compared with those of units of the same scope:
    /// what all leaves of a variable that is known to lie far out have in common is left out.
    pub fn log_mass(&self, unit: UnitId) -> f64 {
        self.logs.unit(unit).to_f64()
    }

    /// The logarithm of the root's mass.
    pub fn root(&self) -> RowLog {
        self.logs.root()
    }

    /// The children of a sum with the logarithms of their shares; those without a
    /// share are left out.
    pub fn log_shares(&self, sum: UnitId) -> impl Iterator<Item = (usize, UnitId, f64)> + '_ {
        let whole = self.logs.unit(sum);
        let children = self.circuit.children(sum).enumerate();
        let shares = children.map(move |(at, child)| {
            let weight = child.weight.expect("a sum's children have weights");
            let log_weight = self.values[self.circuit.entry_position(weight)].log();
            let mass = self.logs.unit(child.unit);
            // Zero times anything is zero, and a sum of nothing has no shares.
            let share = if log_weight == f64::NEG_INFINITY || mass.is_zero() {
                f64::NEG_INFINITY
            } else {
                (mass - whole + log_weight.into()).to_f64()
            };
            (at, child.unit, share)
        });
        shares.filter(|(_, _, share)| *share > f64::NEG_INFINITY)
    }

    /// Computes a number for each unit, children before parents. A product's is by
    /// `product` from its children, a sum's the mean of `term` over its shares.
    pub fn upward(
        &self,
        mut leaf: impl FnMut(UnitId) -> f64,
        product: impl Fn(&mut dyn Iterator<Item = f64>) -> f64,
        term: impl Fn(f64, f64) -> f64,
    ) -> Vec<f64> {
        let mut found: Vec<f64> = Vec::with_capacity(self.circuit.n_units());
        for unit in self.circuit.units() {
            let number = match self.circuit.kind(unit) {
                UnitKind::Input(_) => leaf(unit),
                UnitKind::Product => {
                    let children = self.circuit.children(unit);
                    product(&mut children.map(|child| found[child.unit.index()]))
                }
                UnitKind::Sum => {
                    let term = |child: UnitId, share| term(found[child.index()], share);
                    let shares = self.log_shares(unit);
                    shares
                        .map(|(_, child, share)| share.exp() * term(child, share))
                        .sum()
                }
            };
            found.push(number);
        }
        found
    }

    /// The leaf whose mass is infinite, in words.
    fn why_infinite(&self) -> String {
        let mut units = self.circuit.units();
        let culprit = units.find(|&unit| {
            self.circuit.leaf_of(unit).is_some() && self.log_mass(unit) == f64::INFINITY
        });
        match culprit.and_then(|unit| Some((unit, self.circuit.leaf_of(unit)?))) {
            Some((unit, leaf)) => format!(
                "the circuit is no distribution: the {} is 1 for infinitely many values of `{}`; \
                 write a distribution there",
                self.circuit.describe(unit),
                self.circuit.variable(leaf.variable).name
            ),
            None => "the circuit is no distribution: its mass is not a finite number".to_string(),
        }
    }
}
