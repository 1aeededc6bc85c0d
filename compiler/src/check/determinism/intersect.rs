//! Third rung: do two supports meet?
//!
//! A goal is a pair of *sides*, each a product of units without common
//! variables; the question is whether one input makes both sides positive.
//! Two leaves meet if their sets do, a sum meets a side if *any* of its children
//! does, two products meet if *all* groups of factors that are connected by
//! common variables do. Goals are remembered, so circuits that follow one vtree
//! take polynomial time. Where several factors of one side are tied up with
//! several of the other the goal stays open, and the SAT solver has to decide.

use super::components::{ComponentFinder, FactorComponent};
use super::implied::Supports;
use super::point::AtomAssignment;
use crate::circuit::{UnitId, UnitKind};
use indexmap::{IndexMap, IndexSet};
use rustc_hash::FxBuildHasher;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum IntersectionAnswer {
    /// Never.
    No,
    /// At some input.
    Yes,
    /// This rung cannot tell.
    Open,
}

use GoalExpansion::{All, Any, Known};
use IntersectionAnswer::{No, Open, Yes};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct GoalId(u32);

/// One side of a goal: a unit, or a group of several.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct GoalOperand(u32);

enum GoalExpansion {
    Known(IntersectionAnswer),
    Any(Vec<GoalId>),
    All(Vec<GoalId>),
}

pub(super) struct IntersectionGoals<'a> {
    supports: &'a Supports<'a>,
    n_units: u32,
    groups: IndexSet<Box<[UnitId]>, FxBuildHasher>,
    goals: IndexMap<(GoalOperand, GoalOperand), Option<IntersectionAnswer>, FxBuildHasher>,
    components: ComponentFinder<'a>,
    steps_left: u64,
}

struct GoalFrame {
    goal: GoalId,
    parts: Vec<GoalId>,
    any: bool,
    next: usize,
    open: bool,
}

impl<'a> IntersectionGoals<'a> {
    /// None yet; gives up after `steps` goals and parts of goals.
    pub(super) fn new(supports: &'a Supports<'a>, steps: u64) -> Self {
        IntersectionGoals {
            supports,
            n_units: supports.circuit.n_units() as u32,
            groups: IndexSet::default(),
            goals: IndexMap::default(),
            components: ComponentFinder::new(supports),
            steps_left: steps,
        }
    }

    pub(super) fn decide(&mut self, a: UnitId, b: UnitId) -> IntersectionAnswer {
        if !self.supports.is_decomposable(a) || !self.supports.is_decomposable(b) {
            return Open;
        }
        let goal = self.goal(self.unit_side(a), self.unit_side(b));
        self.solve(goal)
    }

    /// A point at which both units are positive, once `decide` has said yes.
    pub(super) fn witness(&mut self, a: UnitId, b: UnitId) -> AtomAssignment {
        let mut point = AtomAssignment::new(self.supports);
        let mut rest = vec![self.goal(self.unit_side(a), self.unit_side(b))];
        let mut free = Vec::new();
        while let Some(goal) = rest.pop() {
            match self.expand(goal, &mut free) {
                Known(_) => self.meet_leaves(goal, &mut point),
                All(parts) => rest.extend(parts),
                Any(parts) => {
                    let yes = |part: &&GoalId| self.answer(**part) == Some(Yes);
                    rest.extend(parts.iter().find(yes));
                }
            }
        }
        for unit in free {
            point.satisfy(self.supports, unit);
        }
        point
    }

    fn meet_leaves(&self, goal: GoalId, point: &mut AtomAssignment) {
        let (a, b) = self.sides(goal);
        let leaf = |side: GoalOperand| match self.supports.circuit.kind(self.single(side)?) {
            UnitKind::Input(leaf) => Some(leaf),
            _ => None,
        };
        if let (Some(a), Some(b)) = (leaf(a), leaf(b)) {
            let (s, t) = (
                self.supports.atoms.of_leaf(a),
                self.supports.atoms.of_leaf(b),
            );
            if let Some(atom) = self.supports.atoms.first_common(s, t) {
                point.choose(self.supports.circuit.leaf(a).variable, atom);
            }
        }
    }

    fn solve(&mut self, goal: GoalId) -> IntersectionAnswer {
        // Depth first over goals. `last` is the answer that has just become known: of the goal at
        // the top's next part, or of the top itself once it is decided.
        let mut stack = Vec::new();
        let mut last = self.enter(goal, &mut stack);
        while let Some(frame) = stack.last_mut() {
            if let Some(answer) = last.take() {
                frame.open |= answer == Open;
                frame.next += 1;
                // A yes decides "any", a no decides "all". The parts are cut off behind the one that
                // decided, and nothing stays open.
                if (answer == Yes) == frame.any && answer != Open {
                    frame.parts.truncate(frame.next);
                    frame.open = false;
                    last = Some(answer);
                }
            }
            // Otherwise the goal is decided when all of its parts have been seen.
            let done = last.is_some() || frame.next == frame.parts.len();
            if done {
                let answer = last.unwrap_or(frame.exhausted());
                let goal = frame.goal;
                stack.pop();
                self.goals[goal.0 as usize] = Some(answer);
                last = Some(answer);
            } else {
                let part = frame.parts[frame.next];
                last = self.enter(part, &mut stack);
            }
        }
        last.unwrap_or(Open)
    }

    /// The answer to a goal if it is known at once; otherwise the goal is put on the stack.
    fn enter(&mut self, goal: GoalId, stack: &mut Vec<GoalFrame>) -> Option<IntersectionAnswer> {
        if let Some(answer) = self.answer(goal) {
            return Some(answer);
        }
        // Without steps goals stay open, which is right whatever they are.
        if self.steps_left == 0 {
            return Some(Open);
        }
        let (parts, any) = match self.expand(goal, &mut Vec::new()) {
            Known(answer) => {
                self.goals[goal.0 as usize] = Some(answer);
                return Some(answer);
            }
            Any(parts) => (parts, true),
            All(parts) => (parts, false),
        };
        self.steps_left = self.steps_left.saturating_sub(1 + parts.len() as u64);
        stack.push(GoalFrame {
            goal,
            parts,
            any,
            next: 0,
            open: false,
        });
        None
    }

    /// Breaks a goal down. Units that nothing ties down are added to `free`.
    fn expand(&mut self, goal: GoalId, free: &mut Vec<UnitId>) -> GoalExpansion {
        let (a, b) = self.sides(goal);
        match (self.single(a), self.single(b)) {
            (Some(x), Some(y)) => self.expand_pair(x, y, free),
            _ => self.expand_groups(a, b, free),
        }
    }

    fn expand_pair(&mut self, a: UnitId, b: UnitId, free: &mut Vec<UnitId>) -> GoalExpansion {
        if a == b {
            free.push(a);
            return Known(Yes);
        }
        // What single variables tell apart needs no search.
        if self.supports.excludes(a, b) {
            return Known(No);
        }
        use UnitKind::{Input, Product, Sum};
        match (self.supports.circuit.kind(a), self.supports.circuit.kind(b)) {
            // Children have smaller ids: the larger unit is likely the one above.
            (Sum, Sum) if a > b => self.any_child(a, &[b]),
            (_, Sum) => self.any_child(b, &[a]),
            (Sum, _) => self.any_child(a, &[b]),
            (Input(x), Input(y)) if self.supports.scopes.id(a) == self.supports.scopes.id(b) => {
                let (x, y) = (
                    self.supports.atoms.of_leaf(x),
                    self.supports.atoms.of_leaf(y),
                );
                Known(match self.supports.atoms.first_common(x, y) {
                    Some(_) => Yes,
                    None => No,
                })
            }
            (Product, _) | (_, Product) => self.all_components(&[a], &[b], free),
            (Input(_), Input(_)) => {
                free.extend([a, b]);
                Known(Yes)
            }
        }
    }

    fn expand_groups(
        &mut self,
        a: GoalOperand,
        b: GoalOperand,
        free: &mut Vec<UnitId>,
    ) -> GoalExpansion {
        let (left, right) = (self.units(a), self.units(b));
        let is_product = |unit: &UnitId| self.supports.circuit.kind(*unit) == UnitKind::Product;
        if left.iter().chain(&right).any(is_product) {
            return self.all_components(&left, &right, free);
        }
        match (&left[..], &right[..]) {
            (&[sum], others) | (others, &[sum]) => self.any_child(sum, others),
            _ => Known(Open),
        }
    }

    /// One of the sum's children meets all of `others`.
    fn any_child(&mut self, sum: UnitId, others: &[UnitId]) -> GoalExpansion {
        let mut parts = Vec::new();
        // Children that a single variable keeps apart from a factor are no way to meet.
        let side = self.side(others);
        for child in self.supports.children(sum) {
            if !others
                .iter()
                .any(|&other| self.supports.excludes(child, other))
            {
                let goal = self.goal(self.unit_side(child), side);
                parts.push(goal);
            }
        }
        Any(parts)
    }

    /// Opens the products on both sides and asks for each connected group of factors.
    fn all_components(
        &mut self,
        left: &[UnitId],
        right: &[UnitId],
        free: &mut Vec<UnitId>,
    ) -> GoalExpansion {
        // Factors of the two sides that share no variable, even through others, can be satisfied
        // independently: each connected group is a goal of its own.
        let (left, right) = (factors(self.supports, left), factors(self.supports, right));
        let mut parts = Vec::new();
        let components = self.components.of(&left, &right);
        self.steps_left = self.steps_left.saturating_sub(self.components.take_work());
        for component in components {
            match component {
                FactorComponent::Free(unit) => free.push(unit),
                FactorComponent::Tied(left, right) => {
                    let (left, right) = (self.side(&left), self.side(&right));
                    let goal = self.goal(left, right);
                    parts.push(goal);
                }
            }
        }
        All(parts)
    }

    fn answer(&self, goal: GoalId) -> Option<IntersectionAnswer> {
        self.goals[goal.0 as usize]
    }

    fn goal(&mut self, a: GoalOperand, b: GoalOperand) -> GoalId {
        let entry = self.goals.entry((a.min(b), a.max(b)));
        let at = entry.index();
        entry.or_insert(None);
        GoalId(at as u32)
    }

    fn sides(&self, goal: GoalId) -> (GoalOperand, GoalOperand) {
        let known = self.goals.get_index(goal.0 as usize);
        *known.expect("goals are named when they are added").0
    }

    fn unit_side(&self, unit: UnitId) -> GoalOperand {
        GoalOperand(unit.index() as u32)
    }

    fn single(&self, side: GoalOperand) -> Option<UnitId> {
        (side.0 < self.n_units).then(|| UnitId::new(side.0 as usize))
    }

    fn units(&self, side: GoalOperand) -> Vec<UnitId> {
        match self.single(side) {
            Some(unit) => vec![unit],
            None => self.groups[(side.0 - self.n_units) as usize].to_vec(),
        }
    }

    fn side(&mut self, units: &[UnitId]) -> GoalOperand {
        if let &[unit] = units {
            return self.unit_side(unit);
        }
        let known = self.groups.get_index_of(units);
        let at = known.unwrap_or_else(|| self.groups.insert_full(units.into()).0);
        GoalOperand(self.n_units + at as u32)
    }
}

impl GoalFrame {
    /// The answer when no part was decisive.
    fn exhausted(&self) -> IntersectionAnswer {
        match (self.open, self.any) {
            (true, _) => Open,
            (false, true) => No,
            (false, false) => Yes,
        }
    }
}

/// The units of a side with its products opened.
fn factors(supports: &Supports, side: &[UnitId]) -> Vec<UnitId> {
    let mut found = Vec::with_capacity(side.len());
    for &unit in side {
        match supports.circuit.kind(unit) {
            UnitKind::Product => found.extend(supports.children(unit)),
            _ => found.push(unit),
        }
    }
    found
}
