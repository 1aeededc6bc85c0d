//! Parameter values in the order in which kernels read them.

use super::{PreparedDensities, Real};
use crate::circuit::{CircuitGraph, LeafId, ParameterValue};
use crate::evidence::ValueBox;
use crate::leaf::log_table;
use crate::plan::{Plan, WeightSource};
use crate::reference::{EvaluationPurpose, EvidenceCell, log_leaf};
use rustc_hash::FxHashMap;

/// The weights of a plan for given values of the parameters.
#[derive(Debug)]
pub struct PackedWeights<T> {
    pub(super) weights: Vec<T>,
    pub(super) densities: PreparedDensities,
    purpose: EvaluationPurpose,
    is_faithful: bool,
}

impl<T: Real> PackedWeights<T> {
    /// Packs `values`, one for each of [`CircuitGraph::all_entries`].
    pub fn new(
        circuit: &CircuitGraph,
        plan: &Plan,
        values: &[ParameterValue],
        purpose: EvaluationPurpose,
    ) -> Self {
        Self::within(circuit, plan, values, purpose, &ValueBox::default())
    }

    /// Packs `values` for rows whose missing cells lie in sets. Only sets of variables
    /// whose leaves are densities are packed: tables may be shared among variables, so
    /// that sets of finite domains belong into the evidence.
    pub fn within(
        circuit: &CircuitGraph,
        plan: &Plan,
        values: &[ParameterValue],
        purpose: EvaluationPurpose,
        within: &ValueBox,
    ) -> Self {
        let mut packer = Packer {
            circuit,
            values,
            purpose,
            tables: FxHashMap::default(),
        };
        let mut is_faithful = true;
        let mut pack = |&source: &WeightSource| {
            let weight = T::from_f64(packer.weight(source));
            is_faithful &= if weight == T::ZERO {
                packer.is_zero(source)
            } else {
                is_normal(weight)
            };
            weight
        };
        let weights: Vec<T> = plan.weights().iter().map(&mut pack).collect();
        PackedWeights {
            weights,
            densities: PreparedDensities::new(
                circuit,
                plan.density_leaves(),
                values,
                purpose,
                within,
            ),
            purpose,
            is_faithful,
        }
    }

    /// The weights, by slot.
    pub fn weights(&self) -> &[T] {
        &self.weights
    }

    /// What they were packed for.
    pub fn purpose(&self) -> EvaluationPurpose {
        self.purpose
    }

    /// Whether no positive weight was too small or too large for the precision.
    pub fn is_faithful(&self) -> bool {
        self.is_faithful
    }
}

/// Whether a weight is a normal number.
fn is_normal<T: Real>(weight: T) -> bool {
    weight.exponent() >= T::MIN_EXPONENT && weight.to_f64().is_finite()
}

struct Packer<'a> {
    circuit: &'a CircuitGraph,
    values: &'a [ParameterValue],
    purpose: EvaluationPurpose,
    /// Logarithms of whole tables; leaves are packed value by value.
    tables: FxHashMap<LeafId, Vec<f64>>,
}

impl Packer<'_> {
    fn weight(&mut self, source: WeightSource) -> f64 {
        match source {
            WeightSource::One => 1.0,
            WeightSource::Entry(at) => match self.purpose {
                EvaluationPurpose::Support => {
                    let is_zero = self.circuit.all_entries()[at as usize].is_fixed_zero();
                    f64::from(!is_zero)
                }
                EvaluationPurpose::Value | EvaluationPurpose::Max => {
                    self.values[at as usize].linear()
                }
            },
            WeightSource::Table { leaf, code } => self.log_table(leaf)[code as usize].exp(),
            WeightSource::Missing(leaf) => self.log_missing(leaf).exp(),
        }
    }

    /// Whether a weight is zero before rounding, too.
    fn is_zero(&mut self, source: WeightSource) -> bool {
        match source {
            WeightSource::One => false,
            WeightSource::Entry(at) => match self.purpose {
                EvaluationPurpose::Support => true,
                EvaluationPurpose::Value | EvaluationPurpose::Max => {
                    self.values[at as usize].is_zero()
                }
            },
            WeightSource::Table { leaf, code } => {
                self.log_table(leaf)[code as usize] == f64::NEG_INFINITY
            }
            WeightSource::Missing(leaf) => self.log_missing(leaf) == f64::NEG_INFINITY,
        }
    }

    fn log_missing(&self, leaf: LeafId) -> f64 {
        let leaf = self.circuit.leaf(leaf);
        let cell = EvidenceCell::Missing;
        log_leaf(self.circuit, self.values, leaf, &cell, self.purpose)
    }

    fn log_table(&mut self, id: LeafId) -> &[f64] {
        let (circuit, values, purpose) = (self.circuit, self.values, self.purpose);
        self.tables.entry(id).or_insert_with(|| {
            let leaf = circuit.leaf(id);
            match purpose {
                EvaluationPurpose::Value | EvaluationPurpose::Max => {
                    log_table(circuit, values, leaf)
                }
                EvaluationPurpose::Support => {
                    let domain = &circuit.variable(leaf.variable).domain;
                    let codes = (0..domain.size().unwrap_or(0)).map(|code| code as f64);
                    let cells = codes.map(|code| EvidenceCell::Value(domain.first() + code));
                    cells
                        .map(|cell| log_leaf(circuit, values, leaf, &cell, purpose))
                        .collect()
                }
            }
        })
    }
}
