//! Two circuits compared unit by unit.
//!
//! What is computed for a pair of units `a` and `b`, both scaled to mass 1, are the mass
//! of `a` where `b` is positive, and the means of `log b` and of `log a - log b` there.
//! A sum on the left spreads over its children, because all three are linear in `a`. So
//! does a sum on the right that is deterministic: where one of its children is positive
//! its logarithm is that child's and the weight's. Products fall into groups of factors
//! that share variables. Pairs are remembered, so circuits that split their variables
//! alike take a step for each pair of units at most.

mod field;
mod groups;
mod steps;
mod twins;

use super::{InformationError, ScaledCircuit};
use crate::tractability::{CircuitOperand, OffendingUnit, QueryKind, TractabilityRequirement};
use field::{FieldElement, FieldMasses};
use groups::{FactorGroup, FactorGroups};
use pelton_compiler::circuit::{UnitId, UnitKind, VarId};
use pelton_compiler::leaf::{LeafOf, overlap};
use pelton_grammar::diagnostic::thousands;
use pelton_grammar::remedy::{RemedyOption, RemedyText};
use rustc_hash::FxHashMap;
use steps::{PairFrame, PairParts, PairTerm};
use twins::are_twins;

/// What circuits are that can be compared in few steps.
const COMPATIBLE: TractabilityRequirement = TractabilityRequirement::Compatible;

/// Pairs, and parts of pairs, that are looked at before giving up.
const MOST_STEPS: u64 = 10_000_000;

/// What one unit says of another.
#[derive(Clone, Copy, Debug)]
pub(super) struct UnitComparison {
    /// The mass of the first where the second is positive.
    pub mass: f64,
    /// The mean of the logarithm of the second there.
    pub log_other: f64,
    /// The mean of the logarithm of the first over the second there; meaningful if both
    /// are deterministic.
    pub log_ratio: f64,
    /// The mass again, with random numbers of a finite field in place of weights: whether
    /// it is zero, or all there is, is then no question of rounding.
    trace: FieldElement,
}

impl UnitComparison {
    const ZERO: UnitComparison = UnitComparison {
        mass: 0.0,
        log_other: 0.0,
        log_ratio: 0.0,
        trace: FieldElement::ZERO,
    };
    const ONE: UnitComparison = UnitComparison {
        mass: 1.0,
        trace: FieldElement::ONE,
        ..UnitComparison::ZERO
    };

    /// Of products of independent parts.
    fn times(self, other: UnitComparison) -> UnitComparison {
        UnitComparison {
            mass: self.mass * other.mass,
            log_other: self.log_other * other.mass + self.mass * other.log_other,
            log_ratio: self.log_ratio * other.mass + self.mass * other.log_ratio,
            trace: self.trace.times(other.trace),
        }
    }

    fn is_zero(&self) -> bool {
        self.trace == FieldElement::ZERO
    }
}

/// What two whole circuits say of each other.
#[derive(Clone, Copy, Debug)]
pub(super) struct CircuitComparison {
    pub of: UnitComparison,
    /// Whether the second circuit is positive wherever the first one is.
    pub is_covered: bool,
}

/// Compares two circuits, the second of which is deterministic, for this question. `other_variable` is by
/// variable of the second the one of the first that it stands for.
pub(super) fn compare(
    first: &ScaledCircuit,
    second: &ScaledCircuit,
    other_variable: &[Option<VarId>],
    kind: QueryKind,
) -> Result<CircuitComparison, InformationError> {
    let traces = FieldMasses::of(first);
    let mut pairs = PairSolver {
        first,
        second,
        groups: FactorGroups::new(first.circuit(), second.circuit(), other_variable),
        traces,
        known: FxHashMap::default(),
        are_twins: are_twins(first, second, other_variable),
        steps_left: MOST_STEPS,
        kind,
        tangle: None,
    };
    let roots = (first.circuit().root(), second.circuit().root());
    let of = pairs.solve((FactorGroup::single(roots.0), FactorGroup::single(roots.1)))?;
    Ok(CircuitComparison {
        is_covered: of.trace == pairs.traces.total(roots.0),
        of,
    })
}

/// A group of factors of the first circuit and one of the second.
type FactorGroupPair = (FactorGroup, FactorGroup);

struct PairSolver<'a> {
    first: &'a ScaledCircuit<'a>,
    second: &'a ScaledCircuit<'a>,
    groups: FactorGroups<'a>,
    traces: FieldMasses<'a>,
    known: FxHashMap<FactorGroupPair, UnitComparison>,
    /// Whether units of one number are positive alike.
    are_twins: bool,
    steps_left: u64,
    kind: QueryKind,
    /// The first two units that were split against each other.
    tangle: Option<(UnitId, UnitId)>,
}

impl PairSolver<'_> {
    /// Works pairs off, parts before wholes, without recursion: circuits may be deep.
    fn solve(&mut self, pair: FactorGroupPair) -> Result<UnitComparison, InformationError> {
        let mut stack: Vec<PairFrame> = Vec::new();
        let mut last = self.enter(pair, &mut stack)?;
        while let Some(frame) = stack.last_mut() {
            if let Some(found) = last.take() {
                frame.add(found);
            }
            match frame.next_part() {
                Some(part) => last = self.enter(part, &mut stack)?,
                None => {
                    let (pair, found) = (frame.pair, frame.total);
                    stack.pop();
                    self.known.insert(pair, found);
                    last = Some(found);
                }
            }
        }
        Ok(last.unwrap_or(UnitComparison::ZERO))
    }

    /// What is known of a pair; otherwise it is put on the stack.
    fn enter(
        &mut self,
        pair: FactorGroupPair,
        stack: &mut Vec<PairFrame>,
    ) -> Result<Option<UnitComparison>, InformationError> {
        if let Some(&found) = self.known.get(&pair) {
            return Ok(Some(found));
        }
        let parts = match self.expand(pair)? {
            PairExpansion::Known(found) => {
                self.known.insert(pair, found);
                return Ok(Some(found));
            }
            PairExpansion::Parts(parts) => parts,
        };
        let left = self.steps_left.checked_sub(1 + parts.len() as u64);
        self.steps_left = left.ok_or_else(|| self.too_much())?;
        stack.push(PairFrame::new(pair, parts));
        Ok(None)
    }

    fn expand(
        &mut self,
        (left, right): FactorGroupPair,
    ) -> Result<PairExpansion, InformationError> {
        // 1. Two units: leaves have a closed form, sums spread over their children.
        let (a, b) = (self.groups.left(left), self.groups.right(right));
        if let (&[x], &[y]) = (&a[..], &b[..]) {
            use UnitKind::{Input, Sum};
            match (self.first.circuit().kind(x), self.second.circuit().kind(y)) {
                (Input(_), Input(_)) => return self.leaves(x, y).map(PairExpansion::Known),
                (Sum, Sum) if self.are_twins && x == y => return Ok(self.twins(x)),
                (Sum, Sum) => return Ok(self.sums(Some((x, &[])), Some((y, &[])), left, right)),
                _ => {}
            }
        }
        // 2. Factors that fall apart into independent groups.
        if let Some(parts) = self.groups.split(&a, &b) {
            self.steps_left = self.steps_left.saturating_sub(self.groups.take_work());
            return Ok(PairExpansion::Parts(PairParts::Product(parts)));
        }
        // 3. What is tied together: one sum is multiplied out.
        self.open(left, right, &a, &b)
    }

    /// Opens a sum of a pair that does not fall apart. Of several factors on both sides
    /// one is multiplied out, which is right but may take many steps.
    fn open(
        &mut self,
        left: FactorGroup,
        right: FactorGroup,
        a: &[UnitId],
        b: &[UnitId],
    ) -> Result<PairExpansion, InformationError> {
        let last_sum = |scaled: &ScaledCircuit, units: &[UnitId]| {
            let is_sum = |&&unit: &&UnitId| scaled.circuit().kind(unit) == UnitKind::Sum;
            units.iter().rfind(is_sum).copied()
        };
        let (x, y) = (last_sum(self.first, a), last_sum(self.second, b));
        if let ([x, _, ..], [y, _, ..]) = (a, b) {
            self.tangle = self.tangle.or(Some((*x, *y)));
        }
        let others = |units: &[UnitId], sum: UnitId| -> Vec<UnitId> {
            units.iter().copied().filter(|&unit| unit != sum).collect()
        };
        // The side that is a single factor is opened: the other may then fall apart.
        match (x, y) {
            (Some(x), _) if a.len() == 1 || y.is_none() || b.len() > 1 => {
                let rest = others(a, x);
                Ok(self.sums(Some((x, &rest)), None, left, right))
            }
            (_, Some(y)) => {
                let rest = others(b, y);
                Ok(self.sums(None, Some((y, &rest)), left, right))
            }
            // Leaves that are tied to each other are a pair, unless scopes differ.
            _ => {
                let message = "the circuits do not mention the same variables everywhere";
                Err(InformationError::Mismatch(message.to_string()))
            }
        }
    }

    /// The terms of a sum on either side or both, each with the factors beside it.
    fn sums(
        &mut self,
        left: Option<(UnitId, &[UnitId])>,
        right: Option<(UnitId, &[UnitId])>,
        left_group: FactorGroup,
        right_group: FactorGroup,
    ) -> PairExpansion {
        let lefts: Vec<(FactorGroup, f64, FieldElement)> = match left {
            None => vec![(left_group, 0.0, FieldElement::ONE)],
            Some((sum, rest)) => {
                let shares: Vec<_> = self.first.log_shares(sum).collect();
                let terms = shares.into_iter().map(|(at, child, share)| {
                    let group = self.groups.with_left(rest, child);
                    (group, share, self.traces.edge(sum, at))
                });
                terms.collect()
            }
        };
        let rights: Vec<(FactorGroup, f64)> = match right {
            None => vec![(right_group, 0.0)],
            Some((sum, rest)) => {
                let shares: Vec<_> = self.second.log_shares(sum).collect();
                let mut group = |child| self.groups.with_right(rest, child);
                let terms = shares.into_iter();
                terms
                    .map(|(_, child, share)| (group(child), share))
                    .collect()
            }
        };
        PairExpansion::Parts(PairParts::Sum { lefts, rights })
    }

    /// The terms of a sum and of its twin. What is positive in one child of a
    /// deterministic sum is zero in all others, so the others need no look.
    fn twins(&mut self, sum: UnitId) -> PairExpansion {
        let lefts: Vec<_> = self.first.log_shares(sum).collect();
        let rights: Vec<_> = self.second.log_shares(sum).collect();
        let pairs = lefts.into_iter().zip(rights);
        let terms = pairs.map(|((at, left, log_left), (_, right, log_right))| PairTerm {
            pair: (
                self.groups.with_left(&[], left),
                self.groups.with_right(&[], right),
            ),
            log_left,
            log_right,
            trace: self.traces.edge(sum, at),
        });
        PairExpansion::Parts(PairParts::Twins(terms.collect()))
    }

    fn leaves(&mut self, x: UnitId, y: UnitId) -> Result<UnitComparison, InformationError> {
        let trace = self.traces.common(x, self.second, y);
        if trace == FieldElement::ZERO {
            return Ok(UnitComparison::ZERO);
        }
        let leaves = leaf_at(self.first, x).zip(leaf_at(self.second, y));
        let Some(found) = leaves.and_then(|(p, q)| overlap(p, q)) else {
            let (x, y) = self.described(x, y);
            let why = format!(
                "the {x} of the first circuit and the {y} of the second have no closed form together"
            );
            let why = RemedyText::from(why).also(RemedyOption::EstimateBySamples);
            return Err(InformationError::Structure(why));
        };
        Ok(UnitComparison {
            mass: found.mass,
            log_other: found.log_other,
            log_ratio: found.log_ratio,
            trace,
        })
    }

    fn described(&self, x: UnitId, y: UnitId) -> (String, String) {
        (
            self.first.circuit().describe(x),
            self.second.circuit().describe(y),
        )
    }

    fn too_much(&self) -> InformationError {
        let most = thousands(MOST_STEPS as usize);
        let Some((x, y)) = self.tangle else {
            let reason = format!("comparing them takes more than {most} steps");
            let refusal = self.kind.refused(COMPATIBLE, reason, Vec::new());
            return refusal.into();
        };
        let (left, right) = self.described(x, y);
        let reason = format!(
            "the {left} of the first circuit and the {right} of the second split their variables \
             in conflicting ways, and multiplying them out takes more than {most} steps"
        );
        let culprits = [(CircuitOperand::First, x), (CircuitOperand::Second, y)];
        let culprits = culprits.map(|(side, unit)| OffendingUnit {
            side,
            unit,
            refutation: None,
        });
        let refusal = self.kind.refused(COMPATIBLE, reason, culprits.to_vec());
        refusal.into()
    }
}

fn leaf_at<'s>(scaled: &ScaledCircuit<'s>, unit: UnitId) -> Option<LeafOf<'s>> {
    Some(LeafOf {
        circuit: scaled.circuit(),
        values: scaled.values(),
        leaf: scaled.circuit().leaf_of(unit)?,
    })
}

enum PairExpansion {
    Known(UnitComparison),
    Parts(PairParts),
}
