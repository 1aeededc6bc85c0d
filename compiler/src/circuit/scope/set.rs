//! Scopes: which variables a unit mentions.

use crate::circuit::VarId;
use crate::runs;
use std::collections::BTreeMap;

/// A range of variable ids, the upper end left out.
type VariableRange = (u32, u32);

/// A set of variables.
///
/// Kept as ranges of ids or as a bitset, whichever is smaller: the suffixes of a
/// chain of a million variables are one range each, and the scattered scopes of
/// a learned tree are short bitsets. The choice depends on the set alone, so
/// equal sets are equal values.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Scope {
    form: ScopeForm,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum ScopeForm {
    /// Separate ranges, rising.
    Runs(Box<[VariableRange]>),
    /// Words of a bitset from `first_word` on; the first and the last are not zero.
    Bits { first_word: u32, words: Box<[u64]> },
}

impl Scope {
    /// The scope of one variable.
    pub fn single(variable: VarId) -> Self {
        let id = variable.index() as u32;
        Scope::from_runs(&[(id, id + 1)])
    }

    /// The set of rising, separate ranges.
    fn from_runs(runs: &[VariableRange]) -> Self {
        let first_word = runs.first().map_or(0, |first| first.0 / 64);
        let end_word = runs.last().map_or(0, |last| (last.1 - 1) / 64 + 1);
        let n_words = (end_word - first_word) as usize;
        // Whichever form is smaller: a range takes as much room as a word.
        let form = if runs.len() <= n_words {
            ScopeForm::Runs(runs.into())
        } else {
            let mut words = vec![0u64; n_words].into_boxed_slice();
            for id in runs.iter().flat_map(|&(low, high)| low..high) {
                words[(id / 64 - first_word) as usize] |= 1 << (id % 64);
            }
            ScopeForm::Bits { first_word, words }
        };
        Scope { form }
    }

    /// The ranges, rising and separate.
    fn runs(&self) -> ScopeRanges<'_> {
        match &self.form {
            ScopeForm::Runs(runs) => ScopeRanges::Listed(runs.iter()),
            ScopeForm::Bits { first_word, words } => ScopeRanges::Scanned {
                words,
                offset: first_word * 64,
                at: 0,
            },
        }
    }

    /// Number of variables.
    pub fn len(&self) -> usize {
        match &self.form {
            ScopeForm::Runs(runs) => runs.iter().map(|(low, high)| (high - low) as usize).sum(),
            ScopeForm::Bits { words, .. } => {
                words.iter().map(|word| word.count_ones() as usize).sum()
            }
        }
    }

    /// Whether no variable is in it.
    pub fn is_empty(&self) -> bool {
        matches!(&self.form, ScopeForm::Runs(runs) if runs.is_empty())
    }

    /// Whether the variable is in it.
    pub fn contains(&self, variable: VarId) -> bool {
        let id = variable.index() as u32;
        match &self.form {
            ScopeForm::Runs(runs) => runs::contain(runs, id),
            ScopeForm::Bits { first_word, words } => {
                let at = (id / 64).checked_sub(*first_word);
                let word = at.and_then(|at| words.get(at as usize));
                word.is_some_and(|word| word >> (id % 64) & 1 == 1)
            }
        }
    }

    /// The variables, in order of their ids.
    pub fn iter(&self) -> impl Iterator<Item = VarId> + '_ {
        self.runs()
            .flat_map(|(low, high)| (low..high).map(|id| VarId::new(id as usize)))
    }

    /// The variables that are in this one and not in `other`.
    #[must_use]
    pub fn minus(&self, other: &Scope) -> Scope {
        Scope::from_runs(&runs::without(self.runs(), other.runs()))
    }

    /// The variables in both.
    #[must_use]
    pub fn intersect(&self, other: &Scope) -> Scope {
        let runs: Vec<VariableRange> = runs::common(self.runs(), other.runs()).collect();
        Scope::from_runs(&runs)
    }

    /// The variables in either.
    #[must_use]
    pub fn union(&self, other: &Scope) -> Scope {
        Scope::union_of([self, other])
    }

    /// The variables in any of several scopes.
    pub fn union_of<'s>(scopes: impl IntoIterator<Item = &'s Scope>) -> Scope {
        let all = scopes.into_iter().flat_map(Scope::runs).collect();
        Scope::from_runs(&runs::united(all))
    }

    /// Whether no variable is in both.
    pub fn is_disjoint(&self, other: &Scope) -> bool {
        runs::common(self.runs(), other.runs()).next().is_none()
    }

    /// Whether every variable of it is in `other`.
    pub fn is_subset(&self, other: &Scope) -> bool {
        // Both sides rise, so one walk finds for each range the one that could hold it.
        let mut outer = other.runs();
        let mut holder = outer.next();
        self.runs().all(|(low, high)| {
            while holder.is_some_and(|run| run.1 <= low) {
                holder = outer.next();
            }
            holder.is_some_and(|run| run.0 <= low && high <= run.1)
        })
    }

    /// A copy from which variables can be taken away one part at a time.
    pub(super) fn remainder(&self) -> ScopeRemainder {
        ScopeRemainder {
            runs: self.runs().collect(),
        }
    }
}

enum ScopeRanges<'s> {
    Listed(std::slice::Iter<'s, VariableRange>),
    Scanned {
        words: &'s [u64],
        offset: u32,
        /// The bit to go on from.
        at: u32,
    },
}

impl Iterator for ScopeRanges<'_> {
    type Item = VariableRange;

    fn next(&mut self) -> Option<VariableRange> {
        match self {
            ScopeRanges::Listed(runs) => runs.next().copied(),
            ScopeRanges::Scanned { words, offset, at } => {
                let low = next_bit(words, *at, |word| word)?;
                let end = words.len() as u32 * 64;
                let high = next_bit(words, low, |word| !word).unwrap_or(end);
                *at = high;
                Some((*offset + low, *offset + high))
            }
        }
    }
}

/// The first bit from `at` on that is set after `view` was applied to its word.
fn next_bit(words: &[u64], at: u32, view: impl Fn(u64) -> u64) -> Option<u32> {
    // Of the first word the bits below `at` are masked out, of all others none.
    let mut mask = u64::MAX << (at % 64);
    for (index, &word) in words.iter().enumerate().skip((at / 64) as usize) {
        let bits = view(word) & mask;
        if bits != 0 {
            return Some(index as u32 * 64 + bits.trailing_zeros());
        }
        mask = u64::MAX;
    }
    None
}

pub(super) struct ScopeRemainder {
    /// Ends of the ranges by their starts.
    runs: BTreeMap<u32, u32>,
}

impl ScopeRemainder {
    /// The first variable that is left.
    pub fn first(&self) -> Option<VarId> {
        let (&low, _) = self.runs.first_key_value()?;
        Some(VarId::new(low as usize))
    }

    /// Takes variables away. Logarithmic for each range taken, so that taking
    /// a scope apart costs no more than reading its parts.
    pub fn remove(&mut self, part: &Scope) {
        for (low, high) in part.runs() {
            self.remove_run(low, high);
        }
    }

    fn remove_run(&mut self, low: u32, high: u32) {
        // From the last range that begins before the end, backwards; of the outermost ones,
        // parts stay.
        while let Some((&start, &end)) = self.runs.range(..high).next_back() {
            if end <= low {
                break;
            }
            self.runs.remove(&start);
            if start < low {
                self.runs.insert(start, low);
            }
            if high < end {
                self.runs.insert(high, end);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn scope(variables: &[usize]) -> Scope {
        let singles: Vec<Scope> = variables
            .iter()
            .map(|&variable| Scope::single(VarId::new(variable)))
            .collect();
        Scope::union_of(&singles)
    }

    fn members(scope: &Scope) -> BTreeSet<usize> {
        scope.iter().map(VarId::index).collect()
    }

    #[test]
    fn both_forms_are_used() {
        let range: Vec<usize> = (100..5000).collect();
        assert!(matches!(scope(&range).form, ScopeForm::Runs(_)));
        let scattered: Vec<usize> = (0..500).map(|at| at * 2).collect();
        assert!(matches!(scope(&scattered).form, ScopeForm::Bits { .. }));
    }

    /// Set operations against the standard library's sets, on seeded random
    /// sets that are dense, scattered and clustered.
    #[test]
    fn operations_agree_with_plain_sets() {
        let mut state = 7u64;
        let mut random = |below: u64| {
            state = state
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (state >> 33) % below
        };
        for round in 0..2000 {
            let mut draw = |kind: u64| -> Vec<usize> {
                let n = random(40) as usize;
                match kind {
                    0 => (0..n).map(|_| random(200) as usize).collect(),
                    1 => (0..n).map(|_| random(5000) as usize).collect(),
                    _ => {
                        let start = random(300) as usize;
                        (start..start + 5 * n).filter(|_| random(9) > 0).collect()
                    }
                }
            };
            let (a, b) = (draw(round % 3), draw(round / 3 % 3));
            let (x, y) = (scope(&a), scope(&b));
            let (p, q): (BTreeSet<usize>, BTreeSet<usize>) =
                (a.into_iter().collect(), b.into_iter().collect());
            assert_eq!(members(&x), p);
            assert_eq!(x.len(), p.len());
            assert_eq!(members(&x.union(&y)), &p | &q);
            assert_eq!(members(&x.minus(&y)), &p - &q);
            assert_eq!(members(&x.intersect(&y)), &p & &q);
            assert_eq!(x.is_disjoint(&y), p.is_disjoint(&q));
            assert_eq!(x.is_subset(&y), p.is_subset(&q));
            assert_eq!(x.is_empty(), p.is_empty());
            assert_eq!(x.minus(&y).union(&x.intersect(&y)), x);
            let mut rest = x.remainder();
            rest.remove(&x.intersect(&y));
            let first = (&p - &q).first().copied();
            assert_eq!(rest.first().map(VarId::index), first);
            for variable in [0, 63, 64, 100] {
                assert_eq!(x.contains(VarId::new(variable)), p.contains(&variable));
            }
        }
    }
}
