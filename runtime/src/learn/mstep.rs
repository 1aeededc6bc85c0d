//! The M-step: parameters that fit given flows best.
//!
//! Without entropy every vector of probabilities is its share of the flows. With
//! entropy it is one sweep over the circuit ([`sweep`](super::sweep)), then a step of
//! vectors that several units share ([`tied`](super::tied)). Parameters of leaves
//! that are no probabilities come last.

use super::LearnError;
use super::balance::MassBalance;
use super::entropy::UnitEntropies;
use super::flat_circuit::{FlatCircuit, FlatUnitKind, ShareVector};
use super::leaf::{EdgeTerms, LeafOutcome, LeafPlan, LeafStep, ObservedRanges, times};
use super::sweep::Solvers;
use pelton_compiler::circuit::{CircuitGraph, ParamId, ParameterValue};
use pelton_compiler::flow::CircuitFlows;
use std::borrow::Cow;

/// What an M-step fits parameters to.
#[derive(Clone, Copy, Debug)]
pub(super) struct MStepTarget<'a> {
    pub flows: &'a CircuitFlows,
    /// The parameters that the flows were computed with.
    pub flow_values: &'a [ParameterValue],
    /// Weight of the rows, `N`.
    pub weight: f64,
    /// The pseudocount, `alpha`.
    pub pseudocount: f64,
    /// How much entropy counts, `tau`.
    pub tau: f64,
}

impl MStepTarget<'_> {
    /// What shares are parts of, `N + alpha`.
    pub fn mass(&self) -> f64 {
        self.weight + self.pseudocount
    }
}

/// Buffers of M-steps of one circuit.
#[derive(Debug)]
pub(super) struct MStep<'c> {
    pub circuit: &'c CircuitGraph,
    pub flat: FlatCircuit,
    /// How weights follow from shares, where masses are not 1.
    balance: Option<MassBalance>,
    leaves: LeafPlan,
    ranges: ObservedRanges,
    pub entropies: UnitEntropies,
    /// How often each unit is reached, by position in the flat circuit.
    pub reach: Vec<f64>,
    /// Counts of all entries, those of leaves included.
    pub counts: Vec<f64>,
    /// The parameters as plain numbers, while a step works on them.
    pub theta: Vec<f64>,
    /// Where the solver of each vector starts, by parameter.
    pub warm: Vec<f64>,
    pub solvers: Solvers,
    /// Whether there are vectors that no unit has to itself.
    has_tied: bool,
    /// How often all parameters of leaves are gone through in a step.
    pub leaf_rounds: usize,
    /// Parameters of leaves that were at a bound in the last step.
    pub outcome: LeafOutcome,
}

impl<'c> MStep<'c> {
    /// Refuses circuits whose weights cannot be learned because of their masses.
    pub fn new(circuit: &'c CircuitGraph) -> Result<Self, LearnError> {
        let leaves = LeafPlan::new(circuit);
        let flat = FlatCircuit::new(circuit, &leaves);
        let has_tied = flat.used_vectors().any(|(_, vector)| !vector.is_own);
        let n_entries = circuit.all_entries().len();
        Ok(MStep {
            balance: MassBalance::of(circuit, &flat)?,
            entropies: UnitEntropies::new(&flat, circuit),
            reach: vec![0.0; flat.units.len()],
            counts: vec![0.0; n_entries],
            theta: vec![0.0; n_entries],
            warm: vec![f64::NAN; circuit.parameters().len()],
            solvers: Solvers::new(&flat, &leaves),
            has_tied,
            leaf_rounds: 1,
            outcome: LeafOutcome::default(),
            ranges: ObservedRanges::new(circuit),
            leaves,
            flat,
            circuit,
        })
    }

    /// The plan of leaves that have parameters of their own, and what bounds those.
    pub fn leaves(&self) -> (&LeafPlan, &ObservedRanges) {
        (&self.leaves, &self.ranges)
    }

    /// Takes the ranges of the data, which bound parameters of leaves.
    pub fn set_ranges(&mut self, ranges: ObservedRanges) {
        self.ranges = ranges;
    }

    /// Fits `values` to flows. With entropy this is one sweep, which raises the
    /// objective but need not reach its maximum.
    pub fn run(&mut self, fit: &MStepTarget, values: &mut [ParameterValue]) {
        if let Some(balance) = &self.balance {
            balance.to_shares(&self.flat, values);
        }
        self.fit_shares(fit, values);
        if let Some(balance) = &self.balance {
            balance.to_weights(&self.flat, values);
        }
    }

    /// The shares of sums, which are their weights where all masses are 1.
    fn shares<'v>(&self, values: &'v [ParameterValue]) -> Cow<'v, [ParameterValue]> {
        match &self.balance {
            None => Cow::Borrowed(values),
            Some(balance) => {
                let mut shares = values.to_vec();
                balance.to_shares(&self.flat, &mut shares);
                Cow::Owned(shares)
            }
        }
    }

    fn fit_shares(&mut self, fit: &MStepTarget, values: &mut [ParameterValue]) {
        // 1. What flows say of every entry.
        self.count(fit);
        // 2. Vectors of probabilities. With entropy they depend on each other through what lies
        // below them: one sweep of coordinate ascent, and those that several units share
        // afterwards, because their terms are known only then. Without it every vector is solved
        // alone.
        if fit.tau > 0.0 {
            self.sweep(fit, values);
            if self.has_tied {
                self.solve_tied(fit, values);
            }
        } else {
            self.take_shares(fit, values)
        }
        // 3. What is left of leaves, whose entropy counts as often as they are reached now.
        if !self.leaves.is_empty() {
            self.fit_leaves(fit, values);
        }
    }

    fn count(&mut self, fit: &MStepTarget) {
        // Flows of weights are counts; flows of leaves become counts of what they are made of.
        self.counts.copy_from_slice(&fit.flows.entries);
        self.leaves
            .add_counts(self.circuit, fit.flows, &mut self.counts);
    }

    /// Whether counts say all about a vector, so that it is solved here.
    pub fn is_counted(&self, param: ParamId, tau: f64) -> bool {
        self.leaves.is_empty() || self.leaves.is_counted(param, tau)
    }

    /// Every vector is its share of the counts.
    fn take_shares(&self, fit: &MStepTarget, values: &mut [ParameterValue]) {
        for (param, vector) in self.flat.used_vectors() {
            if !self.is_counted(param, 0.0) {
                continue;
            }
            if vector.free.is_empty() {
                self.share(fit, vector, vector.entries.clone(), values)
            } else {
                self.share(fit, vector, vector.free_entries(), values)
            }
        }
    }

    fn share(
        &self,
        fit: &MStepTarget,
        vector: &ShareVector,
        entries: impl Iterator<Item = usize> + Clone,
        values: &mut [ParameterValue],
    ) {
        let pseudo = fit.pseudocount / vector.n_free as f64;
        let counts = entries.clone().map(|entry| self.counts[entry]);
        let total = counts.sum::<f64>() + fit.pseudocount;
        if total > 0.0 {
            let scale = vector.mass / total;
            // What fixed entries leave is divided in proportion to counts and pseudocounts.
            for entry in entries {
                values[entry] = ParameterValue::Linear((self.counts[entry] + pseudo) * scale);
            }
        }
    }

    /// The objective for given flows: what the M-step maximises, divided by `N + alpha`.
    pub fn objective(&mut self, fit: &MStepTarget, values: &[ParameterValue]) -> f64 {
        self.count(fit);
        let shares = self.shares(values);
        self.objective_of_counts(fit, &shares)
    }

    pub fn objective_of_counts(&mut self, fit: &MStepTarget, values: &[ParameterValue]) -> f64 {
        let vectors = self.flat.used_vectors();
        let counted = vectors.filter(|(param, _)| self.is_counted(*param, 0.0));
        let of_vector = |(_, vector): (ParamId, &ShareVector)| -> f64 {
            let pseudo = fit.pseudocount / vector.n_free as f64;
            let free = vector.free_entries();
            free.map(|entry| times(self.counts[entry] + pseudo, values[entry].log()))
                .sum()
        };
        // 1. Weights and tables by their counts, 2. leaves with other parameters by their
        // statistics, 3. the entropy of the root.
        let mut likelihood: f64 = counted.map(of_vector).sum();
        if !self.leaves.is_empty() {
            // Entropies of leaves are part of the root's.
            let plain = MStepTarget { tau: 0.0, ..*fit };
            likelihood += self.leaf_step(&plain).objective(values);
        }
        likelihood / fit.mass() + fit.tau * self.root_entropy(fit.tau, values)
    }

    /// What pseudocounts add to the log-likelihood.
    pub fn log_prior(&self, pseudocount: f64, values: &[ParameterValue]) -> f64 {
        let values = &*self.shares(values);
        let of_vector = |(_, vector): (ParamId, &ShareVector)| -> f64 {
            let pseudo = pseudocount / vector.n_free as f64;
            let free = vector.free_entries();
            free.map(|entry| times(pseudo, values[entry].log())).sum()
        };
        if pseudocount > 0.0 {
            self.flat.used_vectors().map(of_vector).sum()
        } else {
            0.0
        }
    }

    /// The entropy of the root; not computed where it does not count.
    pub fn root_entropy(&mut self, tau: f64, values: &[ParameterValue]) -> f64 {
        if tau == 0.0 {
            return 0.0;
        }
        self.update_entropies(values);
        self.entropies.of_units[self.flat.root()]
    }

    /// Computes the entropies of all units, and keeps the values as plain numbers.
    pub fn update_entropies(&mut self, values: &[ParameterValue]) {
        for (theta, value) in self.theta.iter_mut().zip(values) {
            *theta = value.linear();
        }
        self.entropies
            .update(&self.flat, self.circuit, values, &self.theta);
    }

    /// Fits what is left to leaves. What is above them has its new weights already,
    /// so that this is one more step of the ascent.
    fn fit_leaves(&mut self, fit: &MStepTarget, values: &mut [ParameterValue]) {
        let (mut leaf_reach, mut pulls, mut gains) = Default::default();
        if fit.tau > 0.0 {
            self.update_entropies(values);
            self.set_reach();
            leaf_reach = self.leaf_reach();
            (pulls, gains) = self.edge_terms();
        }
        let step = LeafStep {
            reach: &leaf_reach,
            edges: EdgeTerms {
                reach: &pulls,
                gamma: &gains,
            },
            ..self.leaf_step(fit)
        };
        self.outcome = step.update(values);
    }

    fn leaf_step<'s>(&'s self, fit: &MStepTarget<'s>) -> LeafStep<'s> {
        LeafStep {
            plan: &self.leaves,
            circuit: self.circuit,
            flows: fit.flows,
            flow_values: fit.flow_values,
            counts: &self.counts,
            alpha: fit.pseudocount,
            mass: fit.mass(),
            tau: fit.tau,
            reach: &[],
            edges: EdgeTerms::default(),
            ranges: &self.ranges,
            rounds: self.leaf_rounds,
        }
    }

    /// How often each leaf is reached, by leaf index.
    fn leaf_reach(&self) -> Vec<f64> {
        let mut all = vec![0.0; self.circuit.leaves().len()];
        for (unit, reach) in self.flat.units.iter().zip(&self.reach) {
            if let FlatUnitKind::Leaf(leaf) | FlatUnitKind::Table(leaf, _) = unit.kind {
                all[leaf.index()] += reach;
            }
        }
        all
    }

    /// For each entry how often its units are reached, and what it gains on average
    /// by what it chooses there.
    fn edge_terms(&self) -> (Vec<f64>, Vec<f64>) {
        // Vectors are pulled as a whole; what an entry gains is averaged over its uses.
        let (pulls, mut gains) = self.shared_terms();
        let pull = |entry: usize| pulls[self.flat.param_of[entry] as usize];
        let reach: Vec<f64> = (0..gains.len()).map(pull).collect();
        for (gain, &pull) in gains.iter_mut().zip(&reach) {
            *gain = if pull > 0.0 { *gain / pull } else { 0.0 };
        }
        (reach, gains)
    }
}
