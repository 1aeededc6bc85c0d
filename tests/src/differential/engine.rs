//! The engines to be compared.

use super::{Subject, Tolerance};
use crate::engine_suite::{EngineSetup, kernel_setups};
use pelton_compiler::check::{CheckOptions, check};
use pelton_compiler::circuit::{CircuitGraph, ParameterValue};
use pelton_compiler::flow::CircuitFlows;
use pelton_compiler::kernel::Precision;
use pelton_grammar::diagnostic::SourceDiagnostics;
use pelton_runtime::data::Table;
use pelton_runtime::{FlowKind, FlowOptions, Model, ModelOptions, Parameters};

/// A compiled model as a subject.
pub struct Compiled {
    model: Model,
    parameters: Parameters,
    /// Answers for single rows so far, flows and logarithms.
    pub n_answers: usize,
    /// Those of them that its kernels left to the reference.
    pub n_repaired: usize,
}

impl Compiled {
    /// A circuit compiled for one of the engines that have kernels, by number, in every precision.
    ///
    /// Compiling takes longer than evaluating a few rows, so a test that tries
    /// many circuits takes the engines in turn.
    ///
    /// # Panics
    /// If the circuit is not smooth and decomposable.
    pub fn in_turn(circuit: &CircuitGraph, values: &[ParameterValue], turn: usize) -> Vec<Self> {
        let precisions = [Precision::F32, Precision::F64].into_iter();
        precisions
            .map(|precision| {
                let setups = kernel_setups(precision);
                let options = setups[turn % setups.len()].options();
                Compiled::new(circuit, values, &options)
            })
            .collect()
    }

    /// Compiles a circuit.
    ///
    /// # Panics
    /// If the circuit is not smooth and decomposable.
    pub fn new(circuit: &CircuitGraph, values: &[ParameterValue], options: &ModelOptions) -> Self {
        let mut found = SourceDiagnostics::new();
        let checked = check(circuit.clone(), &CheckOptions::default(), &mut found);
        let checked = checked.expect("the circuit is right");
        let model = Model::compile(checked, options).expect("the engine works here");
        Compiled {
            parameters: model.parameters(values.to_vec()),
            model,
            n_answers: 0,
            n_repaired: 0,
        }
    }

    /// The circuit that it evaluates: the one given, after optimisation. The
    /// distribution is the same; maxima and flows of fixed entries are this one's.
    pub fn circuit(&self) -> &CircuitGraph {
        self.model.circuit()
    }

    /// A value for each entry of its circuit.
    pub fn values(&self) -> &[ParameterValue] {
        self.parameters.values()
    }

    /// What its answers may be off.
    pub fn tolerance(&self) -> Tolerance {
        match self.model.options().precision {
            Precision::F32 => Tolerance::SINGLE,
            Precision::F64 => Tolerance::DOUBLE,
        }
    }

    fn flows_of(&mut self, table: &Table, kind: FlowKind) -> (CircuitFlows, usize) {
        let options = FlowOptions {
            kind,
            row_weights: None,
            threads: 1,
        };
        let totals = self.model.flows(&self.parameters, table, &options);
        self.n_answers += table.n_rows();
        self.n_repaired += totals.n_repaired;
        (totals.flows, totals.n_zero)
    }
}

impl Subject for Compiled {
    fn name(&self) -> String {
        let options = self.model.options();
        let setup = EngineSetup {
            engine: options.engine,
            baseline: options.baseline,
            precision: options.precision,
        };
        setup.name()
    }

    fn log_likelihoods(&mut self, table: &Table) -> Vec<f64> {
        let found = self.model.log_likelihoods(&self.parameters, table, 1);
        self.n_answers += table.n_rows();
        self.n_repaired += found.n_repaired;
        found.logs
    }

    fn flows(&mut self, table: &Table) -> (CircuitFlows, usize) {
        self.flows_of(table, FlowKind::Expected)
    }

    fn support_flows(&mut self, table: &Table) -> CircuitFlows {
        self.flows_of(table, FlowKind::Support).0
    }

    fn maxima(&mut self, table: &Table) -> Vec<f64> {
        let found = self
            .model
            .completions(&self.parameters, table, 1)
            .into_iter();
        found.map(|completion| completion.log_value).collect()
    }

    fn completions(&mut self, table: &Table) -> Vec<Vec<f64>> {
        let found = self.model.completions(&self.parameters, table, 1);
        found
            .into_iter()
            .map(|completion| completion.values)
            .collect()
    }
}
