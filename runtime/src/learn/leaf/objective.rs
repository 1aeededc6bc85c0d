//! The part of Q that leaves have.

use super::family::{LeafLearning, LeafParameters, distribution, learning};
use super::plan::LeafVector;
use super::statistics::LeafStatistics;
use super::step::{LeafAscent, LeafStep};
use pelton_compiler::circuit::ParameterValue;
use pelton_compiler::leaf::{entropy, log_truncation, log_untruncated_density};

impl LeafStep<'_> {
    /// What Q has of the parameters that a step updates: the likelihood and entropy
    /// of their leaves, the pseudocounts and edges of vectors that are not counted.
    ///
    /// Factors of a probability that no parameter changes, such as factorials, are
    /// left out: only differences between values mean something.
    pub fn objective(&self, values: &[ParameterValue]) -> f64 {
        let ascent = LeafAscent::of(self);
        let leaves = (0..self.plan.leaves.len()).filter(|&leaf| self.is_updated(leaf));
        let leaves = leaves.map(|leaf| ascent.leaf_term(leaf, values));
        let vectors = self.plan.vectors.iter();
        let searched = vectors.filter(|vector| !vector.is_counted(self.tau));
        let searched = searched.map(|vector| self.count_term(vector, values));
        leaves.sum::<f64>() + searched.sum::<f64>()
    }

    /// Whether a leaf has terms of its own: only counts have none.
    fn is_updated(&self, leaf: usize) -> bool {
        let leaf = &self.plan.leaves[leaf];
        !leaf.is_counted || leaf.is_truncated || self.tau > 0.0
    }

    /// How much a leaf's entropy counts.
    pub(super) fn entropy_weight(&self, leaf: usize) -> f64 {
        if self.tau == 0.0 {
            return 0.0;
        }
        let reach = self.reach.get(self.plan.leaves[leaf].leaf.index());
        self.mass * self.tau * reach.copied().unwrap_or(0.0)
    }

    /// A leaf's likelihood as if it were not truncated. What is counted is no part of it.
    fn log_likelihood(&self, leaf: usize, own: &LeafStatistics, values: &[ParameterValue]) -> f64 {
        let planned = &self.plan.leaves[leaf];
        if planned.is_counted {
            return 0.0;
        }
        let parameters = self.parameters(leaf, values);
        let known = self.learning(leaf).log_likelihood(own, parameters);
        known.unwrap_or_else(|| {
            let of = self.circuit.leaf(planned.leaf);
            let points = own.points.iter();
            let log = |x| log_untruncated_density(self.circuit, values, of, x);
            points.map(|&(x, flow)| flow * log(x)).sum()
        })
    }

    /// How the distribution of a planned leaf is learned.
    pub(super) fn learning(&self, leaf: usize) -> &dyn LeafLearning {
        let leaf = self.plan.leaves[leaf].leaf;
        learning(&distribution(self.circuit, leaf).family)
    }

    /// The values of a leaf's parameters.
    pub(super) fn parameters(&self, leaf: usize, values: &[ParameterValue]) -> LeafParameters {
        self.plan.leaves[leaf].entries.map(|at| values[at])
    }

    /// The counts, pseudocounts and edges of a vector.
    pub(super) fn count_term(&self, vector: &LeafVector, values: &[ParameterValue]) -> f64 {
        let pseudocount = self.pseudocount(vector);
        let entries = self.circuit.all_entries();
        let term = |at: usize| {
            let (theta, log) = (values[at].linear(), values[at].log());
            let learned = entries[at].learned.then(|| self.counts[at] + pseudocount);
            let (weight, gamma) = self.edge(at);
            times(learned.unwrap_or(0.0), log) + weight * theta * gamma - times(weight * theta, log)
        };
        vector.entries.clone().map(term).sum()
    }

    /// What is added to the count of each learned entry.
    pub(super) fn pseudocount(&self, vector: &LeafVector) -> f64 {
        let entries = self.circuit.entries(vector.param).iter();
        let n_learned = entries.filter(|entry| entry.learned).count();
        self.alpha / n_learned.max(1) as f64
    }

    /// How much the entropy of an entry's edges counts, and γ of their children.
    pub(super) fn edge(&self, entry: usize) -> (f64, f64) {
        if self.tau == 0.0 {
            return (0.0, 0.0);
        }
        let number = |numbers: &[f64]| numbers.get(entry).copied().unwrap_or(0.0);
        let weight = self.mass * self.tau * number(self.edges.reach);
        (weight, number(self.edges.gamma))
    }
}

impl LeafAscent<'_> {
    /// A leaf's likelihood, without what counts say, and its entropy.
    pub(super) fn leaf_term(&self, leaf: usize, values: &[ParameterValue]) -> f64 {
        let own = &self.statistics[leaf];
        let planned = &self.plan.leaves[leaf];
        let of = self.circuit.leaf(planned.leaf);
        let mut term = 0.0;
        if own.flow > 0.0 {
            term += self.log_likelihood(leaf, own, values);
            // Each cell is divided by what the truncation leaves of the distribution.
            if planned.is_truncated {
                let log_mass = log_truncation(self.circuit, values, of);
                if log_mass == f64::NEG_INFINITY {
                    return f64::NEG_INFINITY;
                }
                term -= own.flow * log_mass;
            }
        }
        let weight = self.entropy_weight(leaf);
        if weight > 0.0 {
            term + weight * entropy(self.circuit, values, of)
        } else {
            term
        }
    }
}

/// The difference that a step made to Q; infinite if Q was no number before.
pub(super) fn gain(before: f64, after: f64) -> f64 {
    if before.is_finite() {
        after - before
    } else {
        f64::INFINITY
    }
}

/// `count * log`, where nothing times an impossible event is nothing.
pub fn times(count: f64, log: f64) -> f64 {
    if count == 0.0 { 0.0 } else { count * log }
}
