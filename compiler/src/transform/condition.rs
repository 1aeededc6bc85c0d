//! Conditioning: the distribution of what is left, given what is known.

use super::TransformError;
use super::import::{Import, Numbers};
use super::part::{Part, mixture};
use super::reduce::{Sums, reduce};
use super::restrict::{restrict, whole_leaf};
use super::settle::{Transformed, settle};
use crate::check::Checked;
use crate::circuit::{Builder, Circuit, Leaf, UnitId, Value, ValueSet, VarId};
use crate::evaluate::common;
use crate::leaf::{LongLog, log_mass, long_log_density};
use crate::query_table::{Need, QueryKind, ZERO_EVIDENCE, ZERO_MASS};
use pelton_grammar::diagnostic::thousands;
use std::collections::BTreeMap;

/// For some variables, the set their value lies in.
pub type Region = BTreeMap<VarId, ValueSet>;

/// A circuit given what is known.
#[derive(Clone, Debug)]
pub struct Conditioned {
    /// The circuit of `P(rest | known)`.
    pub circuit: Transformed,
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
    values: &[Value],
    regions: &[Region],
    keeps: bool,
    max_size: usize,
) -> Result<Conditioned, TransformError> {
    let circuit = checked.circuit();
    check_size(circuit, regions, max_size)?;
    let plan = Plan::of(circuit, regions, keeps);
    let mut builder = Builder::new();
    let is_kept = |id: VarId| !plan.leaves_scope[id.index()];
    let mut import = Import::picking(&mut builder, circuit, values, Numbers::Fixed, is_kept);
    if regions.len() > 1 {
        import = import.without_names();
    }
    let origin = import.anonymous(circuit.root());
    let mut parts = Vec::new();
    for region in regions {
        let known = Known::new(circuit, values, region, &plan);
        let part = reduce(
            &mut builder,
            &mut import,
            Sums::Scaled,
            |builder, import, unit| conditioned_leaf(builder, import, unit, &known),
        );
        parts.push((known.all_common(), part));
    }
    let possible = parts.iter().filter(|(_, part)| !part.is_zero());
    let commons: Vec<LongLog> = possible.map(|(common, _)| *common).collect();
    let more = |best: LongLog, log: &LongLog| if *log > best { *log } else { best };
    let far = commons.iter().fold(LongLog::ZERO, more);
    let terms = parts
        .into_iter()
        .map(|(common, part)| ((common - far).to_f64(), part, origin.span));
    let terms: Vec<_> = terms.filter(|term| !term.1.is_zero()).collect();
    let part = mixture(&mut builder, terms, origin);
    let root = root_of(part, regions)?;
    Ok(Conditioned {
        circuit: settle(builder, root, &[&import]),
        log_evidence: (far + part.log_scale.into()).to_f64(),
        n_not_kept: plan.n_not_kept,
    })
}

fn check_size(
    circuit: &Circuit,
    regions: &[Region],
    max_size: usize,
) -> Result<(), TransformError> {
    let size = circuit.n_units() + circuit.n_edges();
    if size.saturating_mul(regions.len()) <= max_size || regions.len() == 1 {
        Ok(())
    } else {
        let reason = format!(
            "what is known falls into {} parts, for each of which there would be a copy of \
                 the circuit: more than {} units and edges in all",
            thousands(regions.len()),
            thousands(max_size),
        );
        let refusal = QueryKind::Condition.refused(Need::Room, reason, Vec::new());
        Err(refusal.into())
    }
}

fn root_of(part: Part, regions: &[Region]) -> Result<UnitId, TransformError> {
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
    part.unit.ok_or_else(|| {
        let message = "nothing is left: all variables have known values; leave one open, or keep \
                       them with `--keep`";
        TransformError::Circuit(message.to_string())
    })
}

/// Which variables go.
struct Plan {
    leaves_scope: Vec<bool>,
    n_not_kept: usize,
}

impl Plan {
    fn of(circuit: &Circuit, regions: &[Region], keeps: bool) -> Plan {
        let mut plan = Plan {
            leaves_scope: vec![false; circuit.variables().len()],
            n_not_kept: 0,
        };
        for id in (0..circuit.variables().len()).map(VarId::new) {
            let is_discrete = circuit.variable(id).domain.is_discrete();
            let first = regions.first().and_then(|region| region.get(&id));
            let is_single = |set: &ValueSet| match is_discrete {
                true => set.measure() == 1.0,
                false => set.measure() == 0.0,
            };
            let is_same = regions.iter().all(|region| match is_discrete {
                true => region.get(&id) == first,
                // The densities of several points say how much each counts.
                false => region.get(&id).is_some_and(is_single),
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
    builder: &mut Builder,
    import: &mut Import,
    unit: UnitId,
    known: &Known,
) -> Part {
    let circuit = import.circuit;
    let Some(leaf) = circuit.leaf_of(unit) else {
        return Part::ZERO;
    };
    let log_common = known.common.get(&leaf.variable).copied();
    let is_gone = import.variable(leaf.variable).is_none();
    match (known.region.get(&leaf.variable), is_gone) {
        (Some(set), true) => {
            let log = log_at(circuit, import.values, leaf, set);
            Part::number(match log.is_zero() {
                true => f64::NEG_INFINITY,
                false => (log - log_common.unwrap_or(LongLog::ONE)).to_f64(),
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
struct Known<'r> {
    region: &'r Region,
    common: BTreeMap<VarId, LongLog>,
}

impl<'r> Known<'r> {
    /// Far out, weights are quotients of what is left when that is set apart: differences
    /// of large logarithms would have no digits.
    fn new(circuit: &Circuit, values: &[Value], region: &'r Region, plan: &Plan) -> Self {
        let log = |leaf: &Leaf| match region.get(&leaf.variable) {
            Some(set) if plan.leaves_scope[leaf.variable.index()] => {
                log_at(circuit, values, leaf, set)
            }
            Some(set) => log_mass(circuit, values, leaf, set).into(),
            None => LongLog::ONE,
        };
        let logs: Vec<LongLog> = circuit.leaves().iter().map(log).collect();
        let is_known = |leaf: &Leaf| region.contains_key(&leaf.variable);
        Known {
            region,
            common: common(circuit, is_known, &logs),
        }
    }

    fn all_common(&self) -> LongLog {
        self.common
            .values()
            .fold(LongLog::ONE, |sum, &log| sum + log)
    }
}

/// A leaf at the single value of a set.
fn log_at(circuit: &Circuit, values: &[Value], leaf: &Leaf, set: &ValueSet) -> LongLog {
    let x = set.runs().first().map_or(f64::NAN, |run| run.0.value());
    long_log_density(circuit, values, leaf, x)
}
