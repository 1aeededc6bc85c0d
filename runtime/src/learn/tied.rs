//! Entropy regularization of vectors that no unit has to itself: shared ones, and
//! those whose entries weigh a sum's edges in another order.
//!
//! Uses of one vector depend on each other, so that solving it is no exact ascent:
//! the step is halved until the objective does not fall.

use super::flat_circuit::FlatUnitKind;
use super::mstep::{MStep, MStepTarget};
use pelton_compiler::circuit::{ParamId, ParameterValue};

/// What rounding may take from the objective, as a part of it.
const ROUNDING: f64 = 1e-14;

/// A step this many times halved is none.
const MOST_HALVINGS: usize = 30;

impl MStep<'_> {
    /// Solves all such vectors at once.
    pub(super) fn solve_tied(&mut self, fit: &MStepTarget, values: &mut [ParameterValue]) {
        // 1. What the step must not lower, and how often units are reached by now.
        let before: Vec<ParameterValue> = values.to_vec();
        let objective = self.objective_of_counts(fit, values);
        self.set_reach();
        // 2. Each vector as if its uses were one unit, which gains what they gain on average.
        let (pulls, gains) = self.shared_terms();
        let tied = self.flat.used_vectors().filter(|(_, own)| !own.is_own);
        let tied = tied.map(|(param, _)| param);
        let tied = tied.filter(|&param| self.is_counted(param, fit.tau));
        let tied: Vec<ParamId> = tied.collect();
        for param in tied {
            let entries = self.circuit.parameter(param).entries();
            let pull = pulls[param.index()];
            let mean = |entry: usize| if pull > 0.0 { gains[entry] / pull } else { 0.0 };
            self.solvers.gains.clear();
            self.solvers.gains.extend(entries.map(mean));
            self.solve(fit, param, fit.tau * pull, values);
        }
        // 3. Uses depend on each other, so the step may have been too long.
        self.back_off(fit, &before, objective, values);
    }

    /// For each parameter how often its units are reached, and for each entry what
    /// it gains by what it chooses there, both added up over uses.
    pub(super) fn shared_terms(&self) -> (Vec<f64>, Vec<f64>) {
        let mut pulls = vec![0.0; self.circuit.parameters().len()];
        let mut gains = vec![0.0; self.counts.len()];
        for (unit, &reach) in self.flat.units.iter().zip(&self.reach) {
            match unit.kind {
                FlatUnitKind::Table(leaf, param) => {
                    pulls[param.index()] += reach;
                    let own = &mut gains[self.circuit.parameter(param).entries()];
                    for (sum, gain) in own.iter_mut().zip(&self.flat.gains[leaf.index()]) {
                        *sum += reach * gain;
                    }
                }
                FlatUnitKind::Sum(_) => {
                    let edges = self.flat.children[unit.edges()].iter();
                    let entries = &self.flat.entries[unit.edges()];
                    pulls[self.flat.param_of[entries[0] as usize] as usize] += reach;
                    for (&child, &entry) in edges.zip(entries) {
                        gains[entry as usize] += reach * self.entropies.of_units[child as usize];
                    }
                }
                FlatUnitKind::Leaf(_) | FlatUnitKind::Product => {}
            }
        }
        (pulls, gains)
    }

    /// Halves the step from `before` until the objective is not below `objective`.
    fn back_off(
        &mut self,
        fit: &MStepTarget,
        before: &[ParameterValue],
        objective: f64,
        values: &mut [ParameterValue],
    ) {
        let least = objective - ROUNDING * objective.abs();
        for _ in 0..MOST_HALVINGS {
            if self.objective_of_counts(fit, values) >= least {
                return;
            }
            for (value, before) in values.iter_mut().zip(before) {
                if *value != *before {
                    *value = ParameterValue::Linear(0.5 * (value.linear() + before.linear()));
                }
            }
        }
        values.copy_from_slice(before);
    }
}
