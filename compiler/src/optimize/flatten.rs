//! Flattening: nested products and nested sums are one.

use super::share::first_names;
use crate::check::Checked;
use crate::circuit::{
    ChildEdge, CircuitGraph, CircuitRebuild, ParamKind, ParameterEntry, ParameterValue, UnitId,
    UnitKind,
};
use rustc_hash::FxHashMap;

/// How far the weights of a merged sum may be from 1 and still be a simplex.
const TOLERANCE: f64 = 1e-9;

/// Merges products into products and sums into sums where that repeats no work.
///
/// * A product inside a product becomes part of it if nothing else uses it.
///   Before: `a * (b * c)`. After: `a * b * c`.
/// * A factor that is the empty product is left out.
/// * A product of one factor, and a sum of one term with the fixed weight 1, are
///   that factor or term. Before: `1: (a)`. After: `a`.
/// * A sum of one term that is itself such a sum, with fixed weights, scales once.
///   Before: `0.5: (0.5: a)`. After: `0.25: a`.
/// * A sum inside a sum becomes part of it if nothing else uses it and all
///   weights of both are fixed; weights are multiplied.
///   Before: `0.5: (0.2: a + 0.8: b) + 0.5: c`. After: `0.1: a + 0.4: b + 0.5: c`.
///
/// Learned weights are never touched. A unit that stands for a named one that is
/// gone takes its name if it has none. Linear in edges.
pub(super) fn flatten(checked: Checked) -> Checked {
    let circuit = checked.circuit();
    let nesting = Nesting::of(circuit);
    if nesting.is_flat() {
        return checked;
    }
    let flat = nesting.copy();
    checked.rewritten(flat)
}

struct Nesting<'a> {
    circuit: &'a CircuitGraph,
    /// The unit below that a unit is equal to; itself as a rule.
    same: Vec<UnitId>,
    /// Products of nothing, or of nothing but such products.
    is_one: Vec<bool>,
    /// Sums of one term whose term is another one's, and the weight then.
    scaled: FxHashMap<UnitId, (UnitId, ParameterValue)>,
    /// Units whose children become those of their only parent.
    is_dissolved: Vec<bool>,
}

/// An edge with its weight, if that is fixed.
type WeightedChild = (ChildEdge, Option<ParameterValue>);

impl<'a> Nesting<'a> {
    fn of(circuit: &'a CircuitGraph) -> Self {
        let mut nesting = Nesting {
            circuit,
            same: Vec::with_capacity(circuit.n_units()),
            is_one: Vec::with_capacity(circuit.n_units()),
            scaled: FxHashMap::default(),
            is_dissolved: vec![false; circuit.n_units()],
        };
        // 1. From the leaves up: which units are equal to one of their children, or to 1.
        for unit in circuit.units() {
            let same = nesting.resolve(unit);
            let is_one = if same == unit {
                circuit.kind(unit) == UnitKind::Product && nesting.factors(unit).next().is_none()
            } else {
                nesting.is_one[same.index()]
            };
            nesting.same.push(same);
            nesting.is_one.push(is_one);
        }
        // 2. With those seen through, which units have a single parent of their own kind.
        nesting.dissolve();
        nesting
    }

    fn resolve(&mut self, unit: UnitId) -> UnitId {
        match self.circuit.kind(unit) {
            UnitKind::Input(_) => unit,
            UnitKind::Product => {
                // A product of one factor is that factor.
                let mut factors = self.factors(unit);
                match (factors.next(), factors.next()) {
                    (Some(only), None) => only,
                    _ => unit,
                }
            }
            UnitKind::Sum => match self.scaling(unit) {
                Some((term, weight)) if weight.is_one() => term,
                _ => unit,
            },
        }
    }

    /// The term and weight of a sum of one term, looking through others.
    fn scaling(&mut self, sum: UnitId) -> Option<(UnitId, ParameterValue)> {
        let (term, weight) = only_term(self.circuit, sum)?;
        let term = self.same[term.index()];
        // A chain of sums with one term each is one sum with the product of their weights. Each
        // link is looked up rather than followed, so that long chains stay linear.
        let inner = match self.scaled.get(&term) {
            Some(&known) => Some(known),
            None => {
                let own = only_term(self.circuit, term);
                own.map(|(below, weight)| (self.same[below.index()], weight))
            }
        };
        let Some((below, factor)) = inner else {
            return Some((term, weight));
        };
        let scaled = (below, weight.times(factor));
        self.scaled.insert(sum, scaled);
        Some(scaled)
    }

    /// The edges of a unit to what its children are equal to.
    fn edges(&self, unit: UnitId) -> impl DoubleEndedIterator<Item = WeightedChild> {
        let scaled = self.scaled.get(&unit);
        self.circuit.children(unit).map(move |child| match scaled {
            Some(&(unit, weight)) => (ChildEdge { unit, ..child }, Some(weight)),
            None => {
                let unit = self.same[child.unit.index()];
                let weight = child
                    .weight
                    .and_then(|w| self.circuit.entry(w).fixed_value());
                (ChildEdge { unit, ..child }, weight)
            }
        })
    }

    /// What the factors of a product are equal to, without those that are 1.
    fn factors(&self, product: UnitId) -> impl Iterator<Item = UnitId> {
        let children = self.circuit.children(product);
        let same = children.map(|child| self.same[child.unit.index()]);
        same.filter(|unit| !self.is_one[unit.index()])
    }

    fn is_kept(&self, unit: UnitId) -> bool {
        self.same[unit.index()] == unit
    }

    fn dissolve(&mut self) {
        let n_parents = self.n_parents();
        let is_fixed: Vec<bool> = self
            .circuit
            .units()
            .map(|unit| is_fixed(self.circuit, unit))
            .collect();
        // What several parents use stays: taking it in would copy its edges.
        let mut is_dissolved = vec![false; self.circuit.n_units()];
        for parent in self.circuit.units().filter(|&unit| self.is_kept(unit)) {
            for (child, _) in self.edges(parent) {
                let child = child.unit;
                let fits = match (self.circuit.kind(parent), self.circuit.kind(child)) {
                    (UnitKind::Product, UnitKind::Product) => !self.is_one[child.index()],
                    (UnitKind::Sum, UnitKind::Sum) => {
                        is_fixed[parent.index()] && is_fixed[child.index()]
                    }
                    _ => false,
                };
                is_dissolved[child.index()] |= fits && n_parents[child.index()] == 1;
            }
        }
        self.is_dissolved = is_dissolved;
    }

    /// The number of edges to each unit that will be there; the root has one more.
    fn n_parents(&self) -> Vec<u32> {
        let mut n_parents = vec![0; self.circuit.n_units()];
        n_parents[self.same[self.circuit.root().index()].index()] += 1;
        for unit in self.circuit.units().filter(|&unit| self.is_kept(unit)) {
            for (child, _) in self.edges(unit) {
                n_parents[child.unit.index()] += 1;
            }
        }
        n_parents
    }

    /// Whether there is nothing to merge.
    fn is_flat(&self) -> bool {
        let has_no_ones = |product| {
            let mut factors = self.circuit.children(product);
            !factors.any(|factor| self.is_one[factor.unit.index()])
        };
        self.circuit.units().all(|unit| self.is_kept(unit))
            && self.scaled.is_empty()
            && !self.is_dissolved.contains(&true)
            && self.circuit.products().all(has_no_ones)
    }

    fn copy(&self) -> CircuitGraph {
        let mut rebuild = CircuitRebuild::new(self.circuit);
        rebuild.builder.keep_apart();
        let named = first_names(self.circuit, &self.same);
        for unit in self.circuit.units() {
            let same = self.same[unit.index()];
            if same != unit {
                if let Some(copy) = rebuild.get(same) {
                    rebuild.replace(unit, copy);
                }
            } else if !self.is_dissolved[unit.index()] {
                let children = self.children(unit, &mut rebuild);
                let origin = rebuild.origin(named[unit.index()]);
                rebuild.copy_as(unit, &children, origin);
            }
        }
        rebuild.finish()
    }

    /// The children of a unit, those of the units that it takes in among them.
    fn children(&self, unit: UnitId, rebuild: &mut CircuitRebuild) -> Vec<ChildEdge> {
        let (mut children, mut weights) = (Vec::new(), Vec::new());
        // What is still to be looked at, the next on top. Each unit that is taken
        // in has one parent, so all of this is linear however deep it goes.
        let mut waiting: Vec<WeightedChild> = self.edges(unit).rev().collect();
        let mut is_new = self.scaled.contains_key(&unit);
        while let Some((child, weight)) = waiting.pop() {
            let is_factor = child.weight.is_none();
            if self.is_dissolved[child.unit.index()] {
                let inner = self.edges(child.unit).rev();
                waiting.extend(inner.map(|(child, own)| (child, product(weight, own))));
                is_new = true;
            } else if !(is_factor && self.is_one[child.unit.index()]) {
                children.push(rebuild.child(child));
                weights.extend(weight);
            }
        }
        if is_new && self.circuit.kind(unit) == UnitKind::Sum {
            set_weights(self.circuit, unit, &weights, rebuild, &mut children);
        }
        children
    }
}

/// The product of weights, where both are fixed; factors have none.
fn product(outer: Option<ParameterValue>, inner: Option<ParameterValue>) -> Option<ParameterValue> {
    Some(outer?.times(inner?))
}

/// The child and weight of a sum of one term whose weight is fixed.
fn only_term(circuit: &CircuitGraph, sum: UnitId) -> Option<(UnitId, ParameterValue)> {
    let mut terms = circuit.children(sum);
    let only = terms.next().filter(|_| terms.len() == 0)?;
    Some((only.unit, circuit.entry(only.weight?).fixed_value()?))
}

fn is_fixed(circuit: &CircuitGraph, unit: UnitId) -> bool {
    let mut weights = circuit.children(unit).filter_map(|child| child.weight);
    weights.all(|weight| !circuit.entry(weight).learned)
}

/// Gives the children of a merged sum its weights as a parameter of their own.
fn set_weights(
    circuit: &CircuitGraph,
    unit: UnitId,
    weights: &[ParameterValue],
    rebuild: &mut CircuitRebuild,
    children: &mut [ChildEdge],
) {
    let total: f64 = weights.iter().map(|weight| weight.linear()).sum();
    let kind = if (total - 1.0).abs() <= TOLERANCE {
        ParamKind::Simplex
    } else {
        ParamKind::Weights
    };
    let constants = weights.iter().copied().map(ParameterEntry::constant);
    let entries: Vec<ParameterEntry> = constants.collect();
    let weights = rebuild.builder.weights(kind, &entries, circuit.span(unit));
    for (child, weight) in children.iter_mut().zip(weights) {
        child.weight = Some(weight);
    }
}
