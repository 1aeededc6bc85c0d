//! Groups of factors, and how two products fall apart.

use super::FactorGroupPair;
use pelton_compiler::circuit::{CircuitGraph, Scopes, UnitId, UnitKind, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

/// Some factors of one circuit: a unit, or a list that was met before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct FactorGroup(u32);

/// Lists of units that have been met, by side.
struct Interned {
    n_units: u32,
    lists: Vec<Box<[UnitId]>>,
    ids: FxHashMap<Box<[UnitId]>, FactorGroup>,
}

impl Interned {
    fn new(circuit: &CircuitGraph) -> Self {
        Interned {
            n_units: circuit.n_units() as u32,
            lists: Vec::new(),
            ids: FxHashMap::default(),
        }
    }

    fn group(&mut self, mut units: Vec<UnitId>) -> FactorGroup {
        if let [unit] = units[..] {
            return FactorGroup::single(unit);
        }
        units.sort_unstable();
        if let Some(&known) = self.ids.get(&units[..]) {
            return known;
        }
        let group = FactorGroup(self.n_units + self.lists.len() as u32);
        self.lists.push(units.clone().into());
        self.ids.insert(units.into(), group);
        group
    }

    fn units(&self, group: FactorGroup) -> Vec<UnitId> {
        match group.0.checked_sub(self.n_units) {
            None => vec![UnitId::new(group.0 as usize)],
            Some(at) => self.lists[at as usize].to_vec(),
        }
    }
}

/// Groups of two circuits over the same variables.
pub(super) struct FactorGroups<'a> {
    circuits: [&'a CircuitGraph; 2],
    scopes: [Scopes; 2],
    /// The variable of the first circuit that one of the second stands for.
    other_variable: &'a [Option<VarId>],
    /// By side and unit, a number that is equal for equal scopes and, but for chance,
    /// different for others: what belongs to the variables, added up.
    marks: [Vec<u64>; 2],
    interned: [Interned; 2],
    /// By variable of the first circuit, the factor that mentions it, on either side.
    found: [FxHashMap<VarId, usize>; 2],
    work: u64,
}

impl FactorGroup {
    pub fn single(unit: UnitId) -> Self {
        FactorGroup(unit.index() as u32)
    }
}

impl<'a> FactorGroups<'a> {
    pub fn new(
        first: &'a CircuitGraph,
        second: &'a CircuitGraph,
        other_variable: &'a [Option<VarId>],
    ) -> Self {
        let own = |variable: VarId| Some(variable);
        let other = |variable: VarId| other_variable[variable.index()];
        FactorGroups {
            circuits: [first, second],
            scopes: [Scopes::compute(first), Scopes::compute(second)],
            other_variable,
            marks: [marks(first, own), marks(second, other)],
            interned: [Interned::new(first), Interned::new(second)],
            found: Default::default(),
            work: 0,
        }
    }

    pub fn left(&self, group: FactorGroup) -> Vec<UnitId> {
        self.interned[0].units(group)
    }

    pub fn right(&self, group: FactorGroup) -> Vec<UnitId> {
        self.interned[1].units(group)
    }

    pub fn with_left(&mut self, rest: &[UnitId], unit: UnitId) -> FactorGroup {
        self.interned[0].group([rest, &[unit]].concat())
    }

    pub fn with_right(&mut self, rest: &[UnitId], unit: UnitId) -> FactorGroup {
        self.interned[1].group([rest, &[unit]].concat())
    }

    /// Steps that splitting took since this was last asked.
    pub fn take_work(&mut self) -> u64 {
        std::mem::take(&mut self.work)
    }

    /// The independent parts of two lists of factors; `None` if they do not fall apart.
    /// Parts that are leaves come first: they tell soonest that nothing is common.
    pub fn split(&mut self, left: &[UnitId], right: &[UnitId]) -> Option<Vec<FactorGroupPair>> {
        // 1. Factors of products count one by one.
        let mut factors = [self.factors(0, left), self.factors(1, right)];
        let was_opened = factors[0] != left || factors[1] != right;
        // 2. Most have a counterpart of the same scope; the rest falls into what common variables
        // connect.
        let mut parts = self.equal_scopes(&mut factors);
        if !factors[0].is_empty() || !factors[1].is_empty() {
            parts.extend(self.connected(&factors));
        }
        if parts.len() == 1 && !was_opened {
            return None;
        }
        // 3. Leaves first.
        let circuit = self.circuits[0];
        parts.sort_by_key(|(left, _)| match &left[..] {
            [unit] => !matches!(circuit.kind(*unit), UnitKind::Input(_)),
            _ => true,
        });
        let [own, other] = &mut self.interned;
        let pair = |(left, right)| (own.group(left), other.group(right));
        Some(parts.into_iter().map(pair).collect())
    }

    /// The factors with products opened, and without constants: scaled to mass 1 these
    /// are 1.
    fn factors(&mut self, side: usize, units: &[UnitId]) -> Vec<UnitId> {
        let (circuit, scopes) = (self.circuits[side], &self.scopes[side]);
        let mut found = Vec::with_capacity(units.len());
        for &unit in units {
            match circuit.kind(unit) {
                UnitKind::Product => found.extend(circuit.children(unit).map(|child| child.unit)),
                _ => found.push(unit),
            }
        }
        found.retain(|&unit| scopes.size(scopes.id(unit)) > 0);
        self.work += found.len() as u64;
        found
    }

    /// Takes out factors that have a counterpart of the same scope.
    fn equal_scopes(&self, factors: &mut [Vec<UnitId>; 2]) -> Vec<(Vec<UnitId>, Vec<UnitId>)> {
        let mark = |side: usize, unit: UnitId| self.marks[side][unit.index()];
        let right = factors[1].iter().map(|&unit| (mark(1, unit), unit));
        let right: FxHashMap<u64, UnitId> = right.collect();
        let (mut parts, mut taken) = (Vec::new(), FxHashSet::default());
        for &unit in &factors[0] {
            if let Some(&other) = right.get(&mark(0, unit)) {
                parts.push((vec![unit], vec![other]));
                taken.insert(mark(0, unit));
            }
        }
        for (side, units) in factors.iter_mut().enumerate() {
            units.retain(|&unit| !taken.contains(&mark(side, unit)));
        }
        parts
    }

    /// Groups of factors that are connected by common variables.
    fn connected(&mut self, factors: &[Vec<UnitId>; 2]) -> Vec<(Vec<UnitId>, Vec<UnitId>)> {
        // 1. Which factor mentions each variable, on either side.
        let n_left = factors[0].len();
        let mut parents: Vec<usize> = (0..n_left + factors[1].len()).collect();
        self.found = Default::default();
        for side in [0, 1] {
            for (at, &unit) in factors[side].iter().enumerate() {
                for variable in self.scopes[side].of(unit).iter() {
                    self.work += 1;
                    let variable = match side {
                        0 => Some(variable),
                        _ => self.other_variable[variable.index()],
                    };
                    if let Some(variable) = variable {
                        self.found[side].insert(variable, at + side * n_left);
                    }
                }
            }
        }
        // 2. Factors that have one in common are joined (union and find, the first on top).
        for (variable, &left) in &self.found[0] {
            if let Some(&right) = self.found[1].get(variable) {
                let (a, b) = (top(&mut parents, left), top(&mut parents, right));
                parents[a.max(b)] = a.min(b);
            }
        }
        // 3. The members of each set, in an order that does not depend on hashes.
        let mut parts: FxHashMap<usize, (Vec<UnitId>, Vec<UnitId>)> = FxHashMap::default();
        for at in 0..parents.len() {
            let part = parts.entry(top(&mut parents, at)).or_default();
            match at.checked_sub(n_left) {
                None => part.0.push(factors[0][at]),
                Some(at) => part.1.push(factors[1][at]),
            }
        }
        let mut parts: Vec<(usize, _)> = parts.into_iter().collect();
        parts.sort_unstable_by_key(|part| part.0);
        parts.into_iter().map(|(_, part)| part).collect()
    }
}

/// The first member of the set that holds `at`.
fn top(parents: &mut [usize], mut at: usize) -> usize {
    while parents[at] != at {
        parents[at] = parents[parents[at]];
        at = parents[at];
    }
    at
}

/// For each unit the sum of a random number for each variable of its scope.
fn marks(circuit: &CircuitGraph, variable: impl Fn(VarId) -> Option<VarId>) -> Vec<u64> {
    let mut marks: Vec<u64> = Vec::with_capacity(circuit.n_units());
    for unit in circuit.units() {
        let children = circuit.children(unit);
        let mut children = children.map(|child| marks[child.unit.index()]);
        let mark = match circuit.kind(unit) {
            UnitKind::Input(leaf) => {
                let own = variable(circuit.leaf(leaf).variable);
                own.map_or(u64::MAX, |own| random(own.index() as u64))
            }
            UnitKind::Product => children.fold(0, u64::wrapping_add),
            UnitKind::Sum => children.next().unwrap_or(0),
        };
        marks.push(mark);
    }
    marks
}

fn random(variable: u64) -> u64 {
    let word = (variable + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let word = (word ^ (word >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    word ^ (word >> 32)
}
