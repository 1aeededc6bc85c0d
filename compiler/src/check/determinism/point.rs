//! Points of the input space, and whether a unit is positive at one.

use super::implied::Supports;
use crate::circuit::{UnitId, UnitKind, VarId};

/// No atom was chosen; any will do.
const FREE: u32 = u32::MAX;

/// An atom for each variable that matters.
#[derive(Clone, Debug)]
pub(super) struct AtomAssignment {
    atoms: Vec<u32>,
}

impl AtomAssignment {
    pub(super) fn new(supports: &Supports) -> Self {
        let atoms = vec![FREE; supports.circuit.variables().len()];
        AtomAssignment { atoms }
    }

    pub(super) fn clear(&mut self) {
        self.atoms.fill(FREE);
    }

    pub(super) fn get(&self, variable: VarId) -> Option<u32> {
        Some(self.atoms[variable.index()]).filter(|&atom| atom != FREE)
    }

    /// Chooses an atom unless one was chosen before.
    pub(super) fn choose(&mut self, variable: VarId, atom: u32) {
        let place = &mut self.atoms[variable.index()];
        if *place == FREE {
            *place = atom;
        }
    }

    /// Makes one unit positive by the first way there is, which is free to
    /// choose if the unit shares no variable with what was chosen before.
    pub(super) fn satisfy(&mut self, supports: &Supports, unit: UnitId) {
        let mut rest = vec![unit];
        while let Some(unit) = rest.pop() {
            match supports.circuit.kind(unit) {
                UnitKind::Input(leaf) => {
                    let set = supports.atoms.of_leaf(leaf);
                    let variable = supports.circuit.leaf(leaf).variable;
                    if let Some(&(atom, _)) = supports.atoms.runs(set).first() {
                        self.choose(variable, atom);
                    }
                }
                UnitKind::Product => rest.extend(supports.children(unit)),
                UnitKind::Sum => rest.extend(supports.children(unit).next()),
            }
        }
    }

    /// The point as an input: a value for each variable that `a` or `b`
    /// mentions, NaN for the others.
    pub(super) fn assignment(&self, supports: &Supports, a: UnitId, b: UnitId) -> Vec<f64> {
        let mut values = vec![f64::NAN; self.atoms.len()];
        // Atoms stand for all of their values; one that reads well is written down.
        for unit in [a, b] {
            for variable in supports.scopes.of(unit).iter() {
                let atom = self.get(variable).unwrap_or(0);
                values[variable.index()] = supports.atoms.example(supports.circuit, variable, atom);
            }
        }
        values
    }
}

/// Evaluates supports at points, visiting only the units that decide.
pub(super) struct SupportEvaluator<'a> {
    supports: &'a Supports<'a>,
    known: Vec<u32>,
    round: u32,
    steps: u64,
    steps_left: u64,
}

impl<'a> SupportEvaluator<'a> {
    pub(super) fn new(supports: &'a Supports<'a>) -> Self {
        SupportEvaluator {
            supports,
            known: vec![0; supports.circuit.n_units()],
            round: 0,
            steps: 0,
            steps_left: 0,
        }
    }

    /// Starts with another point and a new budget of visits.
    pub(super) fn start(&mut self, steps: u64) {
        // A unit's entry is the number of the round, plus 1 if it is positive: what earlier
        // rounds left behind is smaller, so that nothing needs to be cleared.
        self.round += 2;
        self.steps = steps;
        self.steps_left = steps;
        if self.round >= u32::MAX - 2 {
            self.known.fill(0);
            self.round = 2;
        }
    }

    /// Visits since the start.
    pub(super) fn steps_taken(&self) -> u64 {
        self.steps - self.steps_left
    }

    /// Whether `unit` is positive at `point`; `None` if the budget ran out.
    pub(super) fn is_positive(&mut self, point: &AtomAssignment, unit: UnitId) -> Option<bool> {
        let mut stack = vec![unit];
        while let Some(&top) = stack.last() {
            self.steps_left = self.steps_left.checked_sub(1)?;
            match self.visit(point, top) {
                VisitOutcome::Known(value) => {
                    self.known[top.index()] = self.round + u32::from(value);
                    stack.pop();
                }
                VisitOutcome::Needs(child) => stack.push(child),
            }
        }
        self.value(unit)
    }

    fn value(&self, unit: UnitId) -> Option<bool> {
        let known = self.known[unit.index()];
        (known >= self.round).then_some(known > self.round)
    }

    fn visit(&mut self, point: &AtomAssignment, unit: UnitId) -> VisitOutcome {
        use VisitOutcome::{Known, Needs};
        let decisive = match self.supports.circuit.kind(unit) {
            UnitKind::Input(leaf) => {
                let atom = point.get(self.supports.circuit.leaf(leaf).variable);
                let set = self.supports.atoms.of_leaf(leaf);
                return Known(atom.is_none_or(|atom| self.supports.atoms.contains(set, atom)));
            }
            UnitKind::Product => false,
            UnitKind::Sum => true,
        };
        if !self.supports.is_live(unit) {
            return Known(false);
        }
        for child in self.supports.children(unit) {
            self.steps_left = self.steps_left.saturating_sub(1);
            match self.value(child) {
                None => return Needs(child),
                Some(value) if value == decisive => return Known(decisive),
                Some(_) => {}
            }
        }
        Known(!decisive)
    }
}

enum VisitOutcome {
    Known(bool),
    Needs(UnitId),
}
