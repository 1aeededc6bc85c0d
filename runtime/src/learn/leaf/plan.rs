//! Which parameters leaves have, found once.

use super::counts::{CountLeaf, LeafTable, SumLike};
use super::family::{MOST_PARAMETERS, distribution, learning};
use pelton_compiler::circuit::{
    CircuitGraph, Distribution, Leaf, LeafId, LeafKind, ParamId, ParamKind, ParameterEntry,
};
use pelton_compiler::flow::LeafFlows;
use pelton_compiler::leaf::is_truncated;
use std::ops::Range;

/// The learned parameters of a circuit's leaves, and which leaves they belong to.
///
/// Made once for a circuit; a step reads it and allocates nothing for it. Plain
/// Bernoulli and categorical leaves are no part of it: their flows are counts.
#[derive(Clone, Debug, Default)]
pub struct LeafPlan {
    /// Leaves with a parameter to learn that is not, or not only, counted.
    pub(super) leaves: Vec<PlannedLeaf>,
    /// Learned `positive` and `real` parameters, by id.
    pub(super) scalars: Vec<LeafScalar>,
    /// Learned `unit` and `simplex` parameters of planned leaves, by id.
    pub(super) vectors: Vec<LeafVector>,
    /// The uses of all of them.
    pub(super) uses: Vec<LeafParameterUse>,
    /// Leaves whose flows are counts of probabilities.
    pub(super) count_leaves: Vec<CountLeaf>,
    pub(super) sum_like: Vec<SumLike>,
    /// Whether some flows say all only about parameters near those they were computed with.
    is_local: bool,
}

/// A leaf that a step looks at.
#[derive(Clone, Debug)]
pub(super) struct PlannedLeaf {
    pub leaf: LeafId,
    /// Whether the flows are counts of probabilities.
    pub is_counted: bool,
    /// Positions of its parameters' first entries; where it has fewer, of its first one.
    pub entries: [usize; MOST_PARAMETERS],
    pub is_truncated: bool,
    /// What is left of each entry, for truncated leaves with an entry for each
    /// value or bin.
    pub table: Option<LeafTable>,
}

#[derive(Clone, Debug)]
pub(super) struct LeafScalar {
    pub param: ParamId,
    pub entry: usize,
    pub is_positive: bool,
    pub uses: Range<usize>,
    /// Whether some leaf has it twice.
    pub is_repeated: bool,
    /// Whether no leaf that uses it is truncated.
    pub is_plain: bool,
    /// The number that is set with it, by position: that of exactly the same leaves.
    pub follower: Option<usize>,
    /// Whether it is itself set with another.
    pub is_follower: bool,
}

#[derive(Clone, Debug)]
pub(super) struct LeafVector {
    pub param: ParamId,
    pub entries: Range<usize>,
    pub is_unit: bool,
    pub uses: Range<usize>,
    /// Whether counts are all there is to it as long as entropy does not matter.
    pub is_plain: bool,
}

/// A leaf's use of a parameter.
#[derive(Clone, Copy, Debug)]
pub(super) struct LeafParameterUse {
    /// Position among the planned leaves.
    pub leaf: usize,
    pub argument: usize,
}

impl LeafPlan {
    /// Looks at all leaves of a circuit.
    pub fn new(circuit: &CircuitGraph) -> Self {
        let mut draft = LeafPlanDraft {
            circuit,
            plan: LeafPlan::default(),
            uses: Vec::new(),
        };
        for (at, leaf) in circuit.leaves().iter().enumerate() {
            draft.leaf(LeafId::new(at), leaf);
        }
        draft.finish()
    }

    /// Whether the circuit has no leaves that learning needs to look at.
    pub fn is_empty(&self) -> bool {
        self.leaves.is_empty() && self.count_leaves.is_empty()
    }

    /// Whether a closed form needs new flows after each step, because some of them say all
    /// only near the parameters that they were computed with.
    pub fn is_local(&self) -> bool {
        self.is_local
    }

    /// Whether counts say all about a `unit` or `simplex` parameter, so that it is
    /// solved like the weights of sums. If not, [`LeafStep`](super::LeafStep) updates it.
    pub fn is_counted(&self, param: ParamId, tau: f64) -> bool {
        let found = self.vectors.binary_search_by_key(&param, |v| v.param);
        found.is_err() || found.is_ok_and(|at| self.vectors[at].is_counted(tau))
    }

    pub(super) fn uses(&self, range: &Range<usize>) -> &[LeafParameterUse] {
        &self.uses[range.clone()]
    }

    pub(super) fn leaves_of(&self, range: &Range<usize>) -> impl Iterator<Item = usize> + '_ {
        self.uses(range).iter().map(|own| own.leaf)
    }
}

impl LeafVector {
    pub fn is_counted(&self, tau: f64) -> bool {
        self.is_plain && tau == 0.0
    }
}

/// Whether learning may change anything of a parameter.
pub(super) fn is_learned(circuit: &CircuitGraph, param: ParamId) -> bool {
    let learned = |entry: &ParameterEntry| entry.learned;
    let entries = circuit.entries(param);
    match circuit.parameter(param).kind {
        // One of two that add up to 1 cannot change alone.
        ParamKind::Unit => entries.iter().all(learned),
        _ => entries.iter().any(learned),
    }
}

/// A plan under construction: uses are collected leaf by leaf and sorted last.
struct LeafPlanDraft<'a> {
    circuit: &'a CircuitGraph,
    plan: LeafPlan,
    uses: Vec<(ParamId, LeafParameterUse)>,
}

impl LeafPlanDraft<'_> {
    fn leaf(&mut self, id: LeafId, leaf: &Leaf) {
        let LeafKind::Distribution(distribution) = &leaf.kind else {
            return;
        };
        // 1. Leaves without anything to learn, and those whose flows are counted with weights,
        // are no part of the plan.
        let mut params = distribution.params.iter();
        if !params.any(|&param| is_learned(self.circuit, param)) {
            return;
        }
        let flows = LeafFlows::zero(self.circuit, leaf);
        if flows == LeafFlows::None {
            return;
        }
        self.plan.is_local |= matches!(flows, LeafFlows::Grid(_));
        // 2. Counts go into the vector of all counts, whatever else there is to the leaf.
        let is_truncated = is_truncated(self.circuit, leaf);
        if learning(&distribution.family).counting().is_some() {
            let param = self.circuit.parameter(distribution.params[0]);
            self.plan.count_leaves.push(CountLeaf {
                leaf: id,
                first_entry: param.entries().start,
            });
        }
        // 3. Counts say all about a leaf that is like a sum; others are looked at by steps.
        if !is_truncated && let Some(found) = SumLike::new(self.circuit, id, leaf, distribution) {
            self.plan.sum_like.push(found);
            return;
        }
        self.planned(id, leaf, distribution, is_truncated);
    }

    fn planned(
        &mut self,
        leaf: LeafId,
        of: &Leaf,
        distribution: &Distribution,
        is_truncated: bool,
    ) {
        let params = &distribution.params;
        let entry = |at: usize| {
            let param = *params.get(at).unwrap_or(&params[0]);
            self.circuit.parameter(param).entries().start
        };
        let at = self.plan.leaves.len();
        self.plan.leaves.push(PlannedLeaf {
            leaf,
            is_counted: learning(&distribution.family).counting().is_some(),
            entries: std::array::from_fn(entry),
            is_truncated,
            table: LeafTable::new(self.circuit, of, distribution).filter(|_| is_truncated),
        });
        let params = distribution.params.iter().enumerate();
        for (argument, &param) in params.filter(|&(_, &param)| is_learned(self.circuit, param)) {
            let own = LeafParameterUse { leaf: at, argument };
            self.uses.push((param, own));
        }
    }

    fn finish(mut self) -> LeafPlan {
        // Uses of a parameter lie together then, and parameters are found by their ids.
        let order = |&(param, own): &(ParamId, LeafParameterUse)| (param, own.leaf, own.argument);
        self.uses.sort_by_key(order);
        let uses = std::mem::take(&mut self.uses);
        for group in uses.chunk_by(|a, b| a.0 == b.0) {
            self.parameter(group[0].0, group);
        }
        self.find_followers();
        self.plan
    }

    fn parameter(&mut self, param: ParamId, group: &[(ParamId, LeafParameterUse)]) {
        let first = self.plan.uses.len();
        // A leaf that has the parameter twice is counted once.
        let once = group.chunk_by(|a, b| a.1.leaf == b.1.leaf);
        self.plan.uses.extend(once.map(|own| own[0].1));
        let uses = first..self.plan.uses.len();
        let is_counted = |leaf: usize| self.plan.leaves[leaf].is_counted;
        let is_plain = |leaf: usize| !self.plan.leaves[leaf].is_truncated;
        let is_plain = self.plan.leaves_of(&uses).all(is_plain);
        let parameter = self.circuit.parameter(param);
        let entries = parameter.entries();
        match parameter.kind {
            ParamKind::Unit | ParamKind::Simplex => self.plan.vectors.push(LeafVector {
                param,
                entries,
                is_unit: parameter.kind == ParamKind::Unit,
                is_plain: is_plain && self.plan.leaves_of(&uses).all(is_counted),
                uses,
            }),
            kind => self.plan.scalars.push(LeafScalar {
                param,
                entry: entries.start,
                is_positive: kind != ParamKind::Real,
                is_repeated: uses.len() < group.len(),
                uses,
                is_plain,
                follower: None,
                is_follower: false,
            }),
        }
    }

    /// Finds numbers that are best found together, because they have exactly the same
    /// leaves and each depends strongly on the other there.
    fn find_followers(&mut self) {
        for leader in 0..self.plan.scalars.len() {
            if let Some(follower) = self.follower(leader) {
                self.plan.scalars[leader].follower = Some(follower);
                self.plan.scalars[follower].is_follower = true;
            }
        }
    }

    fn follower(&self, leader: usize) -> Option<usize> {
        let (plan, circuit) = (&self.plan, self.circuit);
        let follower = |own: LeafParameterUse| {
            let family = &distribution(circuit, plan.leaves[own.leaf].leaf).family;
            learning(family).follower(own.argument)
        };
        // 1. What the family says of the first leaf that has the number.
        let own = &plan.scalars[leader];
        let first = plan.uses[own.uses.start];
        let argument = follower(first)?;
        let entry = plan.leaves[first.leaf].entries[argument];
        let at = plan.scalars.binary_search_by_key(&entry, |s| s.entry);
        let at = at.ok()?;
        // 2. The same has to hold of all leaves of either, in the same places.
        let other = &plan.scalars[at];
        let is_pair = |(a, b): (&LeafParameterUse, &LeafParameterUse)| {
            a.leaf == b.leaf && follower(*a) == Some(argument) && b.argument == argument
        };
        let mut pairs = plan.uses(&own.uses).iter().zip(plan.uses(&other.uses));
        let is_alone = own.uses.len() == other.uses.len() && !own.is_repeated;
        (own.is_plain && is_alone && pairs.all(is_pair)).then_some(at)
    }
}
