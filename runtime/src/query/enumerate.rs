//! Visiting all states of some variables.

use super::{AnswerMethod, InformationError};
use crate::data::Table;
use crate::model::{CompileError, Model, ModelOptions};
use crate::tractability::ZERO_MASS;
use pelton_compiler::check::Checked;
use pelton_compiler::circuit::{CircuitGraph, ParameterValue, VarId};
use pelton_compiler::kernel::Precision;
use pelton_compiler::leaf::log_sum_exp;
use pelton_compiler::reference::assignments_of;
use pelton_grammar::diagnostic::thousands;

/// More states than this are not visited.
pub const MOST_STATES: u64 = 1 << 20;

/// Edges times states that are worth it: seconds.
const MOST_WORK: u64 = 1 << 33;

/// Rows that are evaluated together.
const CHUNK: usize = 1 << 14;

/// All states of some variables, the last changing fastest.
pub(super) struct EnumeratedStates {
    pub variables: Vec<VarId>,
    pub n_states: u64,
}

impl EnumeratedStates {
    /// The states of some variables, or why they are not visited.
    pub fn of(checked: &Checked, variables: &[VarId]) -> Result<EnumeratedStates, String> {
        let circuit = checked.circuit();
        let mut n_states = 1_u64;
        for &variable in variables {
            let variable = circuit.variable(variable);
            let Some(size) = variable.domain.size() else {
                let (name, domain) = (&variable.name, &variable.domain);
                return Err(format!(
                    "`{name}` is {domain}, which has too many values to visit"
                ));
            };
            n_states = n_states.saturating_mul(size);
        }
        let size = (circuit.n_edges() + circuit.n_units()) as u64;
        if n_states > MOST_STATES || n_states.saturating_mul(size) > MOST_WORK {
            let most = MOST_STATES.min(MOST_WORK / size.max(1));
            let most = thousands(most as usize);
            return Err(format!(
                "its variables have more than the {most} states that are worth a visit each"
            ));
        }
        Ok(EnumeratedStates {
            variables: variables.to_vec(),
            n_states,
        })
    }

    /// How an answer is called that visits them.
    pub fn method(&self) -> AnswerMethod {
        AnswerMethod::Enumeration {
            n_states: self.n_states,
        }
    }

    /// Logarithms of the probabilities of the states, whatever the other variables are.
    pub fn log_probabilities(
        &self,
        checked: &Checked,
        values: &[ParameterValue],
        n_threads: usize,
    ) -> Result<Vec<f64>, InformationError> {
        scaled(self.log_masses(checked, values, n_threads)?)
    }

    /// Logarithms of what the circuit is worth for the states, not scaled to anything.
    pub fn log_masses(
        &self,
        checked: &Checked,
        values: &[ParameterValue],
        n_threads: usize,
    ) -> Result<Vec<f64>, InformationError> {
        let model = double_model(checked)?;
        let parameters = model.parameters(values.to_vec());
        let mut logs = Vec::with_capacity(self.n_states as usize);
        let mut rows = self.rows(checked.circuit()).peekable();
        while rows.peek().is_some() {
            let chunk: Vec<Vec<f64>> = rows.by_ref().take(CHUNK).collect();
            let table = Table::from_assignments(checked.circuit(), &chunk);
            logs.extend(model.log_likelihoods(&parameters, &table, n_threads).logs);
        }
        Ok(logs)
    }

    /// The states as assignments, with NaN for variables that are summed out.
    pub fn rows(&self, circuit: &CircuitGraph) -> impl Iterator<Item = Vec<f64>> + use<> {
        let rows = assignments_of(circuit, &self.variables, self.n_states);
        rows.into_iter().flatten()
    }
}

/// A circuit compiled for kernels of double precision.
pub(super) fn double_model(checked: &Checked) -> Result<Model, CompileError> {
    let options = ModelOptions {
        precision: Precision::F64,
        ..ModelOptions::default()
    };
    Model::compile(checked.clone(), &options)
}

/// Scales what adds up to anything to probabilities.
fn scaled(mut logs: Vec<f64>) -> Result<Vec<f64>, InformationError> {
    let total = log_sum_exp(logs.iter().copied());
    if total == f64::NEG_INFINITY {
        return Err(InformationError::Impossible(ZERO_MASS.to_string()));
    }
    super::error::finite(total, "the circuit's mass")?;
    logs.iter_mut().for_each(|log| *log -= total);
    Ok(logs)
}
