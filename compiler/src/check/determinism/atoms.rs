//! Atoms: the pieces into which the leaves of a circuit cut each domain.
//!
//! Every leaf's support is a union of atoms of its variable, so supports can be
//! handled as sets of small integers, for `bool` and `real` alike. On the real
//! axis a cut behind `v` is the cut before the next number an `f64` can hold:
//! no input lies between, and every atom has a member.

use crate::circuit::{CircuitGraph, Cut, Domain, LeafId, ValueSet, VarId};
use crate::leaf::support;
use crate::runs;
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct SetId(u32);

impl SetId {
    pub(super) const EMPTY: SetId = SetId(0);
}

/// A set of atoms as sorted, separate, half-open runs of their numbers.
type AtomRuns = Box<[(u32, u32)]>;

/// The atoms of all variables, and all sets of atoms that occur.
pub(super) struct Atoms {
    /// For each variable the lower ends of its atoms, and the end of the last.
    cuts: Vec<Vec<f64>>,
    of_leaf: Vec<SetId>,
    sets: IndexSet<AtomRuns, FxBuildHasher>,
    unions: FxHashMap<(SetId, SetId), SetId>,
}

impl Atoms {
    /// Cuts the domains of all variables. Sorts the ends of all supports.
    pub(super) fn new(circuit: &CircuitGraph) -> Self {
        let leaves = circuit.leaves().iter();
        let supports: Vec<ValueSet> = leaves.map(|leaf| support(circuit, leaf)).collect();
        let full = circuit.variables().iter().map(|v| v.domain.full());
        // A variable is cut where its domain ends and where the support of any leaf does.
        let mut cuts: Vec<Vec<f64>> = full.map(|set| ends(&set).collect()).collect();
        for (leaf, set) in circuit.leaves().iter().zip(&supports) {
            cuts[leaf.variable.index()].extend(ends(set));
        }
        for ends in &mut cuts {
            ends.sort_unstable_by(f64::total_cmp);
            ends.dedup();
        }
        let mut atoms = Atoms {
            cuts,
            of_leaf: Vec::new(),
            sets: IndexSet::default(),
            unions: FxHashMap::default(),
        };
        // The first set that is interned is `SetId::EMPTY`.
        atoms.intern(Box::new([]));
        for (leaf, set) in circuit.leaves().iter().zip(&supports) {
            let runs = atoms.runs_of(leaf.variable, set);
            let id = atoms.intern(runs);
            atoms.of_leaf.push(id);
        }
        atoms
    }

    fn runs_of(&self, variable: VarId, set: &ValueSet) -> AtomRuns {
        let cuts = &self.cuts[variable.index()];
        let at = |cut: Cut| cuts.partition_point(|&end| end < key(cut)) as u32;
        let runs = set.runs().iter().map(|&(low, high)| (at(low), at(high)));
        // Two runs with no number between them have become one.
        runs::united(runs.filter(|(low, high)| low < high).collect()).into()
    }

    fn intern(&mut self, runs: AtomRuns) -> SetId {
        SetId(self.sets.insert_full(runs).0 as u32)
    }

    pub(super) fn of_leaf(&self, leaf: LeafId) -> SetId {
        self.of_leaf[leaf.index()]
    }

    pub(super) fn count(&self, variable: VarId) -> u32 {
        self.cuts[variable.index()].len().saturating_sub(1) as u32
    }

    pub(super) fn is_full(&self, variable: VarId, set: SetId) -> bool {
        *self.runs(set) == [(0, self.count(variable))]
    }

    pub(super) fn runs(&self, set: SetId) -> &[(u32, u32)] {
        &self.sets[set.0 as usize]
    }

    pub(super) fn contains(&self, set: SetId, atom: u32) -> bool {
        runs::contain(self.runs(set), atom)
    }

    pub(super) fn first_common(&self, a: SetId, b: SetId) -> Option<u32> {
        if a == b {
            return self.runs(a).first().map(|run| run.0);
        }
        self.common(a, b).next().map(|run| run.0)
    }

    pub(super) fn intersect(&mut self, a: SetId, b: SetId) -> SetId {
        if a == b {
            return a;
        }
        let runs = self.common(a, b).collect();
        self.intern(runs)
    }

    pub(super) fn union(&mut self, a: SetId, b: SetId) -> SetId {
        if a == b {
            return a;
        }
        if let Some(&known) = self.unions.get(&(a, b)) {
            return known;
        }
        // Chains of sums unite the same pairs again and again.
        let id = self.union_all(&[a, b]);
        self.unions.insert((a, b), id);
        id
    }

    pub(super) fn union_all(&mut self, sets: &[SetId]) -> SetId {
        let all = sets.iter().flat_map(|&set| self.runs(set).iter().copied());
        let all = runs::united(all.collect());
        self.intern(all.into())
    }

    fn common(&self, a: SetId, b: SetId) -> impl Iterator<Item = (u32, u32)> + '_ {
        let [a, b] = [a, b].map(|set| self.runs(set).iter().copied());
        runs::common(a, b)
    }

    /// A value in the atom that reads well in a message.
    pub(super) fn example(&self, circuit: &CircuitGraph, variable: VarId, atom: u32) -> f64 {
        let cuts = &self.cuts[variable.index()];
        let (low, high) = (cuts[atom as usize], cuts[atom as usize + 1]);
        match circuit.variable(variable).domain {
            Domain::Real => readable(low, high),
            _ => low,
        }
    }
}

/// A cut as the first number behind it.
fn key(cut: Cut) -> f64 {
    if cut.is_after() {
        cut.value().next_up()
    } else {
        cut.value()
    }
}

fn ends(set: &ValueSet) -> impl Iterator<Item = f64> + '_ {
    set.runs()
        .iter()
        .flat_map(|&(low, high)| [key(low), key(high)])
}

/// The number of `[low, high)` that is shortest to write, roughly.
fn readable(low: f64, high: f64) -> f64 {
    let middle = low / 2.0 + high / 2.0;
    // An atom that reaches down to the smallest number is read from its upper end.
    let candidates = if low <= f64::MIN {
        [0.0, high.ceil() - 1.0, middle, low, low]
    } else {
        [0.0, low.ceil(), middle.round(), middle, low]
    };
    let inside = |x: &f64| low <= *x && *x < high;
    candidates.into_iter().find(inside).unwrap_or(low)
}
