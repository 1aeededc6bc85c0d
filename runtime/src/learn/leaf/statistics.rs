//! What flows say about a leaf, whatever form they come in.

use super::counts::flow_and_total;
use super::family::distribution;
use super::plan::PlannedLeaf;
use pelton_compiler::circuit::{CircuitGraph, ParameterValue};
use pelton_compiler::flow::{CircuitFlows, FlowGrid, LeafFlows};

/// Statistics of the observed cells of one leaf: all that its family needs.
#[derive(Clone, Debug, Default)]
pub struct LeafStatistics {
    pub flow: f64,
    /// That times the first of the family's statistics: of two moments, or `x`.
    pub first: f64,
    /// That times the second.
    pub second: f64,
    /// The first parameter that the flows were computed with.
    pub centre: f64,
    /// Values and their flow, rising, if flows are kept by value and are no counts.
    pub points: Vec<(f64, f64)>,
}

impl LeafStatistics {
    pub fn of(
        circuit: &CircuitGraph,
        values: &[ParameterValue],
        flows: &CircuitFlows,
        leaf: &PlannedLeaf,
    ) -> Self {
        let domain = &circuit.variable(circuit.leaf(leaf.leaf).variable).domain;
        let own = &flows.leaves[leaf.leaf.index()];
        let (flow, total) = flow_and_total(own, domain.first());
        let mut found = LeafStatistics {
            flow,
            first: total,
            centre: values[leaf.entries[0]].linear(),
            ..LeafStatistics::default()
        };
        match own {
            // A sum of values says nothing about single ones.
            LeafFlows::Moments(_) if leaf.table.is_some() => return LeafStatistics::default(),
            LeafFlows::Moments(moments) => found.second = moments[3],
            LeafFlows::Bins(bins) => {
                found.flow = bins.split_last().map_or(0.0, |(_, bins)| bins.iter().sum());
            }
            LeafFlows::Values(flows) if !leaf.is_counted => {
                let values = (0..).map(|at| domain.first() + f64::from(at));
                found.points = values.zip(flows.iter().copied()).collect();
                found.points.retain(|point| point.1 > 0.0);
            }
            LeafFlows::Grid(numbers) => {
                let distribution = distribution(circuit, leaf.leaf);
                found.points = FlowGrid::of(circuit, values, distribution).points(numbers);
                found.flow = found.points.iter().map(|point| point.1).sum();
            }
            LeafFlows::Values(_) | LeafFlows::None => {}
        }
        found.checked()
    }

    /// Nothing, if values were too large for their moments.
    fn checked(self) -> Self {
        let numbers = [self.flow, self.first, self.second, self.centre];
        let mut points = self.points.iter().flat_map(|&(x, flow)| [x, flow]);
        let is_finite = numbers.iter().all(|x| x.is_finite()) && points.all(f64::is_finite);
        if is_finite && self.flow > 0.0 {
            self
        } else {
            LeafStatistics::default()
        }
    }

    /// The flow times the squared distance from `mean`: that around the flow's own
    /// mean, and that of the two means, so that the sum is smooth in `mean` however
    /// far away the centre is.
    pub fn squares(&self, mean: f64) -> f64 {
        if self.flow == 0.0 {
            return 0.0;
        }
        let own = self.first / self.flow;
        let scatter = (self.second - self.first * own).max(0.0);
        scatter + self.flow * (mean - self.centre - own).powi(2)
    }
}
