//! Conditioning: the distribution of what is left, given what is known.

use super::TransformError;
use super::import::{Import, Numbers};
use super::part::{Part, mixture};
use super::reduce::{Sums, reduce};
use super::restrict::{restrict, whole_leaf};
use super::settle::{Transformed, settle};
use crate::check::Checked;
use crate::circuit::{Builder, Circuit, Leaf, UnitId, Value, ValueSet, VarId};
use crate::leaf::log_density;
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
    let mut terms = Vec::new();
    for region in regions {
        let part = reduce(
            &mut builder,
            &mut import,
            Sums::Scaled,
            |builder, import, unit| conditioned_leaf(builder, import, unit, region),
        );
        terms.push((0.0, part, origin.span));
    }
    let part = mixture(&mut builder, terms, origin);
    let root = root_of(part, regions)?;
    Ok(Conditioned {
        circuit: settle(builder, root, &[&import]),
        log_evidence: part.log_scale,
        n_not_kept: plan.n_not_kept,
    })
}

fn check_size(
    circuit: &Circuit,
    regions: &[Region],
    max_size: usize,
) -> Result<(), TransformError> {
    let size = circuit.n_units() + circuit.n_edges();
    match size.saturating_mul(regions.len()) <= max_size || regions.len() == 1 {
        true => Ok(()),
        false => {
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
    region: &Region,
) -> Part {
    let circuit = import.circuit;
    let Some(leaf) = circuit.leaf_of(unit) else {
        return Part::ZERO;
    };
    let known = region.get(&leaf.variable);
    let is_gone = import.variable(leaf.variable).is_none();
    match (known, is_gone) {
        (Some(set), true) => Part::number(log_at(import, leaf, set)),
        (Some(set), false) => restrict(builder, import, unit, leaf, set),
        (None, _) => whole_leaf(builder, import, unit, leaf),
    }
}

/// A leaf at the single value of a set.
fn log_at(import: &Import, leaf: &Leaf, set: &ValueSet) -> f64 {
    let x = set.runs().first().map_or(f64::NAN, |run| run.0.value());
    log_density(import.circuit, import.values, leaf, x)
}
