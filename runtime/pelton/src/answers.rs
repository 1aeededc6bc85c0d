//! What questions are answered with.

use crate::Posterior;
use pelton_compiler::circuit::VarId;
use pelton_runtime::query::Posteriors;

/// The answer to one question.
#[derive(Clone, Copy, Debug, PartialEq)]
#[must_use]
pub struct Answer {
    /// Natural logarithm of the probability, or density.
    pub log: f64,
    /// Whether it is a density, with respect to real variables that have exact values.
    pub is_density: bool,
}

impl Answer {
    /// The probability, or density, itself.
    pub fn value(&self) -> f64 {
        self.log.exp()
    }
}

/// What every variable is, given each row of evidence.
#[derive(Clone, Debug)]
#[must_use]
pub struct Marginals {
    pub(crate) found: Posteriors,
}

impl Marginals {
    /// Number of rows.
    pub fn n_rows(&self) -> usize {
        self.found.n_rows()
    }

    /// The logarithm of the probability of each row's evidence; of an impossible one -∞,
    /// and its marginals are not numbers.
    pub fn log_evidence(&self) -> &[f64] {
        &self.found.logs
    }

    /// How many numbers there are for a variable in each row: a probability for each value,
    /// two for mean and standard deviation, none if no unit mentions it.
    ///
    /// # Panics
    /// If there are fewer variables.
    pub fn n_numbers(&self, variable: usize) -> usize {
        self.found.n_numbers(VarId::new(variable))
    }

    /// The numbers of all variables, row by row; mean and standard deviation are two.
    pub fn numbers(&self) -> Vec<f64> {
        let rows = 0..self.n_rows();
        let variables = self.found.n_variables();
        let mut all = Vec::new();
        for (row, variable) in rows.flat_map(|row| (0..variables).map(move |at| (row, at))) {
            match self.of(row, variable) {
                Posterior::Probabilities(own) => all.extend_from_slice(own),
                Posterior::Spread { mean, sd } => all.extend([mean, sd]),
                Posterior::Unmentioned => {}
            }
        }
        all
    }

    /// What a variable, given by its position, is in a row: a probability for each value
    /// of its domain, or mean and standard deviation where there are too many.
    ///
    /// # Panics
    /// If there are fewer rows or variables.
    pub fn of(&self, row: usize, variable: usize) -> Posterior<'_> {
        self.found.of(row, VarId::new(variable))
    }
}

/// The most probable completion of each row of evidence.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
#[must_use]
pub struct Completions {
    /// A value for each variable, row by row. Not a number for variables that no unit
    /// mentions, for all of an impossible row, and where the density grows without bound.
    pub values: Vec<f64>,
    /// The logarithm of each completion's probability, or density, given the evidence;
    /// not a number for an impossible row, and infinite where the density grows without bound
    /// (a gamma distribution of a shape below 1 at 0), so that there is no maximum.
    pub logs: Vec<f64>,
    /// Whether no completion is more probable, or only none that was tried.
    pub is_exact: Vec<bool>,
    /// Number of variables.
    pub n_variables: usize,
}

impl Completions {
    /// The values of a row.
    ///
    /// # Panics
    /// If there are fewer rows.
    pub fn row(&self, row: usize) -> &[f64] {
        &self.values[row * self.n_variables..][..self.n_variables]
    }
}

/// Samples of all variables.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
#[must_use]
pub struct Samples {
    /// A value for each variable, sample by sample. Not a number for variables that no
    /// unit mentions, and for all samples of an impossible row.
    pub values: Vec<f64>,
    /// Number of variables.
    pub n_variables: usize,
}

impl Samples {
    /// The values of a sample.
    ///
    /// # Panics
    /// If there are fewer samples.
    pub fn row(&self, row: usize) -> &[f64] {
        &self.values[row * self.n_variables..][..self.n_variables]
    }
}

/// Means, variances and covariances of numeric variables.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
#[must_use]
pub struct Moments {
    /// The variables that have moments, by position; categories have none.
    pub variables: Vec<usize>,
    /// The mean of each; of a `bool` variable the probability that it is true.
    pub means: Vec<f64>,
    /// The variance of each.
    pub variances: Vec<f64>,
    /// Covariances, row by row, in the same order.
    pub covariances: Option<Vec<f64>>,
}

impl Moments {
    /// Numbers of the variables that have moments, at the positions of all `n` variables; those
    /// of others are not numbers.
    pub fn spread(&self, numbers: &[f64], n: usize) -> Vec<f64> {
        let mut all = vec![f64::NAN; n];
        let own = self.variables.iter().zip(numbers);
        own.for_each(|(&at, &x)| all[at] = x);
        all
    }

    /// The same for numbers of pairs, row by row.
    pub fn spread_pairs(&self, numbers: &[f64], n: usize) -> Vec<f64> {
        let mut all = vec![f64::NAN; n * n];
        let own = &self.variables;
        let pairs = own
            .iter()
            .flat_map(|&row| own.iter().map(move |&column| row * n + column));
        pairs.zip(numbers).for_each(|(at, &x)| all[at] = x);
        all
    }
}
