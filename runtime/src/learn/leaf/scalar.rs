//! The step of one number: a mean, a spread, a rate or a shape.

use super::bounds::ParameterBounds;
use super::objective::gain;
use super::outcome::{LeafOutcome, OptimumPosition};
use super::plan::LeafScalar;
use super::search::LineSearch;
use super::step::LeafAscent;
use pelton_compiler::circuit::ParameterValue;

impl LeafAscent<'_> {
    /// Moves a number to where Q is largest, the others given. Returns by how much
    /// Q rose.
    pub(super) fn update_scalar(
        &self,
        scalar: &LeafScalar,
        values: &mut [ParameterValue],
        outcome: &mut LeafOutcome,
    ) -> f64 {
        let mut leaves = self.plan.leaves_of(&scalar.uses);
        // Without flow there is nothing to learn from.
        if !leaves.any(|leaf| self.statistics[leaf].flow > 0.0) {
            return 0.0;
        }
        // 1. To where the closed form says, or to what a search from there finds.
        let start = self.before(scalar, values);
        let before = self.scalar_term(scalar, values);
        let closed = self.closed_form(scalar, values);
        let wanted = closed.map_or(f64::NAN, |term| term.maximum());
        let place = if closed.is_some_and(|term| term.is_exact()) {
            self.set_scalar(&start, wanted, values)
        } else {
            self.search_scalar(&start, wanted, values)
        };
        // 2. Back if Q is not what it was at least: bounds, rounding and values that came from
        // elsewhere may all have made it less.
        let after = self.scalar_term(scalar, values);
        let is_better = after >= before || (before.is_nan() && !after.is_nan());
        if !(is_better && after.is_finite()) {
            start.restore(values);
            return 0.0;
        }
        let leaf = self.plan.leaves[self.plan.uses[scalar.uses.start].leaf].leaf;
        outcome.note(self.circuit, scalar.param, leaf, place);
        gain(before, after)
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
    fn scalar_term(&self, scalar: &LeafScalar, values: &[ParameterValue]) -> f64 {
        let term = |leaf: usize| self.leaf_term(leaf, values);
        self.plan.leaves_of(&scalar.uses).map(term).sum()
    }

    /// Sets a number, and one that follows it, as far as bounds allow.
    fn set_scalar(
        &self,
        start: &ScalarStart,
        wanted: f64,
        values: &mut [ParameterValue],
    ) -> OptimumPosition {
        let ParameterBounds { low, high } = start.bounds;
        if wanted.is_nan() {
            return OptimumPosition::Inside;
        }
        values[start.scalar.entry] = ParameterValue::Linear(wanted.clamp(low, high));
        // What follows is best for the new number, so that both move together.
        if let Some(follower) = start.follower
            && let Some(term) = self.closed_form(follower, values)
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
        values: &mut [ParameterValue],
    ) -> OptimumPosition {
        // 1. A scale on which steps of one size matter alike everywhere.
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
        // 2. Uphill from the better of the old number and the guess; each trial takes the
        // follower along.
        let starts = [to(start.old.linear()), to(guess.clamp(low, high))];
        let best = search.maximum(&starts, |t| {
            self.set_scalar(start, from(t), values);
            self.scalar_term(start.scalar, values)
        });
        let Some((t, _)) = best else {
            start.restore(values);
            return OptimumPosition::Inside;
        };
        self.set_scalar(start, from(t), values);
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
