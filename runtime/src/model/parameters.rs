//! Values of a model's parameters, packed for its kernels on first use.

use super::Model;
use super::pool::FreeTiles;
use super::root_bound::RootBound;
use crate::query::InformationError;
use pelton_compiler::circuit::ParameterValue;
use pelton_compiler::evidence::ValueBox;
use pelton_compiler::kernel::{EvaluationPurpose, PackedWeights, Real};
use std::sync::OnceLock;

/// Values for all parameters of a model.
#[derive(Debug)]
pub struct Parameters {
    values: Vec<ParameterValue>,
    /// Where the values of missing cells lie.
    within: ValueBox,
    /// The logarithm of the mass of the model's circuit, whatever is known of cells.
    log_mass: OnceLock<Result<f64, InformationError>>,
    single: PerPurpose<f32>,
    double: PerPurpose<f64>,
}

/// Packed weights for each purpose, and what can be trusted of results.
#[derive(Debug)]
pub(super) struct PerPurpose<T> {
    packed: [OnceLock<PackedWeights<T>>; 3],
    root_bound: [OnceLock<RootBound>; 3],
}

impl Parameters {
    /// Takes a value for each of the entries of the circuit that the model was
    /// compiled from; what optimisation added keeps its fixed value.
    pub(super) fn new(model: &Model, mut values: Vec<ParameterValue>) -> Self {
        if values.len() < model.circuit().all_entries().len() {
            let start = model.circuit().start_values();
            values.extend(start.into_iter().skip(values.len()));
        }
        Parameters {
            values,
            within: ValueBox::default(),
            log_mass: OnceLock::new(),
            single: PerPurpose::default(),
            double: PerPurpose::default(),
        }
    }

    /// A value for each of [`CircuitGraph::all_entries`](pelton_compiler::circuit::CircuitGraph::all_entries)
    /// of [`Model::circuit`].
    pub fn values(&self) -> &[ParameterValue] {
        &self.values
    }

    /// The same parameters, for rows whose missing cells lie in sets.
    pub(crate) fn within(&self, within: ValueBox) -> Parameters {
        Parameters {
            values: self.values.clone(),
            within,
            log_mass: self.log_mass.clone(),
            single: PerPurpose::default(),
            double: PerPurpose::default(),
        }
    }

    /// The logarithm of the mass, once it was computed.
    pub(super) fn log_mass(&self) -> &OnceLock<Result<f64, InformationError>> {
        &self.log_mass
    }

    /// Where the values of missing cells lie.
    pub(crate) fn known(&self) -> &ValueBox {
        &self.within
    }

    /// What can be trusted of results with these values. It takes a look at all of them,
    /// which would cost more than the evaluation of a few rows.
    pub(super) fn root_bound<T: KernelPrecision>(
        &self,
        model: &Model,
        purpose: EvaluationPurpose,
    ) -> RootBound {
        let known = &T::packed(self).root_bound[purpose as usize];
        *known.get_or_init(|| {
            let circuit = (model.circuit(), model.facts());
            RootBound::new::<T>(circuit, &self.values, purpose)
        })
    }

    pub(super) fn packed<T: KernelPrecision>(
        &self,
        model: &Model,
        purpose: EvaluationPurpose,
    ) -> &PackedWeights<T> {
        T::packed(self).packed[purpose as usize].get_or_init(|| {
            let plan = model.evaluation().plan();
            PackedWeights::within(model.circuit(), plan, &self.values, purpose, &self.within)
        })
    }
}

impl<T> Default for PerPurpose<T> {
    fn default() -> Self {
        PerPurpose {
            packed: Default::default(),
            root_bound: Default::default(),
        }
    }
}

/// A precision of kernels.
pub(super) trait KernelPrecision: Real {
    /// The packed weights of this precision.
    fn packed(parameters: &Parameters) -> &PerPurpose<Self>;
    /// The buffers of this precision that wait.
    fn pool(model: &Model) -> &FreeTiles<Self>;
}

impl KernelPrecision for f32 {
    fn packed(parameters: &Parameters) -> &PerPurpose<Self> {
        &parameters.single
    }

    fn pool(model: &Model) -> &FreeTiles<Self> {
        &model.pool.single
    }
}

impl KernelPrecision for f64 {
    fn packed(parameters: &Parameters) -> &PerPurpose<Self> {
        &parameters.double
    }

    fn pool(model: &Model) -> &FreeTiles<Self> {
        &model.pool.double
    }
}
