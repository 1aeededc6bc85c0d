//! The step of a vector of probabilities that is more than counted.

use super::objective::gain;
use super::plan::LeafVector;
use super::search::LineSearch;
use super::step::LeafAscent;
use crate::learn::simplex::SimplexSolver;
use pelton_compiler::circuit::ParameterValue;

/// Logarithms of odds beyond this are those of certainty: about 1e-12.
const LARGEST_LOGIT: f64 = 27.6;
/// So often a step is made shorter before the old values are kept.
const MOST_TRIALS: usize = 40;

impl LeafAscent<'_> {
    /// Moves a probability to where Q is largest; returns by how much Q rose.
    pub(super) fn update_unit(&self, vector: &LeafVector, values: &mut [ParameterValue]) -> f64 {
        // 1. Without flow, and without a pseudocount, there is nothing to learn from.
        let at = vector.entries.start;
        let pseudocount = self.pseudocount(vector);
        let [misses, hits] = [at, at + 1].map(|at| self.counts[at] + pseudocount);
        let mut leaves = self.plan.leaves_of(&vector.uses);
        let is_counted = |leaf: usize| self.plan.leaves[leaf].is_counted;
        let is_seen = |leaf: usize| !is_counted(leaf) && self.statistics[leaf].flow > 0.0;
        if misses + hits <= 0.0 && !leaves.any(is_seen) {
            return 0.0;
        }
        // 2. Uphill on the scale of log odds, which has no ends, from where it is, from the share
        // of the counts, or from even odds.
        let old = [values[at], values[at + 1]];
        let before = self.vector_term(vector, values);
        let search = LineSearch {
            low: -LARGEST_LOGIT,
            high: LARGEST_LOGIT,
            step: 0.25,
            tolerance: 1e-9,
        };
        let starts = [old[1].log() - old[0].log(), (hits / misses).ln(), 0.0];
        let starts = starts.map(|logit| logit.clamp(-LARGEST_LOGIT, LARGEST_LOGIT));
        let best = search.maximum(&starts, |logit| {
            set_odds(logit, &mut values[at..at + 2]);
            self.vector_term(vector, values)
        });
        match best {
            Some((logit, after)) if after >= before || before.is_nan() => {
                set_odds(logit, &mut values[at..at + 2]);
                gain(before, after)
            }
            _ => {
                values[at..at + 2].copy_from_slice(&old);
                0.0
            }
        }
    }

    /// Moves the learned entries of a vector so that Q does not fall; returns by how
    /// much it rose.
    ///
    /// Leaves are truncated, so each observed value stands for some that were not
    /// seen: adding their expected counts and dividing by the total never lowers
    /// the likelihood. Entropy is replaced by a function with the same slope that
    /// bends more, until Q does not fall.
    pub(super) fn update_simplex(&self, vector: &LeafVector, values: &mut [ParameterValue]) -> f64 {
        // 1. What is to be divided, and by which counts.
        let entries = self.circuit.all_entries();
        let is_free = |at: &usize| entries[*at].learned;
        let (free, fixed): (Vec<usize>, Vec<usize>) = vector.entries.clone().partition(is_free);
        let old: Vec<ParameterValue> = values[vector.entries.clone()].to_vec();
        let counts = self.seen_and_unseen(vector, &free, values);
        let mass = 1.0 - fixed.iter().map(|&at| values[at].linear()).sum::<f64>();
        let has_flow = counts.iter().sum::<f64>() > 0.0;
        let has_choice = free.len() > 1 && mass > 0.0;
        if !has_flow || !has_choice {
            return 0.0;
        }
        // 2. The solution for entropy's linear part and a bend that keeps it near. The stronger
        // the bend, the shorter the step: sooner or later Q does not fall.
        let before = self.vector_term(vector, values);
        let (slopes, mut bend) = self.entropy_slopes(vector, &free, values);
        for _ in 0..MOST_TRIALS {
            let thetas: Vec<f64> = free.iter().map(|&at| values[at].linear() / mass).collect();
            let Some(found) = balanced(&counts, &thetas, &slopes, bend, mass) else {
                break;
            };
            for (&at, theta) in free.iter().zip(found) {
                values[at] = ParameterValue::Linear(mass * theta);
            }
            let after = self.vector_term(vector, values);
            // 3. On in the same direction, once it was right.
            if after >= before || (before.is_nan() && after.is_finite()) {
                let after = self.go_on(vector, &old, after, values);
                return gain(before, after);
            }
            values[vector.entries.clone()].copy_from_slice(&old);
            if bend == 0.0 {
                break;
            }
            bend *= 4.0;
        }
        values[vector.entries.clone()].copy_from_slice(&old);
        0.0
    }

    /// Goes farther in the direction of a step, as long as that raises Q: counts of
    /// what was not seen make short steps. Returns the new Q.
    fn go_on(
        &self,
        vector: &LeafVector,
        old: &[ParameterValue],
        mut best: f64,
        values: &mut [ParameterValue],
    ) -> f64 {
        let entries = &self.circuit.all_entries()[vector.entries.clone()];
        let first: Vec<ParameterValue> = values[vector.entries.clone()].to_vec();
        let mut factor = 2.0;
        loop {
            let now: Vec<ParameterValue> = values[vector.entries.clone()].to_vec();
            let own = &mut values[vector.entries.clone()];
            extrapolate(old, &first, factor, |at| entries[at].learned, own);
            let after = self.vector_term(vector, values);
            if !(after > best && factor < 1e6) {
                values[vector.entries.clone()].copy_from_slice(&now);
                return best;
            }
            best = after;
            factor *= 2.0;
        }
    }

    /// The part of Q that depends on a vector.
    fn vector_term(&self, vector: &LeafVector, values: &[ParameterValue]) -> f64 {
        let term = |leaf: usize| self.leaf_term(leaf, values);
        let leaves: f64 = self.plan.leaves_of(&vector.uses).map(term).sum();
        leaves + self.count_term(vector, values)
    }

    /// Counts of the learned entries with pseudocounts, and with those that
    /// truncations kept from being seen.
    fn seen_and_unseen(
        &self,
        vector: &LeafVector,
        free: &[usize],
        values: &[ParameterValue],
    ) -> Vec<f64> {
        let pseudocount = self.pseudocount(vector);
        let seen = free.iter().map(|&at| self.counts[at] + pseudocount);
        let mut counts: Vec<f64> = seen.collect();
        for leaf in self.plan.leaves_of(&vector.uses) {
            let Some(table) = &self.plan.leaves[leaf].table else {
                continue;
            };
            // For each cell that was seen, so many were not, spread as the distribution says.
            let inside = inside(&table.shares, &values[vector.entries.clone()]);
            let odds = self.statistics[leaf].flow / inside;
            if odds.is_finite() {
                for (count, &at) in counts.iter_mut().zip(free) {
                    let share = table.shares[at - vector.entries.start];
                    *count += odds * values[at].linear() * (1.0 - share);
                }
            }
        }
        counts
    }

    /// The derivatives of all entropy by the learned entries, and how strongly it
    /// bends.
    fn entropy_slopes(
        &self,
        vector: &LeafVector,
        free: &[usize],
        values: &[ParameterValue],
    ) -> (Vec<f64>, f64) {
        let mut slopes = vec![0.0; free.len()];
        let mut bend: f64 = 0.0;
        if self.tau == 0.0 {
            return (slopes, bend);
        }
        // 1. Where the vector weighs edges of sums, or leaves that are like sums.
        for (slope, &at) in slopes.iter_mut().zip(free) {
            let (weight, gamma) = self.edge(at);
            *slope += weight * (gamma - log_of(values[at]) - 1.0);
            bend = bend.max(weight);
        }
        // 2. Leaves that are truncated: an entry raises the entropy as far as its density is below
        // what it is on average.
        for leaf in self.plan.leaves_of(&vector.uses) {
            let weight = self.entropy_weight(leaf);
            let Some(table) = &self.plan.leaves[leaf].table else {
                continue;
            };
            let own = &values[vector.entries.clone()];
            let inside = inside(&table.shares, own);
            if !(weight > 0.0 && inside > 0.0) {
                continue;
            }
            // The logarithm of an entry's density within the truncation.
            let level = |at: usize| {
                table.log_sizes[at] - log_of(own[at]) - table.shares[at].ln() + inside.ln()
            };
            let left = (0..own.len()).filter(|&at| table.shares[at] > 0.0);
            let part = |at: usize| table.shares[at] * own[at].linear() / inside;
            let entropy: f64 = left.map(|at| part(at) * level(at)).sum();
            for (slope, &at) in slopes.iter_mut().zip(free) {
                let at = at - vector.entries.start;
                if table.shares[at] > 0.0 {
                    *slope += weight * table.shares[at] / inside * (level(at) - entropy);
                }
            }
            bend += weight / inside;
        }
        (slopes, bend)
    }
}

/// The shares of a mass that maximise `Σ c log θ + Σ s θ - b KL(θ, old)`: with no bend `b`
/// those of the counts; with a large one entries hardly move, uphill. With gains
/// `s / b + log old` it is the problem of every vector under entropy. None if some number is
/// none.
fn balanced(counts: &[f64], old: &[f64], slopes: &[f64], bend: f64, mass: f64) -> Option<Vec<f64>> {
    let gain = |(&slope, &theta): (&f64, &f64)| slope / bend + theta.ln().max(-690.0);
    let gains: Vec<f64> = if bend > 0.0 {
        slopes.iter().zip(old).map(gain).collect()
    } else {
        vec![0.0; old.len()]
    };
    let total: f64 = counts.iter().sum();
    let mut given = gains.iter().chain([&total, &bend]);
    if !given.all(|number| number.is_finite()) {
        return None;
    }
    let mut found = old.to_vec();
    SimplexSolver::default().solve(counts, &gains, bend * mass, f64::NAN, &mut found);
    found.iter().all(|theta| theta.is_finite()).then_some(found)
}

/// Moves the logarithms of learned entries `factor` times as far as from `old` to
/// `new`, and scales them to the mass that they have there.
fn extrapolate(
    old: &[ParameterValue],
    new: &[ParameterValue],
    factor: f64,
    is_learned: impl Fn(usize) -> bool,
    out: &mut [ParameterValue],
) {
    let free = || (0..new.len()).filter(|&at| is_learned(at) && !new[at].is_zero());
    let mass: f64 = free().map(|at| new[at].linear()).sum();
    let log = |at: usize| {
        let change = new[at].log() - log_of(old[at]);
        (new[at].log() + (factor - 1.0) * change).clamp(-690.0, 690.0)
    };
    // Beside the largest, whose power would be beyond all numbers.
    let top = free().map(log).fold(f64::NEG_INFINITY, f64::max);
    let total: f64 = free().map(|at| (log(at) - top).exp()).sum();
    for at in free() {
        out[at] = ParameterValue::Linear((log(at) - top).exp() / total * mass);
    }
}

fn set_odds(logit: f64, entries: &mut [ParameterValue]) {
    entries[0] = ParameterValue::Linear(1.0 / (1.0 + logit.exp()));
    entries[1] = ParameterValue::Linear(1.0 / (1.0 + (-logit).exp()));
}

/// The mass that a truncation leaves.
fn inside(shares: &[f64], entries: &[ParameterValue]) -> f64 {
    let pairs = shares.iter().zip(entries);
    pairs.map(|(share, theta)| share * theta.linear()).sum()
}

/// A finite logarithm: an entry of 0 is as good as a tiny one.
fn log_of(theta: ParameterValue) -> f64 {
    theta.log().max(-690.0)
}
