//! Leaves, data and weights of the terms of Q, and Q by its definition.

use super::super::{EdgeTerms, LeafPlan, LeafStep, ObservedRanges};
use crate::data::Table;
use pelton_compiler::circuit::{
    ChildEdge, CircuitBuilder, CircuitGraph, CircuitVariable, Cut, Distribution, Domain, Family,
    GammaDistribution, HistogramDistribution, Leaf, LeafKind, LogNormalDistribution,
    NormalDistribution, ParamId, ParamKind, ParameterEntry, ParameterValue, SourceOrigin, UnitId,
    ValueSet, VarId, VariableAttributes,
};
use pelton_compiler::flow::{CircuitFlows, FlowGrid, LeafFlows};
use pelton_compiler::leaf::{entropy, log_density};
use pelton_grammar::source::Span;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A source of random choices.
pub struct Dice(ChaCha8Rng);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Dice(ChaCha8Rng::seed_from_u64(seed))
    }

    /// A number from 0 up to 1.
    pub fn fraction(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.0.next_u64() % n as u64) as usize
    }

    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.fraction()
    }
}

/// A circuit of single leaves under construction.
#[derive(Default)]
pub struct Sketch {
    builder: CircuitBuilder,
    units: Vec<UnitId>,
}

impl Sketch {
    pub fn variable(&mut self, domain: Domain) -> VarId {
        let name = format!("x{}", self.builder.variables().len());
        self.builder.variable(CircuitVariable {
            name,
            domain,
            span: Span::default(),
            binding: VariableAttributes::default(),
        })
    }

    pub fn number(&mut self, kind: ParamKind, value: Option<f64>, learned: bool) -> ParamId {
        let value = value.map(ParameterValue::Linear);
        self.parameter(kind, &[ParameterEntry { value, learned }])
    }

    pub fn parameter(&mut self, kind: ParamKind, entries: &[ParameterEntry]) -> ParamId {
        // Names keep fixed parameters that are equal apart.
        let name = self.builder.name("p", &[self.units.len() as i64]);
        self.builder
            .parameter(Some(name), kind, entries, Span::default())
    }

    pub fn leaf(
        &mut self,
        variable: VarId,
        family: Family,
        params: &[ParamId],
        set: Option<ValueSet>,
    ) {
        let kind = LeafKind::Distribution(Distribution {
            family,
            params: params.to_vec(),
            truncation: set,
        });
        let unit = self.builder.input(Leaf { variable, kind }, origin());
        self.units.push(unit);
    }

    pub fn finish(mut self) -> CircuitGraph {
        let units = self.units.iter();
        let children: Vec<ChildEdge> = units
            .map(|&unit| ChildEdge {
                unit,
                weight: None,
                span: Span::default(),
            })
            .collect();
        let root = self.builder.product(&children, origin());
        self.builder.finish(root)
    }
}

fn origin() -> SourceOrigin {
    SourceOrigin {
        span: Span::default(),
        owner: None,
        is_named: false,
    }
}

pub fn reals(low: f64, high: f64) -> ValueSet {
    ValueSet::between(Cut::before(low), Cut::before(high), false)
}

/// Everything that a step needs, and the rows that the flows are of.
pub struct World {
    pub circuit: CircuitGraph,
    pub plan: LeafPlan,
    pub values: Vec<ParameterValue>,
    /// Values and flows of the observed cells of each leaf.
    pub rows: Vec<Vec<(f64, f64)>>,
    pub flows: CircuitFlows,
    pub counts: Vec<f64>,
    pub alpha: f64,
    pub mass: f64,
    pub tau: f64,
    pub reach: Vec<f64>,
    /// Of sums alone.
    pub sum_reach: Vec<f64>,
    pub sum_gamma: Vec<f64>,
    pub edge_reach: Vec<f64>,
    pub edge_gamma: Vec<f64>,
    pub ranges: ObservedRanges,
    pub rounds: usize,
}

impl World {
    /// A world without entropy and pseudocounts.
    pub fn new(circuit: CircuitGraph, rows: Vec<Vec<(f64, f64)>>) -> Self {
        let values = circuit.start_values();
        let n_entries = circuit.all_entries().len();
        let mut world = World {
            plan: LeafPlan::new(&circuit),
            flows: CircuitFlows::zero(&circuit),
            counts: Vec::new(),
            alpha: 0.0,
            mass: rows.iter().flatten().map(|row| row.1).sum(),
            tau: 0.0,
            reach: vec![0.0; circuit.leaves().len()],
            sum_reach: vec![0.0; n_entries],
            sum_gamma: vec![0.0; n_entries],
            edge_reach: Vec::new(),
            edge_gamma: Vec::new(),
            ranges: ObservedRanges::new(&circuit),
            rounds: 1,
            circuit,
            values,
            rows,
        };
        world.observe();
        world
    }

    /// Computes ranges, flows and counts from the rows.
    pub fn observe(&mut self) {
        self.ranges = ObservedRanges::new(&self.circuit);
        for (at, rows) in self.rows.iter().enumerate() {
            let variable = self.circuit.leaves()[at].variable.index();
            let n = self.circuit.variables().len();
            let assignments: Vec<Vec<f64>> = rows
                .iter()
                .map(|&(x, _)| {
                    (0..n)
                        .map(|v| if v == variable { x } else { f64::NAN })
                        .collect()
                })
                .collect();
            self.ranges
                .add(&Table::from_assignments(&self.circuit, &assignments), None);
        }
        let sums = std::mem::take(&mut self.flows.entries);
        self.flows = CircuitFlows::zero(&self.circuit);
        self.flows.entries = sums;
        for at in 0..self.rows.len() {
            for row in 0..self.rows[at].len() {
                let (x, flow) = self.rows[at][row];
                self.add(at, x, flow);
            }
        }
        self.recount();
    }

    pub fn recount(&mut self) {
        self.counts = self.flows.entries.clone();
        self.plan
            .add_counts(&self.circuit, &self.flows, &mut self.counts);
        self.edge_reach = self.sum_reach.clone();
        let mut gammas: Vec<f64> = self
            .sum_reach
            .iter()
            .zip(&self.sum_gamma)
            .map(|(b, g)| b * g)
            .collect();
        for own in self.plan.sum_like() {
            let reach = self.reach[own.leaf.index()];
            for (at, gamma) in self
                .circuit
                .parameter(crate::learn::flat_circuit::params_of(&self.circuit, own.leaf)[0])
                .entries()
                .zip(&own.gammas)
            {
                self.edge_reach[at] += reach;
                gammas[at] += reach * gamma;
            }
        }
        // Plain leaves are like sums over literals.
        for (at, leaf) in self.circuit.leaves().iter().enumerate() {
            if let (LeafFlows::None, LeafKind::Distribution(distribution)) =
                (&self.flows.leaves[at], &leaf.kind)
            {
                let parameter = self.circuit.parameter(distribution.params[0]);
                for at_entry in parameter.entries() {
                    self.edge_reach[at_entry] += self.reach[at];
                }
            }
        }
        let edges = self.edge_reach.iter().zip(gammas);
        self.edge_gamma = edges
            .map(|(&b, g)| if b > 0.0 { g / b } else { 0.0 })
            .collect();
    }

    fn add(&mut self, leaf: usize, x: f64, flow: f64) {
        let LeafKind::Distribution(distribution) = &self.circuit.leaves()[leaf].kind else {
            return;
        };
        let variable = self.circuit.leaves()[leaf].variable;
        let first = self.circuit.variable(variable).domain.first();
        let param = |at: usize| {
            self.circuit
                .parameter(distribution.params[at])
                .entries()
                .start
        };
        match &mut self.flows.leaves[leaf] {
            LeafFlows::None => self.flows.entries[param(0) + (x - first) as usize] += flow,
            LeafFlows::Values(numbers) => numbers[(x - first) as usize] += flow,
            LeafFlows::Bins(numbers) => {
                if let Family::Histogram(HistogramDistribution { breaks }) = &distribution.family {
                    numbers[breaks.partition_point(|b| b.value() <= x) - 1] += flow;
                }
            }
            LeafFlows::Grid(numbers) => {
                FlowGrid::of(&self.circuit, &self.values, distribution).add(x, flow, numbers);
            }
            LeafFlows::Moments(numbers) => {
                let (a, b) = match distribution.family {
                    Family::Normal(NormalDistribution) => {
                        let distance = x - self.values[param(0)].linear();
                        (distance, distance * distance)
                    }
                    Family::LogNormal(LogNormalDistribution) => {
                        let distance = x.ln() - self.values[param(0)].linear();
                        (distance, distance * distance)
                    }
                    Family::Gamma(GammaDistribution) => (x, x.ln()),
                    _ => (x, 0.0),
                };
                numbers[0] += flow;
                numbers[2] += flow * a;
                numbers[3] += flow * b;
            }
        }
    }

    /// Whether flows tell all about parameters near those they were computed with only.
    pub fn is_local(&self) -> bool {
        let mut flows = self.flows.leaves.iter();
        flows.any(|flows| matches!(flows, LeafFlows::Grid(_)))
    }

    /// Takes a step, and again with flows of the new parameters if those are local.
    pub fn settled(&mut self) -> Vec<ParameterValue> {
        let n_passes = if self.is_local() { 60 } else { 1 };
        let mut values = self.values.clone();
        for _ in 0..n_passes {
            self.values.clone_from(&values);
            self.observe();
            self.step().update(&mut values);
        }
        values
    }

    pub fn step(&self) -> LeafStep<'_> {
        LeafStep {
            plan: &self.plan,
            circuit: &self.circuit,
            flows: &self.flows,
            flow_values: &self.values,
            counts: &self.counts,
            alpha: self.alpha,
            mass: self.mass,
            tau: self.tau,
            reach: &self.reach,
            edges: EdgeTerms {
                reach: &self.edge_reach,
                gamma: &self.edge_gamma,
            },
            ranges: &self.ranges,
            rounds: self.rounds,
        }
    }

    /// Q from its definition, row by row.
    pub fn definition(&self, values: &[ParameterValue]) -> f64 {
        let entropies = self.mass * self.tau;
        let mut total = 0.0;
        for (at, leaf) in self.circuit.leaves().iter().enumerate() {
            let rows = self.rows[at].iter();
            let logs = rows.map(|&(x, flow)| flow * log_density(&self.circuit, values, leaf, x));
            total += logs.sum::<f64>();
            total += entropies * self.reach[at] * entropy(&self.circuit, values, leaf);
        }
        // Counts of plain leaves are among the flows of entries and were added above.
        let mut plain = vec![0.0; values.len()];
        for (at, leaf) in self.circuit.leaves().iter().enumerate() {
            if let (LeafFlows::None, LeafKind::Distribution(distribution)) =
                (&self.flows.leaves[at], &leaf.kind)
            {
                let first = self.circuit.variable(leaf.variable).domain.first();
                let start = self
                    .circuit
                    .parameter(distribution.params[0])
                    .entries()
                    .start;
                self.rows[at]
                    .iter()
                    .for_each(|&(x, flow)| plain[start + (x - first) as usize] += flow);
            }
        }
        for parameter in self
            .circuit
            .parameters()
            .iter()
            .filter(|p| p.kind.adds_up())
        {
            let entries = &self.circuit.all_entries()[parameter.entries()];
            let n_free = entries.iter().filter(|entry| entry.learned).count();
            for (at, entry) in parameter.entries().zip(entries) {
                let (theta, log) = (values[at].linear(), values[at].log());
                if entry.learned {
                    let count = self.flows.entries[at] - plain[at] + self.alpha / n_free as f64;
                    total += if count.abs() > 1e-12 {
                        count * log
                    } else {
                        0.0
                    };
                }
                if theta > 0.0 {
                    total += entropies * self.sum_reach[at] * theta * (self.sum_gamma[at] - log);
                }
            }
        }
        total
    }
}
