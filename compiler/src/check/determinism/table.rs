//! Fourth rung: the truth table of two units, where it is small enough.
//!
//! Parities and the like, split now one way and now another, defeat the solver
//! at sizes at which trying all inputs takes a moment. Some variables, with at
//! most 64 combinations of atoms, are tried all at once in the bits of a word;
//! the others are counted through.

use super::implied::Supports;
use super::point::AtomAssignment;
use super::sat::DisjointnessResult;
use crate::circuit::{UnitId, UnitKind, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

/// Whether one input makes both units positive, found by trying all; `None`,
/// and nothing done, if that takes more than `steps_left`, which is lowered by
/// what was spent.
pub(super) fn try_all(
    supports: &Supports,
    a: UnitId,
    b: UnitId,
    steps_left: &mut u64,
) -> Option<DisjointnessResult> {
    // 1. What the two units need, and what trying all of its inputs would cost.
    let cone = Cone::of(supports, [a, b], *steps_left)?;
    let plan = TruthTablePlan::new(supports, &cone.variables);
    let cost = plan.n_rounds()?.checked_mul(cone.size)?;
    *steps_left = steps_left.checked_sub(cost)?;
    // 2. A program of one operation for each unit, run once for every 64 inputs.
    let program = TruthTableProgram::new(supports, &cone.units, plan);
    Some(program.run([a, b]))
}

/// The units below a pair, children first, and the variables they mention.
struct Cone {
    units: Vec<UnitId>,
    variables: Vec<VarId>,
    size: u64,
}

impl Cone {
    fn of(supports: &Supports, tops: [UnitId; 2], most: u64) -> Option<Self> {
        let mut seen: FxHashSet<UnitId> = tops.into_iter().collect();
        let mut rest: Vec<UnitId> = seen.iter().copied().collect();
        let mut variables = Vec::new();
        let mut size = 0;
        // The walk counts edges as it goes, and stops before it costs more than there is to
        // spend.
        while let Some(unit) = rest.pop() {
            variables.extend(supports.circuit.leaf_of(unit).map(|leaf| leaf.variable));
            let children = supports.children(unit).inspect(|_| size += 1);
            rest.extend(children.filter(|&child| seen.insert(child)));
            if size > most {
                return None;
            }
        }
        let mut units: Vec<UnitId> = seen.into_iter().collect();
        units.sort_unstable();
        variables.sort_unstable();
        variables.dedup();
        let size = size + units.len() as u64;
        Some(Cone {
            units,
            variables,
            size,
        })
    }
}

/// Which variables are tried in the bits of a word, and which are counted through.
struct TruthTablePlan {
    /// Each with its number of atoms and the distance in bits between two of them.
    inner: Vec<(VarId, u32, u32)>,
    n_bits: u32,
    outer: Vec<(VarId, u32)>,
}

impl TruthTablePlan {
    fn new(supports: &Supports, variables: &[VarId]) -> Self {
        let counts = variables.iter().map(|&v| (v, supports.atoms.count(v)));
        let mut counts: Vec<_> = counts.collect();
        // Variables with few atoms first: that makes most of them fit the 64 bits.
        counts.sort_by_key(|&(_, count)| count);
        let mut plan = TruthTablePlan {
            inner: Vec::new(),
            n_bits: 1,
            outer: Vec::new(),
        };
        for (variable, count) in counts {
            if count.saturating_mul(plan.n_bits) <= u64::BITS {
                plan.inner.push((variable, count, plan.n_bits));
                plan.n_bits *= count;
            } else {
                plan.outer.push((variable, count))
            }
        }
        plan
    }

    fn n_rounds(&self) -> Option<u64> {
        let counts = self.outer.iter().map(|&(_, count)| u64::from(count));
        counts.into_iter().try_fold(1_u64, u64::checked_mul)
    }

    /// The bits in which an inner variable has one of the atoms of a set.
    fn bits(&self, variable: VarId, contains: impl Fn(u32) -> bool) -> Option<u64> {
        let own = self.inner.iter().find(|own| own.0 == variable);
        let &(_, count, distance) = own?;
        // A bit's number says the atoms of all inner variables, like digits: each variable has
        // a base and a place.
        let is_in = |bit: &u32| contains(bit / distance % count);
        let inside = (0..self.n_bits).filter(is_in);
        Some(inside.fold(0, |bits, bit| bits | 1 << bit))
    }

    fn outer_op(&self, variable: VarId, contains: impl Fn(u32) -> bool) -> TruthTableOperation {
        let slot = self.outer.iter().position(|own| own.0 == variable);
        let slot = slot.expect("a variable is either inner or outer");
        let inside = (0..self.outer[slot].1).map(contains).collect();
        TruthTableOperation::Outer(slot, inside)
    }
}

/// One unit's value for all inner points, from those before it.
enum TruthTableOperation {
    Fixed(u64),
    /// All ones while the outer variable's atom is in the list, else nothing.
    Outer(usize, Vec<bool>),
    All(Vec<u32>),
    Any(Vec<u32>),
}

struct TruthTableProgram<'a> {
    supports: &'a Supports<'a>,
    plan: TruthTablePlan,
    ops: Vec<TruthTableOperation>,
    position: FxHashMap<UnitId, u32>,
}

impl<'a> TruthTableProgram<'a> {
    fn new(supports: &'a Supports<'a>, units: &[UnitId], plan: TruthTablePlan) -> Self {
        let position: FxHashMap<UnitId, u32> = units.iter().copied().zip(0..).collect();
        let operands = |unit| supports.children(unit).map(|c| position[&c]).collect();
        let op = |&unit: &UnitId| match supports.circuit.kind(unit) {
            // Dead units have live factors left; they are nothing all the same.
            _ if !supports.is_live(unit) => TruthTableOperation::Fixed(0),
            UnitKind::Input(leaf) => {
                let set = supports.atoms.of_leaf(leaf);
                let variable = supports.circuit.leaf(leaf).variable;
                let contains = |atom| supports.atoms.contains(set, atom);
                match plan.bits(variable, contains) {
                    Some(bits) => TruthTableOperation::Fixed(bits),
                    None => plan.outer_op(variable, contains),
                }
            }
            UnitKind::Product => TruthTableOperation::All(operands(unit)),
            UnitKind::Sum => TruthTableOperation::Any(operands(unit)),
        };
        let ops = units.iter().map(op).collect();
        TruthTableProgram {
            supports,
            plan,
            ops,
            position,
        }
    }

    fn run(&self, tops: [UnitId; 2]) -> DisjointnessResult {
        let [a, b] = tops.map(|top| self.position[&top] as usize);
        let mut atoms = vec![0_u32; self.plan.outer.len()];
        let mut values = Vec::with_capacity(self.ops.len());
        loop {
            // One round evaluates both units for 64 inputs; a bit that both have is a witness.
            self.evaluate(&atoms, &mut values);
            let common = values[a] & values[b];
            if common != 0 {
                return DisjointnessResult::Overlap(self.point(&atoms, common.trailing_zeros()));
            }
            if !advance(&mut atoms, &self.plan.outer) {
                return DisjointnessResult::Disjoint;
            }
        }
    }

    fn evaluate(&self, atoms: &[u32], values: &mut Vec<u64>) {
        let all = u64::MAX >> (u64::BITS - self.plan.n_bits);
        values.clear();
        for op in &self.ops {
            let at = |operand: &u32| values[*operand as usize];
            let value = match op {
                TruthTableOperation::Fixed(bits) => *bits,
                TruthTableOperation::Outer(slot, inside) if inside[atoms[*slot] as usize] => all,
                TruthTableOperation::Outer(..) => 0,
                TruthTableOperation::All(operands) => {
                    operands.iter().map(at).fold(all, |x, y| x & y)
                }
                TruthTableOperation::Any(operands) => operands.iter().map(at).fold(0, |x, y| x | y),
            };
            values.push(value);
        }
    }

    /// The input of a bit in the round of these outer atoms.
    fn point(&self, atoms: &[u32], bit: u32) -> AtomAssignment {
        let mut point = AtomAssignment::new(self.supports);
        for &(variable, count, distance) in &self.plan.inner {
            point.choose(variable, bit / distance % count);
        }
        for (&atom, &(variable, _)) in atoms.iter().zip(&self.plan.outer) {
            point.choose(variable, atom);
        }
        point
    }
}

/// Counts one further; `false` after the last combination.
fn advance(atoms: &mut [u32], outer: &[(VarId, u32)]) -> bool {
    for (atom, &(_, count)) in atoms.iter_mut().zip(outer) {
        *atom += 1;
        if *atom < count {
            return true;
        }
        *atom = 0;
    }
    false
}
