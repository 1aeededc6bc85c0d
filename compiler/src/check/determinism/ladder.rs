//! The rungs in order, with what they remember from sum to sum.

use super::DeterminismLimits;
use super::implied::Supports;
use super::intersect::{IntersectionAnswer, IntersectionGoals};
use super::point::AtomAssignment;
use super::sample::SupportSampler;
use super::sat::{DisjointnessResult, SatRung};
use super::separate::{ChildPair, SumMember, UndecidedChildren, undecided};
use super::table::try_all;
use crate::check::{PropertyVerdict, Refutation};
use crate::circuit::UnitId;
use crate::reference::positive;
use pelton_grammar::diagnostic::thousands;

pub(super) struct DeterminismDecider<'a> {
    supports: &'a Supports<'a>,
    limits: &'a DeterminismLimits,
    sampler: SupportSampler<'a>,
    intersections: IntersectionGoals<'a>,
    table_steps_left: u64,
    sat: SatRung<'a>,
}

impl<'a> DeterminismDecider<'a> {
    pub(super) fn new(supports: &'a Supports<'a>, limits: &'a DeterminismLimits) -> Self {
        DeterminismDecider {
            supports,
            limits,
            sampler: SupportSampler::new(supports, limits.sample_steps),
            intersections: IntersectionGoals::new(supports, limits.pair_steps),
            table_steps_left: limits.table_steps,
            sat: SatRung::new(supports, limits.sat_clauses, limits.sat_conflicts),
        }
    }

    /// Whether at most one child of `sum` is positive for any input.
    pub(super) fn decide(&mut self, sum: UnitId) -> PropertyVerdict {
        // First rung: single variables sort the children into groups; only what they leave together
        // is looked at pair by pair.
        let members: Vec<SumMember> = self.supports.positions(sum).collect();
        match undecided(self.supports, members, self.limits.pairs) {
            UndecidedChildren::Pairs(pairs) => self.decide_pairs(sum, pairs),
            UndecidedChildren::Group(group) => self.decide_group(sum, &group),
        }
    }

    /// A group with too many pairs: only a point drawn from it can decide.
    fn decide_group(&mut self, sum: UnitId, group: &[SumMember]) -> PropertyVerdict {
        for &first in spread(group, self.limits.samples) {
            let others = group.iter().copied().filter(|&other| other != first);
            if let Some((pair, point)) = self.sampler.overlap(first, others) {
                return self.refute(sum, pair, &point);
            }
        }
        let name = self.supports.circuit.describe(sum);
        let limit = thousands(self.limits.pairs);
        PropertyVerdict::Unknown(format!(
            "{name} has more than {limit} pairs of children that no single variable tells apart"
        ))
    }

    fn decide_pairs(&mut self, sum: UnitId, pairs: Vec<ChildPair>) -> PropertyVerdict {
        // Second rung: a few points are cheap, and most sums that overlap do so nearly everywhere.
        if let Some(refuted) = self.draw(sum, &pairs) {
            return refuted;
        }
        // Third rung: supports are intersected. The first pair that meets ends the search, those
        // that cannot be told go on to the next rung.
        let mut open = Vec::new();
        for pair in pairs {
            let (a, b) = (pair.0.1, pair.1.1);
            match self.intersections.decide(a, b) {
                IntersectionAnswer::No => {}
                IntersectionAnswer::Open => open.push(pair),
                IntersectionAnswer::Yes => {
                    let point = self.intersections.witness(a, b);
                    return self.refute(sum, pair, &point);
                }
            }
        }
        self.solve(sum, open)
    }

    /// Draws a few points from the first children of pairs spread over the list.
    fn draw(&mut self, sum: UnitId, pairs: &[ChildPair]) -> Option<PropertyVerdict> {
        // Pairs are sorted by their first child: one point drawn from it serves all of its pairs.
        for &(first, _) in spread(pairs, self.limits.samples) {
            let own = pairs.partition_point(|pair| pair.0 < first);
            let others = pairs[own..].iter().take_while(|pair| pair.0 == first);
            let others = others.map(|pair| pair.1);
            if let Some((pair, point)) = self.sampler.overlap(first, others) {
                return Some(self.refute(sum, pair, &point));
            }
        }
        None
    }

    fn solve(&mut self, sum: UnitId, open: Vec<ChildPair>) -> PropertyVerdict {
        for pair in open {
            let (a, b) = (pair.0.1, pair.1.1);
            // Fourth rung: all inputs, if there are few; it says what it would cost before it begins.
            // Fifth rung: the solver, which takes what is left of the budgets.
            let tried = try_all(self.supports, a, b, &mut self.table_steps_left);
            match tried.unwrap_or_else(|| self.sat.decide(a, b)) {
                DisjointnessResult::Disjoint => {}
                DisjointnessResult::Overlap(point) => return self.refute(sum, pair, &point),
                DisjointnessResult::GaveUp(limit) => return self.gave_up(sum, pair, &limit),
            }
        }
        PropertyVerdict::Proven
    }

    fn gave_up(&self, sum: UnitId, pair: ChildPair, limit: &str) -> PropertyVerdict {
        let name = self.supports.circuit.describe(sum);
        let (i, j) = (pair.0.0 + 1, pair.1.0 + 1);
        PropertyVerdict::Unknown(format!(
            "whether children {i} and {j} of {name} overlap was not decided within {limit}"
        ))
    }

    /// A refutation, once evaluating the circuit has confirmed it.
    fn refute(&self, sum: UnitId, pair: ChildPair, point: &AtomAssignment) -> PropertyVerdict {
        let Some(witness) = self.confirmed(pair, point) else {
            return self.gave_up(sum, pair, "the precision of its constants");
        };
        PropertyVerdict::Refuted(Refutation {
            unit: sum,
            children: vec![pair.0.0, pair.1.0],
            witness,
        })
    }

    /// The point as an input, if evaluating the circuit finds both children positive there.
    fn confirmed(&self, pair: ChildPair, point: &AtomAssignment) -> Option<Vec<f64>> {
        let (a, b) = (pair.0.1, pair.1.1);
        let is_overlap = |witness: &Vec<f64>| {
            let found = positive(self.supports.circuit, a.max(b), witness);
            found[a.index()] && found[b.index()]
        };
        let witness = point.assignment(self.supports, a, b);
        Some(witness).filter(is_overlap).or_else(|| {
            // Where a sum is not smooth, a child leaves open what only the other mentions.
            let mut point = point.clone();
            point.satisfy(self.supports, a);
            point.satisfy(self.supports, b);
            Some(point.assignment(self.supports, a, b)).filter(is_overlap)
        })
    }
}

/// At most `n` items, spread evenly over the list.
fn spread<T>(items: &[T], n: usize) -> impl Iterator<Item = &T> {
    let stride = items.len().div_ceil(n.max(1)).max(1);
    items.iter().step_by(stride).take(n)
}
