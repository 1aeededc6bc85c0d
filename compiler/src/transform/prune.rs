//! Pruning: leaving out edges that hardly count.

use super::import::{Import, Numbers};
use super::part::value_of;
use super::settle::{Transformed, settle};
use crate::check::Checked;
use crate::circuit::{
    Builder, Child, Circuit, Entry, LeafKind, ParamId, ParamKind, Property, UnitId, UnitKind,
    Value, VarId, Weight,
};
use crate::leaf::log_sum_exp;
use rustc_hash::FxHashMap;

/// A circuit after pruning.
#[derive(Clone, Debug)]
pub struct Pruned {
    /// The circuit.
    pub circuit: Transformed,
    /// Edges of sums that were left out for their score.
    pub n_dropped: usize,
    /// Sums that were left as they are because their weights are tied in a way that no
    /// entry can be left out of.
    pub n_tied: usize,
    /// At most so large is the divergence of the pruned distribution from the original,
    /// `KL(pruned || original)` in nats; none if the circuit is not normalized.
    pub divergence_bound: Option<f64>,
}

/// Leaves out the edges of sums whose score is below a bound, and scales the weights
/// that are left to the total they had.
///
/// Before: `0.6: a + 0.3999999: b + 0.0000001: c`, below 1e-6.
/// After: `0.60000006: a + 0.39999994: b`.
///
/// `score` is asked for each edge by its sum and position: its weight, or the flow that
/// data send along it. The best edge of a sum stays whatever its score. What is learned
/// stays learned, with one entry less. A tied vector loses an entry only if every sum
/// that uses it has all of it; other sums with tied weights stay as they are.
///
/// Nothing is below 0, so that a bound of 0 changes nothing but units that the root does
/// not reach. Linear in edges.
pub fn prune(
    checked: &Checked,
    values: &[Value],
    below: f64,
    score: impl Fn(UnitId, usize) -> f64,
) -> Pruned {
    let circuit = checked.circuit();
    let cuts = Cuts::decide(circuit, below, score);
    let divergence_bound = checked
        .facts()
        .is_proven(Property::Normalized)
        .then(|| cuts.divergence_bound(circuit, values));
    let mut builder = Builder::new();
    let import = Import::picking(&mut builder, circuit, values, Numbers::Kept, |_: VarId| {
        true
    });
    let mut copy = Copy {
        builder,
        import,
        cuts: &cuts,
        units: vec![None; circuit.n_units()],
        shrunk: FxHashMap::default(),
    };
    for unit in circuit.units().filter(|unit| cuts.is_reached[unit.index()]) {
        let new = copy.unit(unit);
        copy.units[unit.index()] = Some(new);
    }
    let root = copy.new_unit(circuit.root());
    Pruned {
        circuit: settle(copy.builder, root, &[&copy.import]),
        n_dropped: cuts.n_dropped,
        n_tied: cuts.n_tied,
        divergence_bound,
    }
}

/// Which edges go.
struct Cuts {
    /// Positions of the children that each shortened sum keeps.
    kept: FxHashMap<UnitId, Vec<usize>>,
    /// What the root still reaches.
    is_reached: Vec<bool>,
    n_dropped: usize,
    n_tied: usize,
}

impl Cuts {
    fn decide(circuit: &Circuit, below: f64, score: impl Fn(UnitId, usize) -> f64) -> Self {
        let is_free = free_parameters(circuit);
        let mut cuts = Cuts {
            kept: FxHashMap::default(),
            is_reached: vec![false; circuit.n_units()],
            n_dropped: 0,
            n_tied: 0,
        };
        cuts.is_reached[circuit.root().index()] = true;
        for unit in circuit.units().rev() {
            if !cuts.is_reached[unit.index()] {
                continue;
            }
            if circuit.kind(unit) == UnitKind::Sum {
                cuts.shorten(circuit, unit, below, &is_free, &score);
            }
            for child in cuts.children(circuit, unit) {
                cuts.is_reached[child.unit.index()] = true;
            }
        }
        cuts
    }

    fn shorten(
        &mut self,
        circuit: &Circuit,
        sum: UnitId,
        below: f64,
        is_free: &[bool],
        score: &impl Fn(UnitId, usize) -> f64,
    ) {
        let n = circuit.n_children(sum);
        let scores: Vec<f64> = (0..n).map(|at| score(sum, at)).collect();
        let mut kept: Vec<usize> = (0..n).filter(|&at| scores[at] >= below).collect();
        if kept.len() == n {
            return;
        }
        if kept.is_empty() {
            kept.extend((0..n).max_by(|&a, &b| scores[a].total_cmp(&scores[b]).then(b.cmp(&a))));
        }
        let mut weights = circuit.children(sum).filter_map(|child| child.weight);
        if !weights.all(|weight| is_free[weight.param.index()]) {
            self.n_tied += 1;
            return;
        }
        self.n_dropped += n - kept.len();
        self.kept.insert(sum, kept);
    }

    /// The children that a unit keeps.
    fn children(&self, circuit: &Circuit, unit: UnitId) -> Vec<Child> {
        match self.kept.get(&unit) {
            Some(kept) => kept.iter().map(|&at| circuit.child(unit, at)).collect(),
            None => circuit.children(unit).collect(),
        }
    }

    /// How far the pruned distribution is from the original at most.
    ///
    /// Both are mixtures over the choices of all sums. A choice of the pruned circuit is
    /// more probable than in the original by `1 / (1 - dropped)` for each sum on its way,
    /// so that the divergence over inputs and choices is the mean of the logarithms of
    /// these factors, by how often the pruned circuit comes by. That over inputs alone is
    /// no larger.
    fn divergence_bound(&self, circuit: &Circuit, values: &[Value]) -> f64 {
        let mut visits = vec![0.0; circuit.n_units()];
        visits[circuit.root().index()] = 1.0;
        let mut bound = 0.0;
        for unit in circuit.units().rev() {
            let visit = visits[unit.index()];
            let log_kept = log_total(circuit, values, &self.children(circuit, unit));
            if self.kept.contains_key(&unit) {
                let all: Vec<Child> = circuit.children(unit).collect();
                bound += visit * (log_total(circuit, values, &all) - log_kept).max(0.0);
            }
            for child in self.children(circuit, unit) {
                let share = child.weight.map_or(1.0, |weight| {
                    let log = values[circuit.entry_position(weight)].log() - log_kept;
                    if log.is_nan() { 0.0 } else { log.exp() }
                });
                visits[child.unit.index()] += visit * share;
            }
        }
        bound
    }
}

/// The logarithm of what the weights of some edges add up to.
fn log_total(circuit: &Circuit, values: &[Value], children: &[Child]) -> f64 {
    let weights = children.iter().filter_map(|child| child.weight);
    log_sum_exp(weights.map(|weight| values[circuit.entry_position(weight)].log()))
}

/// Parameters that can lose entries: fixed numbers without a name, which each sum has
/// for itself, and vectors that only sums use, each of which has all of them.
fn free_parameters(circuit: &Circuit) -> Vec<bool> {
    let n_params = circuit.parameters().len();
    let mut is_whole = vec![true; n_params];
    for leaf in circuit.leaves() {
        if let LeafKind::Distribution(distribution) = &leaf.kind {
            distribution
                .params
                .iter()
                .for_each(|p| is_whole[p.index()] = false);
        }
    }
    for sum in circuit.sums() {
        let weights: Vec<Weight> = circuit.children(sum).filter_map(|c| c.weight).collect();
        if !has_whole_vector(circuit, &weights) {
            weights
                .iter()
                .for_each(|w| is_whole[w.param.index()] = false);
        }
    }
    let is_plain = |param: ParamId| {
        circuit.parameter(param).name.is_none()
            && circuit.entries(param).iter().all(|entry| !entry.learned)
    };
    let ids = (0..n_params).map(ParamId::new);
    ids.map(|param| is_whole[param.index()] || is_plain(param))
        .collect()
}

/// Whether weights are all entries of one vector, each once.
fn has_whole_vector(circuit: &Circuit, weights: &[Weight]) -> bool {
    let Some(first) = weights.first() else {
        return false;
    };
    let mut indices: Vec<u32> = weights.iter().map(|weight| weight.index).collect();
    indices.sort_unstable();
    indices.dedup();
    let len = circuit.parameter(first.param).len();
    let is_one = weights.iter().all(|weight| weight.param == first.param);
    is_one && indices.len() == len && weights.len() == len
}

/// A copy in the making.
struct Copy<'a> {
    builder: Builder,
    import: Import<'a>,
    cuts: &'a Cuts,
    units: Vec<Option<UnitId>>,
    /// What learned or declared vectors became, with the new places of the entries that
    /// they keep.
    shrunk: FxHashMap<ParamId, (ParamId, FxHashMap<u32, u32>)>,
}

impl Copy<'_> {
    fn new_unit(&self, unit: UnitId) -> UnitId {
        self.units[unit.index()].expect("children are copied before their parents")
    }

    fn unit(&mut self, unit: UnitId) -> UnitId {
        let circuit = self.import.circuit;
        let origin = self.import.origin(&mut self.builder, unit);
        match circuit.kind(unit) {
            UnitKind::Input(leaf) => {
                let leaf = self.import.leaf(&mut self.builder, circuit.leaf(leaf));
                self.builder.input(leaf, origin)
            }
            UnitKind::Product => {
                let children = circuit.children(unit).map(|child| Child {
                    unit: self.new_unit(child.unit),
                    ..child
                });
                let children: Vec<Child> = children.collect();
                self.builder.product(&children, origin)
            }
            UnitKind::Sum => {
                let children = match self.cuts.kept.contains_key(&unit) {
                    true => self.shortened(unit),
                    false => {
                        let units = circuit.children(unit).map(|c| self.new_unit(c.unit));
                        let units: Vec<UnitId> = units.collect();
                        self.import.weighted(&mut self.builder, unit, &units)
                    }
                };
                self.builder.sum(&children, origin)
            }
        }
    }

    /// The edges that a sum keeps, with weights of the same total.
    fn shortened(&mut self, sum: UnitId) -> Vec<Child> {
        let circuit = self.import.circuit;
        let children = self.cuts.children(circuit, sum);
        let weights: Vec<Weight> = children.iter().filter_map(|child| child.weight).collect();
        let weights = self.scaled(sum, &weights);
        let edges = children.iter().zip(weights);
        edges
            .map(|(child, weight)| Child {
                unit: self.new_unit(child.unit),
                weight: Some(weight),
                span: child.span,
            })
            .collect()
    }

    fn scaled(&mut self, sum: UnitId, weights: &[Weight]) -> Vec<Weight> {
        let param = weights[0].param;
        let is_tied = self.import.circuit.parameter(param).name.is_some()
            || self.import.circuit.entries(param).iter().any(|e| e.learned);
        if let Some((new, kept)) = self.shrunk.get(&param) {
            let weights = weights.iter().map(|weight| Weight {
                param: *new,
                index: kept[&weight.index],
            });
            return weights.collect();
        }
        let entries = self.scaled_entries(sum, weights);
        let new = self.new_parameter(param, &entries, is_tied);
        if is_tied {
            let kept = weights
                .iter()
                .zip(0..)
                .map(|(weight, at)| (weight.index, at));
            self.shrunk.insert(param, (new, kept.collect()));
        }
        let indices = 0..entries.len() as u32;
        indices.map(|index| Weight { param: new, index }).collect()
    }

    /// A vector that has no choice left is fixed and needs no name.
    fn new_parameter(&mut self, param: ParamId, entries: &[Entry], is_tied: bool) -> ParamId {
        let parameter = self.import.circuit.parameter(param);
        let kind = match parameter.kind {
            ParamKind::Unit => ParamKind::Simplex,
            kind => kind,
        };
        let span = parameter.span;
        match entries {
            [only] if kind.adds_up() => {
                let one = Entry {
                    learned: false,
                    value: only.value.or(Some(Value::Linear(1.0))),
                };
                self.builder.parameter(None, kind, &[one], span)
            }
            _ if is_tied => self.import.replace_param(&mut self.builder, param, entries),
            _ => self.builder.parameter(None, kind, entries, span),
        }
    }

    /// The entries of the weights that are kept, scaled to the total of all. A vector
    /// without a given value stays open.
    fn scaled_entries(&self, sum: UnitId, weights: &[Weight]) -> Vec<Entry> {
        let circuit = self.import.circuit;
        let all: Vec<Child> = circuit.children(sum).collect();
        let kept = weights.iter().map(|&weight| self.import.log_weight(weight));
        let log_kept = log_sum_exp(kept);
        let log_factor = log_total(circuit, self.import.values, &all) - log_kept;
        let is_open = weights.iter().all(|&w| circuit.entry(w).value.is_none());
        let scaled = |weight: Weight| {
            let value = self.import.value(weight);
            let entry = circuit.entry(weight);
            let scaled = match log_factor.is_finite() {
                true => times(value, log_factor),
                false => value,
            };
            Entry {
                value: (!is_open).then_some(scaled),
                ..entry
            }
        };
        weights.iter().map(|&weight| scaled(weight)).collect()
    }
}

/// A value times a factor, in the form that the value has.
fn times(value: Value, log_factor: f64) -> Value {
    match value {
        Value::Log(log) => Value::Log(log + log_factor),
        Value::Linear(linear) if (linear * log_factor.exp()).is_normal() => {
            Value::Linear(linear * log_factor.exp())
        }
        value => value_of(value.log() + log_factor),
    }
}
