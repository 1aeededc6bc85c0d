//! The step of one number: a mean, a spread, a rate or a shape.

use super::bounds::ParameterBounds;
use super::outcome::{LeafOutcome, OptimumPosition};
use super::plan::LeafScalar;
use super::search::LineSearch;
use super::statistics::LeafStatistics;
use super::step::LeafStep;
use pelton_compiler::circuit::ParameterValue;

impl LeafStep<'_> {
    /// Moves a number to where Q is largest, the others given. Returns by how much
    /// Q rose.
    pub(super) fn update_scalar(
        &self,
        scalar: &LeafScalar,
        statistics: &[LeafStatistics],
        values: &mut [ParameterValue],
        outcome: &mut LeafOutcome,
    ) -> f64 {
        let mut leaves = self.plan.leaves_of(&scalar.uses);
        // Without flow there is nothing to learn from.
        if !leaves.any(|leaf| statistics[leaf].flow > 0.0) {
            return 0.0;
        }
        let start = self.before(scalar, values);
        let before = self.scalar_term(scalar, statistics, values);
        let closed = self.closed_form(scalar, statistics, values);
        let wanted = closed.map_or(f64::NAN, |term| term.maximum());
        let place = if closed.is_some_and(|term| term.is_exact()) {
            self.set_scalar(&start, wanted, statistics, values)
        } else {
            self.search_scalar(&start, wanted, statistics, values)
        };
        let after = self.scalar_term(scalar, statistics, values);
        let is_better = after >= before || (before.is_nan() && !after.is_nan());
        if !(is_better && after.is_finite()) {
            start.restore(values);
            return 0.0;
        }
        let leaf = self.plan.leaves[self.plan.uses[scalar.uses.start].leaf].leaf;
        outcome.note(self.circuit, scalar.param, leaf, place);
        if before.is_finite() {
            after - before
        } else {
            f64::INFINITY
        }
    }

    fn before<'s>(&'s self, scalar: &'s LeafScalar, values: &[ParameterValue]) -> ScalarStart<'s> {
        let follower = scalar.follower.map(|at| &self.plan.scalars[at]);
        let old = values[scalar.entry];
        ScalarStart {
            scalar,
            follower,
            old,
            old_follower: follower.map_or(old, |own| values[own.entry]),
            bounds: self.bounds(scalar).including(old.linear()),
        }
    }

    /// The part of Q that depends on a number.
    fn scalar_term(
        &self,
        scalar: &LeafScalar,
        statistics: &[LeafStatistics],
        values: &[ParameterValue],
    ) -> f64 {
        let leaves = self.plan.leaves_of(&scalar.uses);
        leaves
            .map(|leaf| self.leaf_term(leaf, &statistics[leaf], values))
            .sum()
    }

    /// Sets a number, and one that follows it, as far as bounds allow.
    fn set_scalar(
        &self,
        start: &ScalarStart,
        wanted: f64,
        statistics: &[LeafStatistics],
        values: &mut [ParameterValue],
    ) -> OptimumPosition {
        let ParameterBounds { low, high } = start.bounds;
        if wanted.is_nan() {
            return OptimumPosition::Inside;
        }
        values[start.scalar.entry] = ParameterValue::Linear(wanted.clamp(low, high));
        if let Some(follower) = start.follower
            && let Some(term) = self.closed_form(follower, statistics, values)
            && !term.maximum().is_nan()
        {
            let bounds = self.bounds(follower).including(start.old_follower.linear());
            let value = term.maximum().clamp(bounds.low, bounds.high);
            values[follower.entry] = ParameterValue::Linear(value);
        }
        match wanted {
            _ if wanted < low => OptimumPosition::Below,
            _ if wanted > high => OptimumPosition::Above,
            _ => OptimumPosition::Inside,
        }
    }

    /// Looks for the maximum: on a scale of factors for positive numbers.
    fn search_scalar(
        &self,
        start: &ScalarStart,
        guess: f64,
        statistics: &[LeafStatistics],
        values: &mut [ParameterValue],
    ) -> OptimumPosition {
        let ParameterBounds { low, high } = start.bounds;
        let is_positive = start.scalar.is_positive;
        let to = |x: f64| if is_positive { x.ln() } else { x };
        let from = |t: f64| if is_positive { t.exp() } else { t };
        let step = if is_positive {
            0.25
        } else {
            0.5 * self.narrowest(start.scalar, values)
        };
        let search = LineSearch {
            low: to(low),
            high: to(high),
            step,
            tolerance: step * 1e-8,
        };
        let starts = [to(start.old.linear()), to(guess.clamp(low, high))];
        let best = search.maximum(&starts, |t| {
            self.set_scalar(start, from(t), statistics, values);
            self.scalar_term(start.scalar, statistics, values)
        });
        let Some((t, _)) = best else {
            start.restore(values);
            return OptimumPosition::Inside;
        };
        self.set_scalar(start, from(t), statistics, values);
        match t {
            _ if t - search.low < 1e-3 * step => OptimumPosition::Below,
            _ if search.high - t < 1e-3 * step => OptimumPosition::Above,
            _ => OptimumPosition::Inside,
        }
    }

    /// The smallest width of its leaves.
    fn narrowest(&self, scalar: &LeafScalar, values: &[ParameterValue]) -> f64 {
        let leaves = self.plan.leaves_of(&scalar.uses);
        let width = |leaf: usize| self.learning(leaf).width(self.parameters(leaf, values));
        leaves.map(width).fold(1e300, f64::min).max(1e-300)
    }
}

/// A number before its step.
struct ScalarStart<'a> {
    scalar: &'a LeafScalar,
    /// The number that follows it.
    follower: Option<&'a LeafScalar>,
    old: ParameterValue,
    old_follower: ParameterValue,
    bounds: ParameterBounds,
}

impl ScalarStart<'_> {
    fn restore(&self, values: &mut [ParameterValue]) {
        values[self.scalar.entry] = self.old;
        if let Some(follower) = self.follower {
            values[follower.entry] = self.old_follower;
        }
    }
}
