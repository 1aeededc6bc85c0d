//! Flows: how much of the data passes through each parameter.
//!
//! The flow along an edge is the expected number of times that the edge is taken
//! given the data. Learning reads nothing else.

use crate::circuit::{CircuitGraph, Domain, Leaf, LeafKind};
use crate::leaf::family::FamilyStatistics;

pub use crate::flow_grid::FlowGrid;

/// Flows of a set of rows, added up.
#[derive(Clone, Debug, PartialEq)]
pub struct CircuitFlows {
    /// Flow through every entry of [`CircuitGraph::all_entries`]: of all edges that it
    /// weighs, and of the values of untruncated Bernoulli and categorical leaves.
    pub entries: Vec<f64>,
    /// What flows into leaves whose parameters are no probabilities of single
    /// values, by leaf index.
    pub leaves: Vec<LeafFlows>,
}

/// What flows into one leaf.
#[derive(Clone, Debug, PartialEq)]
pub enum LeafFlows {
    /// Nothing to learn from it, or its flows are among [`CircuitFlows::entries`].
    None,
    /// Flow at each value of a finite domain.
    Values(Vec<f64>),
    /// Flow in each bin of a histogram over the reals, then that of missing cells.
    Bins(Vec<f64>),
    /// Moments of the flow: that of observed cells, that of missing cells, and
    /// of observed cells times the family's two statistics (0 where it has none):
    /// `x - mean` and its square for `normal`, the same of `ln x` for `lognormal`,
    /// `x` and `ln x` for `gamma`, `x` for the others.
    Moments([f64; 4]),
    /// Flow by distance from the leaf's location, see [`FlowGrid`].
    Grid(Vec<f64>),
}

impl CircuitFlows {
    /// No flow yet.
    pub fn zero(circuit: &CircuitGraph) -> Self {
        let leaves = circuit.leaves().iter();
        CircuitFlows {
            entries: vec![0.0; circuit.all_entries().len()],
            leaves: leaves.map(|leaf| LeafFlows::zero(circuit, leaf)).collect(),
        }
    }

    /// Adds the flows of other rows of the same circuit.
    pub fn add(&mut self, other: &CircuitFlows) {
        self.add_scaled(other, 1.0);
    }

    /// Adds the flows of other rows, each counted `factor` times.
    pub fn add_scaled(&mut self, other: &CircuitFlows, factor: f64) {
        add(&mut self.entries, &other.entries, factor);
        for (sum, part) in self.leaves.iter_mut().zip(&other.leaves) {
            add(sum.numbers_mut(), part.numbers(), factor);
        }
    }
}

impl LeafFlows {
    /// The kind of flows that a leaf has, all zero.
    pub fn zero(circuit: &CircuitGraph, leaf: &Leaf) -> Self {
        let LeafKind::Distribution(distribution) = &leaf.kind else {
            return LeafFlows::None;
        };
        let domain = &circuit.variable(leaf.variable).domain;
        let size = domain.size().filter(|_| is_tabular(domain));
        match (distribution.family.as_distribution().statistics(), size) {
            (FamilyStatistics::Nothing, _) => LeafFlows::None,
            (FamilyStatistics::Entries, _) if distribution.truncation.is_none() => LeafFlows::None,
            (_, Some(size)) => LeafFlows::Values(vec![0.0; size as usize]),
            (FamilyStatistics::Bins(breaks), None) => LeafFlows::Bins(vec![0.0; breaks.len()]),
            (FamilyStatistics::Distances, None) => LeafFlows::Grid(vec![0.0; FlowGrid::N_NUMBERS]),
            (FamilyStatistics::Entries | FamilyStatistics::Moments(_), None) => {
                LeafFlows::Moments([0.0; 4])
            }
        }
    }

    /// The numbers, whatever they count.
    pub fn numbers(&self) -> &[f64] {
        match self {
            LeafFlows::None => &[],
            LeafFlows::Values(numbers) | LeafFlows::Bins(numbers) | LeafFlows::Grid(numbers) => {
                numbers
            }
            LeafFlows::Moments(numbers) => numbers,
        }
    }

    /// The numbers, whatever they count.
    pub fn numbers_mut(&mut self) -> &mut [f64] {
        match self {
            LeafFlows::None => &mut [],
            LeafFlows::Values(numbers) | LeafFlows::Bins(numbers) | LeafFlows::Grid(numbers) => {
                numbers
            }
            LeafFlows::Moments(numbers) => numbers,
        }
    }
}

/// Whether leaves over the domain are evaluated by tables.
pub fn is_tabular(domain: &Domain) -> bool {
    let largest = crate::plan::TABLE_DOMAIN;
    domain.size().is_some_and(|size| size <= largest)
}

fn add(sum: &mut [f64], part: &[f64], factor: f64) {
    for (sum, part) in sum.iter_mut().zip(part) {
        *sum += part * factor;
    }
}
