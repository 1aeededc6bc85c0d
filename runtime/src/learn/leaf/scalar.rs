//! The step of one number: a mean, a spread, a rate or a shape.

use super::bounds::Bounds;
use super::outcome::{LeafOutcome, Place};
use super::plan::{LeafScalar, Role};
use super::search::Search;
use super::statistics::Statistics;
use super::step::LeafStep;
use pelton_compiler::circuit::Value;

impl LeafStep<'_> {
    /// Moves a number to where Q is largest, the others given. Returns by how much
    /// Q rose.
    pub(super) fn update_scalar(
        &self,
        scalar: &LeafScalar,
        statistics: &[Statistics],
        values: &mut [Value],
        outcome: &mut LeafOutcome,
    ) -> f64 {
        let mut leaves = self.plan.leaves_of(&scalar.uses);
        // Without flow there is nothing to learn from.
        if !leaves.any(|leaf| statistics[leaf].flow > 0.0) {
            return 0.0;
        }
        let start = self.before(scalar, values);
        let before = self.scalar_term(scalar, statistics, values);
        let wanted = self.closed_form(scalar, statistics, values);
        let place = match self.is_closed(scalar) {
            true => self.set_scalar(&start, wanted, statistics, values),
            false => self.search_scalar(&start, wanted, statistics, values),
        };
        let after = self.scalar_term(scalar, statistics, values);
        let is_better = after >= before || (before.is_nan() && !after.is_nan());
        if !(is_better && after.is_finite()) {
            start.restore(values);
            return 0.0;
        }
        let leaf = self.plan.leaves[self.plan.uses[scalar.uses.start].leaf].leaf;
        outcome.note(self.circuit, scalar.param, leaf, place);
        match before.is_finite() {
            true => after - before,
            false => f64::INFINITY,
        }
    }

    fn before<'s>(&'s self, scalar: &'s LeafScalar, values: &[Value]) -> Start<'s> {
        let rate = match scalar.role {
            Role::PairedShape(rate) => Some(&self.plan.scalars[rate]),
            _ => None,
        };
        let old = values[scalar.entry];
        Start {
            scalar,
            rate,
            old,
            old_rate: rate.map_or(old, |rate| values[rate.entry]),
            bounds: self.bounds(scalar).including(old.linear()),
        }
    }

    /// The part of Q that depends on a number.
    fn scalar_term(&self, scalar: &LeafScalar, statistics: &[Statistics], values: &[Value]) -> f64 {
        let leaves = self.plan.leaves_of(&scalar.uses);
        leaves
            .map(|leaf| self.leaf_term(leaf, &statistics[leaf], values))
            .sum()
    }

    /// Sets a number, and a rate that follows it, as far as bounds allow.
    fn set_scalar(
        &self,
        start: &Start,
        wanted: f64,
        statistics: &[Statistics],
        values: &mut [Value],
    ) -> Place {
        let Bounds { low, high } = start.bounds;
        if wanted.is_nan() {
            return Place::Inside;
        }
        values[start.scalar.entry] = Value::Linear(wanted.clamp(low, high));
        if let Some(rate) = start.rate {
            let bounds = self.bounds(rate).including(start.old_rate.linear());
            let wanted = self.closed_form(rate, statistics, values);
            if !wanted.is_nan() {
                values[rate.entry] = Value::Linear(wanted.clamp(bounds.low, bounds.high));
            }
        }
        match wanted {
            _ if wanted < low => Place::Below,
            _ if wanted > high => Place::Above,
            _ => Place::Inside,
        }
    }

    /// Looks for the maximum: on a scale of factors for positive numbers.
    fn search_scalar(
        &self,
        start: &Start,
        guess: f64,
        statistics: &[Statistics],
        values: &mut [Value],
    ) -> Place {
        let Bounds { low, high } = start.bounds;
        let is_positive = start.scalar.is_positive;
        let to = |x: f64| if is_positive { x.ln() } else { x };
        let from = |t: f64| if is_positive { t.exp() } else { t };
        let step = match is_positive {
            true => 0.25,
            false => 0.5 * self.narrowest(start.scalar, values),
        };
        let search = Search {
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
            return Place::Inside;
        };
        self.set_scalar(start, from(t), statistics, values);
        match t {
            _ if t - search.low < 1e-3 * step => Place::Below,
            _ if search.high - t < 1e-3 * step => Place::Above,
            _ => Place::Inside,
        }
    }

    /// The smallest standard deviation beside a mean.
    fn narrowest(&self, scalar: &LeafScalar, values: &[Value]) -> f64 {
        let leaves = self.plan.leaves_of(&scalar.uses);
        let sds = leaves.map(|leaf| values[self.plan.leaves[leaf].entries[1]].linear());
        sds.fold(1e300, f64::min).max(1e-300)
    }
}

/// A number before its step.
struct Start<'a> {
    scalar: &'a LeafScalar,
    /// The rate that follows a shape.
    rate: Option<&'a LeafScalar>,
    old: Value,
    old_rate: Value,
    bounds: Bounds,
}

impl Start<'_> {
    fn restore(&self, values: &mut [Value]) {
        values[self.scalar.entry] = self.old;
        if let Some(rate) = self.rate {
            values[rate.entry] = self.old_rate;
        }
    }
}
