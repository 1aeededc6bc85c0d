//! Learning where leaves or sums have another mass than 1.
//!
//! A circuit stands for its value over its mass, and that is what is to be likely. With
//! every unit divided by its own mass, a sum's weights become *shares*,
//!
//! ```text
//! share(n, c) = theta(n, c) * mass(c) / mass(n)
//! ```
//!
//! which add up to 1 whatever the masses are. Flows are the same for both, because
//! factors of units cancel in them, so that shares are what an M-step finds. From shares
//! the weights follow, children first: `theta(n, c)` is proportional to
//! `share(n, c) / mass(c)`.

use super::LearnError;
use super::flat_circuit::{FlatCircuit, FlatUnit, FlatUnitKind, params_of};
use pelton_compiler::circuit::{CircuitGraph, ParamId, ParameterValue};
use pelton_compiler::leaf::{log_density, log_sum_exp};

/// Logarithms of masses that differ by less are equal: numbers may be written with six
/// digits or come from `f32`.
const ROUNDING: f64 = 1e-6;

/// The masses of a circuit's units while its weights are learned.
#[derive(Debug)]
pub(super) struct MassBalance {
    /// Logarithms of the masses of leaves, by position in the flat circuit; 0 for other units.
    log_leaves: Vec<f64>,
    /// For each position in the flat circuit the vector whose weights follow from shares there.
    /// Of several sums with one vector it is the first: the others have terms of the same
    /// proportions.
    scaled: Vec<Option<ParamId>>,
}

impl MassBalance {
    /// The balance of a circuit; none if all learned weights are shares as they stand.
    ///
    /// Refuses circuits of which shares would not be free: sums with fixed weights above
    /// masses that vary, and vectors that several sums share for terms of other proportions.
    pub fn of(
        circuit: &CircuitGraph,
        flat: &FlatCircuit,
    ) -> Result<Option<MassBalance>, LearnError> {
        let mut balance = MassBalance {
            log_leaves: log_leaves(circuit, flat),
            scaled: vec![None; flat.units.len()],
        };
        let mut survey = MassSurvey {
            circuit,
            flat,
            start: circuit.start_values(),
            known: Vec::with_capacity(flat.units.len()),
            uses: vec![None; circuit.parameters().len()],
        };
        for (at, &unit) in flat.units.iter().enumerate() {
            let known = match unit.kind {
                FlatUnitKind::Table(leaf, _) | FlatUnitKind::Leaf(leaf) => {
                    // Entries of a vector that a leaf has are probabilities as they stand.
                    for &param in params_of(circuit, leaf) {
                        survey.use_vector(at, param, Vec::new())?;
                    }
                    Some(balance.log_leaves[at])
                }
                FlatUnitKind::Product => {
                    let children = flat.children[unit.edges()].iter();
                    children.map(|&child| survey.known[child as usize]).sum()
                }
                FlatUnitKind::Sum(_) => survey.sum(at, unit, &mut balance.scaled)?,
            };
            survey.known.push(known);
        }
        let is_needed = balance.scaled.iter().any(Option::is_some);
        Ok(is_needed.then_some(balance))
    }

    pub fn to_shares(&self, flat: &FlatCircuit, values: &mut [ParameterValue]) {
        let log_masses = self.log_masses(flat, values);
        let units = flat.units.iter().enumerate();
        for (at, &unit) in units.filter(|(at, _)| self.scaled[*at].is_some()) {
            for (child, entry) in edges(flat, unit) {
                let share = values[entry].log() + log_masses[child] - log_masses[at];
                values[entry] = ParameterValue::from_log(share);
            }
        }
    }

    /// Turns shares into weights, children first, because their masses are asked for.
    pub fn to_weights(&self, flat: &FlatCircuit, values: &mut [ParameterValue]) {
        let mut log_masses = self.log_leaves.clone();
        for (at, &unit) in flat.units.iter().enumerate() {
            // The children's masses are known by now, and with them the proportions of the
            // weights.
            if self.scaled[at].is_some() {
                let raw = |(child, entry): (usize, usize)| values[entry].log() - log_masses[child];
                let log_total = log_sum_exp(edges(flat, unit).map(raw));
                for (child, entry) in edges(flat, unit) {
                    let weight = values[entry].log() - log_masses[child] - log_total;
                    values[entry] = ParameterValue::from_log(weight);
                }
            }
            log_masses[at] = log_mass(flat, at, values, &log_masses);
        }
    }

    /// Masses of all units, which are found children first.
    fn log_masses(&self, flat: &FlatCircuit, values: &[ParameterValue]) -> Vec<f64> {
        let mut log_masses = self.log_leaves.clone();
        for at in 0..flat.units.len() {
            log_masses[at] = log_mass(flat, at, values, &log_masses);
        }
        log_masses
    }
}

/// The logarithm of a unit's mass by those of its children; a leaf keeps its own.
fn log_mass(flat: &FlatCircuit, at: usize, values: &[ParameterValue], log_masses: &[f64]) -> f64 {
    let unit = flat.units[at];
    let children = || flat.children[unit.edges()].iter();
    match unit.kind {
        FlatUnitKind::Table(..) | FlatUnitKind::Leaf(_) => log_masses[at],
        FlatUnitKind::Product => children().map(|&child| log_masses[child as usize]).sum(),
        FlatUnitKind::Sum(_) => {
            let term = |(child, entry): (usize, usize)| values[entry].log() + log_masses[child];
            log_sum_exp(edges(flat, unit).map(term))
        }
    }
}

/// The children of a sum, and the positions of their weights.
fn edges(flat: &FlatCircuit, sum: FlatUnit) -> impl Iterator<Item = (usize, usize)> + '_ {
    let children = flat.children[sum.edges()].iter();
    let entries = flat.entries[sum.edges()].iter();
    children
        .zip(entries)
        .map(|(&child, &entry)| (child as usize, entry as usize))
}

fn log_leaves(circuit: &CircuitGraph, flat: &FlatCircuit) -> Vec<f64> {
    let values = circuit.start_values();
    let log_mass = |unit| match circuit.leaf_of(unit) {
        Some(leaf) => log_density(circuit, &values, leaf, f64::NAN),
        None => 0.0,
    };
    flat.ids.iter().map(|&unit| log_mass(unit)).collect()
}

/// What is found out unit by unit, children first.
struct MassSurvey<'a> {
    circuit: &'a CircuitGraph,
    flat: &'a FlatCircuit,
    /// The values of fixed weights.
    start: Vec<ParameterValue>,
    /// The logarithm of each unit's mass, if it is the same whatever is learned.
    known: Vec<Option<f64>>,
    /// For each parameter that was met, logarithms of the masses of what its entries weigh,
    /// relative to that of the first; empty for terms of one mass and for values of a leaf.
    uses: Vec<Option<Vec<f64>>>,
}

impl MassSurvey<'_> {
    /// The mass of a sum, which is noted in `scaled` if its weights follow from shares.
    fn sum(
        &mut self,
        at: usize,
        unit: FlatUnit,
        scaled: &mut [Option<ParamId>],
    ) -> Result<Option<f64>, LearnError> {
        let flat = self.flat;
        // 1. Are the masses of all terms known whatever is learned, and is any weight learned?
        let known = edges(flat, unit).map(|(child, _)| self.known[child]);
        let log_masses: Option<Vec<f64>> = known.collect();
        let learns = edges(flat, unit).any(|(_, entry)| self.circuit.all_entries()[entry].learned);
        match (&log_masses, learns) {
            (Some(logs), false) => {
                let weights = edges(flat, unit).map(|(_, entry)| self.start[entry].log());
                let terms = weights.zip(logs).map(|(weight, log)| weight + log);
                return Ok(Some(log_sum_exp(terms)));
            }
            (None, false) if unit.edges().len() == 1 => return Ok(None),
            (None, false) => return Err(self.refused(at, FIXED_ABOVE)),
            _ => {}
        }
        // 2. Learned weights are shares only as a whole vector.
        let Some(vector) = self.vector(unit) else {
            return Err(self.refused(at, OF_SEVERAL));
        };
        // 3. Terms of one mass: the weights are shares as they stand.
        if let Some(logs) = &log_masses {
            let first = logs[0];
            let is_even = logs.iter().all(|log| (log - first).abs() <= ROUNDING);
            if is_even {
                self.use_vector(at, vector, Vec::new())?;
                return Ok(Some(first));
            }
            if logs.contains(&f64::NEG_INFINITY) {
                return Err(self.refused(at, WITHOUT_MASS));
            }
        }
        // 4. Terms of several masses: weights follow from shares, if all of them are free ...
        let mut entries = self.circuit.parameter(vector).entries();
        let all = self.circuit.all_entries();
        if !entries.all(|entry| all[entry].learned || self.is_void(entry)) {
            return Err(self.refused(at, PARTLY_FIXED));
        }
        // 5. ... and if whoever shares the vector has terms of the same proportions.
        let is_first = self.uses[vector.index()].is_none();
        match log_masses {
            Some(logs) => {
                self.use_vector(at, vector, self.by_entry(unit, vector, &logs))?;
            }
            // Proportions that are learned are nobody else's.
            None if self.is_shared(vector) => return Err(self.refused(at, SHARED)),
            None => {}
        }
        if is_first {
            scaled[at] = Some(vector);
        }
        Ok(None)
    }

    /// The vector of a sum, if each of its entries weighs one term; those that are zero for
    /// ever may weigh none.
    fn vector(&self, unit: FlatUnit) -> Option<ParamId> {
        let mut positions: Vec<usize> = edges(self.flat, unit).map(|(_, entry)| entry).collect();
        let param = ParamId::new(self.flat.param_of[positions[0]] as usize);
        positions.sort_unstable();
        let is_free = |&entry: &usize| !self.is_void(entry);
        positions.retain(is_free);
        let own = self.circuit.parameter(param).entries().filter(is_free);
        positions.into_iter().eq(own).then_some(param)
    }

    /// Whether an entry is zero for ever.
    fn is_void(&self, entry: usize) -> bool {
        let fixed = self.circuit.all_entries()[entry].fixed_value();
        fixed.is_some_and(ParameterValue::is_zero)
    }

    /// Whether several units have a vector.
    fn is_shared(&self, param: ParamId) -> bool {
        let vector = self.flat.vectors[param.index()].as_ref();
        vector.is_none_or(|vector| vector.n_uses > 1)
    }

    /// Logarithms of masses in the order of the vector, relative to that of its first entry
    /// with a term; 0 for entries without.
    fn by_entry(&self, unit: FlatUnit, param: ParamId, logs: &[f64]) -> Vec<f64> {
        let own = self.circuit.parameter(param).entries();
        let placed = || edges(self.flat, unit).zip(logs);
        let first = placed().min_by_key(|((_, entry), _)| *entry);
        let base = first.map_or(0.0, |(_, log)| *log);
        let mut ordered = vec![0.0; own.len()];
        for ((_, entry), log) in placed() {
            ordered[entry - own.start] = log - base;
        }
        ordered
    }

    fn use_vector(
        &mut self,
        at: usize,
        param: ParamId,
        use_here: Vec<f64>,
    ) -> Result<(), LearnError> {
        if let Some(before) = &self.uses[param.index()] {
            let mut pairs = before.iter().zip(&use_here);
            let is_like = pairs.all(|(a, b)| (a - b).abs() <= ROUNDING);
            if before.len() != use_here.len() || !is_like {
                return Err(self.refused(at, SHARED));
            }
        }
        self.uses[param.index()] = Some(use_here);
        Ok(())
    }

    fn refused(&self, at: usize, reason: &str) -> LearnError {
        let reason = reason.replace("SUM", &self.circuit.describe(self.flat.ids[at]));
        LearnError::Circuit(format!(
            "the most likely weights of a circuit whose mass is not 1 cannot be found here: \
             {reason}; write distributions of mass 1, such as `x ~ uniform(0, 10)` in place of \
             `[0 <= x < 10]`, as the warnings show"
        ))
    }
}

// Why shares of a sum would not be free.
const FIXED_ABOVE: &str = "SUM has fixed weights, and the masses of its terms depend on what is \
                           learned below";
const PARTLY_FIXED: &str = "SUM has fixed weights beside learned ones, and its terms have \
                            different masses";
const OF_SEVERAL: &str = "the learned weights of SUM are no whole vector of one parameter, so that \
                          they need not add up to 1";
const WITHOUT_MASS: &str = "a term of SUM has no mass";
const SHARED: &str = "the learned weights of SUM are used elsewhere too, for terms of other masses";
