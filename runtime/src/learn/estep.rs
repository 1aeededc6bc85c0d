//! The E-step: what rows say about parameters.

use super::LearnError;
use super::geometric::GeometricSurrogate;
use crate::data::{Softness, Table};
use crate::model::{FlowKind, FlowOptions, FlowTotals, Model};
use pelton_compiler::circuit::ParameterValue;
use std::sync::Arc;

#[derive(Debug)]
pub(super) struct EStep<'m> {
    model: &'m Model,
    /// What is evaluated in place of the model, if leaves are softened geometrically.
    geometric: Option<GeometricSurrogate>,
    kind: FlowKind,
    threads: usize,
}

impl<'m> EStep<'m> {
    pub fn new(model: &'m Model, kind: FlowKind, threads: usize) -> Self {
        EStep {
            model,
            geometric: None,
            kind,
            threads,
        }
    }

    /// The same with leaves that are softened geometrically.
    pub fn geometric(self, softness: Arc<Softness>) -> Result<Self, LearnError> {
        let geometric = Some(GeometricSurrogate::new(self.model, softness)?);
        Ok(EStep { geometric, ..self })
    }

    /// Refuses parameters that a run cannot start from.
    pub fn check(&self, values: &[ParameterValue]) -> Result<(), LearnError> {
        match &self.geometric {
            Some(geometric) => geometric.check(self.model.circuit(), values),
            None => Ok(()),
        }
    }

    pub fn flows(
        &self,
        values: &[ParameterValue],
        table: &Table,
        row_weights: Option<&[f64]>,
    ) -> Result<FlowTotals, LearnError> {
        let options = FlowOptions {
            kind: self.kind,
            row_weights,
            threads: self.threads,
        };
        // 1. What likelihoods are divided by. Flows need no division: those of the distribution
        // are those of the circuit.
        let parameters = self.model.parameters(values.to_vec());
        let log_mass = self.model.log_divisor(&parameters)?;
        // 2. One pass up and one down for each row. Where leaves are softened geometrically, the
        // passes are those of the surrogate, whose flows are spread over the model's values.
        let mut totals = match &self.geometric {
            None => self.model.flows(&parameters, table, &options),
            Some(geometric) => {
                let (circuit, model) = (self.model.circuit(), geometric.model());
                let parameters = model.parameters(geometric.values(circuit, values));
                let totals = model.flows(&parameters, &geometric.table(table), &options);
                geometric.flows(circuit, values, totals)
            }
        };
        totals.log_likelihood -= log_mass * totals.weight;
        if !totals.log_likelihood.is_finite() {
            let message = "the likelihood of the training rows is not a finite number; are \
                           densities too large?";
            return Err(LearnError::Numeric(message.into()));
        }
        Ok(totals)
    }
}
