//! First rung, continued: which children of a sum single variables do not tell apart.
//!
//! A sum with a million children is not compared pair by pair. A variable on
//! which two children exclude each other sorts all of them into groups that
//! overlap there; children of different groups are disjoint, and each group is
//! split again by another variable. Pairs are looked at only within groups that
//! no variable splits.

use super::implied::Supports;
use crate::circuit::{UnitId, VarId};
use crate::disjoint_sets::DisjointSets;
use rustc_hash::FxHashSet;

/// How many variables are tried to split a group.
const TRIALS: usize = 8;

/// A child of the sum in question: its position and its unit.
pub(super) type SumMember = (usize, UnitId);

pub(super) type ChildPair = (SumMember, SumMember);

/// Children that single variables leave undecided.
pub(super) enum UndecidedChildren {
    /// These pairs.
    Pairs(Vec<ChildPair>),
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
    // Groups are split until no variable tells any members apart; what is left is compared pair
    // by pair.
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

fn add_pairs(supports: &Supports, group: &[SumMember], pairs: &mut Vec<ChildPair>) {
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
    let variables = candidates(supports, group).into_iter();
    for split in variables.filter_map(|variable| split_by(supports, group, variable)) {
        // Where every member is a part of its own, nothing is left to decide.
        if split.groups.is_empty() {
            return Some(split);
        }
        if split.n_parts > best.as_ref().map_or(1, |best| best.n_parts) {
            best = Some(split);
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
    let mut seen = FxHashSet::default();
    variables.retain(|&variable| seen.insert(variable));
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
