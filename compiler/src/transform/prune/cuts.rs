//! Which edges are left out, and how much that changes.

use crate::circuit::{
    ChildEdge, CircuitGraph, LeafKind, ParamId, ParameterValue, UnitId, UnitKind, Weight,
};
use crate::leaf::log_sum_exp;
use rustc_hash::{FxHashMap, FxHashSet};

#[derive(Default)]
pub(super) struct PrunedEdges {
    /// Positions of the children that each shortened sum keeps.
    pub kept: FxHashMap<UnitId, Vec<usize>>,
    /// What the root still reaches.
    pub is_reached: Vec<bool>,
    pub n_dropped: usize,
    pub n_tied: usize,
    /// The entries that vectors keep which several sums may use: all of them keep the same.
    entries: FxHashMap<ParamId, FxHashSet<u32>>,
}

impl PrunedEdges {
    pub fn decide(
        circuit: &CircuitGraph,
        below: f64,
        score: impl Fn(UnitId, usize) -> f64,
    ) -> Self {
        let is_free = free_parameters(circuit);
        let mut cuts = PrunedEdges {
            is_reached: vec![false; circuit.n_units()],
            ..PrunedEdges::default()
        };
        // From the root down, so that sums that are only reached by edges that go are left alone.
        cuts.is_reached[circuit.root().index()] = true;
        for unit in circuit.units().rev() {
            if !cuts.is_reached[unit.index()] {
                continue;
            }
            if circuit.kind(unit) == UnitKind::Sum {
                cuts.shorten(circuit, unit, below, &is_free, &score);
            }
            for child in cuts.children(circuit, unit) {
                cuts.is_reached[child.unit.index()] = true;
            }
        }
        cuts
    }

    fn shorten(
        &mut self,
        circuit: &CircuitGraph,
        sum: UnitId,
        below: f64,
        is_free: &[bool],
        score: &impl Fn(UnitId, usize) -> f64,
    ) {
        let weights: Vec<Weight> = circuit.terms(sum).map(|(_, weight)| weight).collect();
        let n = weights.len();
        // A vector that another sum has shortened keeps the same entries here.
        let tied = weights.first().map(|weight| weight.param);
        let tied = tied.filter(|&param| is_tied(circuit, param));
        let kept = match tied.and_then(|param| self.entries.get(&param)) {
            Some(entries) => {
                let is_kept = |&at: &usize| entries.contains(&weights[at].index);
                (0..n).filter(is_kept).collect()
            }
            None => good_enough(n, below, |at| score(sum, at)),
        };
        if !weights.iter().all(|weight| is_free[weight.param.index()]) {
            self.n_tied += usize::from(kept.len() < n);
            return;
        }
        if let Some(param) = tied {
            let entries = kept.iter().map(|&at| weights[at].index);
            self.entries.insert(param, entries.collect());
        }
        if kept.len() < n {
            self.n_dropped += n - kept.len();
            self.kept.insert(sum, kept);
        }
    }

    /// The children that a unit keeps.
    pub fn children(&self, circuit: &CircuitGraph, unit: UnitId) -> Vec<ChildEdge> {
        match self.kept.get(&unit) {
            Some(kept) => kept.iter().map(|&at| circuit.child(unit, at)).collect(),
            None => circuit.children(unit).collect(),
        }
    }

    /// How far the pruned distribution is from the original at most.
    ///
    /// Both are mixtures over the choices of all sums. A choice of the pruned circuit is
    /// more probable than in the original by `1 / (1 - dropped)` for each sum on its way,
    /// so that the divergence over inputs and choices is the mean of the logarithms of
    /// these factors, by how often the pruned circuit comes by. That over inputs alone is
    /// no larger.
    pub fn divergence_bound(&self, circuit: &CircuitGraph, values: &[ParameterValue]) -> f64 {
        // How often the pruned circuit comes by each unit, from the root down; every sum that
        // was shortened adds its logarithm as often.
        let mut visits = vec![0.0; circuit.n_units()];
        visits[circuit.root().index()] = 1.0;
        let mut bound = 0.0;
        for unit in circuit.units().rev() {
            let visit = visits[unit.index()];
            let log_kept = log_total(circuit, values, &self.children(circuit, unit));
            if self.kept.contains_key(&unit) {
                let all: Vec<ChildEdge> = circuit.children(unit).collect();
                bound += visit * (log_total(circuit, values, &all) - log_kept).max(0.0);
            }
            for child in self.children(circuit, unit) {
                let share = child.weight.map_or(1.0, |weight| {
                    let log = values[circuit.entry_position(weight)].log() - log_kept;
                    if log.is_nan() { 0.0 } else { log.exp() }
                });
                visits[child.unit.index()] += visit * share;
            }
        }
        bound
    }
}

/// The positions whose score is not below a bound; the best one if there is none.
fn good_enough(n: usize, below: f64, score: impl Fn(usize) -> f64) -> Vec<usize> {
    let scores: Vec<f64> = (0..n).map(score).collect();
    let mut kept: Vec<usize> = (0..n).filter(|&at| scores[at] >= below).collect();
    if kept.is_empty() {
        kept.extend((0..n).max_by(|&a, &b| scores[a].total_cmp(&scores[b]).then(b.cmp(&a))));
    }
    kept
}

/// Whether a parameter may be used in several places that have to agree.
pub(super) fn is_tied(circuit: &CircuitGraph, param: ParamId) -> bool {
    circuit.parameter(param).name.is_some()
        || circuit.entries(param).iter().any(|entry| entry.learned)
}

/// The logarithm of what the weights of some edges add up to.
pub(super) fn log_total(
    circuit: &CircuitGraph,
    values: &[ParameterValue],
    children: &[ChildEdge],
) -> f64 {
    let weights = children.iter().filter_map(|child| child.weight);
    log_sum_exp(weights.map(|weight| values[circuit.entry_position(weight)].log()))
}

/// Parameters that can lose entries: fixed numbers without a name, which each sum has
/// for itself, and vectors that only sums use, each of which has all of them.
fn free_parameters(circuit: &CircuitGraph) -> Vec<bool> {
    let n_params = circuit.parameters().len();
    let mut is_whole = vec![true; n_params];
    for leaf in circuit.leaves() {
        if let LeafKind::Distribution(distribution) = &leaf.kind {
            let params = distribution.params.iter();
            params.for_each(|param| is_whole[param.index()] = false);
        }
    }
    for sum in circuit.sums() {
        let weights: Vec<Weight> = circuit.terms(sum).map(|(_, weight)| weight).collect();
        if !has_whole_vector(circuit, &weights) {
            weights
                .iter()
                .for_each(|weight| is_whole[weight.param.index()] = false);
        }
    }
    let ids = (0..n_params).map(ParamId::new);
    ids.map(|param| is_whole[param.index()] || !is_tied(circuit, param))
        .collect()
}

/// Whether weights are all entries of one vector, each once.
fn has_whole_vector(circuit: &CircuitGraph, weights: &[Weight]) -> bool {
    let Some(first) = weights.first() else {
        return false;
    };
    let mut indices: Vec<u32> = weights.iter().map(|weight| weight.index).collect();
    indices.sort_unstable();
    indices.dedup();
    let len = circuit.parameter(first.param).len();
    let is_one = weights.iter().all(|weight| weight.param == first.param);
    is_one && indices.len() == len && weights.len() == len
}
