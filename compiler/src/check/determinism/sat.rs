//! Fifth rung: the SAT solver.
//!
//! One literal a unit, true only if the unit is positive: a product needs its
//! factors, a sum one of its children, a leaf an atom of its set. The other
//! direction is not needed, since only units that are assumed or needed become
//! true. Atoms use the order encoding: literal `i` of a variable says that its
//! atom is number `i` or a later one, so intervals cost two clauses and exactly
//! one atom is chosen by construction. The encoding asks nothing of scopes and
//! is right for circuits that are neither smooth nor decomposable.

use super::implied::Supports;
use super::point::AtomAssignment;
use crate::circuit::{LeafId, UnitId, UnitKind, VarId};
use batsat::{Callbacks, ClauseKind, Lit, Solver, SolverInterface, SolverOpts, lbool};
use pelton_grammar::diagnostic::thousands;
use rustc_hash::FxHashMap;

pub(super) enum DisjointnessResult {
    /// No input makes both units positive.
    Disjoint,
    /// One that does.
    Overlap(AtomAssignment),
    /// The limit that was reached.
    GaveUp(String),
}

/// One incremental solver for all questions about a circuit.
pub(super) struct SatRung<'a> {
    supports: &'a Supports<'a>,
    solver: Solver<ConflictBudget>,
    units: FxHashMap<UnitId, Lit>,
    /// For each variable the literals "atom 1 or later", "atom 2 or later", …
    orders: FxHashMap<VarId, Vec<Lit>>,
    n_clauses: u64,
    max_clauses: u64,
}

/// Stops the solver after so many learnt clauses: one for each conflict, so
/// that the answer does not depend on how fast the machine is.
struct ConflictBudget {
    conflicts: u64,
    max_conflicts: u64,
}

impl Callbacks for ConflictBudget {
    fn on_new_clause(&mut self, _clause: &[Lit], kind: ClauseKind) {
        self.conflicts += u64::from(matches!(kind, ClauseKind::Learnt));
    }

    fn stop(&self) -> bool {
        self.conflicts >= self.max_conflicts
    }
}

impl<'a> SatRung<'a> {
    /// A solver that knows nothing yet; both limits hold for all questions together.
    pub(super) fn new(supports: &'a Supports<'a>, max_clauses: u64, max_conflicts: u64) -> Self {
        let budget = ConflictBudget {
            conflicts: 0,
            max_conflicts,
        };
        SatRung {
            supports,
            solver: Solver::new(SolverOpts::default(), budget),
            units: FxHashMap::default(),
            orders: FxHashMap::default(),
            n_clauses: 0,
            max_clauses,
        }
    }

    pub(super) fn decide(&mut self, a: UnitId, b: UnitId) -> DisjointnessResult {
        let (Some(first), Some(second)) = (self.encode(a), self.encode(b)) else {
            return gave_up(self.max_clauses, "clauses");
        };
        // Both units are assumed to be positive. What was learnt from earlier questions is kept,
        // since the clauses say what is so whatever is assumed.
        let answer = self.solver.solve_limited(&[first, second]);
        if answer == lbool::TRUE {
            return DisjointnessResult::Overlap(self.point());
        }
        if answer == lbool::FALSE {
            DisjointnessResult::Disjoint
        } else {
            gave_up(self.solver.cb().max_conflicts, "conflicts")
        }
    }

    fn point(&self) -> AtomAssignment {
        let mut point = AtomAssignment::new(self.supports);
        for (&variable, order) in &self.orders {
            // The last literal that is true says which atom it is, since all before it are
            // true, too.
            let atom = order
                .iter()
                .take_while(|&&lit| self.solver.value_lit(lit) == lbool::TRUE)
                .count();
            point.choose(variable, atom as u32);
        }
        point
    }

    /// The literal of a unit, with clauses for all below it; `None` beyond the limit.
    fn encode(&mut self, unit: UnitId) -> Option<Lit> {
        let mut rest = if self.units.contains_key(&unit) {
            Vec::new()
        } else {
            vec![unit]
        };
        let literal = self.literal(unit);
        while let Some(unit) = rest.pop() {
            let own = self.units[&unit];
            if let UnitKind::Input(leaf) = self.supports.circuit.kind(unit) {
                self.encode_leaf(leaf, own);
                continue;
            }
            let mut children = Vec::new();
            for child in self.supports.children(unit) {
                if !self.units.contains_key(&child) {
                    rest.push(child);
                }
                children.push(self.literal(child));
            }
            self.encode_inner(self.supports.circuit.kind(unit), own, children);
            // What is below stays without clauses, so no later question may be asked.
            if self.n_clauses > self.max_clauses {
                return None;
            }
        }
        (self.n_clauses <= self.max_clauses).then_some(literal)
    }

    fn encode_inner(&mut self, kind: UnitKind, own: Lit, mut children: Vec<Lit>) {
        match kind {
            UnitKind::Product => {
                for child in children {
                    self.clause(vec![!own, child]);
                }
            }
            _ => {
                children.push(!own);
                self.clause(children);
            }
        }
    }

    fn encode_leaf(&mut self, leaf: LeafId, own: Lit) {
        let variable = self.supports.circuit.leaf(leaf).variable;
        let n_atoms = self.supports.atoms.count(variable);
        self.order(variable, n_atoms);
        let runs = self
            .supports
            .atoms
            .runs(self.supports.atoms.of_leaf(leaf))
            .to_vec();
        // A support of one run is said by its two ends. Of several runs one is chosen, by a
        // literal for each.
        if let [run] = runs[..] {
            return self.encode_run(variable, n_atoms, run, own);
        }
        let mut choice = vec![!own];
        for run in runs {
            let chosen = Lit::new(self.solver.new_var_default(), true);
            self.encode_run(variable, n_atoms, run, chosen);
            choice.push(chosen);
        }
        self.clause(choice);
    }

    /// `chosen` puts the variable's atom into the run.
    fn encode_run(&mut self, variable: VarId, n_atoms: u32, (low, high): (u32, u32), chosen: Lit) {
        let order = &self.orders[&variable];
        // Ends at the border of the domain need no clause: every atom is within.
        let from = (low > 0).then(|| order[low as usize - 1]);
        let behind = (high < n_atoms).then(|| order[high as usize - 1]);
        if let Some(from) = from {
            self.clause(vec![!chosen, from]);
        }
        if let Some(behind) = behind {
            self.clause(vec![!chosen, !behind]);
        }
    }

    fn order(&mut self, variable: VarId, n_atoms: u32) {
        if self.orders.contains_key(&variable) {
            return;
        }
        // Literal `i` says "atom i or later", so that each literal implies the one before it.
        let order: Vec<Lit> = (1..n_atoms)
            .map(|_| Lit::new(self.solver.new_var_default(), true))
            .collect();
        for pair in order.windows(2) {
            self.clause(vec![!pair[1], pair[0]]);
        }
        self.orders.insert(variable, order);
    }

    fn literal(&mut self, unit: UnitId) -> Lit {
        let solver = &mut self.solver;
        let new = || Lit::new(solver.new_var_default(), true);
        *self.units.entry(unit).or_insert_with(new)
    }

    fn clause(&mut self, mut literals: Vec<Lit>) {
        self.n_clauses += 1;
        // Setting every unit to false satisfies all clauses: there is no conflict here.
        self.solver.add_clause_reuse(&mut literals);
    }
}

fn gave_up(budget: u64, what: &str) -> DisjointnessResult {
    let budget = thousands(usize::try_from(budget).unwrap_or(usize::MAX));
    DisjointnessResult::GaveUp(format!("a budget of {budget} {what}"))
}
