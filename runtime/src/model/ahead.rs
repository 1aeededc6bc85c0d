//! Circuits compiled ahead of time.

use super::careful::{TOLERANCE, most_losses};
use super::mass::log_normalizer;
use super::root_bound::RootBound;
use super::{CompileError, Engine, ModelOptions};
use pelton_compiler::check::Checked;
use pelton_compiler::circuit::ParameterValue;
use pelton_compiler::codegen::ahead::{
    BuildTarget, Built, ObjectSpec, SecondLook, WeightsAre, object,
};
use pelton_compiler::engine::EngineError;
use pelton_compiler::kernel::{EvaluationPurpose, Precision};
use pelton_compiler::optimize::optimize;
use pelton_compiler::plan::RowRetention;

/// How a circuit is compiled ahead of time.
#[derive(Clone, Copy, Debug)]
pub struct AheadOptions<'a> {
    /// What all symbols begin with, a C identifier.
    pub name: &'a str,
    /// The machine.
    pub target: BuildTarget,
    /// The number type of values; results are double.
    pub precision: Precision,
    /// Where the values of the parameters are.
    pub weights: WeightsAre,
    /// Threads that compile; 0 takes as many as there are cores.
    pub threads: usize,
}

/// Compiles a circuit with given values of its parameters to an object that needs no
/// Pelton. It computes what [`Engine::Cranelift`] computes, operation by operation.
pub fn build(
    checked: Checked,
    mut values: Vec<ParameterValue>,
    options: &AheadOptions,
) -> Result<Built, CompileError> {
    let is_counting = checked.circuit().is_counting();
    let checked = optimize(checked);
    let (circuit, facts) = (checked.circuit(), checked.facts());
    let start = circuit.start_values();
    values.extend(start.into_iter().skip(values.len()));
    let planning = ModelOptions {
        engine: Engine::Cranelift,
        precision: options.precision,
        threads: options.threads,
        ..ModelOptions::default()
    };
    let engine = planning.select_engine()?;
    let plan = planning.plan(engine, &checked, RowRetention::Live);
    let careful = planning.plan(engine, &checked, RowRetention::All);
    let new_bound = match options.precision {
        Precision::F32 => RootBound::new::<f32>,
        Precision::F64 => RootBound::new::<f64>,
    };
    let root_bound = new_bound((circuit, facts), &values, EvaluationPurpose::Value);
    let log_divisor = if is_counting {
        0.0
    } else {
        log_normalizer(circuit, facts, &values)
            .map_err(|error| CompileError::NoDistribution(error.to_string()))?
    };
    let built = object(&ObjectSpec {
        name: options.name,
        circuit,
        plan: &plan,
        values: &values,
        precision: options.precision,
        target: options.target,
        weights: options.weights,
        log_divisor,
        log2_least: root_bound.log2_least(),
        second_look: SecondLook {
            n_losses: most_losses(&careful),
            plan: &careful,
            tolerance: TOLERANCE,
        },
        threads: options.threads,
    });
    Ok(built.map_err(EngineError::from)?)
}
