//! What the flow into a leaf says about its parameters.

use super::flows::shares;
use super::leaf_log::{log_soft, missing_as_soft};
use super::{EvidenceCell, RowFlows};
use crate::circuit::{CircuitGraph, Distribution, Leaf, LeafId, LeafKind, ParameterValue};
use crate::flow::{CircuitFlows, FlowGrid, LeafFlows};
use crate::leaf::family::{FamilyStatistics, MomentStatistics};
use crate::leaf::log_table;

impl RowFlows<'_> {
    /// Adds `context`, the flow into a leaf, where [`CircuitFlows`] counts it.
    pub(super) fn add_leaf(&self, id: LeafId, context: f64, flows: &mut CircuitFlows) {
        let leaf = self.circuit.leaf(id);
        let LeafKind::Distribution(distribution) = &leaf.kind else {
            return;
        };
        let cell = &self.cells[leaf.variable.index()];
        let first = self.circuit.variable(leaf.variable).domain.first();
        match (&mut flows.leaves[id.index()], cell) {
            (LeafFlows::None, _) => {
                let Some(entries) = entry_range(self.circuit, distribution) else {
                    return;
                };
                for (x, share) in self.points(leaf, cell) {
                    flows.entries[entries.start + (x - first) as usize] += context * share;
                }
            }
            (LeafFlows::Values(numbers), _) => {
                for (x, share) in self.points(leaf, cell) {
                    numbers[(x - first) as usize] += context * share;
                }
            }
            (LeafFlows::Bins(numbers), EvidenceCell::Missing | EvidenceCell::In(_)) => {
                *numbers.last_mut().expect("the last number is there") += context;
            }
            (LeafFlows::Bins(numbers), _) => {
                for (x, share) in self.points(leaf, cell) {
                    numbers[bin_of(distribution, x)] += context * share;
                }
            }
            (LeafFlows::Moments(numbers), EvidenceCell::Missing | EvidenceCell::In(_)) => {
                numbers[1] += context
            }
            (LeafFlows::Grid(numbers), EvidenceCell::Missing | EvidenceCell::In(_)) => {
                numbers[0] += context
            }
            (LeafFlows::Grid(numbers), _) => {
                let grid = FlowGrid::of(self.circuit, self.values, distribution);
                for (x, share) in self.points(leaf, cell) {
                    grid.add(x, context * share, numbers);
                }
            }
            (LeafFlows::Moments(numbers), _) => {
                for (x, share) in self.points(leaf, cell) {
                    let [first, second] = statistics(self.circuit, self.values, distribution, x);
                    let flow = context * share;
                    numbers[0] += flow;
                    numbers[2] += flow * first;
                    numbers[3] += flow * second;
                }
            }
        }
    }

    /// The values that the leaf may have had, with the part that each has in the
    /// flow. A missing cell is divided by the leaf's own probabilities, in a support
    /// pass evenly.
    fn points(&self, leaf: &Leaf, cell: &EvidenceCell) -> Vec<(f64, f64)> {
        let (circuit, values) = (self.circuit, self.values);
        let logs = match cell {
            EvidenceCell::Value(x) => return vec![(*x, 1.0)],
            EvidenceCell::Missing => match missing_as_soft(circuit, leaf) {
                Some(ones) => log_soft(circuit, values, leaf, &ones, self.purpose),
                None => log_table(circuit, values, leaf),
            },
            EvidenceCell::Soft(weights) => log_soft(circuit, values, leaf, weights, self.purpose),
            EvidenceCell::In(set) => {
                let logs = log_table(circuit, values, leaf).into_iter().zip(0..);
                let first = circuit.variable(leaf.variable).domain.first();
                let inside = |(log, at): (f64, u32)| {
                    if set.contains(first + f64::from(at)) {
                        log
                    } else {
                        f64::NEG_INFINITY
                    }
                };
                logs.map(inside).collect()
            }
        };
        let first = circuit.variable(leaf.variable).domain.first();
        let shares = shares(&logs).into_iter().enumerate();
        let positive = shares.filter(|&(_, share)| share > 0.0);
        positive
            .map(|(at, share)| (first + at as f64, share))
            .collect()
    }
}

/// The entries of a leaf that has one for each value of its domain.
fn entry_range(
    circuit: &CircuitGraph,
    distribution: &Distribution,
) -> Option<std::ops::Range<usize>> {
    let param = distribution.params.first()?;
    let has_entries = distribution.family.has_entries();
    has_entries.then(|| circuit.parameter(*param).entries())
}

/// The bin of a histogram that holds `x`.
fn bin_of(distribution: &Distribution, x: f64) -> usize {
    let breaks = match distribution.family.as_distribution().statistics() {
        FamilyStatistics::Bins(breaks) => breaks,
        FamilyStatistics::Nothing
        | FamilyStatistics::Entries
        | FamilyStatistics::Moments(_)
        | FamilyStatistics::Distances => &[],
    };
    let above = breaks.partition_point(|bound| bound.value() <= x);
    above.saturating_sub(1)
}

/// The statistics of a value that [`LeafFlows::Moments`] are of.
fn statistics(
    circuit: &CircuitGraph,
    values: &[ParameterValue],
    distribution: &Distribution,
    x: f64,
) -> [f64; 2] {
    let kind = match distribution.family.as_distribution().statistics() {
        FamilyStatistics::Moments(kind) => kind,
        FamilyStatistics::Nothing
        | FamilyStatistics::Entries
        | FamilyStatistics::Bins(_)
        | FamilyStatistics::Distances => return [x, 0.0],
    };
    let centred = |x: f64| {
        let entries = circuit.parameter(distribution.params[0]).entries();
        let distance = x - values[entries.start].linear();
        [distance, distance.powi(2)]
    };
    match kind {
        MomentStatistics::Plain => [x, 0.0],
        MomentStatistics::Centred => centred(x),
        MomentStatistics::LogCentred => centred(x.ln()),
        MomentStatistics::WithLogarithm => [x, x.ln()],
    }
}
