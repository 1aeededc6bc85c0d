//! Third rung: do two supports meet?
//!
//! A goal is a pair of *sides*, each a product of units without common
//! variables; the question is whether one input makes both sides positive.
//! Two leaves meet if their sets do, a sum meets a side if *any* of its children
//! does, two products meet if *all* groups of factors that are connected by
//! common variables do. Goals are remembered, so circuits that follow one vtree
//! take polynomial time. Where several factors of one side are tied up with
//! several of the other the goal stays open, and the SAT solver has to decide.

use super::components::{Component, Components};
use super::implied::Supports;
use super::point::Point;
use crate::circuit::{UnitId, UnitKind};
use indexmap::{IndexMap, IndexSet};
use rustc_hash::FxBuildHasher;

/// Whether two supports meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// Never.
    No,
    /// At some input.
    Yes,
    /// This rung cannot tell.
    Open,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct GoalId(u32);

/// One side of a goal: a unit, or a group of several.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Side(u32);

/// What a goal comes down to.
enum Expansion {
    Known(Answer),
    Any(Vec<GoalId>),
    All(Vec<GoalId>),
}

/// All goals met so far, with their answers.
pub(super) struct Intersections {
    n_units: u32,
    groups: IndexSet<Box<[UnitId]>, FxBuildHasher>,
    goals: IndexMap<(Side, Side), Option<Answer>, FxBuildHasher>,
    components: Components,
    steps_left: u64,
}

/// A goal under way.
struct Frame {
    goal: GoalId,
    parts: Vec<GoalId>,
    any: bool,
    next: usize,
    open: bool,
}

impl Intersections {
    /// None yet; gives up after `steps` goals and parts of goals.
    pub(super) fn new(supports: &Supports, steps: u64) -> Self {
        Intersections {
            n_units: supports.circuit.n_units() as u32,
            groups: IndexSet::default(),
            goals: IndexMap::default(),
            components: Components::new(supports.circuit.variables().len()),
            steps_left: steps,
        }
    }

    /// Whether the supports of two units meet.
    pub(super) fn decide(&mut self, supports: &Supports, a: UnitId, b: UnitId) -> Answer {
        if !supports.is_decomposable(a) || !supports.is_decomposable(b) {
            return Answer::Open;
        }
        let goal = self.goal(self.unit_side(a), self.unit_side(b));
        self.solve(supports, goal)
    }

    /// A point at which both units are positive, once `decide` has said yes.
    pub(super) fn witness(&mut self, supports: &Supports, a: UnitId, b: UnitId) -> Point {
        let mut point = Point::new(supports.circuit.variables().len());
        let mut rest = vec![self.goal(self.unit_side(a), self.unit_side(b))];
        let mut free = Vec::new();
        while let Some(goal) = rest.pop() {
            match self.expand(supports, goal, &mut free) {
                Expansion::Known(_) => self.meet_leaves(supports, goal, &mut point),
                Expansion::All(parts) => rest.extend(parts),
                Expansion::Any(parts) => {
                    let yes = |part: &&GoalId| self.answer(**part) == Some(Answer::Yes);
                    rest.extend(parts.iter().find(yes));
                }
            }
        }
        for unit in free {
            point.satisfy(supports, unit);
        }
        point
    }

    fn meet_leaves(&self, supports: &Supports, goal: GoalId, point: &mut Point) {
        let (a, b) = self.sides(goal);
        let leaf = |side: Side| match supports.circuit.kind(self.single(side)?) {
            UnitKind::Input(leaf) => Some(leaf),
            _ => None,
        };
        if let (Some(a), Some(b)) = (leaf(a), leaf(b)) {
            let (s, t) = (supports.atoms.of_leaf(a), supports.atoms.of_leaf(b));
            if let Some(atom) = supports.atoms.first_common(s, t) {
                point.choose(supports.circuit.leaf(a).variable, atom);
            }
        }
    }

    fn solve(&mut self, supports: &Supports, goal: GoalId) -> Answer {
        let mut stack = Vec::new();
        let mut last = self.enter(supports, goal, &mut stack);
        while let Some(frame) = stack.last_mut() {
            if let Some(answer) = last.take() {
                frame.open |= answer == Answer::Open;
                frame.next += 1;
                if (answer == Answer::Yes) == frame.any && answer != Answer::Open {
                    frame.parts.truncate(frame.next);
                    frame.open = false;
                    last = Some(answer);
                }
            }
            let done = last.is_some() || frame.next == frame.parts.len();
            if done {
                let answer = last.unwrap_or(frame.exhausted());
                let goal = frame.goal;
                stack.pop();
                self.goals[goal.0 as usize] = Some(answer);
                last = Some(answer);
            } else {
                let part = frame.parts[frame.next];
                last = self.enter(supports, part, &mut stack);
            }
        }
        last.unwrap_or(Answer::Open)
    }

    /// The answer to a goal if it is known at once; otherwise the goal is put on the stack.
    fn enter(
        &mut self,
        supports: &Supports,
        goal: GoalId,
        stack: &mut Vec<Frame>,
    ) -> Option<Answer> {
        if let Some(answer) = self.answer(goal) {
            return Some(answer);
        }
        if self.steps_left == 0 {
            return Some(Answer::Open);
        }
        let (parts, any) = match self.expand(supports, goal, &mut Vec::new()) {
            Expansion::Known(answer) => {
                self.goals[goal.0 as usize] = Some(answer);
                return Some(answer);
            }
            Expansion::Any(parts) => (parts, true),
            Expansion::All(parts) => (parts, false),
        };
        self.steps_left = self.steps_left.saturating_sub(1 + parts.len() as u64);
        stack.push(Frame {
            goal,
            parts,
            any,
            next: 0,
            open: false,
        });
        None
    }

    /// Breaks a goal down. Units that nothing ties down are added to `free`.
    fn expand(&mut self, supports: &Supports, goal: GoalId, free: &mut Vec<UnitId>) -> Expansion {
        let (a, b) = self.sides(goal);
        match (self.single(a), self.single(b)) {
            (Some(x), Some(y)) => self.expand_pair(supports, x, y, free),
            _ => self.expand_groups(supports, a, b, free),
        }
    }

    fn expand_pair(
        &mut self,
        supports: &Supports,
        a: UnitId,
        b: UnitId,
        free: &mut Vec<UnitId>,
    ) -> Expansion {
        if a == b {
            free.push(a);
            return Expansion::Known(Answer::Yes);
        }
        if supports.excludes(a, b) {
            return Expansion::Known(Answer::No);
        }
        use UnitKind::{Input, Product, Sum};
        match (supports.circuit.kind(a), supports.circuit.kind(b)) {
            // Children have smaller ids: the larger unit is likely the one above.
            (Sum, Sum) if a > b => self.any_child(supports, a, &[b]),
            (_, Sum) => self.any_child(supports, b, &[a]),
            (Sum, _) => self.any_child(supports, a, &[b]),
            (Input(x), Input(y)) if supports.scopes.id(a) == supports.scopes.id(b) => {
                let (x, y) = (supports.atoms.of_leaf(x), supports.atoms.of_leaf(y));
                Expansion::Known(match supports.atoms.first_common(x, y) {
                    Some(_) => Answer::Yes,
                    None => Answer::No,
                })
            }
            (Product, _) | (_, Product) => self.all_components(supports, &[a], &[b], free),
            (Input(_), Input(_)) => {
                free.extend([a, b]);
                Expansion::Known(Answer::Yes)
            }
        }
    }

    fn expand_groups(
        &mut self,
        supports: &Supports,
        a: Side,
        b: Side,
        free: &mut Vec<UnitId>,
    ) -> Expansion {
        let (left, right) = (self.units(a), self.units(b));
        let is_product = |unit: &UnitId| supports.circuit.kind(*unit) == UnitKind::Product;
        if left.iter().chain(&right).any(is_product) {
            return self.all_components(supports, &left, &right, free);
        }
        match (&left[..], &right[..]) {
            (&[sum], others) | (others, &[sum]) => self.any_child(supports, sum, others),
            _ => Expansion::Known(Answer::Open),
        }
    }

    /// One of the sum's children meets all of `others`.
    fn any_child(&mut self, supports: &Supports, sum: UnitId, others: &[UnitId]) -> Expansion {
        let mut parts = Vec::new();
        let side = self.side(others);
        for child in supports.children(sum) {
            if !others.iter().any(|&other| supports.excludes(child, other)) {
                let goal = self.goal(self.unit_side(child), side);
                parts.push(goal);
            }
        }
        Expansion::Any(parts)
    }

    /// Opens the products on both sides and asks for each connected group of factors.
    fn all_components(
        &mut self,
        supports: &Supports,
        left: &[UnitId],
        right: &[UnitId],
        free: &mut Vec<UnitId>,
    ) -> Expansion {
        let (left, right) = (factors(supports, left), factors(supports, right));
        let mut parts = Vec::new();
        let components = self.components.of(supports, &left, &right);
        self.steps_left = self.steps_left.saturating_sub(self.components.take_work());
        for component in components {
            match component {
                Component::Free(unit) => free.push(unit),
                Component::Tied(left, right) => {
                    let (left, right) = (self.side(&left), self.side(&right));
                    let goal = self.goal(left, right);
                    parts.push(goal);
                }
            }
        }
        Expansion::All(parts)
    }

    fn answer(&self, goal: GoalId) -> Option<Answer> {
        self.goals[goal.0 as usize]
    }

    fn goal(&mut self, a: Side, b: Side) -> GoalId {
        let entry = self.goals.entry((a.min(b), a.max(b)));
        let at = entry.index();
        entry.or_insert(None);
        GoalId(at as u32)
    }

    fn sides(&self, goal: GoalId) -> (Side, Side) {
        let known = self.goals.get_index(goal.0 as usize);
        *known.expect("goals are named when they are added").0
    }

    fn unit_side(&self, unit: UnitId) -> Side {
        Side(unit.index() as u32)
    }

    fn single(&self, side: Side) -> Option<UnitId> {
        (side.0 < self.n_units).then(|| UnitId::new(side.0 as usize))
    }

    fn units(&self, side: Side) -> Vec<UnitId> {
        match self.single(side) {
            Some(unit) => vec![unit],
            None => self.groups[(side.0 - self.n_units) as usize].to_vec(),
        }
    }

    fn side(&mut self, units: &[UnitId]) -> Side {
        if let &[unit] = units {
            return self.unit_side(unit);
        }
        let known = self.groups.get_index_of(units);
        let at = known.unwrap_or_else(|| self.groups.insert_full(units.into()).0);
        Side(self.n_units + at as u32)
    }
}

impl Frame {
    /// The answer when no part was decisive.
    fn exhausted(&self) -> Answer {
        match (self.open, self.any) {
            (true, _) => Answer::Open,
            (false, true) => Answer::No,
            (false, false) => Answer::Yes,
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
