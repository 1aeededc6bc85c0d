//! Parameter values in the order in which kernels read them.

use super::{Densities, Real};
use crate::circuit::{Circuit, LeafId, Value};
use crate::evidence::ValueBox;
use crate::leaf::log_table;
use crate::plan::{Plan, Source};
use crate::reference::{Cell, Purpose, log_leaf};
use rustc_hash::FxHashMap;

/// The weights of a plan for given values of the parameters.
#[derive(Debug)]
pub struct Packed<T> {
    pub(super) weights: Vec<T>,
    pub(super) densities: Densities,
    purpose: Purpose,
    is_faithful: bool,
}

impl<T: Real> Packed<T> {
    /// Packs `values`, one for each of [`Circuit::all_entries`].
    pub fn new(circuit: &Circuit, plan: &Plan, values: &[Value], purpose: Purpose) -> Self {
        Self::within(circuit, plan, values, purpose, &ValueBox::default())
    }

    /// Packs `values` for rows whose missing cells lie in sets. Only sets of variables
    /// whose leaves are densities are packed: tables may be shared among variables, so
    /// that sets of finite domains belong into the evidence.
    pub fn within(
        circuit: &Circuit,
        plan: &Plan,
        values: &[Value],
        purpose: Purpose,
        within: &ValueBox,
    ) -> Self {
        let mut packer = Packer {
            circuit,
            values,
            purpose,
            tables: FxHashMap::default(),
        };
        let mut is_faithful = true;
        let mut pack = |&source: &Source| {
            let weight = T::from_f64(packer.weight(source));
            is_faithful &= match weight == T::ZERO {
                true => packer.is_zero(source),
                false => is_normal(weight),
            };
            weight
        };
        let weights: Vec<T> = plan.weights().iter().map(&mut pack).collect();
        Packed {
            weights,
            densities: Densities::new(circuit, plan.density_leaves(), values, purpose, within),
            purpose,
            is_faithful,
        }
    }

    /// The weights, by slot.
    pub fn weights(&self) -> &[T] {
        &self.weights
    }

    /// What they were packed for.
    pub fn purpose(&self) -> Purpose {
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
    circuit: &'a Circuit,
    values: &'a [Value],
    purpose: Purpose,
    /// Logarithms of whole tables; leaves are packed value by value.
    tables: FxHashMap<LeafId, Vec<f64>>,
}

impl Packer<'_> {
    fn weight(&mut self, source: Source) -> f64 {
        match source {
            Source::One => 1.0,
            Source::Entry(at) => match self.purpose {
                Purpose::Support => {
                    let is_zero = self.circuit.all_entries()[at as usize].is_fixed_zero();
                    f64::from(!is_zero)
                }
                Purpose::Value | Purpose::Max => self.values[at as usize].linear(),
            },
            Source::Table { leaf, code } => self.log_table(leaf)[code as usize].exp(),
            Source::Missing(leaf) => self.log_missing(leaf).exp(),
        }
    }

    /// Whether a weight is zero before rounding, too.
    fn is_zero(&mut self, source: Source) -> bool {
        match source {
            Source::One => false,
            Source::Entry(at) => match self.purpose {
                Purpose::Support => true,
                Purpose::Value | Purpose::Max => self.values[at as usize].is_zero(),
            },
            Source::Table { leaf, code } => {
                self.log_table(leaf)[code as usize] == f64::NEG_INFINITY
            }
            Source::Missing(leaf) => self.log_missing(leaf) == f64::NEG_INFINITY,
        }
    }

    fn log_missing(&self, leaf: LeafId) -> f64 {
        let leaf = self.circuit.leaf(leaf);
        let cell = Cell::Missing;
        log_leaf(self.circuit, self.values, leaf, &cell, self.purpose)
    }

    fn log_table(&mut self, id: LeafId) -> &[f64] {
        let (circuit, values, purpose) = (self.circuit, self.values, self.purpose);
        self.tables.entry(id).or_insert_with(|| {
            let leaf = circuit.leaf(id);
            match purpose {
                Purpose::Value | Purpose::Max => log_table(circuit, values, leaf),
                Purpose::Support => {
                    let domain = &circuit.variable(leaf.variable).domain;
                    let codes = (0..domain.size().unwrap_or(0)).map(|code| code as f64);
                    let cells = codes.map(|code| Cell::Value(domain.first() + code));
                    cells
                        .map(|cell| log_leaf(circuit, values, leaf, &cell, purpose))
                        .collect()
                }
            }
        })
    }
}
