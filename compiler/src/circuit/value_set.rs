//! Sets of values of one variable: unions of intervals.

use super::variable::Domain;
use crate::runs;
use pelton_grammar::diagnostic::{joined, listed};
use std::cmp::Ordering;

/// A place between values: just before `value`, or just after it.
///
/// With cuts as end points every interval, open or closed at either end, is
/// half-open: `[10, 20)` runs from before 10 to before 20, `(10, 20]` from
/// after 10 to after 20.
#[derive(Clone, Copy, Debug)]
pub struct Cut {
    value: f64,
    after: bool,
}

impl Cut {
    /// Just before `value`.
    pub fn before(value: f64) -> Self {
        // Adding zero turns -0 into 0, so that equal numbers are equal cuts.
        Cut {
            value: value + 0.0,
            after: false,
        }
    }

    /// Just after `value`.
    pub fn after(value: f64) -> Self {
        Cut {
            value: value + 0.0,
            after: true,
        }
    }

    /// The value beside which the cut lies.
    pub fn value(self) -> f64 {
        self.value
    }

    /// Whether the cut lies behind its value.
    pub fn is_after(self) -> bool {
        self.after
    }
}

impl PartialEq for Cut {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Cut {}

impl PartialOrd for Cut {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Cut {
    fn cmp(&self, other: &Self) -> Ordering {
        self.value
            .total_cmp(&other.value)
            .then(self.after.cmp(&other.after))
    }
}

impl std::hash::Hash for Cut {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.value.to_bits().hash(state);
        self.after.hash(state);
    }
}

/// A set of values of one variable, as sorted, separate intervals between cuts.
///
/// Integers are kept in one form, `k..m` as "before k" to "before m", so that
/// equal sets of integers are equal as values of this type.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ValueSet {
    runs: Vec<(Cut, Cut)>,
}

impl ValueSet {
    /// Nothing.
    pub fn empty() -> Self {
        ValueSet::default()
    }

    /// Every real number.
    pub fn reals() -> Self {
        ValueSet::run(Cut::after(f64::NEG_INFINITY), Cut::before(f64::INFINITY))
    }

    /// Integers from `low` up to, not including, `high`.
    pub fn integers(low: i64, high: i64) -> Self {
        ValueSet::run(Cut::before(low as f64), Cut::before(high as f64))
    }

    /// Integers from `low` on.
    pub fn integers_from(low: i64) -> Self {
        ValueSet::run(Cut::before(low as f64), Cut::before(f64::INFINITY))
    }

    /// One value of a domain.
    pub fn point(value: f64, discrete: bool) -> Self {
        if discrete {
            ValueSet::run(Cut::before(value), Cut::before(value + 1.0))
        } else {
            ValueSet::run(Cut::before(value), Cut::after(value))
        }
    }

    /// Everything between two cuts; of a discrete domain, the integers there.
    pub fn between(low: Cut, high: Cut, discrete: bool) -> Self {
        if discrete {
            ValueSet::run(integer_cut(low), integer_cut(high))
        } else {
            ValueSet::run(low, high)
        }
    }

    fn run(low: Cut, high: Cut) -> Self {
        if low < high {
            ValueSet {
                runs: vec![(low, high)],
            }
        } else {
            ValueSet::empty()
        }
    }

    /// The brackets of an interval.
    pub(crate) fn brackets(&(low, high): &(Cut, Cut)) -> (char, char) {
        (
            if low.is_after() { '(' } else { '[' },
            if high.is_after() { ']' } else { ')' },
        )
    }

    /// The separate intervals, in order.
    pub fn runs(&self) -> &[(Cut, Cut)] {
        &self.runs
    }

    /// Whether nothing is in it.
    pub fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// Whether `value` is in it.
    pub fn contains(&self, value: f64) -> bool {
        runs::contain(&self.runs, Cut::before(value))
    }

    /// What is in either.
    #[must_use]
    pub fn union(&self, other: &ValueSet) -> ValueSet {
        ValueSet::merged(self.runs.iter().chain(&other.runs).copied().collect())
    }

    /// These values of a domain, in any order; each may be there several times.
    pub(crate) fn points(values: impl IntoIterator<Item = f64>, discrete: bool) -> ValueSet {
        let points = values.into_iter();
        let runs = points.flat_map(|value| ValueSet::point(value, discrete).runs);
        ValueSet::merged(runs.collect())
    }

    fn merged(all: Vec<(Cut, Cut)>) -> ValueSet {
        let runs = runs::united(all);
        ValueSet { runs }
    }

    /// What is in any of the sets; `None` if a value is in two of them.
    pub(crate) fn disjoint_union<'s>(
        sets: impl IntoIterator<Item = &'s ValueSet>,
    ) -> Option<ValueSet> {
        let sets = sets.into_iter();
        let mut all: Vec<_> = sets.flat_map(|set| set.runs.iter().copied()).collect();
        all.sort_unstable();
        let mut runs: Vec<(Cut, Cut)> = Vec::with_capacity(all.len());
        for (low, high) in all {
            match runs.last_mut() {
                Some(last) if low < last.1 => return None,
                Some(last) if low == last.1 => last.1 = high,
                _ => runs.push((low, high)),
            }
        }
        Some(ValueSet { runs })
    }

    /// What is in both.
    #[must_use]
    pub fn intersect(&self, other: &ValueSet) -> ValueSet {
        let (own, others) = (self.runs.iter().copied(), other.runs.iter().copied());
        let runs = runs::common(own, others).collect();
        ValueSet { runs }
    }

    /// What is in this one and not in `other`.
    #[must_use]
    pub fn minus(&self, other: &ValueSet) -> ValueSet {
        let (own, holes) = (self.runs.iter().copied(), other.runs.iter().copied());
        let runs = runs::without(own, holes);
        ValueSet { runs }
    }

    /// Whether no value is in both.
    pub fn is_disjoint(&self, other: &ValueSet) -> bool {
        self.intersect(other).is_empty()
    }

    /// Whether everything in it is in `other`.
    pub fn is_subset(&self, other: &ValueSet) -> bool {
        self.minus(other).is_empty()
    }

    /// Number of integers in it, or its length on the real axis; infinite if it is unbounded.
    pub fn measure(&self) -> f64 {
        self.runs
            .iter()
            .map(|(low, high)| high.value - low.value)
            .sum()
    }

    /// A member that reads well in a message, if there is one.
    pub fn example(&self, discrete: bool) -> Option<f64> {
        let &(low, high) = self.runs.first()?;
        if discrete {
            return Some(low.value);
        }
        Some(match (low.value.is_finite(), high.value.is_finite()) {
            (false, false) => 0.0,
            (false, true) if high.after => high.value,
            (false, true) => high.value.floor() - 1.0,
            (true, _) if !low.after => low.value,
            (true, false) => low.value.floor() + 1.0,
            (true, true) if high.after => high.value,
            (true, true) => low.value + (high.value - low.value) / 2.0,
        })
    }

    /// The set as the language writes it: `{a, b}`, `[10, 20)`, `0..5`.
    pub fn show(&self, domain: &Domain) -> String {
        if self.is_empty() {
            return "{}".to_string();
        }
        let parts = self.runs.iter().map(|run| show_run(run, domain));
        match domain {
            Domain::Bool | Domain::Categories(_) => format!("{{{}}}", listed(parts)),
            _ => joined(parts, " or "),
        }
    }
}

/// The form integers are kept in: a cut before the next integer.
fn integer_cut(cut: Cut) -> Cut {
    let floor = cut.value.floor();
    let next = if floor < cut.value || cut.after {
        floor + 1.0
    } else {
        floor
    };
    Cut::before(next)
}

fn show_run(run: &(Cut, Cut), domain: &Domain) -> String {
    let (low, high) = (run.0.value, run.1.value);
    match domain {
        Domain::Bool | Domain::Categories(_) => {
            let values = (low as i64)..(high as i64);
            listed(values.map(|value| domain.witness(value as f64)))
        }
        Domain::Real if low == high => format!("{{{low}}}"),
        Domain::Real => {
            let (open, close) = ValueSet::brackets(run);
            format!("{open}{low}, {high}{close}")
        }
        Domain::Range { .. } | Domain::Nat if high == f64::INFINITY => format!("{low}.."),
        Domain::Range { .. } | Domain::Nat if high == low + 1.0 => format!("{{{low}}}"),
        Domain::Range { .. } | Domain::Nat => format!("{low}..{high}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_open_intervals_do_not_meet() {
        let low = ValueSet::between(Cut::before(0.0), Cut::before(10.0), false);
        let high = ValueSet::between(Cut::before(10.0), Cut::after(20.0), false);
        assert!(low.is_disjoint(&high));
        assert_eq!(low.union(&high).runs().len(), 1);
        assert!(high.contains(20.0) && !high.contains(20.5) && !low.contains(10.0));
    }

    #[test]
    fn closed_ends_meet_in_a_point() {
        let low = ValueSet::between(Cut::before(0.0), Cut::after(10.0), false);
        let high = ValueSet::between(Cut::before(10.0), Cut::after(20.0), false);
        assert_eq!(low.intersect(&high).example(false), Some(10.0));
        assert_eq!(low.intersect(&high).measure(), 0.0);
    }

    #[test]
    fn integers_have_one_form() {
        let open = ValueSet::between(Cut::after(0.5), Cut::after(3.0), true);
        assert_eq!(open, ValueSet::integers(1, 4));
        assert_eq!(open.measure(), 3.0);
        assert_eq!(ValueSet::integers(0, 5).minus(&open).measure(), 2.0);
    }
}
