//! Flows of leaves that are counts of probabilities.

use super::family::{EntryCounting, distribution, learning};
use super::plan::LeafPlan;
use pelton_compiler::circuit::{
    CircuitGraph, Cut, Distribution, Domain, FiniteConstant, Leaf, LeafId, ValueSet,
};
use pelton_compiler::flow::{CircuitFlows, LeafFlows};

/// A leaf whose entropy is that of a sum over its entries, each with an entropy of
/// its own: `Σ θ_i · (γ_i − log θ_i)`. Bernoulli and categorical leaves whose flows
/// are among [`CircuitFlows::entries`] are so too, with γ = 0, and are not listed.
#[derive(Clone, Debug)]
pub struct SumLike {
    pub leaf: LeafId,
    /// γ of each entry: for a histogram, the logarithm of the bin's width.
    pub gammas: Vec<f64>,
}

/// A leaf whose flows are counts.
#[derive(Clone, Debug)]
pub(super) struct CountLeaf {
    pub leaf: LeafId,
    pub first_entry: usize,
}

impl LeafPlan {
    /// Adds to `counts`, a number for each of the circuit's entries, what leaves say
    /// about `unit` and `simplex` parameters. [`CircuitFlows::entries`] is not added.
    ///
    /// For parameters that [`LeafPlan::is_counted`] this is all; the others have
    /// further terms, for which [`LeafStep`](super::LeafStep) is given the counts.
    pub fn add_counts(&self, circuit: &CircuitGraph, flows: &CircuitFlows, counts: &mut [f64]) {
        for leaf in &self.count_leaves {
            let own = &flows.leaves[leaf.leaf.index()];
            leaf.add(circuit, own, &mut counts[leaf.first_entry..]);
        }
    }

    /// The leaves, among those with flows of their own and a parameter to learn,
    /// whose entropy is that of a sum.
    pub fn sum_like(&self) -> &[SumLike] {
        &self.sum_like
    }
}

impl CountLeaf {
    /// Adds to the counts of the leaf's entries and of those that follow: how often each was
    /// chosen, by whatever its flows are kept as.
    fn add(&self, circuit: &CircuitGraph, flows: &LeafFlows, counts: &mut [f64]) {
        let variable = circuit.leaf(self.leaf).variable;
        let first = circuit.variable(variable).domain.first();
        let mut add = |at: usize, count: f64| {
            // Moments of huge values may have overflowed; they say nothing then.
            if count.is_finite() {
                counts[at] += count.max(0.0);
            }
        };
        let counting = learning(&distribution(circuit, self.leaf).family).counting();
        match (counting, flows) {
            (Some(EntryCounting::Linear(parts)), _) => {
                let (flow, total) = flow_and_total(flows, first);
                for (at, [per_flow, per_total]) in parts.into_iter().enumerate() {
                    add(at, per_flow * flow + per_total * total);
                }
            }
            (Some(EntryCounting::PerValue), LeafFlows::Values(numbers)) => {
                numbers.iter().enumerate().for_each(|(at, &n)| add(at, n));
            }
            (Some(EntryCounting::PerBin(breaks)), LeafFlows::Values(numbers)) => {
                // Integers belong to the bin that they are in, wherever in between it ends.
                let n = numbers.len() as f64;
                let place = |end: FiniteConstant| (end.value() - first).ceil().clamp(0.0, n);
                for (at, ends) in breaks.windows(2).enumerate() {
                    let bin = place(ends[0]) as usize..place(ends[1]) as usize;
                    add(at, numbers[bin].iter().sum());
                }
            }
            // The last number is that of missing cells.
            (Some(EntryCounting::PerBin(breaks)), LeafFlows::Bins(numbers)) => {
                let bins = numbers.iter().take(breaks.len() - 1);
                bins.enumerate().for_each(|(at, &n)| add(at, n));
            }
            (_, _) => {}
        }
    }
}

/// The flow of observed cells, and that times their values.
pub(super) fn flow_and_total(flows: &LeafFlows, first: f64) -> (f64, f64) {
    match flows {
        LeafFlows::Moments([flow, _, total, _]) => (*flow, *total),
        LeafFlows::Values(values) => {
            let points = values.iter().enumerate();
            points.fold((0.0, 0.0), |(flow, total), (at, &own)| {
                (flow + own, total + own * (first + at as f64))
            })
        }
        LeafFlows::Bins(_) | LeafFlows::Grid(_) | LeafFlows::None => (0.0, 0.0),
    }
}

impl SumLike {
    /// `None` if the leaf, which is not truncated, has no entry for each value or bin.
    pub(super) fn new(
        circuit: &CircuitGraph,
        leaf: LeafId,
        of: &Leaf,
        distribution: &Distribution,
    ) -> Option<Self> {
        let gammas = LeafTable::new(circuit, of, distribution)?.log_sizes;
        Some(SumLike { leaf, gammas })
    }
}

/// How much a leaf's truncation leaves of each of its entries.
#[derive(Clone, Debug)]
pub(super) struct LeafTable {
    /// What part of the value or bin is left.
    pub shares: Vec<f64>,
    /// The logarithm of the measure of what is left; 0 for nothing.
    pub log_sizes: Vec<f64>,
}

impl LeafTable {
    /// `None` for leaves without an entry for each value or bin.
    pub fn new(circuit: &CircuitGraph, leaf: &Leaf, distribution: &Distribution) -> Option<Self> {
        let domain = &circuit.variable(leaf.variable).domain;
        let n = circuit.parameter(*distribution.params.first()?).len();
        let value = |at: usize| ValueSet::point(domain.first() + at as f64, true);
        let sets = match learning(&distribution.family).counting()? {
            EntryCounting::PerValue => (0..n).map(value).collect(),
            EntryCounting::PerBin(breaks) => bins(breaks, domain),
            EntryCounting::Linear(_) => return None,
        };
        let left = sets.iter().map(|all| match &distribution.truncation {
            Some(set) => (all.intersect(set).measure(), all.measure()),
            None => (all.measure(), all.measure()),
        });
        let share = |(left, all): (f64, f64)| if all > 0.0 { left / all } else { 0.0 };
        let log_size = |(left, _): (f64, f64)| if left > 0.0 { left.ln() } else { 0.0 };
        let (shares, log_sizes) = left.map(|sizes| (share(sizes), log_size(sizes))).unzip();
        Some(LeafTable { shares, log_sizes })
    }
}

fn bins(breaks: &[FiniteConstant], domain: &Domain) -> Vec<ValueSet> {
    let discrete = domain.is_discrete();
    let bin = |ends: &[FiniteConstant]| {
        let cuts = (Cut::before(ends[0].value()), Cut::before(ends[1].value()));
        ValueSet::between(cuts.0, cuts.1, discrete)
    };
    breaks.windows(2).map(bin).collect()
}
