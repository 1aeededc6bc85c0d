//! Conditioning: the distribution of what is left, given what is known.

use super::TransformError;
use super::import::{ParameterTreatment, TransformSource};
use super::part::{ScaledUnit, mixture};
use super::reduce::{SumScaling, reduce};
use super::restrict::{restrict, whole_leaf};
use super::settle::{TransformedCircuit, settle};
use crate::check::Checked;
use crate::circuit::{CircuitBuilder, CircuitGraph, Leaf, ParameterValue, UnitId, ValueSet, VarId};
use crate::evidence::ValueBox;
use crate::leaf::{LongLog, log_mass, long_log_density};
use crate::reference::common;
use crate::tractability::{QueryKind, TractabilityRequirement, ZERO_EVIDENCE, ZERO_MASS};
use pelton_grammar::diagnostic::thousands;
use std::collections::BTreeMap;

/// A circuit given what is known.
#[derive(Clone, Debug)]
pub struct ConditionedCircuit {
    /// The circuit of `P(rest | known)`.
    pub circuit: TransformedCircuit,
    /// The logarithm of the circuit's mass on what is known, or of its density where exact
    /// values of real variables are known: of a probability if the circuit's own mass is 1.
    pub log_evidence: f64,
    /// Real variables that left although they were to be kept.
    pub n_not_kept: usize,
}

/// The circuit of `P(rest | known)`, where what is known is a union of regions that do
/// not overlap.
///
/// Before: `0.3: rain * wet ~ bernoulli(0.9) + 0.7: !rain * wet ~ bernoulli(0.2)`, and
/// `wet` is known. After: `0.6585: rain + 0.3415: !rain`.
///
/// Leaves are truncated to the regions, what has no mass there goes, and weights are
/// scaled bottom up, so that the result is normalized. A variable that has one and the
/// same value in all regions leaves the scope, unless `keeps` says that it stays as an
/// indicator; exact values of real variables have no indicator and leave always. All
/// numbers become fixed. Determinism and structure stay; several regions become a
/// mixture of them. Linear in edges for each region; there may be `max_size` units and
/// edges in all.
pub fn condition(
    checked: &Checked,
    values: &[ParameterValue],
    regions: &[ValueBox],
    keeps: bool,
    max_size: usize,
) -> Result<ConditionedCircuit, TransformError> {
    let circuit = checked.circuit();
    check_size(circuit, regions, max_size)?;
    let plan = ConditioningPlan::of(circuit, regions, keeps);
    let mut builder = CircuitBuilder::new();
    let is_kept = |id: VarId| !plan.leaves_scope[id.index()];
    let fixed = ParameterTreatment::Fixed;
    let mut import = TransformSource::picking(&mut builder, circuit, values, fixed, is_kept);
    if regions.len() > 1 {
        import = import.without_names();
    }
    let origin = import.anonymous(circuit.root());
    let mut parts = Vec::new();
    // A copy of the circuit for each region, in which leaves are truncated to it.
    for region in regions {
        let known = KnownRegion::new(circuit, values, region, &plan);
        let leaf = |builder: &mut _, import: &mut TransformSource, unit| {
            conditioned_leaf(builder, import, unit, &known)
        };
        let part = reduce(&mut builder, &mut import, SumScaling::Scaled, leaf);
        parts.push((known.all_common(), part));
    }
    // What far cells have in common is set apart from each copy. Weights are relative to the
    // largest of it, whose digits are all in the part's own factor.
    let possible = parts.iter().filter(|(_, part)| !part.is_zero());
    let commons: Vec<LongLog> = possible.map(|(common, _)| *common).collect();
    let more = |best: LongLog, log: &LongLog| if *log > best { *log } else { best };
    let far = commons.iter().fold(LongLog::ZERO, more);
    let parts = parts.into_iter().filter(|(_, part)| !part.is_zero());
    let terms = parts.map(|(common, part)| ((common - far).to_f64(), part, origin.span));
    let terms: Vec<_> = terms.collect();
    let part = mixture(&mut builder, terms, origin);
    let root = root_of(part, regions)?;
    Ok(ConditionedCircuit {
        circuit: settle(builder, root, &[&import]),
        log_evidence: (far + part.log_scale.into()).to_f64(),
        n_not_kept: plan.n_not_kept,
    })
}

fn check_size(
    circuit: &CircuitGraph,
    regions: &[ValueBox],
    max_size: usize,
) -> Result<(), TransformError> {
    let size = circuit.n_units() + circuit.n_edges();
    if size.saturating_mul(regions.len()) <= max_size || regions.len() == 1 {
        return Ok(());
    }
    let (n_parts, limit) = (thousands(regions.len()), thousands(max_size));
    let reason = format!(
        "what is known falls into {n_parts} parts, for each of which there would be a copy of \
         the circuit: more than {limit} units and edges in all"
    );
    let room = TractabilityRequirement::Room;
    Err(QueryKind::Condition
        .refused(room, reason, Vec::new())
        .into())
}

fn root_of(part: ScaledUnit, regions: &[ValueBox]) -> Result<UnitId, TransformError> {
    if part.is_zero() {
        let message = match regions {
            [nothing] if nothing.is_empty() => ZERO_MASS,
            _ => ZERO_EVIDENCE,
        };
        return Err(TransformError::Zero(message.to_string()));
    }
    if !part.log_scale.is_finite() {
        let message = "the density of what is known is not a finite number";
        return Err(TransformError::Numeric(message.to_string()));
    }
    part.unit.ok_or(TransformError::NothingLeft)
}

struct ConditioningPlan {
    leaves_scope: Vec<bool>,
    n_not_kept: usize,
}

impl ConditioningPlan {
    fn of(circuit: &CircuitGraph, regions: &[ValueBox], keeps: bool) -> ConditioningPlan {
        let mut plan = ConditioningPlan {
            leaves_scope: vec![false; circuit.variables().len()],
            n_not_kept: 0,
        };
        for id in (0..circuit.variables().len()).map(VarId::new) {
            let is_discrete = circuit.variable(id).domain.is_discrete();
            let first = regions.first().and_then(|region| region.set(id));
            // One integer measures 1, one point of the reals 0.
            let single = f64::from(u8::from(is_discrete));
            let is_single = |set: &ValueSet| set.measure() == single;
            let is_same = regions.iter().all(|region| match region.set(id) {
                set if is_discrete => set == first,
                // The densities of several points say how much each counts.
                set => set.is_some_and(is_single),
            });
            let is_known = first.is_some_and(is_single) && is_same;
            plan.leaves_scope[id.index()] = is_known && !(keeps && is_discrete);
            plan.n_not_kept += usize::from(is_known && keeps && !is_discrete);
        }
        plan
    }
}

/// What becomes of a leaf in one region.
fn conditioned_leaf(
    builder: &mut CircuitBuilder,
    import: &mut TransformSource,
    unit: UnitId,
    known: &KnownRegion,
) -> ScaledUnit {
    let circuit = import.circuit;
    let Some(leaf) = circuit.leaf_of(unit) else {
        return ScaledUnit::ZERO;
    };
    // What all leaves of a far variable have in common has been set apart.
    let log_common = known.common.get(&leaf.variable).copied();
    let is_gone = import.variable(leaf.variable).is_none();
    match (known.region.set(leaf.variable), is_gone) {
        (Some(set), true) => {
            let log = log_at(circuit, import.values, leaf, set);
            ScaledUnit::number(if log.is_zero() {
                f64::NEG_INFINITY
            } else {
                (log - log_common.unwrap_or(LongLog::ONE)).to_f64()
            })
        }
        (Some(set), false) => {
            let part = restrict(builder, import, unit, leaf, set);
            log_common.map_or(part, |log| part.times(-log.to_f64()))
        }
        (None, _) => whole_leaf(builder, import, unit, leaf),
    }
}

/// What is known, and what leaves of variables that are known to lie far out have in common.
struct KnownRegion<'r> {
    region: &'r ValueBox,
    common: BTreeMap<VarId, LongLog>,
}

impl<'r> KnownRegion<'r> {
    /// Far out, weights are quotients of what is left when that is set apart: differences
    /// of large logarithms would have no digits.
    fn new(
        circuit: &CircuitGraph,
        values: &[ParameterValue],
        region: &'r ValueBox,
        plan: &ConditioningPlan,
    ) -> Self {
        let log = |leaf: &Leaf| match region.set(leaf.variable) {
            Some(set) if plan.leaves_scope[leaf.variable.index()] => {
                log_at(circuit, values, leaf, set)
            }
            Some(set) => log_mass(circuit, values, leaf, set).into(),
            None => LongLog::ONE,
        };
        let logs: Vec<LongLog> = circuit.leaves().iter().map(log).collect();
        let is_known = |leaf: &Leaf| region.set(leaf.variable).is_some();
        KnownRegion {
            region,
            common: common(circuit, is_known, &logs),
        }
    }

    fn all_common(&self) -> LongLog {
        let logs = self.common.values();
        logs.fold(LongLog::ONE, |sum, &log| sum + log)
    }
}

/// A leaf at the single value of a set.
fn log_at(
    circuit: &CircuitGraph,
    values: &[ParameterValue],
    leaf: &Leaf,
    set: &ValueSet,
) -> LongLog {
    let x = set.runs().first().map_or(f64::NAN, |run| run.0.value());
    long_log_density(circuit, values, leaf, x)
}
