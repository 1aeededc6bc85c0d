//! One sweep of entropy regularization.
//!
//! Units are visited parents first: what is above a unit has its new weights then
//! and what is below its old ones, so that solving one vector after the other is
//! coordinate ascent, and the objective cannot fall. Units of one level do not
//! depend on each other and are solved side by side.

use super::flat_circuit::{FlatCircuit, FlatUnitKind, ShareVector};
use super::leaf::LeafPlan;
use super::mstep::{MStep, MStepTarget};
use super::simplex::{MANY, ManySolver, SimplexSolver};
use pelton_compiler::circuit::{ParamId, ParameterValue};

/// What vectors are solved with, and in which groups.
#[derive(Debug)]
pub(super) struct Solvers {
    one: SimplexSolver,
    many: ManySolver,
    /// Units of each level whose vector is solved in the sweep, those of one size
    /// after the other; then leaves, which nothing is below.
    groups: Vec<Vec<u32>>,
    shares: Vec<f64>,
    pub gains: Vec<f64>,
    solution: Vec<f64>,
}

impl Solvers {
    pub fn new(flat: &FlatCircuit, leaves: &LeafPlan) -> Self {
        let own = |at: u32| flat.own_vector(flat.units[at as usize]);
        let is_solved = |&at: &u32| own(at).is_some_and(|(param, _)| leaves.is_counted(param, 1.0));
        let size = |&at: &u32| own(at).map(|(_, own)| own.entries.len());
        let is_table = |&at: &u32| matches!(flat.units[at as usize].kind, FlatUnitKind::Table(..));
        let tables: Vec<u32> = (0..flat.units.len() as u32).filter(is_table).collect();
        // Vectors of one size lie together, so that they can be solved side by side.
        let levels = flat.levels.iter().chain([&tables]);
        let groups = levels.map(|level| {
            let mut group: Vec<u32> = level.iter().copied().filter(is_solved).collect();
            group.sort_by_key(size);
            group
        });
        Solvers {
            groups: groups.collect(),
            one: SimplexSolver::default(),
            many: ManySolver::default(),
            shares: Vec::new(),
            gains: Vec::new(),
            solution: Vec::new(),
        }
    }
}

/// A vector that is about to be solved.
#[derive(Clone, Copy)]
struct PendingVector {
    unit: usize,
    param: ParamId,
    /// Its first entry.
    first: usize,
    pull: f64,
}

impl MStep<'_> {
    /// Solves vectors that belong to one unit.
    pub(super) fn sweep(&mut self, fit: &MStepTarget, values: &mut [ParameterValue]) {
        // 1. Entropies of all units under the old parameters: what lies below a vector when it
        // is solved is old.
        self.update_entropies(values);
        self.reach_root();
        // 2. Level by level from the root. A level is solved, and its new weights say how
        // often the units below are reached: what lies above a vector is new.
        for level in 0..self.flat.levels.len() {
            self.solve_group(fit, level, values);
            for at in 0..self.flat.levels[level].len() {
                self.hand_down(self.flat.levels[level][at] as usize);
            }
        }
        // 3. Leaves last; nothing lies below them.
        self.solve_group(fit, self.flat.levels.len(), values);
    }

    /// How often each unit is reached with the parameters in `theta`.
    pub(super) fn set_reach(&mut self) {
        self.reach_root();
        for at in (0..self.flat.units.len()).rev() {
            self.hand_down(at);
        }
    }

    /// The root is reached once, and nothing else so far.
    fn reach_root(&mut self) {
        self.reach.fill(0.0);
        self.reach[self.flat.root()] = 1.0;
    }

    /// Adds what reaches a unit to its children.
    fn hand_down(&mut self, at: usize) {
        let unit = self.flat.units[at];
        let own = self.reach[at];
        let children = &self.flat.children[unit.edges()];
        match unit.kind {
            FlatUnitKind::Product => {
                for &child in children {
                    self.reach[child as usize] += own;
                }
            }
            FlatUnitKind::Sum(_) => {
                let entries = &self.flat.entries[unit.edges()];
                for (&child, &entry) in children.iter().zip(entries) {
                    self.reach[child as usize] += own * self.theta[entry as usize];
                }
            }
            FlatUnitKind::Table(..) | FlatUnitKind::Leaf(_) => {}
        }
    }

    /// Solves the vectors of one group, as many at a time as have one size.
    fn solve_group(&mut self, fit: &MStepTarget, group: usize, values: &mut [ParameterValue]) {
        let (mut pending, mut size) = (Vec::with_capacity(MANY), 0);
        for at in 0..self.solvers.groups[group].len() {
            let unit = self.solvers.groups[group][at] as usize;
            let Some((param, vector)) = self.flat.own_vector(self.flat.units[unit]) else {
                continue;
            };
            let pull = fit.tau * self.reach[unit];
            let own = PendingVector {
                unit,
                param,
                first: vector.entries.start,
                pull,
            };
            let n = vector.entries.len();
            // Vectors with fixed entries, and problems near the limits of the fast solver, are
            // solved one by one.
            if !vector.free.is_empty() || !ManySolver::takes(self.total(fit, vector), pull) {
                self.solve_one(fit, own, values);
                continue;
            }
            // A full set of lanes, or vectors of another length: what has gathered is solved.
            if n != size || pending.len() == MANY {
                self.solve_many(fit, &pending, size, values);
                pending.clear();
                size = n;
            }
            pending.push(own);
        }
        self.solve_many(fit, &pending, size, values);
    }

    /// All data of a vector.
    fn total(&self, fit: &MStepTarget, vector: &ShareVector) -> f64 {
        let counts = self.counts[vector.entries.clone()].iter().sum::<f64>();
        (counts + fit.pseudocount) / fit.mass()
    }

    fn solve_one(&mut self, fit: &MStepTarget, own: PendingVector, values: &mut [ParameterValue]) {
        let unit = self.flat.units[own.unit];
        // What a choice gains is the entropy of what is chosen.
        let gains = &mut self.solvers.gains;
        gains.clear();
        match unit.kind {
            FlatUnitKind::Table(leaf, _) => gains.extend(&self.flat.gains[leaf.index()]),
            _ => {
                let children = self.flat.children[unit.edges()].iter();
                gains.extend(children.map(|&child| self.entropies.of_units[child as usize]));
            }
        }
        self.solve(fit, own.param, own.pull, values);
    }

    /// Solves vectors of `n` entries side by side. Few of them are better solved
    /// alone.
    fn solve_many(
        &mut self,
        fit: &MStepTarget,
        pending: &[PendingVector],
        n: usize,
        values: &mut [ParameterValue],
    ) {
        const FEW: usize = 2;
        if pending.len() <= FEW {
            for &own in pending {
                self.solve_one(fit, own, values);
            }
            return;
        }
        // 1. A problem for each lane. Lanes that are left over solve the last vector again; their
        // solutions are not read.
        let lane = |lane: usize| pending[lane.min(pending.len() - 1)];
        let (pseudo, scale) = (fit.pseudocount / n as f64, 1.0 / fit.mass());
        self.solvers.many.resize(n);
        for at in 0..MANY {
            let own = lane(at);
            let unit = self.flat.units[own.unit];
            let children = &self.flat.children[unit.edges()];
            let gains: &[f64] = match unit.kind {
                FlatUnitKind::Table(leaf, _) => &self.flat.gains[leaf.index()],
                _ => &[],
            };
            let counts = &self.counts[own.first..own.first + n];
            for (entry, count) in counts.iter().enumerate() {
                let gain = match children.get(entry) {
                    Some(&child) => self.entropies.of_units[child as usize],
                    None => gains.get(entry).copied().unwrap_or(0.0),
                };
                let share = (count + pseudo) * scale;
                self.solvers.many.set(at, entry, share, gain);
            }
        }
        // 2. All of them at once, from where they ended the last time.
        let pulls = std::array::from_fn(|at| lane(at).pull);
        let starts = std::array::from_fn(|at| self.warm[lane(at).param.index()]);
        let solutions = self.solvers.many.solve(pulls, starts);
        // 3. New weights in both forms: as plain numbers for what is solved next, and as values.
        for (at, own) in pending.iter().enumerate() {
            self.warm[own.param.index()] = solutions[at].start;
            for entry in 0..n {
                let theta = self.solvers.many.theta(at, entry);
                self.theta[own.first + entry] = theta;
                values[own.first + entry] = ParameterValue::Linear(theta);
            }
        }
    }

    /// Solves one vector whose entries gain what stands in the solvers' `gains`
    /// (nothing, if there are none).
    pub(super) fn solve(
        &mut self,
        fit: &MStepTarget,
        param: ParamId,
        pull: f64,
        values: &mut [ParameterValue],
    ) {
        let Some(vector) = &self.flat.vectors[param.index()] else {
            return;
        };
        if vector.mass <= 0.0 {
            return;
        }
        let solvers = &mut self.solvers;
        let (shares, gains) = (&mut solvers.shares, &mut solvers.gains);
        let solution = &mut solvers.solution;
        // 1. What is asked of the solver: shares of the data, gains of entropy by each choice,
        // how hard entropy pulls, and where the last step ended.
        let pseudo = fit.pseudocount / vector.n_free as f64;
        let scale = 1.0 / (fit.mass() * vector.mass);
        let entries = || vector.free_entries();
        shares.clear();
        shares.extend(entries().map(|entry| (self.counts[entry] + pseudo) * scale));
        solution.clear();
        solution.extend(entries().map(|entry| values[entry].linear() / vector.mass));
        if gains.is_empty() {
            gains.resize(vector.n_free, 0.0);
        } else if !vector.free.is_empty() {
            *gains = vector.free.iter().map(|&at| gains[at as usize]).collect();
        }
        // 2. The multiplier found now is where the next step begins.
        let start = &mut self.warm[param.index()];
        let found = solvers.one.solve(shares, gains, pull, *start, solution);
        *start = found.start;
        for (entry, theta) in vector.free_entries().zip(solution) {
            self.theta[entry] = vector.mass * *theta;
            values[entry] = ParameterValue::Linear(vector.mass * *theta);
        }
    }
}
