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
        let is_solved = |&at: &u32| {
            let own = flat.own_vector(flat.units[at as usize]);
            own.is_some_and(|(param, _)| leaves.is_counted(param, 1.0))
        };
        let size = |at: &u32| {
            flat.own_vector(flat.units[*at as usize])
                .map(|(_, own)| own.entries.len())
        };
        let tables = (0..flat.units.len() as u32)
            .filter(|&at| matches!(flat.units[at as usize].kind, FlatUnitKind::Table(..)));
        let tables: Vec<u32> = tables.collect();
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
        self.reach.fill(0.0);
        self.reach[self.flat.root()] = 1.0;
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
        self.reach.fill(0.0);
        self.reach[self.flat.root()] = 1.0;
        for at in (0..self.flat.units.len()).rev() {
            self.hand_down(at);
        }
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
        self.solvers.gains.clear();
        match unit.kind {
            FlatUnitKind::Table(leaf, _) => {
                let gains = &self.flat.gains[leaf.index()];
                self.solvers.gains.extend(gains);
            }
            _ => {
                let children = self.flat.children[unit.edges()].iter();
                let gains = children.map(|&child| self.entropies.of_units[child as usize]);
                self.solvers.gains.extend(gains);
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
        let lane = |lane: usize| pending[lane.min(pending.len() - 1)];
        // Lanes that are left over solve the last vector again; their solutions are not read.
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
        let pulls = std::array::from_fn(|at| lane(at).pull);
        let starts = std::array::from_fn(|at| self.warm[lane(at).param.index()]);
        let solutions = self.solvers.many.solve(pulls, starts);
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
        let Solvers {
            one,
            shares,
            gains,
            solution,
            ..
        } = &mut self.solvers;
        // What is asked of the solver: shares of the data, gains of entropy by each choice,
        // how hard entropy pulls, and where the last step ended.
        let pseudo = fit.pseudocount / vector.n_free as f64;
        let scale = 1.0 / (fit.mass() * vector.mass);
        shares.clear();
        shares.extend(
            vector
                .free_entries()
                .map(|entry| (self.counts[entry] + pseudo) * scale),
        );
        solution.clear();
        solution.extend(
            vector
                .free_entries()
                .map(|entry| values[entry].linear() / vector.mass),
        );
        match gains.is_empty() {
            true => gains.resize(vector.n_free, 0.0),
            false if !vector.free.is_empty() => {
                *gains = vector.free.iter().map(|&at| gains[at as usize]).collect();
            }
            false => {}
        }
        // The multiplier found now is where the next step begins.
        let found = one.solve(shares, gains, pull, self.warm[param.index()], solution);
        self.warm[param.index()] = found.start;
        for (entry, theta) in vector.free_entries().zip(solution) {
            self.theta[entry] = vector.mass * *theta;
            values[entry] = ParameterValue::Linear(vector.mass * *theta);
        }
    }
}
