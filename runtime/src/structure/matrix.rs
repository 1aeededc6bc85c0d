//! A number for each pair of variables.

use super::VariableTree;

/// The mutual information of each pair of variables, in nats.
#[derive(Clone, Debug, PartialEq)]
pub struct InformationMatrix {
    n_variables: usize,
    /// `[variable][variable]`, both ways, so that a variable's pairs lie together.
    values: Vec<f64>,
}

impl InformationMatrix {
    /// A value for each pair, asked for once with the smaller index first. A value
    /// that is not finite counts as 0.
    pub fn from_fn(n_variables: usize, mut value: impl FnMut(usize, usize) -> f64) -> Self {
        let mut all = InformationMatrix {
            n_variables,
            values: vec![0.0; n_variables * n_variables],
        };
        for i in 0..n_variables {
            (i + 1..n_variables).for_each(|j| all.set(i, j, value(i, j)));
        }
        all
    }

    pub(super) fn set(&mut self, i: usize, j: usize, value: f64) {
        let value = if value.is_finite() { value } else { 0.0 };
        self.values[i * self.n_variables + j] = value;
        self.values[j * self.n_variables + i] = value;
    }

    /// Number of variables.
    pub fn n_variables(&self) -> usize {
        self.n_variables
    }

    /// What two variables tell about each other; 0 for a variable and itself, which
    /// no tree joins.
    ///
    /// # Panics
    /// If there are fewer variables.
    pub fn get(&self, i: usize, j: usize) -> f64 {
        self.row(i)[j]
    }

    /// What a variable and each other one tell about each other.
    pub(super) fn row(&self, i: usize) -> &[f64] {
        &self.values[i * self.n_variables..][..self.n_variables]
    }

    /// The sum over a tree's edges, by which trees are compared.
    ///
    /// # Panics
    /// If the tree is one of more variables.
    pub fn of_tree(&self, tree: &VariableTree) -> f64 {
        let edges = tree.edges();
        edges.map(|(parent, child)| self.get(parent, child)).sum()
    }
}
