//! The M-step: parameters that fit given flows best.
//!
//! Without entropy every vector of probabilities is its share of the flows. With
//! entropy, units are visited parents first: what is above a unit has its new
//! weights then and what is below its old ones, so that solving one vector after
//! the other is coordinate ascent, and the objective cannot fall. Vectors that
//! several units share are solved together afterwards; that is no exact ascent,
//! and their step is halved until the objective does not fall.

use super::entropy::Entropies;
use super::leaf::{EdgeTerms, LeafOutcome, LeafPlan, LeafStep, Ranges};
use super::ledger::{Ledger, LedgerKind, Vector};
use pelton_compiler::circuit::{Circuit, ParamId, Value};
use pelton_compiler::flow::Flows;
use pelton_compiler::kernel::SimplexSolver;

/// What an M-step fits parameters to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fit<'a> {
    /// Flows of the rows.
    pub flows: &'a Flows,
    /// The parameters that the flows were computed with.
    pub flow_values: &'a [Value],
    /// Weight of the rows, `N`.
    pub weight: f64,
    /// The pseudocount, `alpha`.
    pub pseudocount: f64,
    /// How much entropy counts, `tau`.
    pub tau: f64,
}

impl Fit<'_> {
    /// What shares are parts of, `N + alpha`.
    fn mass(&self) -> f64 {
        self.weight + self.pseudocount
    }
}

/// Buffers of M-steps of one circuit.
#[derive(Debug)]
pub(super) struct MStep<'c> {
    circuit: &'c Circuit,
    pub ledger: Ledger,
    leaves: LeafPlan,
    ranges: Ranges,
    solver: SimplexSolver,
    entropies: Entropies,
    /// How often each unit is reached, by position in the ledger.
    reach: Vec<f64>,
    /// Counts of all entries, those of leaves included.
    counts: Vec<f64>,
    /// Where the solver of each vector starts, by parameter.
    pub warm: Vec<f64>,
    shares: Vec<f64>,
    gains: Vec<f64>,
    solution: Vec<f64>,
    /// Whether several units share a vector with something to learn.
    has_tied: bool,
    /// How often all parameters of leaves are gone through in a step.
    pub leaf_rounds: usize,
    /// Parameters of leaves that were at a bound in the last step.
    pub outcome: LeafOutcome,
}

impl<'c> MStep<'c> {
    pub fn new(circuit: &'c Circuit) -> Self {
        let leaves = LeafPlan::new(circuit);
        let ledger = Ledger::new(circuit, &leaves);
        let has_tied = ledger.used_vectors().any(|(_, vector)| vector.n_uses > 1);
        MStep {
            entropies: Entropies::new(&ledger, circuit),
            reach: vec![0.0; ledger.units.len()],
            counts: vec![0.0; circuit.all_entries().len()],
            warm: vec![f64::NAN; circuit.parameters().len()],
            solver: SimplexSolver::default(),
            shares: Vec::new(),
            gains: Vec::new(),
            solution: Vec::new(),
            has_tied,
            leaf_rounds: 1,
            outcome: LeafOutcome::default(),
            ranges: Ranges::new(circuit),
            leaves,
            ledger,
            circuit,
        }
    }

    /// Fits `values` to flows. With entropy this is one sweep, which raises the
    /// objective but need not reach its maximum.
    pub fn run(&mut self, fit: &Fit, values: &mut [Value]) {
        self.count(fit);
        match fit.tau > 0.0 {
            true => {
                self.sweep(fit, values);
                if self.has_tied {
                    self.solve_tied(fit, values);
                }
            }
            false => self.take_shares(fit, values),
        }
        if !self.leaves.is_empty() {
            self.fit_leaves(fit, values);
        }
    }

    /// The plan of leaves that have parameters of their own, and what bounds those.
    pub fn leaves(&self) -> (&LeafPlan, &Ranges) {
        (&self.leaves, &self.ranges)
    }

    /// Takes the ranges of the data, which bound parameters of leaves.
    pub fn set_ranges(&mut self, ranges: Ranges) {
        self.ranges = ranges;
    }

    fn count(&mut self, fit: &Fit) {
        self.counts.copy_from_slice(&fit.flows.entries);
        self.leaves.add_counts(fit.flows, &mut self.counts);
    }

    /// Whether counts say all about a vector, so that it is solved here.
    fn is_counted(&self, param: ParamId, tau: f64) -> bool {
        self.leaves.is_empty() || self.leaves.is_counted(param, tau)
    }

    /// Fits what is left to leaves. What is above them has its new weights already,
    /// so that this is one more step of the ascent.
    fn fit_leaves(&mut self, fit: &Fit, values: &mut [Value]) {
        let (mut leaf_reach, mut pulls, mut gains) = Default::default();
        if fit.tau > 0.0 {
            self.entropies.update(&self.ledger, self.circuit, values);
            self.set_reach(values);
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

    fn leaf_step<'s>(&'s self, fit: &Fit<'s>) -> LeafStep<'s> {
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
        for (unit, reach) in self.ledger.units.iter().zip(&self.reach) {
            if let LedgerKind::Leaf(leaf) | LedgerKind::Table(leaf, _) = unit.kind {
                all[leaf.index()] += reach;
            }
        }
        all
    }

    /// For each entry how often its units are reached, and what it gains on average
    /// by what it chooses there.
    fn edge_terms(&self) -> (Vec<f64>, Vec<f64>) {
        let (pulls, mut gains) = self.tied_terms();
        let pull = |entry: usize| pulls[self.ledger.param_of[entry] as usize];
        let reach: Vec<f64> = (0..gains.len()).map(pull).collect();
        for (gain, &pull) in gains.iter_mut().zip(&reach) {
            *gain = if pull > 0.0 { *gain / pull } else { 0.0 };
        }
        (reach, gains)
    }

    /// The objective for given flows: what the M-step maximises, divided by `N + alpha`.
    pub fn objective(&mut self, fit: &Fit, values: &[Value]) -> f64 {
        self.count(fit);
        self.objective_of_counts(fit, values)
    }

    fn objective_of_counts(&mut self, fit: &Fit, values: &[Value]) -> f64 {
        let vectors = self.ledger.used_vectors();
        let counted = vectors.filter(|(param, _)| self.is_counted(*param, 0.0));
        let of_vector = |(_, vector): (ParamId, &Vector)| -> f64 {
            let pseudo = fit.pseudocount / vector.n_free as f64;
            let free = vector.free_entries();
            free.map(|entry| times_log(self.counts[entry] + pseudo, values[entry]))
                .sum()
        };
        let mut likelihood: f64 = counted.map(of_vector).sum();
        if !self.leaves.is_empty() {
            // Entropies of leaves are part of the root's.
            let plain = Fit { tau: 0.0, ..*fit };
            likelihood += self.leaf_step(&plain).objective(values);
        }
        likelihood / fit.mass() + fit.tau * self.root_entropy(fit.tau, values)
    }

    /// What pseudocounts add to the log-likelihood.
    pub fn log_prior(&self, pseudocount: f64, values: &[Value]) -> f64 {
        let of_vector = |(_, vector): (ParamId, &Vector)| -> f64 {
            let pseudo = pseudocount / vector.n_free as f64;
            let free = vector.free_entries();
            free.map(|entry| times_log(pseudo, values[entry])).sum()
        };
        match pseudocount > 0.0 {
            true => self.ledger.used_vectors().map(of_vector).sum(),
            false => 0.0,
        }
    }

    /// The entropy of the root; not computed where it does not count.
    pub fn root_entropy(&mut self, tau: f64, values: &[Value]) -> f64 {
        if tau == 0.0 {
            return 0.0;
        }
        self.entropies.update(&self.ledger, self.circuit, values);
        self.entropies.of_units[self.ledger.root()]
    }

    /// Every vector is its share of the counts.
    fn take_shares(&mut self, fit: &Fit, values: &mut [Value]) {
        for (param, vector) in self.ledger.used_vectors() {
            if !self.is_counted(param, 0.0) || vector.mass <= 0.0 {
                continue;
            }
            let pseudo = fit.pseudocount / vector.n_free as f64;
            let total: f64 = vector.free_entries().map(|entry| self.counts[entry]).sum();
            let total = total + fit.pseudocount;
            if total > 0.0 {
                for entry in vector.free_entries() {
                    let share = (self.counts[entry] + pseudo) / total;
                    values[entry] = Value::Linear(vector.mass * share);
                }
            }
        }
    }

    /// Solves vectors that belong to one unit, parents first.
    fn sweep(&mut self, fit: &Fit, values: &mut [Value]) {
        self.entropies.update(&self.ledger, self.circuit, values);
        self.reach.fill(0.0);
        self.reach[self.ledger.root()] = 1.0;
        for at in (0..self.ledger.units.len()).rev() {
            let unit = self.ledger.units[at];
            let own = self.ledger.own_vector(unit).map(|(param, _)| param);
            if let Some(param) = own.filter(|&param| self.is_counted(param, fit.tau)) {
                self.gains.clear();
                if let LedgerKind::Table(leaf, _) = unit.kind {
                    let gains = &self.ledger.gains[leaf.index()];
                    self.gains.extend(gains);
                }
                if let LedgerKind::Sum(_) = unit.kind {
                    let children = &self.ledger.children[unit.edges()];
                    let gains = children
                        .iter()
                        .map(|&child| self.entropies.of_units[child as usize]);
                    self.gains.extend(gains);
                }
                self.solve(fit, param, fit.tau * self.reach[at], values);
            }
            self.hand_down(at, values);
        }
    }

    /// Adds what reaches a unit to its children.
    fn hand_down(&mut self, at: usize, values: &[Value]) {
        let unit = self.ledger.units[at];
        let own = self.reach[at];
        let children = &self.ledger.children[unit.edges()];
        match unit.kind {
            LedgerKind::Product => {
                children
                    .iter()
                    .for_each(|&child| self.reach[child as usize] += own);
            }
            LedgerKind::Sum(_) => {
                let entries = &self.ledger.entries[unit.edges()];
                for (&child, &entry) in children.iter().zip(entries) {
                    self.reach[child as usize] += own * values[entry as usize].linear();
                }
            }
            LedgerKind::Table(..) | LedgerKind::Leaf(_) => {}
        }
    }

    /// Solves one vector whose entries gain `self.gains` (nothing, if there are none).
    fn solve(&mut self, fit: &Fit, param: ParamId, pull: f64, values: &mut [Value]) {
        let Some(vector) = &self.ledger.vectors[param.index()] else {
            return;
        };
        if vector.mass <= 0.0 {
            return;
        }
        let pseudo = fit.pseudocount / vector.n_free as f64;
        let scale = 1.0 / (fit.mass() * vector.mass);
        let free = || vector.free_entries();
        self.shares.clear();
        self.shares
            .extend(free().map(|entry| (self.counts[entry] + pseudo) * scale));
        self.solution.clear();
        self.solution
            .extend(free().map(|entry| values[entry].linear() / vector.mass));
        match self.gains.is_empty() {
            true => self.gains.resize(vector.n_free, 0.0),
            false if !vector.free.is_empty() => {
                let gains = vector.free.iter().map(|&at| self.gains[at as usize]);
                self.gains = gains.collect();
            }
            false => {}
        }
        let start = self.warm[param.index()];
        let solution =
            self.solver
                .solve(&self.shares, &self.gains, pull, start, &mut self.solution);
        self.warm[param.index()] = solution.start;
        for (entry, theta) in free().zip(&self.solution) {
            values[entry] = Value::Linear(vector.mass * theta);
        }
    }

    /// Solves vectors that several units share, all at once.
    fn solve_tied(&mut self, fit: &Fit, values: &mut [Value]) {
        let before: Vec<Value> = values.to_vec();
        let objective = self.objective_of_counts(fit, values);
        self.set_reach(values);
        let (pulls, gains) = self.tied_terms();
        let tied = self.tied().map(|(param, _)| param);
        let tied = tied.filter(|&param| self.is_counted(param, fit.tau));
        let tied: Vec<ParamId> = tied.collect();
        for param in tied {
            let entries = self.circuit.parameter(param).entries();
            let pull = pulls[param.index()];
            self.gains.clear();
            let mean = |entry: usize| if pull > 0.0 { gains[entry] / pull } else { 0.0 };
            self.gains.extend(entries.map(mean));
            self.solve(fit, param, fit.tau * pull, values);
        }
        self.back_off(fit, &before, objective, values);
    }

    fn tied(&self) -> impl Iterator<Item = (ParamId, &Vector)> {
        self.ledger
            .used_vectors()
            .filter(|(_, vector)| vector.n_uses > 1)
    }

    /// How often each unit is reached with these parameters.
    fn set_reach(&mut self, values: &[Value]) {
        self.reach.fill(0.0);
        self.reach[self.ledger.root()] = 1.0;
        for at in (0..self.ledger.units.len()).rev() {
            self.hand_down(at, values);
        }
    }

    /// For each parameter how often its units are reached, and for each entry what
    /// it gains by what it chooses there, both added up over uses.
    fn tied_terms(&self) -> (Vec<f64>, Vec<f64>) {
        let mut pulls = vec![0.0; self.circuit.parameters().len()];
        let mut gains = vec![0.0; self.counts.len()];
        for (unit, &reach) in self.ledger.units.iter().zip(&self.reach) {
            match unit.kind {
                LedgerKind::Table(leaf, param) => {
                    pulls[param.index()] += reach;
                    let own = &mut gains[self.circuit.parameter(param).entries()];
                    let pairs = own.iter_mut().zip(&self.ledger.gains[leaf.index()]);
                    pairs.for_each(|(sum, gain)| *sum += reach * gain);
                }
                LedgerKind::Sum(_) => {
                    let edges = self.ledger.children[unit.edges()].iter();
                    let entries = &self.ledger.entries[unit.edges()];
                    pulls[self.ledger.param_of[entries[0] as usize] as usize] += reach;
                    for (&child, &entry) in edges.zip(entries) {
                        gains[entry as usize] += reach * self.entropies.of_units[child as usize];
                    }
                }
                LedgerKind::Leaf(_) | LedgerKind::Product => {}
            }
        }
        (pulls, gains)
    }

    /// Halves the step from `before` until the objective is not below `objective`.
    fn back_off(&mut self, fit: &Fit, before: &[Value], objective: f64, values: &mut [Value]) {
        /// What rounding may take from the objective, as a part of it.
        const ROUNDING: f64 = 1e-14;
        /// A step this many times halved is none.
        const MOST_HALVINGS: usize = 30;
        let least = objective - ROUNDING * objective.abs();
        for _ in 0..MOST_HALVINGS {
            if self.objective_of_counts(fit, values) >= least {
                return;
            }
            for (value, before) in values.iter_mut().zip(before) {
                if *value != *before {
                    *value = Value::Linear(0.5 * (value.linear() + before.linear()));
                }
            }
        }
        values.copy_from_slice(before);
    }
}

/// A count times a logarithm; nothing times the logarithm of nothing is nothing.
fn times_log(count: f64, value: Value) -> f64 {
    match count == 0.0 {
        true => 0.0,
        false => count * value.log(),
    }
}
