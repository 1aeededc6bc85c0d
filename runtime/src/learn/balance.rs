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
use super::ledger::{Ledger, LedgerKind, LedgerUnit, params_of};
use pelton_compiler::circuit::{Circuit, LeafId, ParamId, Value};
use pelton_compiler::leaf::{log_density, log_sum_exp};

/// Logarithms of masses that differ by less are equal: numbers may be written with six
/// digits or come from `f32`.
const ROUNDING: f64 = 1e-6;

/// What is known of a unit's mass before anything is learned.
#[derive(Clone, Copy, Debug, PartialEq)]
enum KnownMass {
    /// Its logarithm, whatever is learned.
    Fixed(f64),
    /// It depends on learned weights.
    Varies,
}

/// The masses of a circuit's units while its weights are learned.
#[derive(Debug)]
pub(super) struct MassBalance {
    /// Logarithms of the masses of leaves, by position in the ledger; 0 for other units.
    log_leaves: Vec<f64>,
    /// For each position in the ledger the vector whose weights follow from shares there.
    /// Of several sums with one vector it is the first: the others have terms of the same
    /// proportions.
    scaled: Vec<Option<ParamId>>,
}

impl MassBalance {
    /// The balance of a circuit; none if all learned weights are shares as they stand.
    ///
    /// Refuses circuits of which shares would not be free: sums with fixed weights above
    /// masses that vary, and vectors that several sums share for terms of other proportions.
    pub fn of(circuit: &Circuit, ledger: &Ledger) -> Result<Option<MassBalance>, LearnError> {
        let mut balance = MassBalance {
            log_leaves: log_leaves(circuit, ledger),
            scaled: vec![None; ledger.units.len()],
        };
        let mut survey = MassSurvey {
            circuit,
            ledger,
            known: Vec::with_capacity(ledger.units.len()),
            uses: vec![None; circuit.parameters().len()],
        };
        for (at, &unit) in ledger.units.iter().enumerate() {
            let known = match unit.kind {
                LedgerKind::Table(leaf, _) | LedgerKind::Leaf(leaf) => {
                    survey.note_leaf(at, leaf)?;
                    KnownMass::Fixed(balance.log_leaves[at])
                }
                LedgerKind::Product => survey.product(unit),
                LedgerKind::Sum(_) => survey.sum(at, unit, &mut balance.scaled)?,
            };
            survey.known.push(known);
        }
        let is_needed = balance.scaled.iter().any(Option::is_some);
        Ok(is_needed.then_some(balance))
    }

    /// Turns weights into shares.
    pub fn to_shares(&self, ledger: &Ledger, values: &mut [Value]) {
        let log_masses = self.log_masses(ledger, values);
        for (at, unit) in self.scaled_sums(ledger) {
            for (child, entry) in edges(ledger, unit) {
                let share = values[entry].log() + log_masses[child] - log_masses[at];
                values[entry] = Value::from_log(share);
            }
        }
    }

    /// Turns shares into weights, children first, because their masses are asked for.
    pub fn to_weights(&self, ledger: &Ledger, values: &mut [Value]) {
        let mut log_masses = self.log_leaves.clone();
        for (at, &unit) in ledger.units.iter().enumerate() {
            if self.scaled[at].is_some() {
                let raw = |(child, entry): (usize, usize)| values[entry].log() - log_masses[child];
                let log_total = log_sum_exp(edges(ledger, unit).map(raw));
                for (child, entry) in edges(ledger, unit) {
                    let weight = values[entry].log() - log_masses[child] - log_total;
                    values[entry] = Value::from_log(weight);
                }
            }
            log_masses[at] = log_mass(ledger, at, values, &log_masses);
        }
    }

    fn scaled_sums<'l>(
        &'l self,
        ledger: &'l Ledger,
    ) -> impl Iterator<Item = (usize, LedgerUnit)> + 'l {
        let units = ledger.units.iter().copied().enumerate();
        units.filter(|(at, _)| self.scaled[*at].is_some())
    }

    fn log_masses(&self, ledger: &Ledger, values: &[Value]) -> Vec<f64> {
        let mut log_masses = self.log_leaves.clone();
        for at in 0..ledger.units.len() {
            log_masses[at] = log_mass(ledger, at, values, &log_masses);
        }
        log_masses
    }
}

/// The logarithm of a unit's mass by those of its children; a leaf keeps its own.
fn log_mass(ledger: &Ledger, at: usize, values: &[Value], log_masses: &[f64]) -> f64 {
    let unit = ledger.units[at];
    let children = || ledger.children[unit.edges()].iter();
    match unit.kind {
        LedgerKind::Table(..) | LedgerKind::Leaf(_) => log_masses[at],
        LedgerKind::Product => children().map(|&child| log_masses[child as usize]).sum(),
        LedgerKind::Sum(_) => {
            let term = |(child, entry): (usize, usize)| values[entry].log() + log_masses[child];
            log_sum_exp(edges(ledger, unit).map(term))
        }
    }
}

/// The children of a sum, and the positions of their weights.
fn edges(ledger: &Ledger, sum: LedgerUnit) -> impl Iterator<Item = (usize, usize)> + '_ {
    let children = ledger.children[sum.edges()].iter();
    let entries = ledger.entries[sum.edges()].iter();
    children
        .zip(entries)
        .map(|(&child, &entry)| (child as usize, entry as usize))
}

fn log_leaves(circuit: &Circuit, ledger: &Ledger) -> Vec<f64> {
    let values = circuit.start_values();
    let log_mass = |unit| match circuit.leaf_of(unit) {
        Some(leaf) => log_density(circuit, &values, leaf, f64::NAN),
        None => 0.0,
    };
    ledger.ids.iter().map(|&unit| log_mass(unit)).collect()
}

/// What is found out unit by unit, children first.
struct MassSurvey<'a> {
    circuit: &'a Circuit,
    ledger: &'a Ledger,
    /// By position in the ledger.
    known: Vec<KnownMass>,
    /// For each vector the proportions of what its entries weigh, by entry: logarithms
    /// relative to the first.
    uses: Vec<Option<Vec<f64>>>,
}

impl MassSurvey<'_> {
    /// Entries of a vector that a leaf has are probabilities as they stand.
    fn note_leaf(&mut self, at: usize, leaf: LeafId) -> Result<(), LearnError> {
        for &param in params_of(self.circuit, leaf) {
            self.use_evenly(at, param)?;
        }
        Ok(())
    }

    fn product(&self, unit: LedgerUnit) -> KnownMass {
        let children = self.ledger.children[unit.edges()].iter();
        children.fold(KnownMass::Fixed(0.0), |mass, &child| {
            match (mass, self.known[child as usize]) {
                (KnownMass::Fixed(a), KnownMass::Fixed(b)) => KnownMass::Fixed(a + b),
                _ => KnownMass::Varies,
            }
        })
    }

    /// What becomes of a sum, which is noted in `scaled` if its weights follow from shares.
    fn sum(
        &mut self,
        at: usize,
        unit: LedgerUnit,
        scaled: &mut [Option<ParamId>],
    ) -> Result<KnownMass, LearnError> {
        let ledger = self.ledger;
        let log_masses: Option<Vec<f64>> = edges(ledger, unit)
            .map(|(child, _)| match self.known[child] {
                KnownMass::Fixed(log) => Some(log),
                KnownMass::Varies => None,
            })
            .collect();
        let learns =
            edges(ledger, unit).any(|(_, entry)| self.circuit.all_entries()[entry].learned);
        match (&log_masses, learns) {
            (Some(logs), false) => {
                let values = self.circuit.start_values();
                let weights = edges(ledger, unit).map(|(_, entry)| values[entry].log());
                let terms = weights.zip(logs).map(|(weight, log)| weight + log);
                return Ok(KnownMass::Fixed(log_sum_exp(terms)));
            }
            (None, false) if unit.edges().len() == 1 => return Ok(KnownMass::Varies),
            (None, false) => return Err(self.fixed_above(at)),
            _ => {}
        }
        let Some(vector) = self.vector(unit) else {
            return Err(self.of_several(at));
        };
        if let Some(logs) = &log_masses {
            let first = logs[0];
            let is_even = logs.iter().all(|log| (log - first).abs() <= ROUNDING);
            if is_even {
                self.use_evenly(at, vector)?;
                return Ok(KnownMass::Fixed(first));
            }
            if logs.contains(&f64::NEG_INFINITY) {
                return Err(self.without_share(at));
            }
        }
        let entries = &self.circuit.entries(vector);
        if !entries.iter().all(|entry| entry.learned) {
            return Err(self.partly_fixed(at));
        }
        let is_first = self.uses[vector.index()].is_none();
        match log_masses {
            Some(logs) => self.use_vector(at, vector, self.by_entry(unit, vector, &logs))?,
            // Proportions that are learned are nobody else's.
            None if self.is_shared(vector) => return Err(shared(&self.describe(at))),
            None => {}
        }
        if is_first {
            scaled[at] = Some(vector);
        }
        Ok(KnownMass::Varies)
    }

    /// The vector of a sum, if each of its entries weighs one term.
    fn vector(&self, unit: LedgerUnit) -> Option<ParamId> {
        let mut positions: Vec<usize> = edges(self.ledger, unit).map(|(_, entry)| entry).collect();
        let param = ParamId::new(self.ledger.param_of[positions[0]] as usize);
        let own = self.circuit.parameter(param).entries();
        positions.sort_unstable();
        positions.into_iter().eq(own).then_some(param)
    }

    /// Whether several units have a vector.
    fn is_shared(&self, param: ParamId) -> bool {
        let vector = self.ledger.vectors[param.index()].as_ref();
        vector.is_none_or(|vector| vector.n_uses > 1)
    }

    /// Logarithms of masses in the order of the vector, relative to its first entry's.
    fn by_entry(&self, unit: LedgerUnit, param: ParamId, logs: &[f64]) -> Vec<f64> {
        let first = self.circuit.parameter(param).entries().start;
        let mut ordered = vec![0.0; logs.len()];
        for ((_, entry), log) in edges(self.ledger, unit).zip(logs) {
            ordered[entry - first] = *log;
        }
        let base = ordered[0];
        ordered.iter().map(|log| log - base).collect()
    }

    fn use_vector(&mut self, at: usize, param: ParamId, logs: Vec<f64>) -> Result<(), LearnError> {
        match &self.uses[param.index()] {
            Some(before) if !is_same(before, &logs) => Err(shared(&self.describe(at))),
            _ => {
                self.uses[param.index()] = Some(logs);
                Ok(())
            }
        }
    }

    /// Notes that the entries of a vector weigh the same.
    fn use_evenly(&mut self, at: usize, param: ParamId) -> Result<(), LearnError> {
        let is_even = |logs: &Vec<f64>| logs.iter().all(|log| *log == 0.0);
        match self.uses[param.index()].as_ref().is_some_and(is_even) {
            true => Ok(()),
            false => self.use_vector(at, param, vec![0.0; self.circuit.parameter(param).len()]),
        }
    }

    fn describe(&self, at: usize) -> String {
        self.circuit.describe(self.ledger.ids[at])
    }

    fn fixed_above(&self, at: usize) -> LearnError {
        refused(&format!(
            "{} has fixed weights, and the masses of its terms depend on what is learned below",
            self.describe(at)
        ))
    }

    fn partly_fixed(&self, at: usize) -> LearnError {
        refused(&format!(
            "{} has fixed weights beside learned ones, and its terms have different masses",
            self.describe(at)
        ))
    }

    fn of_several(&self, at: usize) -> LearnError {
        refused(&format!(
            "the learned weights of {} are no whole vector of one parameter, so that they need \
             not add up to 1",
            self.describe(at)
        ))
    }

    fn without_share(&self, at: usize) -> LearnError {
        refused(&format!("a term of {} has no mass", self.describe(at)))
    }
}

/// Whether two uses of a vector weigh terms of the same proportions.
fn is_same(a: &[f64], b: &[f64]) -> bool {
    let mut pairs = a.iter().zip(b);
    a.len() == b.len() && pairs.all(|(a, b)| (a - b).abs() <= ROUNDING)
}

fn shared(whose: &str) -> LearnError {
    refused(&format!(
        "the learned weights of {whose} are used elsewhere too, for terms of other masses"
    ))
}

fn refused(reason: &str) -> LearnError {
    LearnError::Circuit(format!(
        "the most likely weights of a circuit whose mass is not 1 cannot be found here: {reason}; \
         write distributions of mass 1, such as `x ~ uniform(0, 10)` in place of \
         `[0 <= x < 10]`, as the warnings show"
    ))
}
