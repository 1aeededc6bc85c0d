//! First rung, continued: which children of a sum single variables do not tell apart.
//!
//! A sum with a million children is not compared pair by pair. A variable on
//! which two children exclude each other sorts all of them into groups that
//! overlap there; children of different groups are disjoint, and each group is
//! split again by another variable. Pairs are looked at only within groups that
//! no variable splits.

use super::implied::Supports;
use crate::circuit::{UnitId, VarId};

/// How many variables are tried to split a group.
const TRIALS: usize = 8;

/// A child of the sum in question: its position and its unit.
pub(super) type SumMember = (usize, UnitId);

/// Children that single variables leave undecided.
pub(super) enum UndecidedChildren {
    /// These pairs.
    Pairs(Vec<(SumMember, SumMember)>),
    /// A group with more pairs than the limit.
    Group(Vec<SumMember>),
}

/// Finds the pairs of `members` that implied sets do not prove disjoint.
pub(super) fn undecided(
    supports: &Supports,
    members: Vec<SumMember>,
    most: usize,
) -> UndecidedChildren {
    let mut pairs = Vec::new();
    let mut groups = vec![members];
    while let Some(group) = groups.pop() {
        if group.len() < 2 {
            continue;
        }
        // Children of different parts are disjoint, so only parts are looked at again.
        match split(supports, &group) {
            Some(split) => groups.extend(split.groups),
            None if group.len() * (group.len() - 1) / 2 > most => {
                return UndecidedChildren::Group(group);
            }
            None => add_pairs(supports, &group, &mut pairs),
        }
        if pairs.len() > most {
            // Too many pairs to search are left to drawing, as one group.
            let mut members: Vec<SumMember> = pairs.iter().flat_map(|&(a, b)| [a, b]).collect();
            members.sort_unstable();
            members.dedup();
            return UndecidedChildren::Group(members);
        }
    }
    pairs.sort_unstable();
    UndecidedChildren::Pairs(pairs)
}

fn add_pairs(supports: &Supports, group: &[SumMember], pairs: &mut Vec<(SumMember, SumMember)>) {
    for (at, &first) in group.iter().enumerate() {
        for &second in &group[at + 1..] {
            if !supports.excludes(first.1, second.1) {
                pairs.push((first.min(second), first.max(second)));
            }
        }
    }
}

/// A group after a split: how many parts there are, and those with several members.
struct GroupSplit {
    n_parts: usize,
    groups: Vec<Vec<SumMember>>,
}

/// Splits a group by the variable that makes most parts of it, if one does.
fn split(supports: &Supports, group: &[SumMember]) -> Option<GroupSplit> {
    let mut best: Option<GroupSplit> = None;
    for variable in candidates(supports, group) {
        let Some(split) = split_by(supports, group, variable) else {
            continue;
        };
        let most = best.as_ref().map_or(1, |best| best.n_parts);
        if split.n_parts > most {
            best = Some(split);
        }
        if best.as_ref().is_some_and(|best| best.groups.is_empty()) {
            break;
        }
    }
    best
}

/// Variables that tell some members apart: the first from a few others.
fn candidates(supports: &Supports, group: &[SumMember]) -> Vec<VarId> {
    // A variable that splits the group tells some member from another; comparing the first
    // with three others finds one nearly always, without looking at all pairs.
    let first = supports.implied(group[0].1);
    let mut variables = Vec::new();
    for other in [1, group.len() / 2, group.len() - 1] {
        let other = supports.implied(group[other].1);
        let found = supports
            .maps
            .separating(&supports.atoms, first, other, TRIALS);
        variables.extend(found);
    }
    let mut seen = Vec::new();
    variables.retain(|&variable| {
        let new = !seen.contains(&variable);
        seen.push(variable);
        new
    });
    variables
}

/// Splits a group into parts that do not overlap on one variable; `None` if a
/// member does not restrict it.
fn split_by(supports: &Supports, group: &[SumMember], variable: VarId) -> Option<GroupSplit> {
    let mut runs = Vec::with_capacity(group.len());
    for (at, member) in group.iter().enumerate() {
        let set = supports.maps.get(supports.implied(member.1), variable)?;
        let own = supports.atoms.runs(set).iter();
        runs.extend(own.map(|&(low, high)| (low, high, at)));
    }
    // Sweep over the variable's atoms: members whose runs overlap, directly or through others,
    // belong to one part.
    runs.sort_unstable();
    let mut sets = DisjointSets::new(group.len());
    let (mut reach, mut leader) = (0, usize::MAX);
    for (low, high, at) in runs {
        if low < reach {
            sets.unite(leader, at)
        } else {
            leader = at
        }
        reach = reach.max(high);
    }
    let parts = sets.parts();
    let groups = parts.several.into_iter();
    let members = |part: Vec<usize>| part.into_iter().map(|at| group[at]).collect();
    Some(GroupSplit {
        n_parts: parts.single.len() + groups.len(),
        groups: groups.map(members).collect(),
    })
}

/// Union-find over positions.
pub(super) struct DisjointSets {
    parent: Vec<usize>,
}

impl DisjointSets {
    pub(super) fn new(n: usize) -> Self {
        DisjointSets {
            parent: (0..n).collect(),
        }
    }

    pub(super) fn find(&mut self, mut at: usize) -> usize {
        while self.parent[at] != at {
            self.parent[at] = self.parent[self.parent[at]];
            at = self.parent[at];
        }
        at
    }

    pub(super) fn unite(&mut self, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        // The lower position leads, so that parts come in the order of their members.
        self.parent[a.max(b)] = a.min(b);
    }

    /// The positions, part by part.
    pub(super) fn parts(&mut self) -> UnionFindParts {
        let mut size = vec![0_u32; self.parent.len()];
        for at in 0..size.len() {
            size[self.find(at)] += 1;
        }
        let mut parts = UnionFindParts::default();
        let mut part_of = vec![usize::MAX; size.len()];
        for at in 0..size.len() {
            let root = self.find(at);
            if size[root] == 1 {
                parts.single.push(at);
                continue;
            }
            if part_of[root] == usize::MAX {
                part_of[root] = parts.several.len();
                parts.several.push(Vec::new());
            }
            parts.several[part_of[root]].push(at);
        }
        parts
    }
}

/// What a union-find has found.
#[derive(Default)]
pub(super) struct UnionFindParts {
    /// Positions on their own.
    pub single: Vec<usize>,
    /// Positions that belong together.
    pub several: Vec<Vec<usize>>,
}
