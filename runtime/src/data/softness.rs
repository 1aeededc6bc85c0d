//! Noise on observed cells.

use pelton_compiler::circuit::CircuitGraph;
use pelton_compiler::flow::is_tabular;

/// How observed cells of finite domains are softened: an observation becomes a
/// distribution over the values that it may have been mistaken for. Missing cells
/// stay missing, and infinite domains are left alone.
#[derive(Clone, Debug, PartialEq)]
pub struct Softness {
    columns: Vec<Option<SoftColumn>>,
}

/// The noise of one variable.
#[derive(Clone, Debug, PartialEq)]
pub struct SoftColumn {
    /// The weight of each value where it was observed.
    pub observed: Vec<f64>,
    /// Its weight where another one was.
    pub other: Vec<f64>,
}

impl Softness {
    /// Even noise: a value keeps `1 - softness`, all others share the rest.
    pub fn even(circuit: &CircuitGraph, softness: f64) -> Self {
        Softness::of(circuit, |_, n_values| SoftColumn {
            observed: vec![1.0 - softness; n_values],
            other: vec![softness / (n_values - 1) as f64; n_values],
        })
    }

    /// Noise by the columns' marginals, one distribution for each variable (none
    /// where nothing was observed): a value keeps `1 - softness`, and all share the
    /// rest as the marginal says.
    pub fn by_marginals(
        circuit: &CircuitGraph,
        softness: f64,
        marginals: &[Option<Vec<f64>>],
    ) -> Self {
        Softness::of(circuit, |variable, n_values| {
            let even = || vec![1.0 / n_values as f64; n_values];
            let marginal = marginals[variable].clone().unwrap_or_else(even);
            let other: Vec<f64> = marginal.iter().map(|p| softness * p).collect();
            SoftColumn {
                observed: other.iter().map(|noise| 1.0 - softness + noise).collect(),
                other,
            }
        })
    }

    fn of(circuit: &CircuitGraph, column: impl Fn(usize, usize) -> SoftColumn) -> Self {
        let columns = circuit.variables().iter().zip(0..).map(|(variable, at)| {
            let n_values = variable.domain.size().filter(|&size| size > 1)?;
            is_tabular(&variable.domain).then(|| column(at, n_values as usize))
        });
        Softness {
            columns: columns.collect(),
        }
    }

    /// The noise of a variable, by its index; none if it is not softened.
    pub fn column(&self, variable: usize) -> Option<&SoftColumn> {
        self.columns.get(variable)?.as_ref()
    }
}

impl SoftColumn {
    /// The weight of `value` where `code` was observed.
    pub fn weight(&self, value: usize, code: usize) -> f64 {
        if value == code {
            self.observed[value]
        } else {
            self.other[value]
        }
    }

    /// The weights of all values where `code` was observed.
    pub fn weights(&self, code: usize) -> impl Iterator<Item = f64> + '_ {
        (0..self.other.len()).map(move |value| self.weight(value, code))
    }

    /// Number of values.
    pub fn n_values(&self) -> usize {
        self.other.len()
    }
}
