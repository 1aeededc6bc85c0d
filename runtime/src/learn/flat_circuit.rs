//! A circuit as flat tables, for what is computed of all units without data.
//!
//! M-steps and entropies visit every edge after every batch. The tables hold what
//! the root reaches, children before parents, with the positions of weights looked
//! up once.

use super::leaf::{LeafPlan, is_table};
use pelton_compiler::circuit::{
    CircuitGraph, LeafId, LeafKind, ParamId, ReachableUnits, UnitId, UnitKind, Weight,
};
use std::ops::Range;

/// The parts of a circuit that the root reaches.
#[derive(Debug)]
pub(super) struct FlatCircuit {
    /// Units, children before parents; the root is the last.
    pub units: Vec<FlatUnit>,
    /// Which units of the circuit they are.
    pub ids: Vec<UnitId>,
    /// The children of all units, as positions in `units`.
    pub children: Vec<u32>,
    /// For each child of a sum the position of its weight's entry.
    pub entries: Vec<u32>,
    /// Vectors of probabilities, by parameter; none for other parameters.
    pub vectors: Vec<Option<ShareVector>>,
    /// Which parameter an entry belongs to.
    pub param_of: Vec<u32>,
    /// Sums and products by how far below the root they are, the root first. What
    /// reaches a unit comes from levels before its own.
    pub levels: Vec<Vec<u32>>,
    /// What the entries of a leaf gain where it is like a sum over other leaves, by
    /// leaf index; nothing for all others.
    pub gains: Vec<Vec<f64>>,
}

/// A unit and where its edges are.
#[derive(Clone, Copy, Debug)]
pub(super) struct FlatUnit {
    pub kind: FlatUnitKind,
    first: u32,
    n: u32,
}

/// What a unit is to learning.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum FlatUnitKind {
    /// A leaf that is like a sum over its entries: one for each value or bin.
    Table(LeafId, ParamId),
    /// Any other leaf.
    Leaf(LeafId),
    Product,
    /// A sum; if its edges are weighed by all entries of one vector in order, which.
    Sum(Option<ParamId>),
}

/// A vector of probabilities.
#[derive(Clone, Debug)]
pub(super) struct ShareVector {
    pub entries: Range<usize>,
    /// Those that learning may change, counted from the first; all if empty.
    pub free: Vec<u32>,
    /// Number of those.
    pub n_free: usize,
    /// What fixed entries leave to them.
    pub mass: f64,
    pub n_uses: usize,
    /// Whether one sum or leaf alone uses it, with its entries in order.
    pub is_own: bool,
}

impl FlatUnit {
    /// Where its edges are in the tables.
    pub fn edges(self) -> Range<usize> {
        self.first as usize..(self.first + self.n) as usize
    }
}

impl ShareVector {
    /// Positions of the entries that learning may change.
    pub fn free_entries(&self) -> impl Iterator<Item = usize> + Clone + '_ {
        let all = if self.free.is_empty() {
            self.entries.clone()
        } else {
            0..0
        };
        let some = self.free.iter().map(|&at| self.entries.start + at as usize);
        all.chain(some)
    }
}

impl FlatCircuit {
    pub fn new(circuit: &CircuitGraph, leaves: &LeafPlan) -> Self {
        let reach = ReachableUnits::of(circuit, &[circuit.root()]);
        let params = || (0..circuit.parameters().len()).map(ParamId::new);
        let of_entries = |(param, at)| std::iter::repeat_n(at, circuit.parameter(param).len());
        let mut flat = FlatCircuit {
            units: Vec::new(),
            ids: Vec::new(),
            children: Vec::new(),
            entries: Vec::new(),
            vectors: params().map(|param| vector(circuit, param)).collect(),
            param_of: params().zip(0..).flat_map(of_entries).collect(),
            levels: Vec::new(),
            gains: gains(circuit, leaves),
        };
        // Units are numbered anew, so that the tables have no gaps: children come before their
        // parents and have their numbers by then.
        let mut places = vec![u32::MAX; circuit.n_units()];
        for unit in circuit.units().filter(|unit| reach.marked()[unit.index()]) {
            let first = flat.children.len() as u32;
            for child in circuit.children(unit) {
                flat.children.push(places[child.unit.index()]);
                let entry = child.weight.map(|weight| circuit.entry_position(weight));
                flat.entries
                    .push(entry.map_or(u32::MAX, |entry| entry as u32));
            }
            places[unit.index()] = flat.units.len() as u32;
            flat.ids.push(unit);
            let kind = flat.kind(circuit, unit);
            flat.units.push(FlatUnit {
                kind,
                first,
                n: flat.children.len() as u32 - first,
            });
            flat.count_use(circuit, kind, first as usize);
        }
        flat.levels = flat.levels();
        flat
    }

    /// Parents come after their children, so that going backwards the depth of a unit, that of
    /// its deepest parent and one more, is known when it is met.
    fn levels(&self) -> Vec<Vec<u32>> {
        let mut depths = vec![0_usize; self.units.len()];
        let mut levels = Vec::new();
        for (at, unit) in self.units.iter().enumerate().rev() {
            if unit.edges().is_empty() {
                continue;
            }
            let depth = depths[at];
            levels.resize_with(levels.len().max(depth + 1), Vec::new);
            levels[depth].push(at as u32);
            for &child in &self.children[unit.edges()] {
                depths[child as usize] = depths[child as usize].max(depth + 1);
            }
        }
        levels
    }

    /// Notes which vectors a unit uses.
    fn count_use(&mut self, circuit: &CircuitGraph, kind: FlatUnitKind, first: usize) {
        let mut used: Vec<usize> = match kind {
            FlatUnitKind::Table(_, param) | FlatUnitKind::Sum(Some(param)) => vec![param.index()],
            FlatUnitKind::Sum(None) => {
                let entries = self.entries[first..].iter();
                let params = entries.map(|&entry| self.param_of[entry as usize] as usize);
                params.collect()
            }
            FlatUnitKind::Leaf(leaf) => {
                let params = params_of(circuit, leaf).iter();
                params.map(|param| param.index()).collect()
            }
            FlatUnitKind::Product => Vec::new(),
        };
        // A unit that weighs several of its edges by entries of one vector uses it once.
        used.sort_unstable();
        used.dedup();
        let is_whole = matches!(kind, FlatUnitKind::Table(..) | FlatUnitKind::Sum(Some(_)));
        for param in used {
            if let Some(vector) = &mut self.vectors[param] {
                vector.n_uses += 1;
                vector.is_own = vector.n_uses == 1 && is_whole;
            }
        }
    }

    fn kind(&self, circuit: &CircuitGraph, unit: UnitId) -> FlatUnitKind {
        match circuit.kind(unit) {
            UnitKind::Product => FlatUnitKind::Product,
            UnitKind::Sum => FlatUnitKind::Sum(only_vector(circuit, unit)),
            UnitKind::Input(id) => match &circuit.leaf(id).kind {
                LeafKind::Distribution(distribution)
                    if is_table(distribution) || !self.gains[id.index()].is_empty() =>
                {
                    FlatUnitKind::Table(id, distribution.params[0])
                }
                _ => FlatUnitKind::Leaf(id),
            },
        }
    }

    pub fn root(&self) -> usize {
        self.units.len() - 1
    }

    /// The learned vector of a unit, if it alone uses it, in order.
    pub fn own_vector(&self, unit: FlatUnit) -> Option<(ParamId, &ShareVector)> {
        let param = match unit.kind {
            FlatUnitKind::Table(_, param) | FlatUnitKind::Sum(Some(param)) => param,
            _ => return None,
        };
        let vector = self.vectors[param.index()].as_ref()?;
        vector.is_own.then_some((param, vector))
    }

    /// Vectors that the root reaches and that have something to share out.
    pub fn used_vectors(&self) -> impl Iterator<Item = (ParamId, &ShareVector)> {
        let vectors = self.vectors.iter().enumerate();
        vectors.filter_map(|(at, vector)| {
            let vector = vector.as_ref()?;
            let is_used = vector.n_uses > 0 && vector.mass > 0.0;
            is_used.then(|| (ParamId::new(at), vector))
        })
    }
}

pub(super) fn params_of(circuit: &CircuitGraph, leaf: LeafId) -> &[ParamId] {
    match &circuit.leaf(leaf).kind {
        LeafKind::Indicator(_) => &[],
        LeafKind::Distribution(distribution) => &distribution.params,
    }
}

fn gains(circuit: &CircuitGraph, leaves: &LeafPlan) -> Vec<Vec<f64>> {
    let mut gains = vec![Vec::new(); circuit.leaves().len()];
    for leaf in leaves.sum_like() {
        gains[leaf.leaf.index()].clone_from(&leaf.gammas);
    }
    gains
}

/// The vector whose entries weigh a sum's edges, all of them in order.
fn only_vector(circuit: &CircuitGraph, sum: UnitId) -> Option<ParamId> {
    let param = circuit.child(sum, 0).weight?.param;
    let weights = circuit.children(sum).map(|child| child.weight);
    let all = 0..circuit.parameter(param).len() as u32;
    let own = all.map(|index| Some(Weight { param, index }));
    weights.eq(own).then_some(param)
}

/// The vector of a parameter that adds up to 1 and has something to learn.
fn vector(circuit: &CircuitGraph, param: ParamId) -> Option<ShareVector> {
    let parameter = circuit.parameter(param);
    let entries = circuit.entries(param);
    let free = (0..).zip(entries).filter(|(_, entry)| entry.learned);
    let free: Vec<u32> = free.map(|(at, _)| at).collect();
    if !parameter.kind.adds_up() || free.is_empty() {
        return None;
    }
    let fixed = entries.iter().filter_map(|entry| entry.fixed_value());
    let fixed: f64 = fixed.map(|value| value.linear()).sum();
    let n_free = free.len();
    let is_free = n_free == entries.len();
    Some(ShareVector {
        entries: parameter.entries(),
        free: if is_free { Vec::new() } else { free },
        n_free,
        mass: (1.0 - fixed).max(0.0),
        n_uses: 0,
        is_own: false,
    })
}
