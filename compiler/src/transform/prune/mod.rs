//! Pruning: leaving out edges that hardly count.

mod cuts;

use super::import::{ParameterTreatment, TransformSource};
use super::settle::{TransformedCircuit, settle};
use crate::check::Checked;
use crate::circuit::{
    ChildEdge, CircuitBuilder, ParamId, ParamKind, ParameterEntry, ParameterValue, Property,
    UnitId, UnitKind, Weight,
};
use crate::leaf::log_sum_exp;
use cuts::{PrunedEdges, is_tied, log_total};
use rustc_hash::FxHashMap;

/// A circuit after pruning.
#[derive(Clone, Debug)]
#[must_use]
pub struct PrunedCircuit {
    /// The circuit.
    pub circuit: TransformedCircuit,
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
    values: &[ParameterValue],
    below: f64,
    score: impl Fn(UnitId, usize) -> f64,
) -> PrunedCircuit {
    let circuit = checked.circuit();
    let cuts = PrunedEdges::decide(circuit, below, score);
    let divergence_bound = checked
        .facts()
        .is_proven(Property::Normalized)
        .then(|| cuts.divergence_bound(circuit, values));
    let mut builder = CircuitBuilder::new();
    let kept = ParameterTreatment::Kept;
    let import = TransformSource::picking(&mut builder, circuit, values, kept, |_| true);
    let mut copy = PrunedCopy {
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
    PrunedCircuit {
        circuit: settle(copy.builder, root, &[&copy.import]),
        n_dropped: cuts.n_dropped,
        n_tied: cuts.n_tied,
        divergence_bound,
    }
}

struct PrunedCopy<'a> {
    builder: CircuitBuilder,
    import: TransformSource<'a>,
    cuts: &'a PrunedEdges,
    units: Vec<Option<UnitId>>,
    /// What learned or declared vectors became, with the new places of the entries that
    /// they keep.
    shrunk: FxHashMap<ParamId, (ParamId, FxHashMap<u32, u32>)>,
}

impl PrunedCopy<'_> {
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
                let children = circuit.children(unit).map(|child| ChildEdge {
                    unit: self.new_unit(child.unit),
                    ..child
                });
                let children: Vec<ChildEdge> = children.collect();
                self.builder.product(&children, origin)
            }
            UnitKind::Sum => {
                let children = if self.cuts.kept.contains_key(&unit) {
                    self.shortened(unit)
                } else {
                    let units = circuit.children(unit).map(|c| self.new_unit(c.unit));
                    let units: Vec<UnitId> = units.collect();
                    self.import.weighted(&mut self.builder, unit, &units)
                };
                self.builder.sum(&children, origin)
            }
        }
    }

    /// The edges that a sum keeps, with weights of the same total.
    fn shortened(&mut self, sum: UnitId) -> Vec<ChildEdge> {
        let circuit = self.import.circuit;
        let children = self.cuts.children(circuit, sum);
        let weights: Vec<Weight> = children.iter().filter_map(|child| child.weight).collect();
        let weights = self.scaled(sum, &weights);
        let edges = children.iter().zip(weights);
        edges
            .map(|(child, weight)| ChildEdge::term(self.new_unit(child.unit), weight, child.span))
            .collect()
    }

    fn scaled(&mut self, sum: UnitId, weights: &[Weight]) -> Vec<Weight> {
        let param = weights[0].param;
        let is_tied = is_tied(self.import.circuit, param);
        // Another sum has shortened this vector already, and kept the same entries.
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
            let kept = weights.iter().map(|weight| weight.index).zip(0..);
            self.shrunk.insert(param, (new, kept.collect()));
        }
        let indices = 0..entries.len() as u32;
        indices.map(|index| Weight { param: new, index }).collect()
    }

    /// A vector that has no choice left is fixed and needs no name.
    fn new_parameter(
        &mut self,
        param: ParamId,
        entries: &[ParameterEntry],
        is_tied: bool,
    ) -> ParamId {
        let parameter = self.import.circuit.parameter(param);
        let kind = match parameter.kind {
            ParamKind::Unit => ParamKind::Simplex,
            kind => kind,
        };
        let span = parameter.span;
        match entries {
            [only] if kind.adds_up() => {
                let one =
                    ParameterEntry::constant(only.value.unwrap_or(ParameterValue::Linear(1.0)));
                self.builder.parameter(None, kind, &[one], span)
            }
            _ if is_tied => self.import.replace_param(&mut self.builder, param, entries),
            _ => self.builder.parameter(None, kind, entries, span),
        }
    }

    /// The entries of the weights that are kept, scaled to the total of all. A vector
    /// without a given value stays open.
    fn scaled_entries(&self, sum: UnitId, weights: &[Weight]) -> Vec<ParameterEntry> {
        let circuit = self.import.circuit;
        let all: Vec<ChildEdge> = circuit.children(sum).collect();
        let kept = weights.iter().map(|&weight| self.import.log_weight(weight));
        let log_kept = log_sum_exp(kept);
        let log_factor = log_total(circuit, self.import.values, &all) - log_kept;
        let is_open = weights.iter().all(|&w| circuit.entry(w).value.is_none());
        let scaled = |&weight: &Weight| {
            // Where nothing is left, or all is infinite, there is nothing to scale by.
            let value = match self.import.value(weight) {
                value if log_factor.is_finite() => times(value, log_factor),
                value => value,
            };
            ParameterEntry {
                value: (!is_open).then_some(value),
                ..circuit.entry(weight)
            }
        };
        weights.iter().map(scaled).collect()
    }
}

/// A value times a factor, in the form that the value has.
fn times(value: ParameterValue, log_factor: f64) -> ParameterValue {
    match value {
        ParameterValue::Log(log) => ParameterValue::Log(log + log_factor),
        ParameterValue::Linear(linear) if (linear * log_factor.exp()).is_normal() => {
            ParameterValue::Linear(linear * log_factor.exp())
        }
        value => ParameterValue::from_log(value.log() + log_factor),
    }
}
