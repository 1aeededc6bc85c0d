//! Folding: fixed mixtures of leaves are leaves.

mod table;

use crate::check::Checked;
use crate::circuit::{
    BernoulliDistribution, CategoricalDistribution, ChildEdge, CircuitGraph, CircuitRebuild,
    Domain, Leaf, LeafKind, ParamKind, ParameterEntry, ReachableUnits, UnitId, UnitKind, ValueSet,
    VarId, targets,
};
use crate::plan::{SMALL_DOMAIN, TABLE_DOMAIN};
use pelton_grammar::source::Span;
use table::{FiniteDistribution, FixedLeaf};

/// Terms cost this much on average at most, so that folding stays linear in edges.
const COST: usize = 64;
/// A folded leaf may have this many entries for each term, or those of a small domain.
const GROWTH: usize = 4;
/// Masses may be this far from 1: what rounding does to a few thousand numbers.
const TOLERANCE: f64 = 1e-12;

/// Turns sums over leaves of one variable into leaves where nothing is learned.
///
/// A leaf answers for observed, soft and missing cells: a missing cell is worth 1
/// to a distribution and the number of values to an indicator. Only what is the
/// same function of all three is folded:
///
/// * a sum of fixed leaves over a finite domain whose mass is 1 becomes a
///   distribution. Before: `0.3: a + 0.7: !a`. After: `a ~ bernoulli(0.3)`;
/// * a sum of indicators of disjoint sets, all with weight 1, becomes the
///   indicator of the union. Before: `1: [x = 0] + 1: [x = 2]`. After: `[x in {0, 2}]`;
/// * a distribution with all mass on one value becomes a literal.
///   Before: `a ~ bernoulli(1)`. After: `a`.
///
/// An indicator of all values is not the constant 1, because it weighs missing
/// cells by their number, and stays. Sums of mass other than 1 stay: no leaf has
/// it. Leaves for which a table would be much larger than the sum stay sums.
///
/// The most probable completion of a sum that is not deterministic is found by
/// its largest term; a folded leaf has the mixture itself, which is closer to the
/// truth.
///
/// Linear in edges and entries.
pub(super) fn fold(checked: Checked) -> Checked {
    let circuit = checked.circuit();
    // 1. Decide from the leaves up, so that sums of folded sums are folded, too.
    let folded = Folding::of(circuit).folded;
    if folded.iter().all(Option::is_none) {
        return checked;
    }
    // 2. Copy what is still needed: leaves that were folded into others go.
    let mut rebuild = CircuitRebuild::new(circuit);
    let needed = needed(circuit, &folded);
    let units = circuit.units().zip(folded);
    for (unit, function) in units.filter(|(unit, _)| needed.contains(*unit)) {
        match function {
            Some((variable, function)) => {
                let leaf = leaf(
                    &mut rebuild,
                    circuit,
                    variable,
                    function,
                    circuit.span(unit),
                );
                let copy = rebuild.builder.input(leaf, rebuild.origin(unit));
                rebuild.replace(unit, copy);
            }
            None => {
                let children = rebuild.children(unit);
                rebuild.copy(unit, &children);
            }
        }
    }
    let folded = rebuild.finish();
    checked.rewritten(folded)
}

/// What the root and the assertions still reach: leaves that were folded into others go.
fn needed(circuit: &CircuitGraph, folded: &[Option<(VarId, FixedLeaf)>]) -> ReachableUnits {
    ReachableUnits::along(circuit, &targets(circuit), |parent, _| {
        folded[parent.index()].is_none()
    })
}

struct Folding<'a> {
    circuit: &'a CircuitGraph,
    /// The functions of leaves that never change, by leaf index.
    leaves: Vec<Option<FixedLeaf>>,
    /// Units that become another leaf, by unit index.
    folded: Vec<Option<(VarId, FixedLeaf)>>,
}

impl<'a> Folding<'a> {
    fn of(circuit: &'a CircuitGraph) -> Self {
        let values = circuit.start_values();
        let leaves = circuit
            .leaves()
            .iter()
            .map(|leaf| FixedLeaf::of(circuit, &values, leaf));
        let mut folding = Folding {
            leaves: leaves.collect(),
            folded: Vec::with_capacity(circuit.n_units()),
            circuit,
        };
        for unit in circuit.units() {
            let function = match circuit.kind(unit) {
                UnitKind::Input(leaf) => folding.literal(leaf.index()),
                UnitKind::Product => None,
                UnitKind::Sum => folding.sum(unit),
            };
            folding.folded.push(function);
        }
        folding
    }

    /// The literal that a distribution is, if it is one.
    fn literal(&self, leaf: usize) -> Option<(VarId, FixedLeaf)> {
        let own = &self.circuit.leaves()[leaf];
        match (&own.kind, &self.leaves[leaf]) {
            (LeafKind::Distribution(_), Some(FixedLeaf::Indicator(set))) => {
                Some((own.variable, FixedLeaf::Indicator(set.clone())))
            }
            _ => None,
        }
    }

    /// A unit's function, if it is or becomes a leaf that never changes.
    fn function(&self, unit: UnitId) -> Option<(VarId, &FixedLeaf)> {
        if let Some((variable, function)) = &self.folded[unit.index()] {
            return Some((*variable, function));
        }
        let UnitKind::Input(leaf) = self.circuit.kind(unit) else {
            return None;
        };
        let function = self.leaves[leaf.index()].as_ref()?;
        Some((self.circuit.leaf(leaf).variable, function))
    }

    fn sum(&self, sum: UnitId) -> Option<(VarId, FixedLeaf)> {
        let terms = self.terms(sum)?;
        let &(_, variable, _) = terms.first()?;
        if terms.iter().any(|term| term.1 != variable) {
            return None;
        }
        let terms: Vec<(f64, &FixedLeaf)> = terms.iter().map(|term| (term.0, term.2)).collect();
        let domain = &self.circuit.variable(variable).domain;
        let function = union(&terms).or_else(|| mixture(domain, &terms))?;
        Some((variable, function))
    }

    /// The weights and functions of a sum's terms, if nothing of them is learned.
    fn terms(&self, sum: UnitId) -> Option<Vec<(f64, VarId, &FixedLeaf)>> {
        let term = |child: ChildEdge| {
            let weight = self.circuit.entry(child.weight?).fixed_value()?.linear();
            let (variable, function) = self.function(child.unit)?;
            weight.is_normal().then_some((weight, variable, function))
        };
        self.circuit.children(sum).map(term).collect()
    }
}

/// The indicator of the union of disjoint indicators of weight 1.
fn union(terms: &[(f64, &FixedLeaf)]) -> Option<FixedLeaf> {
    let set = |&(weight, function): &(f64, &'_ FixedLeaf)| match function {
        FixedLeaf::Indicator(_) if weight != 1.0 => None,
        FixedLeaf::Indicator(set) => Some(set.runs().len()),
        FixedLeaf::Table(_) => None,
    };
    // Only indicators that count once, and no more runs than are worth a leaf.
    let n_runs: usize = terms.iter().map(set).sum::<Option<usize>>()?;
    if n_runs > COST * terms.len() {
        return None;
    }
    let sets = terms.iter().filter_map(|(_, function)| match function {
        FixedLeaf::Indicator(set) => Some(set),
        FixedLeaf::Table(_) => None,
    });
    ValueSet::disjoint_union(sets).map(FixedLeaf::Indicator)
}

/// The distribution that a mixture of mass 1 is.
fn mixture(domain: &Domain, terms: &[(f64, &FixedLeaf)]) -> Option<FixedLeaf> {
    let size = domain.size().filter(|&size| size <= TABLE_DOMAIN)?;
    // A table must not be much larger than the sum that it stands for.
    let size = size as usize;
    let cost: f64 = terms.iter().map(|term| term.1.n_values()).sum();
    let is_cheap = cost <= (COST * terms.len()) as f64;
    if !is_cheap || size > (SMALL_DOMAIN as usize).max(GROWTH * terms.len()) {
        return None;
    }
    // A leaf has mass 1: so must the terms together, and the numbers that are kept of them.
    let is_one = |mass: f64| (mass - 1.0).abs() <= TOLERANCE;
    let mass: f64 = terms
        .iter()
        .map(|(weight, term)| weight * term.mass())
        .sum();
    let table = FiniteDistribution::mixture(domain, size, terms).filter(|_| is_one(mass))?;
    let total: f64 = table.entries().iter().sum();
    is_one(total).then(|| table.simplified(domain))
}

fn leaf(
    rebuild: &mut CircuitRebuild,
    circuit: &CircuitGraph,
    variable: VarId,
    function: FixedLeaf,
    span: Span,
) -> Leaf {
    let table = match function {
        FixedLeaf::Table(table) => table,
        FixedLeaf::Indicator(set) => return Leaf::indicator(variable, set),
    };
    let (family, kind) = match circuit.variable(variable).domain {
        Domain::Bool => (BernoulliDistribution.into(), ParamKind::Unit),
        _ => (CategoricalDistribution.into(), ParamKind::Simplex),
    };
    let entries = table.entries().iter().copied().map(ParameterEntry::fixed);
    let entries: Vec<ParameterEntry> = entries.collect();
    let param = rebuild.builder.parameter(None, kind, &entries, span);
    Leaf::distribution(variable, family, vec![param])
}
