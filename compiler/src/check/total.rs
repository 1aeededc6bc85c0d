//! What the weights of a sum, or the mass of a leaf, add up to.

use super::report::show_number;
use crate::circuit::{CircuitGraph, LeafKind, ParamId, ParameterValue, UnitId, UnitKind, Weight};
use crate::leaf::log_sum_exp;

/// How far a total may be from 1: weights printed with six digits, or as
/// `f32`, still count as adding up.
const TOLERANCE: f64 = 1e-6;

/// What the weights of a sum, or the mass of a leaf, add up to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum UnitTotal {
    /// To 1, now and after learning.
    One,
    /// To another number.
    Off(f64),
    /// To 1 now; learning may change that.
    OneAtFirst,
}

/// Computes totals at the values that learning starts from.
pub(crate) struct UnitTotals<'a> {
    circuit: &'a CircuitGraph,
    values: Vec<ParameterValue>,
}

impl<'a> UnitTotals<'a> {
    pub fn new(circuit: &'a CircuitGraph) -> Self {
        let values = circuit.start_values();
        UnitTotals { circuit, values }
    }

    /// The total of any unit; a product has none of its own and is fine.
    pub fn of(&self, unit: UnitId) -> UnitTotal {
        match self.circuit.kind(unit) {
            UnitKind::Product => UnitTotal::One,
            UnitKind::Input(leaf) => self.of_leaf(&self.circuit.leaf(leaf).kind),
            UnitKind::Sum => self.of_sum(unit),
        }
    }

    /// The total as messages show it.
    pub fn show(&self, unit: UnitId) -> String {
        match self.of(unit) {
            // Weights that are logarithms may add up to what no number can hold.
            UnitTotal::Off(total) if self.circuit.kind(unit) == UnitKind::Sum => {
                match (total == 0.0 || total.is_infinite(), self.log(unit)) {
                    (true, log) if log.is_finite() => format!("exp({})", show_number(log)),
                    _ => show_number(total),
                }
            }
            UnitTotal::Off(total) => show_number(total),
            UnitTotal::One | UnitTotal::OneAtFirst => "1".to_string(),
        }
    }

    /// The logarithm of what the weights of a sum add up to.
    pub fn log(&self, sum: UnitId) -> f64 {
        log_sum_exp(self.weights(sum).map(|weight| self.value(weight).log()))
    }

    /// The values of all entries.
    pub fn values(&self) -> &[ParameterValue] {
        &self.values
    }

    /// The value of one weight.
    pub fn value(&self, weight: Weight) -> ParameterValue {
        self.values[self.circuit.entry_position(weight)]
    }

    /// The weights of a sum.
    pub fn weights(&self, sum: UnitId) -> impl ExactSizeIterator<Item = Weight> + '_ {
        self.circuit.terms(sum).map(|(_, weight)| weight)
    }

    fn of_sum(&self, sum: UnitId) -> UnitTotal {
        let weights = self.weights(sum);
        match total_of(weights.map(|weight| self.value(weight).linear())) {
            UnitTotal::One if !self.is_lasting(sum) => UnitTotal::OneAtFirst,
            total => total,
        }
    }

    fn of_leaf(&self, kind: &LeafKind) -> UnitTotal {
        match kind {
            LeafKind::Indicator(set) => total_of(std::iter::once(set.measure())),
            LeafKind::Distribution(distribution) => {
                let params = distribution.params.iter();
                let mut totals = params.map(|&param| self.of_param(param));
                let off = totals.find(|&total| total != UnitTotal::One);
                off.unwrap_or(UnitTotal::One)
            }
        }
    }

    fn of_param(&self, param: ParamId) -> UnitTotal {
        let parameter = self.circuit.parameter(param);
        if parameter.kind.adds_up() {
            total_of(self.values[parameter.entries()].iter().map(|v| v.linear()))
        } else {
            UnitTotal::One
        }
    }

    /// Whether learning keeps the weights' total: each of them is fixed, or
    /// belongs to a vector that adds up and is used in full.
    fn is_lasting(&self, sum: UnitId) -> bool {
        let is_fixed = |weight| !self.circuit.entry(weight).learned;
        if self.is_one_whole_vector(sum) || self.weights(sum).all(is_fixed) {
            return true;
        }
        // Grouped by vector: each group has to be fixed, or a whole vector, whose total
        // learning keeps.
        let mut weights: Vec<Weight> = self.weights(sum).collect();
        weights.sort_unstable_by_key(|weight| (weight.param, weight.index));
        let mut vectors = weights.chunk_by(|a, b| a.param == b.param);
        vectors.all(|vector| vector.iter().all(|&weight| is_fixed(weight)) || self.is_whole(vector))
    }

    /// The usual case, decided without sorting.
    fn is_one_whole_vector(&self, sum: UnitId) -> bool {
        let mut weights = (0..).zip(self.weights(sum));
        let Some(Weight { param, .. }) = self.circuit.child(sum, 0).weight else {
            return false;
        };
        let parameter = self.circuit.parameter(param);
        parameter.kind.adds_up()
            && parameter.len() == self.circuit.n_children(sum)
            && weights.all(|(index, weight)| weight == Weight { param, index })
    }

    /// Whether sorted weights of one parameter are all of its entries, once
    /// each; entries that are zero for ever may be left out.
    fn is_whole(&self, weights: &[Weight]) -> bool {
        let Some(first) = weights.first() else {
            return true;
        };
        let mut rest = weights.iter().peekable();
        let mut entries = (0..).zip(self.circuit.entries(first.param));
        let covers = entries.all(|(at, entry)| {
            rest.next_if(|weight| weight.index == at).is_some() || entry.is_fixed_zero()
        });
        // What is left over is an entry's second use.
        let kind = self.circuit.parameter(first.param).kind;
        kind.adds_up() && covers && rest.next().is_none()
    }
}

fn total_of(numbers: impl Iterator<Item = f64>) -> UnitTotal {
    match numbers.sum::<f64>() {
        total if (total - 1.0).abs() <= TOLERANCE => UnitTotal::One,
        total => UnitTotal::Off(total),
    }
}
