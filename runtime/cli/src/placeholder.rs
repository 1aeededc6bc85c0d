//! Evaluation by the reference, in the terms of the model that is being built.

use pelton_compiler::check::Checked;
use pelton_compiler::circuit::Value;
use pelton_compiler::evaluate::log_likelihood;
use pelton_compiler::kernel::Precision;
use pelton_runtime::data::{Column, MISSING_CODE, MISSING_SMALL, Table};

/// What evaluates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// Fastest.
    Auto,
    /// 128 bit.
    Cranelift,
    /// 256 bit.
    Wide,
    /// Plain.
    Reference,
}

impl Engine {
    /// Name.
    pub fn name(self) -> &'static str {
        "reference"
    }
}

/// Options.
#[derive(Clone, Copy, Debug)]
pub struct ModelOptions {
    /// What evaluates.
    pub engine: Engine,
    /// Precision.
    pub precision: Precision,
}

/// Model.
pub struct Model {
    checked: Checked,
}

/// Parameters.
pub struct Parameters(Vec<Value>);

impl Model {
    /// Compiles.
    pub fn compile(checked: Checked, _: &ModelOptions) -> Result<Model, std::fmt::Error> {
        Ok(Model { checked })
    }

    /// Start values.
    pub fn start_parameters(&self) -> Parameters {
        Parameters(self.checked.circuit().start_values())
    }

    /// Log-likelihoods.
    pub fn log_likelihoods(&self, parameters: &Parameters, table: &Table, _: usize) -> Vec<f64> {
        let circuit = self.checked.circuit();
        let row = |row: usize| {
            let columns = table.columns().iter().zip(circuit.variables());
            let cells: Vec<f64> = columns
                .map(|(column, variable)| match column {
                    Column::Small(cells) if cells[row] != MISSING_SMALL => {
                        f64::from(cells[row]) + variable.domain.first()
                    }
                    Column::Codes(cells) if cells[row] != MISSING_CODE => {
                        f64::from(cells[row]) + variable.domain.first()
                    }
                    Column::Reals(cells) => cells[row],
                    _ => f64::NAN,
                })
                .collect();
            log_likelihood(circuit, &parameters.0, &cells)
        };
        (0..table.n_rows()).map(row).collect()
    }

    /// Flows.
    pub fn flows(&self, parameters: &Parameters, table: &Table, threads: usize) -> Vec<f64> {
        self.log_likelihoods(parameters, table, threads)
    }

    /// Engine in use.
    pub fn engine(&self) -> Engine {
        Engine::Reference
    }
}

/// Peaks.
pub struct Peak {
    /// 128 bit
    pub narrow: f64,
    /// 256 bit
    pub wide: Option<f64>,
}

/// Peak.
pub fn measure() -> Peak {
    Peak {
        narrow: 1e9,
        wide: Some(2e9),
    }
}
