//! How a pair of units is multiplied: from which smaller pairs.

use super::{MultiplicationOperand, TransformError};
use crate::circuit::{UnitId, UnitKind};
use crate::disjoint_sets::DisjointSets;
use crate::tractability::{CircuitOperand, OffendingUnit, QueryKind, TractabilityRequirement};
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};

/// Units of two circuits, each side a product of its units, which share no variables.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct MultiplicationPair {
    units: [Vec<UnitId>; 2],
}

impl MultiplicationPair {
    pub fn of(left: Vec<UnitId>, right: Vec<UnitId>) -> Self {
        let units = [left, right];
        MultiplicationPair { units }
    }
}

#[derive(Clone, Debug)]
pub(super) enum PairDecomposition {
    /// A number, by its logarithm.
    Number(f64),
    /// A leaf of one side alone.
    Leaf(usize, UnitId),
    /// Two leaves of one variable.
    Leaves(UnitId, UnitId),
    /// Pairs that share no variables.
    Product(Vec<MultiplicationPair>),
    /// Pairs with the logarithms of their weights.
    Sum(Vec<(f64, MultiplicationPair)>),
}

impl PairDecomposition {
    /// How to multiply a pair; none if there would be more than `room` terms.
    ///
    /// Products are taken apart into groups of factors that share variables. What is one
    /// group has a sum on one side at least, whose terms are multiplied with the other
    /// side; of two sums the one over more variables goes first.
    pub fn of(
        sides: &[MultiplicationOperand; 2],
        pair: &MultiplicationPair,
        room: usize,
    ) -> Result<Option<PairDecomposition>, TransformError> {
        if let Some(log) = number(sides, pair) {
            return Ok(Some(PairDecomposition::Number(log)));
        }
        // Products are opened on both sides, and what shares variables is kept together.
        let lists = [0, 1].map(|at| factors(&sides[at], &pair.units[at]));
        let groups = groups(sides, &lists);
        let [group] = match <[MultiplicationPair; 1]>::try_from(groups) {
            Ok(group) => group,
            Err(groups) => return Ok(Some(PairDecomposition::Product(groups))),
        };
        let plan = match [&group.units[0][..], &group.units[1][..]] {
            [&[left], &[right]] => return Ok(both(sides, left, right, room)),
            [&[one], others] if is_sum(&sides[0], one) => one_sided(sides, 0, one, others),
            [others, &[one]] if is_sum(&sides[1], one) => one_sided(sides, 1, one, others),
            [&[one], &[]] => PairDecomposition::Leaf(0, one),
            [&[], &[one]] => PairDecomposition::Leaf(1, one),
            [left, right] => return Err(crossing(sides, left, right)),
        };
        Ok(Some(plan))
    }

    /// How many terms or factors there are.
    pub fn len(&self) -> usize {
        match self {
            Self::Number(_) | Self::Leaf(..) | Self::Leaves(..) => 0,
            Self::Product(pairs) => pairs.len(),
            Self::Sum(terms) => terms.len(),
        }
    }

    /// One of the pairs that are needed, by its number.
    pub fn pair(&self, at: usize) -> Option<&MultiplicationPair> {
        match self {
            Self::Number(_) | Self::Leaf(..) | Self::Leaves(..) => None,
            Self::Product(pairs) => pairs.get(at),
            Self::Sum(terms) => terms.get(at).map(|term| &term.1),
        }
    }
}

/// The logarithm of a pair without variables that is one unit; products of many would be
/// taken apart again and again.
fn number(sides: &[MultiplicationOperand; 2], pair: &MultiplicationPair) -> Option<f64> {
    let (side, unit) = match [&pair.units[0][..], &pair.units[1][..]] {
        [&[unit], &[]] => (&sides[0], unit),
        [&[], &[unit]] => (&sides[1], unit),
        _ => return None,
    };
    let is_number = side.scope(unit).is_empty();
    is_number.then(|| side.log_masses[unit.index()])
}

fn is_sum(side: &MultiplicationOperand, unit: UnitId) -> bool {
    side.kind(unit) == UnitKind::Sum
}

/// The factors of a product of units: products with variables are replaced by their
/// children, so that there are no more factors than variables and numbers.
fn factors(side: &MultiplicationOperand, units: &[UnitId]) -> Vec<UnitId> {
    let mut open: Vec<UnitId> = units.iter().rev().copied().collect();
    let mut found = Vec::new();
    while let Some(unit) = open.pop() {
        match side.kind(unit) {
            UnitKind::Product if !side.scope(unit).is_empty() => {
                let children = side.circuit().children(unit).rev();
                open.extend(children.map(|child| child.unit));
            }
            _ => found.push(unit),
        }
    }
    found
}

/// Groups of factors that share variables with each other and with no others, in the
/// order of their first factors.
fn groups(sides: &[MultiplicationOperand; 2], lists: &[Vec<UnitId>; 2]) -> Vec<MultiplicationPair> {
    let members = [0, 1].map(|side| lists[side].iter().map(move |&unit| (side, unit)));
    let members: Vec<(usize, UnitId)> = members.into_iter().flatten().collect();
    // 1. Factors are in one group with the first one that mentions a variable of theirs.
    let mut sets = DisjointSets::new(members.len());
    let mut first_with = FxHashMap::default();
    for (at, &(side, unit)) in members.iter().enumerate() {
        for variable in sides[side].scope(unit).iter() {
            sets.unite(*first_with.entry(variable).or_insert(at), at);
        }
    }
    // 2. The first factor of a group leads it, so that groups come in the order of those.
    let mut groups: IndexMap<usize, MultiplicationPair, FxBuildHasher> = IndexMap::default();
    for (at, (side, unit)) in members.into_iter().enumerate() {
        groups.entry(sets.find(at)).or_default().units[side].push(unit);
    }
    groups.into_values().collect()
}

/// Two units that share variables, of which none is a product.
fn both(
    sides: &[MultiplicationOperand; 2],
    left: UnitId,
    right: UnitId,
    room: usize,
) -> Option<PairDecomposition> {
    let scopes = [sides[0].scope(left), sides[1].scope(right)];
    Some(match [is_sum(&sides[0], left), is_sum(&sides[1], right)] {
        [false, false] => PairDecomposition::Leaves(left, right),
        [true, false] => one_sided(sides, 0, left, &[right]),
        [false, true] => one_sided(sides, 1, right, &[left]),
        // Two sums over the same variables: every pair of terms. Else the one over more
        // variables is opened, until its terms fit the other.
        [true, true] if scopes[0] == scopes[1] => return crossed(sides, left, right, room),
        [true, true] if scopes[1].is_subset(scopes[0]) => one_sided(sides, 0, left, &[right]),
        [true, true] if scopes[0].is_subset(scopes[1]) => one_sided(sides, 1, right, &[left]),
        [true, true] => return crossed(sides, left, right, room),
    })
}

/// The terms of a sum, each with all that is on the other side.
fn one_sided(
    sides: &[MultiplicationOperand; 2],
    side: usize,
    sum: UnitId,
    others: &[UnitId],
) -> PairDecomposition {
    let terms = terms(&sides[side], sum).map(|(log, unit)| {
        let pair = match side {
            0 => MultiplicationPair::of(vec![unit], others.to_vec()),
            _ => MultiplicationPair::of(others.to_vec(), vec![unit]),
        };
        (log, pair)
    });
    PairDecomposition::Sum(terms.collect())
}

/// Every term of one sum with every term of another, if there is room for them.
fn crossed(
    sides: &[MultiplicationOperand; 2],
    left: UnitId,
    right: UnitId,
    room: usize,
) -> Option<PairDecomposition> {
    let n_left = sides[0].circuit().n_children(left);
    let n_right = sides[1].circuit().n_children(right);
    if n_left.saturating_mul(n_right) > room {
        return None;
    }
    let pairs = terms(&sides[0], left).flat_map(|(log_a, a)| {
        terms(&sides[1], right)
            .map(move |(log_b, b)| (log_a + log_b, MultiplicationPair::of(vec![a], vec![b])))
    });
    Some(PairDecomposition::Sum(pairs.collect()))
}

/// The terms of a sum with the logarithms of their weights.
fn terms<'s>(
    side: &'s MultiplicationOperand,
    sum: UnitId,
) -> impl Iterator<Item = (f64, UnitId)> + 's {
    let terms = side.circuit().terms(sum);
    terms.map(|(unit, weight)| (side.import.log_weight(weight), unit))
}

/// Two products that split the same variables unlike each other.
fn crossing(
    sides: &[MultiplicationOperand; 2],
    left: &[UnitId],
    right: &[UnitId],
) -> TransformError {
    let mut pairs = left
        .iter()
        .flat_map(|&a| right.iter().map(move |&b| (a, b)));
    let crosses = |&(a, b): &(UnitId, UnitId)| {
        let (a, b) = (sides[0].scope(a), sides[1].scope(b));
        !a.is_disjoint(b) && !a.is_subset(b) && !b.is_subset(a)
    };
    let found = pairs.find(crosses);
    let reason = match found {
        Some((a, b)) => format!(
            "{} of the first crosses {} of the second, so that there is no product of moderate \
             size",
            sides[0].show(a),
            sides[1].show(b),
        ),
        None => "they split their variables unlike each other".to_string(),
    };
    let culprit = |(side, unit)| OffendingUnit {
        side,
        unit,
        refutation: None,
    };
    let culprits = found.map_or(Vec::new(), |(a, b)| {
        [(CircuitOperand::First, a), (CircuitOperand::Second, b)]
            .map(culprit)
            .into()
    });
    let refusal =
        QueryKind::Multiply.refused(TractabilityRequirement::Compatible, reason, culprits);
    refusal.into()
}
