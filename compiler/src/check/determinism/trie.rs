//! Persistent maps from variables to sets of atoms.
//!
//! A product joins what its factors imply, a sum keeps what its children agree
//! on; both share most of the result with their operands. The maps are big-endian
//! Patricia tries with every node kept once: equal maps have equal ids, and a
//! step of a chain over a million variables adds a few nodes, not a million.
//! No recursion here is deeper than the bits of a variable's number.

use super::atoms::{Atoms, SetId};
use crate::circuit::VarId;
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct MapId(u32);

impl MapId {
    /// The map that says nothing about any variable.
    pub(super) const EMPTY: MapId = MapId(u32::MAX);
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum TrieNode {
    /// A variable with its set.
    One(u32, SetId),
    Branch {
        prefix: u32,
        bit: u32,
        zero: MapId,
        one: MapId,
    },
}

pub(super) struct ImpliedMaps {
    nodes: IndexSet<TrieNode, FxBuildHasher>,
    /// The number of variables below each node.
    sizes: Vec<u32>,
    steps_left: u64,
}

impl ImpliedMaps {
    /// No maps yet. Once `steps` are spent every new map is empty, which is
    /// weaker and still true.
    pub(super) fn new(steps: u64) -> Self {
        ImpliedMaps {
            nodes: IndexSet::default(),
            sizes: Vec::new(),
            steps_left: steps,
        }
    }

    fn size(&self, map: MapId) -> usize {
        // The empty map has no place in the table.
        self.sizes.get(map.0 as usize).map_or(0, |&n| n as usize)
    }

    /// The set of a variable, if the map has one.
    pub(super) fn get(&self, mut map: MapId, variable: VarId) -> Option<SetId> {
        let key = variable.index() as u32;
        while map != MapId::EMPTY {
            match self.node(map) {
                TrieNode::One(variable, set) => return (variable == key).then_some(set),
                TrieNode::Branch { bit, zero, one, .. } => {
                    map = if key & bit == 0 { zero } else { one };
                }
            }
        }
        None
    }

    fn variables(&self, map: MapId) -> Vec<VarId> {
        let mut found = Vec::with_capacity(self.size(map));
        let mut rest = vec![map];
        while let Some(map) = rest.pop() {
            if map == MapId::EMPTY {
                continue;
            }
            match self.node(map) {
                TrieNode::One(variable, _) => found.push(VarId::new(variable as usize)),
                TrieNode::Branch { zero, one, .. } => rest.extend([one, zero]),
            }
        }
        found
    }

    /// What both maps say together; `None` if they contradict each other.
    pub(super) fn join(&mut self, atoms: &mut Atoms, a: MapId, b: MapId) -> Option<MapId> {
        if a == b || b == MapId::EMPTY {
            return Some(a);
        }
        if a == MapId::EMPTY {
            return Some(b);
        }
        if !self.spend() {
            return Some(MapId::EMPTY);
        }
        match (self.node(a), self.node(b)) {
            (TrieNode::One(x, s), TrieNode::One(y, t)) if x == y => {
                let set = atoms.intersect(s, t);
                (set != SetId::EMPTY).then(|| self.intern(TrieNode::One(x, set)))
            }
            (first, second) => {
                let Some(bit) = common_branch(first, second) else {
                    return Some(self.link(a, b));
                };
                // Where both have a branch at this bit its halves are joined one by one; a map
                // without one has all of its variables in one half.
                let (zero, one) = self.halves(a, bit);
                let (other_zero, other_one) = self.halves(b, bit);
                let zero = self.join(atoms, zero, other_zero)?;
                let one = self.join(atoms, one, other_one)?;
                Some(self.branch(prefix_of(first), bit, zero, one))
            }
        }
    }

    /// What either map says: the variables of both, with the union of their sets.
    /// A set that has become the whole domain is left out.
    pub(super) fn meet(&mut self, atoms: &mut Atoms, a: MapId, b: MapId) -> MapId {
        if a == b {
            return a;
        }
        if a == MapId::EMPTY || b == MapId::EMPTY || !self.spend() {
            return MapId::EMPTY;
        }
        match (self.node(a), self.node(b)) {
            (TrieNode::One(x, s), TrieNode::One(y, t)) if x == y => {
                let set = atoms.union(s, t);
                self.unless_full(atoms, VarId::new(x as usize), set)
            }
            (first, second) => {
                // Maps that lie apart have no variable in common.
                let Some(bit) = common_branch(first, second) else {
                    return MapId::EMPTY;
                };
                let (zero, one) = self.halves(a, bit);
                let (other_zero, other_one) = self.halves(b, bit);
                let zero = self.meet(atoms, zero, other_zero);
                let one = self.meet(atoms, one, other_one);
                self.branch(prefix_of(first), bit, zero, one)
            }
        }
    }

    /// What any of many maps says. Sets are united all at once, so that a sum
    /// over a million values is sorted rather than built up value by value.
    pub(super) fn meet_all(&mut self, atoms: &mut Atoms, maps: &[MapId]) -> MapId {
        let Some(&smallest) = maps.iter().min_by_key(|&&map| self.size(map)) else {
            return MapId::EMPTY;
        };
        let mut result = MapId::EMPTY;
        // A variable that one map does not restrict is not restricted by the result, so the map
        // with the fewest variables has all candidates.
        for variable in self.variables(smallest) {
            let cost = maps.len() as u64;
            if self.steps_left < cost {
                return MapId::EMPTY;
            }
            self.steps_left -= cost;
            let sets: Option<Vec<SetId>> = maps.iter().map(|&m| self.get(m, variable)).collect();
            if let Some(sets) = sets {
                let set = atoms.union_all(&sets);
                let one = self.unless_full(atoms, variable, set);
                // Distinct variables cannot contradict each other.
                result = self.join(atoms, result, one).unwrap_or(MapId::EMPTY);
            }
        }
        result
    }

    /// Finds up to `most` variables on which the maps exclude each other.
    pub(super) fn separating(&self, atoms: &Atoms, a: MapId, b: MapId, most: usize) -> Vec<VarId> {
        let mut found = Vec::new();
        let mut rest = vec![(a, b)];
        while let Some((a, b)) = rest.pop() {
            if a == b || a == MapId::EMPTY || b == MapId::EMPTY || found.len() >= most {
                continue;
            }
            match (self.node(a), self.node(b)) {
                (TrieNode::One(x, s), TrieNode::One(y, t)) => {
                    if x == y && atoms.first_common(s, t).is_none() {
                        found.push(VarId::new(x as usize));
                    }
                }
                (first, second) => {
                    if let Some(bit) = common_branch(first, second) {
                        let (zero, one) = self.halves(a, bit);
                        let (other_zero, other_one) = self.halves(b, bit);
                        rest.extend([(one, other_one), (zero, other_zero)]);
                    }
                }
            }
        }
        found
    }

    pub(super) fn excludes(&self, atoms: &Atoms, a: MapId, b: MapId) -> bool {
        !self.separating(atoms, a, b, 1).is_empty()
    }

    fn spend(&mut self) -> bool {
        self.steps_left = self.steps_left.saturating_sub(1);
        self.steps_left > 0
    }

    /// The map of one variable, empty if its set says nothing.
    pub(super) fn unless_full(&mut self, atoms: &Atoms, variable: VarId, set: SetId) -> MapId {
        if atoms.is_full(variable, set) {
            MapId::EMPTY
        } else {
            self.intern(TrieNode::One(variable.index() as u32, set))
        }
    }

    fn node(&self, map: MapId) -> TrieNode {
        self.nodes[map.0 as usize]
    }

    fn intern(&mut self, node: TrieNode) -> MapId {
        let (at, is_new) = self.nodes.insert_full(node);
        if is_new {
            self.sizes.push(match node {
                TrieNode::One(..) => 1,
                TrieNode::Branch { zero, one, .. } => (self.size(zero) + self.size(one)) as u32,
            });
        }
        MapId(at as u32)
    }

    /// A branch, or less if a side is empty.
    fn branch(&mut self, prefix: u32, bit: u32, zero: MapId, one: MapId) -> MapId {
        if zero == MapId::EMPTY {
            return one;
        }
        if one == MapId::EMPTY {
            return zero;
        }
        let prefix = prefix & !(bit | (bit - 1));
        self.intern(TrieNode::Branch {
            prefix,
            bit,
            zero,
            one,
        })
    }

    /// Joins two maps whose variables differ in a bit above both.
    fn link(&mut self, a: MapId, b: MapId) -> MapId {
        // The highest bit in which their variables differ becomes the branch above both.
        let (p, q) = (prefix_of(self.node(a)), prefix_of(self.node(b)));
        let bit = 1 << (31 - (p ^ q).leading_zeros());
        if p & bit == 0 {
            self.branch(p, bit, a, b)
        } else {
            self.branch(p, bit, b, a)
        }
    }

    /// The parts of a map without and with `bit`, a bit at or above its own.
    fn halves(&self, map: MapId, bit: u32) -> (MapId, MapId) {
        match self.node(map) {
            TrieNode::Branch {
                bit: own,
                zero,
                one,
                ..
            } if own == bit => (zero, one),
            node if prefix_of(node) & bit == 0 => (map, MapId::EMPTY),
            _ => (MapId::EMPTY, map),
        }
    }
}

/// The bit above which the variables of two maps agree, and at which one of them branches at
/// least; none if they differ in a bit above all branches.
fn common_branch(a: TrieNode, b: TrieNode) -> Option<u32> {
    let bit = bit_of(a).max(bit_of(b));
    // The bits above the higher branch decide which variables its map can hold at all.
    let above = match bit {
        0 => u32::MAX,
        bit => !(bit | (bit - 1)),
    };
    // Below the higher of the two branches nothing is compared: that is for its halves.
    ((prefix_of(a) ^ prefix_of(b)) & above == 0 && bit > 0).then_some(bit)
}

fn prefix_of(node: TrieNode) -> u32 {
    match node {
        TrieNode::One(variable, _) => variable,
        TrieNode::Branch { prefix, .. } => prefix,
    }
}

fn bit_of(node: TrieNode) -> u32 {
    match node {
        TrieNode::One(..) => 0,
        TrieNode::Branch { bit, .. } => bit,
    }
}
