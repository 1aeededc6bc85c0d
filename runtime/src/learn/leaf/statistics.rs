//! What flows say about a leaf, whatever form they come in.

use super::counts::flow_and_total;
use super::plan::{Density, PlannedLeaf};
use pelton_compiler::circuit::{Circuit, Value};
use pelton_compiler::flow::{Flows, LeafFlows};

/// Sufficient statistics of the observed cells of one leaf.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Statistics {
    /// Flow of observed cells.
    pub flow: f64,
    /// That times `x`, or times the distance of `x` or `ln x` from the centre.
    pub first: f64,
    /// That times the square of the distance, or times `ln x`.
    pub second: f64,
    /// The mean that the flows were computed with.
    pub centre: f64,
}

impl Statistics {
    pub fn of(circuit: &Circuit, values: &[Value], flows: &Flows, leaf: &PlannedLeaf) -> Self {
        let first = circuit
            .variable(circuit.leaf(leaf.leaf).variable)
            .domain
            .first();
        let own = &flows.leaves[leaf.leaf.index()];
        let (flow, total) = flow_and_total(own, first);
        let plain = Statistics {
            flow,
            first: total,
            ..Statistics::default()
        };
        let found = match (leaf.family, own) {
            (Density::Normal | Density::LogNormal, LeafFlows::Moments(moments)) => Statistics {
                second: moments[3],
                centre: values[leaf.entries[0]].linear(),
                ..plain
            },
            (Density::Gamma, LeafFlows::Moments(moments)) => Statistics {
                second: moments[3],
                ..plain
            },
            // A sum of values says nothing about single ones.
            (Density::Counted, LeafFlows::Moments(_)) if leaf.table.is_some() => {
                Statistics::default()
            }
            (Density::Counted, LeafFlows::Bins(bins)) => {
                let observed = bins.split_last().map_or(0.0, |(_, bins)| bins.iter().sum());
                Statistics {
                    flow: observed,
                    ..plain
                }
            }
            _ => plain,
        };
        found.checked()
    }

    /// Nothing, if values were too large for their moments.
    fn checked(self) -> Self {
        let numbers = [self.flow, self.first, self.second, self.centre];
        match numbers.iter().all(|number| number.is_finite()) && self.flow > 0.0 {
            true => self,
            false => Statistics::default(),
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
