//! What shards add up, and what that says about parameters.

use super::FlowTotals;
use crate::model::parameters::KernelPrecision;
use pelton_compiler::circuit::CircuitGraph;
use pelton_compiler::flow::CircuitFlows;
use pelton_compiler::kernel::PackedWeights;
use pelton_compiler::plan::{Plan, PlanOperation, WeightSource};

/// What is added up beside flows.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ShardTotals {
    log_likelihood: f64,
    weight: f64,
    n_zero: usize,
    pub n_repaired: usize,
}

impl ShardTotals {
    /// Adds a row by the logarithm of its value and what of it entered at the root.
    pub fn add(&mut self, log: f64, weight: f64, entering: f64) {
        if log == f64::NEG_INFINITY {
            self.n_zero += 1
        } else {
            self.log_likelihood += log * weight;
            self.weight += weight * entering;
        }
    }
}

/// What one shard adds up, in double precision.
pub(super) struct Accumulator {
    counts: Vec<f64>,
    statistics: Vec<f64>,
    /// Flows of rows that the reference evaluated.
    pub repaired: Option<CircuitFlows>,
    pub totals: ShardTotals,
}

impl Accumulator {
    pub fn new(plan: &Plan) -> Self {
        Accumulator {
            counts: vec![0.0; plan.weights().len()],
            statistics: vec![0.0; plan.n_statistics()],
            repaired: None,
            totals: ShardTotals::default(),
        }
    }

    /// Adds what a tile's buffers hold.
    pub fn add_counts<T: KernelPrecision>(&mut self, (counts, statistics): (&[T], &[f64])) {
        for (sum, count) in self.counts.iter_mut().zip(counts) {
            *sum += count.to_f64();
        }
        add(&mut self.statistics, statistics);
    }

    pub fn add(&mut self, part: &Accumulator) {
        add(&mut self.counts, &part.counts);
        add(&mut self.statistics, &part.statistics);
        if let Some(flows) = &part.repaired {
            match &mut self.repaired {
                Some(sum) => sum.add(flows),
                None => self.repaired = Some(flows.clone()),
            }
        }
        self.totals.log_likelihood += part.totals.log_likelihood;
        self.totals.weight += part.totals.weight;
        self.totals.n_zero += part.totals.n_zero;
        self.totals.n_repaired += part.totals.n_repaired;
    }

    /// The flows through entries and leaves.
    pub fn into_totals<T: KernelPrecision>(
        mut self,
        circuit: &CircuitGraph,
        plan: &Plan,
        packed: &PackedWeights<T>,
    ) -> FlowTotals {
        let repaired = self.repaired.take();
        let mut flows = repaired.unwrap_or_else(|| CircuitFlows::zero(circuit));
        self.spread_missing(circuit, plan);
        let weights = packed.weights().iter().map(|weight| weight.to_f64());
        for ((source, count), weight) in plan.weights().iter().zip(&self.counts).zip(weights) {
            match *source {
                WeightSource::Entry(at) => flows.entries[at as usize] += count * weight,
                WeightSource::Table { leaf, code } => {
                    let numbers = flows.leaves[leaf.index()].numbers_mut();
                    if let Some(number) = numbers.get_mut(code as usize) {
                        *number += count * weight;
                    }
                }
                WeightSource::One | WeightSource::Missing(_) => {}
            }
        }
        self.add_statistics(plan, &mut flows);
        FlowTotals {
            flows,
            log_likelihood: self.totals.log_likelihood,
            weight: self.totals.weight,
            n_zero: self.totals.n_zero,
            n_repaired: self.totals.n_repaired,
        }
    }

    /// A missing cell of a table counts for each of its values alike; the factor
    /// that makes it the value's probability comes with the weights.
    fn spread_missing(&mut self, circuit: &CircuitGraph, plan: &Plan) {
        for (at, source) in plan.weights().iter().enumerate() {
            if let WeightSource::Missing(leaf) = *source {
                let variable = circuit.leaf(leaf).variable;
                let size = circuit.variable(variable).domain.size().unwrap_or(0) as usize;
                let missing = self.counts[at];
                for count in &mut self.counts[at - size..at] {
                    *count += missing;
                }
            }
        }
    }

    fn add_statistics(&self, plan: &Plan, flows: &mut CircuitFlows) {
        for op in plan.ops() {
            if let PlanOperation::Density(op) = op {
                let leaves = &plan.density_leaves()[op.first_leaf as usize..][..op.n as usize];
                for (leaf, &first) in leaves.iter().zip(&op.statistics) {
                    let numbers = flows.leaves[leaf.index()].numbers_mut();
                    add(numbers, &self.statistics[first as usize..]);
                }
            }
        }
    }
}

fn add(sums: &mut [f64], parts: &[f64]) {
    for (sum, part) in sums.iter_mut().zip(parts) {
        *sum += part;
    }
}
