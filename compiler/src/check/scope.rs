//! Scopes: which variables a unit mentions.

use crate::circuit::{Circuit, UnitId, UnitKind, VarId};
use rustc_hash::FxHashMap;

/// A set of variables: the words of a bitset, trimmed at both ends.
///
/// Trimming keeps the suffixes of a long chain and the many small scopes of a
/// wide circuit small.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Scope {
    first_word: u32,
    words: Box<[u64]>,
}

impl Scope {
    /// The scope of one variable.
    pub fn single(variable: VarId) -> Self {
        Scope {
            first_word: (variable.index() / 64) as u32,
            words: Box::new([1 << (variable.index() % 64)]),
        }
    }

    /// Number of variables.
    pub fn len(&self) -> usize {
        self.words
            .iter()
            .map(|word| word.count_ones() as usize)
            .sum()
    }

    /// Whether no variable is in it.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Whether the variable is in it.
    pub fn contains(&self, variable: VarId) -> bool {
        self.word(variable.index() / 64) >> (variable.index() % 64) & 1 == 1
    }

    /// The variables, in order of their ids.
    pub fn iter(&self) -> impl Iterator<Item = VarId> + '_ {
        let first = self.first_word as usize * 64;
        self.words.iter().enumerate().flat_map(move |(at, &word)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                let bit = (rest != 0).then(|| rest.trailing_zeros() as usize)?;
                rest &= rest - 1;
                Some(VarId::new(first + at * 64 + bit))
            })
        })
    }

    /// The variables that are in this one and not in `other`.
    pub fn minus(&self, other: &Scope) -> Scope {
        self.combine(other, |a, b| a & !b)
    }

    /// The variables in both.
    pub fn intersect(&self, other: &Scope) -> Scope {
        self.combine(other, |a, b| a & b)
    }

    /// The variables in either.
    pub fn union(&self, other: &Scope) -> Scope {
        let mut words = WordBuffer::default();
        words.add(self);
        words.add(other);
        words.take()
    }

    /// Whether no variable is in both.
    pub fn is_disjoint(&self, other: &Scope) -> bool {
        let low = self.first_word.max(other.first_word) as usize;
        let high = self.end_word().min(other.end_word());
        (low..high).all(|at| self.word(at) & other.word(at) == 0)
    }

    /// Whether every variable of it is in `other`.
    pub fn is_subset(&self, other: &Scope) -> bool {
        let first = self.first_word as usize;
        let words = self.words.iter().enumerate();
        words.fold(0, |left, (at, word)| left | word & !other.word(first + at)) == 0
    }

    /// A copy from which variables can be taken away one part at a time.
    pub(super) fn remainder(&self) -> Remainder {
        Remainder {
            first_word: self.first_word as usize,
            words: self.words.to_vec(),
            at: 0,
        }
    }

    fn end_word(&self) -> usize {
        self.first_word as usize + self.words.len()
    }

    fn word(&self, at: usize) -> u64 {
        at.checked_sub(self.first_word as usize)
            .and_then(|at| self.words.get(at))
            .copied()
            .unwrap_or(0)
    }

    /// Combines the words of this scope with those of another; `op(0, x)` must be 0.
    fn combine(&self, other: &Scope, op: impl Fn(u64, u64) -> u64) -> Scope {
        let first = self.first_word as usize;
        let words: Vec<u64> = (first..self.end_word())
            .map(|at| op(self.word(at), other.word(at)))
            .collect();
        trimmed(first, &words)
    }
}

fn trimmed(first_word: usize, words: &[u64]) -> Scope {
    let Some(low) = words.iter().position(|&word| word != 0) else {
        return Scope {
            first_word: 0,
            words: Box::new([]),
        };
    };
    let high = words.iter().rposition(|&word| word != 0).unwrap_or(low);
    Scope {
        first_word: (first_word + low) as u32,
        words: words[low..=high].into(),
    }
}

/// What is left of a scope.
pub(super) struct Remainder {
    first_word: usize,
    words: Vec<u64>,
    /// No word before this one has a variable left.
    at: usize,
}

impl Remainder {
    /// The first variable left.
    pub fn first(&mut self) -> Option<VarId> {
        while *self.words.get(self.at)? == 0 {
            self.at += 1;
        }
        let bit = self.words[self.at].trailing_zeros() as usize;
        Some(VarId::new((self.first_word + self.at) * 64 + bit))
    }

    /// Takes the variables of a subset away.
    pub fn remove(&mut self, subset: &Scope) {
        let offset = subset.first_word as usize - self.first_word;
        for (word, gone) in self.words[offset..].iter_mut().zip(&subset.words) {
            *word &= !gone;
        }
    }
}

/// A growing union that is reused from unit to unit.
#[derive(Default)]
struct WordBuffer {
    first: usize,
    words: Vec<u64>,
}

impl WordBuffer {
    fn add(&mut self, scope: &Scope) {
        if scope.is_empty() {
            return;
        }
        let (low, high) = (scope.first_word as usize, scope.end_word());
        if self.words.is_empty() {
            self.first = low;
        }
        if low < self.first {
            let missing = self.first - low;
            self.words.splice(0..0, std::iter::repeat_n(0, missing));
            self.first = low;
        }
        if high > self.first + self.words.len() {
            self.words.resize(high - self.first, 0);
        }
        for (at, word) in scope.words.iter().enumerate() {
            self.words[low - self.first + at] |= word;
        }
    }

    fn take(&mut self) -> Scope {
        let scope = trimmed(self.first, &self.words);
        self.words.clear();
        scope
    }
}

/// Names one distinct scope of a circuit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ScopeId(u32);

impl ScopeId {
    /// Position in [`Scopes::distinct`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The scope of every unit. Equal scopes are kept once and have one id, so
/// that comparing scopes is comparing ids.
#[derive(Clone, Debug)]
pub struct Scopes {
    of_unit: Vec<ScopeId>,
    distinct: Vec<Scope>,
    sizes: Vec<u32>,
}

impl Scopes {
    /// Computes the scope of every unit: a leaf's variable, and the union of
    /// the children elsewhere. Linear in edges times the words of a scope.
    pub fn compute(circuit: &Circuit) -> Self {
        let mut interner = Interner::default();
        let mut of_unit: Vec<ScopeId> = Vec::with_capacity(circuit.n_units());
        let mut child_scopes = Vec::new();
        for unit in circuit.units() {
            let id = match circuit.kind(unit) {
                UnitKind::Input(leaf) => {
                    interner.intern(Scope::single(circuit.leaf(leaf).variable))
                }
                _ => {
                    child_scopes.clear();
                    child_scopes.extend(circuit.children(unit).map(|c| of_unit[c.unit.index()]));
                    child_scopes.dedup();
                    interner.union(&child_scopes)
                }
            };
            of_unit.push(id);
        }
        let sizes = interner.distinct.iter().map(|s| s.len() as u32).collect();
        Scopes {
            of_unit,
            distinct: interner.distinct,
            sizes,
        }
    }

    /// The id of a unit's scope.
    pub fn id(&self, unit: UnitId) -> ScopeId {
        self.of_unit[unit.index()]
    }

    /// A unit's scope.
    pub fn of(&self, unit: UnitId) -> &Scope {
        &self.distinct[self.id(unit).index()]
    }

    /// The scope of an id.
    pub fn get(&self, id: ScopeId) -> &Scope {
        &self.distinct[id.index()]
    }

    /// Number of variables in a scope, without counting them again.
    pub fn size(&self, id: ScopeId) -> usize {
        self.sizes[id.index()] as usize
    }

    /// The ids of all distinct scopes, in order.
    pub fn ids(&self) -> impl Iterator<Item = ScopeId> + use<> {
        (0..self.distinct.len() as u32).map(ScopeId)
    }

    /// All distinct scopes; ids are positions.
    pub fn distinct(&self) -> &[Scope] {
        &self.distinct
    }
}

#[derive(Default)]
struct Interner {
    distinct: Vec<Scope>,
    ids: FxHashMap<Scope, ScopeId>,
    unions: FxHashMap<(ScopeId, ScopeId), ScopeId>,
    buffer: WordBuffer,
}

impl Interner {
    fn intern(&mut self, scope: Scope) -> ScopeId {
        if let Some(&id) = self.ids.get(&scope) {
            return id;
        }
        let id = ScopeId(self.distinct.len() as u32);
        self.distinct.push(scope.clone());
        self.ids.insert(scope, id);
        id
    }

    fn union(&mut self, scopes: &[ScopeId]) -> ScopeId {
        match *scopes {
            [one] => one,
            [a, b] => match self.unions.get(&(a, b)) {
                Some(&known) => known,
                None => {
                    let id = self.union_of_all(scopes);
                    self.unions.insert((a, b), id);
                    id
                }
            },
            _ => self.union_of_all(scopes),
        }
    }

    fn union_of_all(&mut self, scopes: &[ScopeId]) -> ScopeId {
        for id in scopes {
            self.buffer.add(&self.distinct[id.index()]);
        }
        let scope = self.buffer.take();
        self.intern(scope)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scope(variables: &[usize]) -> Scope {
        let mut buffer = WordBuffer::default();
        for &variable in variables {
            buffer.add(&Scope::single(VarId::new(variable)));
        }
        buffer.take()
    }

    #[test]
    fn set_operations_on_trimmed_words() {
        let a = scope(&[700, 3, 64]);
        let b = scope(&[64, 65]);
        assert_eq!(a.len(), 3);
        assert_eq!(a.minus(&b), scope(&[3, 700]));
        assert_eq!(a.intersect(&b), scope(&[64]));
        assert_eq!(a.union(&b), scope(&[3, 64, 65, 700]));
        assert!(!a.is_disjoint(&b) && a.is_disjoint(&scope(&[65])));
        assert_eq!(a.iter().map(VarId::index).collect::<Vec<_>>(), [3, 64, 700]);
        assert!(a.minus(&a).is_empty() && a.minus(&a).is_subset(&b));
    }
}
