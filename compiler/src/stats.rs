//! Sizes of a circuit: what `pelton stats` reports.

use crate::check::PropertyVerdict;
use crate::circuit::{
    CircuitGraph, ParamId, ParamKind, Property, ReachableUnits, UnitId, UnitKind, mentioned,
};
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};

/// Sizes of the part of a circuit that its root reaches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct CircuitStatistics {
    /// Variables that some input unit mentions.
    pub variables: usize,
    /// Units of any kind.
    pub units: usize,
    /// Input units.
    pub inputs: usize,
    /// Products.
    pub products: usize,
    /// Sums; the entries of a parametric leaf are none.
    pub sums: usize,
    /// Edges from sums and products to their children.
    pub edges: usize,
    /// Edges that leave sums; each has a weight.
    pub sum_edges: usize,
    /// Numbers of all parameters in use, fixed or learned, of weights and of
    /// leaves. A tied parameter counts once, a `unit` parameter is one number.
    pub parameters: usize,
    /// Degrees of freedom of what is learned: a simplex with `n` learned
    /// entries has `n - 1`, every other learned number is one.
    pub free_parameters: usize,
    /// Edges on the longest way from the root to an input.
    pub depth: usize,
    /// Complete bipartite layers: maximal sets of two or more sums that have
    /// the same two or more children in the same order. Only equal lists
    /// count; blocks that overlap in part of their children are left to the
    /// planner.
    pub dense_blocks: usize,
}

impl CircuitStatistics {
    /// Measures `circuit`, in time linear in its edges.
    pub fn of(circuit: &CircuitGraph) -> Self {
        let reach = ReachableUnits::of(circuit, &[circuit.root()]);
        let reached = reach.marked();
        let mut stats = CircuitStatistics {
            depth: depth(circuit, reached),
            dense_blocks: dense_blocks(circuit, reached),
            ..CircuitStatistics::default()
        };
        stats.count_units(circuit, reached);
        stats.count_parameters(circuit, reached);
        stats
    }

    /// The object that `--json` prints, with the properties that were decided.
    pub fn to_json(&self, properties: &[(Property, PropertyVerdict)]) -> serde_json::Value {
        let named = |(property, verdict): &(Property, PropertyVerdict)| {
            (property.name().to_string(), verdict.name().into())
        };
        let mut json = serde_json::json!(self);
        json["properties"] = serde_json::Value::Object(properties.iter().map(named).collect());
        json
    }

    fn count_units(&mut self, circuit: &CircuitGraph, reached: &[bool]) {
        self.variables = mentioned(circuit).len();
        for unit in circuit.units().filter(|unit| reached[unit.index()]) {
            let n_children = circuit.n_children(unit);
            self.units += 1;
            self.edges += n_children;
            match circuit.kind(unit) {
                UnitKind::Input(_) => self.inputs += 1,
                UnitKind::Product => self.products += 1,
                UnitKind::Sum => {
                    self.sums += 1;
                    self.sum_edges += n_children;
                }
            }
        }
    }

    fn count_parameters(&mut self, circuit: &CircuitGraph, reached: &[bool]) {
        let used = circuit.parameters_of(reached);
        for at in (0..used.len()).filter(|&at| used[at]) {
            let param = ParamId::new(at);
            let entries = circuit.entries(param);
            let n_learned = entries.iter().filter(|entry| entry.learned).count();
            let kind = circuit.parameter(param).kind;
            self.parameters += match kind {
                ParamKind::Unit => 1,
                _ => entries.len(),
            };
            self.free_parameters += if kind.adds_up() {
                n_learned.saturating_sub(1)
            } else {
                n_learned
            };
        }
    }
}

/// Edges on the longest way from a root to each reached unit.
pub(crate) fn depths(circuit: &CircuitGraph, reached: &[bool]) -> Vec<u32> {
    let mut depths = vec![0u32; circuit.n_units()];
    for unit in circuit.units().rev().filter(|unit| reached[unit.index()]) {
        let below = depths[unit.index()] + 1;
        for child in circuit.children(unit) {
            let depth = &mut depths[child.unit.index()];
            *depth = (*depth).max(below);
        }
    }
    depths
}

fn depth(circuit: &CircuitGraph, reached: &[bool]) -> usize {
    depths(circuit, reached).into_iter().max().unwrap_or(0) as usize
}

fn dense_blocks(circuit: &CircuitGraph, reached: &[bool]) -> usize {
    // Sums with one list of children, by its hash: the first of them and how many there are.
    let mut blocks: FxHashMap<u64, Vec<(UnitId, usize)>> = FxHashMap::default();
    let sums = circuit.sums().filter(|sum| reached[sum.index()]);
    for sum in sums.filter(|&sum| circuit.n_children(sum) >= 2) {
        let same_hash = blocks.entry(hash_children(circuit, sum)).or_default();
        let mut known = same_hash.iter_mut();
        match known.find(|(first, _)| same_children(circuit, *first, sum)) {
            Some((_, n_sums)) => *n_sums += 1,
            None => same_hash.push((sum, 1)),
        }
    }
    let all = blocks.values().flatten();
    all.filter(|(_, n_sums)| *n_sums >= 2).count()
}

fn hash_children(circuit: &CircuitGraph, unit: UnitId) -> u64 {
    let mut hasher = FxHasher::default();
    for child in circuit.children(unit) {
        child.unit.hash(&mut hasher);
    }
    hasher.finish()
}

fn same_children(circuit: &CircuitGraph, a: UnitId, b: UnitId) -> bool {
    let units = |unit| circuit.children(unit).map(|child| child.unit);
    units(a).eq(units(b))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::emit::tests::fixture;

    #[test]
    fn a_hidden_markov_model_has_the_sizes_its_comment_promises() {
        let stats = CircuitStatistics::of(&fixture::hmm(32, 16, 27));
        assert_eq!(stats.sums, 497);
        assert_eq!(stats.sum_edges, 7952);
        assert_eq!(stats.free_parameters, 671);
        assert_eq!(stats.parameters, 16 + 16 * 16 + 16 * 27);
        assert_eq!(stats.variables, 32);
        assert_eq!(stats.inputs, 32 * 16);
        assert_eq!(stats.products, 31 * 16);
        // The root's block has one sum only and is not dense.
        assert_eq!(stats.dense_blocks, 31);
        assert_eq!(stats.depth, 1 + 31 * 2);
        assert_eq!(stats.edges, 7952 + 31 * 16 * 2);
    }

    #[test]
    fn fixed_numbers_count_as_parameters_and_not_as_free_ones() {
        let stats = CircuitStatistics::of(&fixture::sprinkler());
        assert_eq!((stats.parameters, stats.free_parameters), (6, 0));
        let stats = CircuitStatistics::of(&fixture::penguins());
        // w: 3, mu: 3, sigma: 1, three categoricals of 3 entries each.
        assert_eq!(stats.parameters, 3 + 3 + 1 + 9);
        assert_eq!(stats.free_parameters, 2 + 3 + 1 + 6);
    }

    #[test]
    fn units_that_the_root_does_not_reach_do_not_count() {
        let stats = CircuitStatistics::of(&fixture::with_unused_node());
        assert_eq!((stats.units, stats.variables, stats.depth), (1, 1, 0));
    }

    #[test]
    fn json_has_the_documented_keys_and_the_verdicts() {
        let verdicts = [
            (Property::Smooth, PropertyVerdict::Proven),
            (
                Property::Deterministic,
                PropertyVerdict::Unknown("budget".into()),
            ),
        ];
        let json = CircuitStatistics::of(&fixture::sprinkler()).to_json(&verdicts);
        assert_eq!(
            json.to_string(),
            "{\"variables\":2,\"units\":9,\"inputs\":4,\"products\":2,\"sums\":3,\"edges\":10,\
             \"sum_edges\":6,\"parameters\":6,\"free_parameters\":0,\"depth\":3,\"dense_blocks\":1,\
             \"properties\":{\"smooth\":\"proven\",\"deterministic\":\"unknown\"}}"
        );
    }
}
