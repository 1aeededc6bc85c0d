//! The E-step: what rows say about parameters.

use super::LearnError;
use crate::data::Table;
use crate::model::{FlowKind, FlowOptions, FlowTotals, Model};
use pelton_compiler::circuit::Value;

/// Computes flows of rows.
#[derive(Debug)]
pub(super) struct EStep<'m> {
    model: &'m Model,
    kind: FlowKind,
    threads: usize,
}

impl<'m> EStep<'m> {
    pub fn new(model: &'m Model, kind: FlowKind, threads: usize) -> Self {
        EStep {
            model,
            kind,
            threads,
        }
    }

    /// The flows of some rows.
    pub fn flows(
        &self,
        values: &[Value],
        table: &Table,
        row_weights: Option<&[f64]>,
    ) -> Result<FlowTotals, LearnError> {
        let parameters = self.model.parameters(values.to_vec());
        let options = FlowOptions {
            kind: self.kind,
            row_weights,
            threads: self.threads,
        };
        let totals = self.model.flows(&parameters, table, &options);
        match totals.log_likelihood.is_finite() {
            true => Ok(totals),
            false => Err(LearnError::Numeric(
                "the likelihood of the training rows is not a finite number; are densities too large?".into(),
            )),
        }
    }
}
