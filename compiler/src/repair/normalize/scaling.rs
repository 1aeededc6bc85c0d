//! What each unit is divided by.

use crate::check::{UnitTotal, UnitTotals};
use crate::circuit::{CircuitGraph, ParameterValue, ReachableUnits, UnitId, UnitKind, Weight};
use crate::reference::log_masses;

/// A mass that differs from 1 by less is 1, written with six digits or as `f32`.
pub(super) const ROUNDING: f64 = 1e-6;

/// What each unit is divided by, as a logarithm.
///
/// A unit keeps its value, or is divided by its mass. A product is divided by what its
/// factors are divided by, and a sum takes what its terms were divided by into its weights.
pub(super) struct Scaling<'a> {
    circuit: &'a CircuitGraph,
    pub totals: &'a UnitTotals<'a>,
    log_masses: Vec<f64>,
    log_factors: Vec<f64>,
}

impl<'a> Scaling<'a> {
    pub fn new(circuit: &'a CircuitGraph, totals: &'a UnitTotals<'a>, wanted: &[UnitId]) -> Self {
        let mut scaling = Scaling {
            log_masses: log_masses(circuit, totals.values()),
            log_factors: vec![0.0; circuit.n_units()],
            circuit,
            totals,
        };
        // Factors move up: what a unit is divided by goes into the weights above it, so that units
        // above the wanted ones change too if something below them was scaled.
        let below = ReachableUnits::of(circuit, wanted);
        let is_kept = scaling.kept();
        for unit in circuit.units() {
            let log_factors = &scaling.log_factors;
            let log_factor = match (circuit.kind(unit), is_kept[unit.index()]) {
                (UnitKind::Product, _) => {
                    let children = circuit.children(unit);
                    children.map(|child| log_factors[child.unit.index()]).sum()
                }
                (_, true) => 0.0,
                (UnitKind::Input(_), _) if !below.contains(unit) => 0.0,
                (UnitKind::Sum, _) if !below.contains(unit) && !scaling.is_moved(unit) => 0.0,
                _ if scaling.is_one(unit) => 0.0,
                _ => scaling.log_mass(unit),
            };
            scaling.log_factors[unit.index()] = log_factor;
        }
        scaling
    }

    /// The logarithm of a unit's mass, as written.
    pub fn log_mass(&self, unit: UnitId) -> f64 {
        self.log_masses[unit.index()]
    }

    /// Whether a leaf or the weights of a sum become others.
    pub fn changes(&self, unit: UnitId) -> bool {
        let is_divided = self.log_factors[unit.index()] != 0.0;
        match self.circuit.kind(unit) {
            UnitKind::Product => false,
            UnitKind::Input(_) => is_divided,
            UnitKind::Sum => is_divided || self.is_moved(unit),
        }
    }

    /// The weights of a sum: what its terms were divided by is multiplied to them, what it
    /// is divided by itself divides them.
    pub fn weights(&self, sum: UnitId) -> Vec<ParameterValue> {
        // Each weight times what its term was divided by, over what the sum itself is divided
        // by.
        let weights = || self.totals.weights(sum).zip(self.circuit.children(sum));
        let value = |weight: Weight| self.totals.value(weight);
        let is_kept = self.log_factors[sum.index()] == 0.0;
        let log_total = if is_kept { 0.0 } else { self.log_mass(sum) };
        // The total is added up from the products, so that rounding leaves it at 1.
        let masses = weights().map(|(weight, child)| {
            let mass = self.log_mass(child.unit).exp();
            match value(weight).linear() {
                0.0 => 0.0,
                weight => weight * mass,
            }
        });
        let total: f64 = if is_kept { 1.0 } else { masses.sum() };
        // Totals beyond the range of numbers are divided by as logarithms.
        let is_plain = total > 0.0 && total.is_finite();
        let scaled = weights().map(|(weight, child)| {
            let log_factor = self.log_factors[child.unit.index()];
            match value(weight) {
                ParameterValue::Linear(weight) if is_plain && log_factor == 0.0 => {
                    ParameterValue::Linear(weight / total)
                }
                value => ParameterValue::from_log(value.log() + log_factor - log_total),
            }
        });
        scaled.collect()
    }

    /// Whether a term of a sum was divided by something.
    fn is_moved(&self, sum: UnitId) -> bool {
        let mut children = self.circuit.children(sum);
        children.any(|child| self.log_factors[child.unit.index()] != 0.0)
    }

    /// Whether a unit is of mass 1, up to rounding, and none of its terms was scaled.
    fn is_one(&self, unit: UnitId) -> bool {
        let is_near = self.log_mass(unit).abs() < ROUNDING;
        let adds_up = !matches!(self.totals.of(unit), UnitTotal::Off(_));
        is_near && adds_up && !self.is_moved(unit)
    }

    /// Units that cannot be divided by anything: sums whose weights are not their own or not
    /// for ever, what has no mass, and what would have to hand its factor to such a sum.
    fn kept(&self) -> Vec<bool> {
        let circuit = self.circuit;
        let mut is_kept = vec![false; circuit.n_units()];
        // From the root down: a unit that cannot take a factor keeps all that is below it, through
        // products, from handing one up.
        for unit in circuit.units().rev() {
            let is_rigid = match circuit.kind(unit) {
                UnitKind::Sum => self.is_rigid(unit),
                UnitKind::Product => is_kept[unit.index()],
                UnitKind::Input(_) => false,
            };
            if is_rigid {
                circuit
                    .children(unit)
                    .for_each(|child| is_kept[child.unit.index()] = true);
            }
            is_kept[unit.index()] |= is_rigid || !self.log_mass(unit).is_finite();
        }
        is_kept
    }

    fn is_rigid(&self, sum: UnitId) -> bool {
        let mut weights = self.totals.weights(sum);
        !self.log_mass(sum).is_finite() || !weights.all(|weight| self.circuit.is_scalable(weight))
    }
}
