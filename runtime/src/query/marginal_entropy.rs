//! Entropies of some of the variables, by structure.

use crate::query::error::finite;
use crate::query::{InformationError, ScaledCircuit, ValueBox};
use crate::tractability::{
    CircuitOperand, OffendingUnit, QueryKind, TractabilityRefusal, TractabilityRequirement,
};
use pelton_compiler::check::determinism::decide;
use pelton_compiler::check::{DeterminismLimits, PropertyVerdict, Refutation};
use pelton_compiler::circuit::{
    ChildEdge, CircuitGraph, CircuitRebuild, ParameterValue, ReachableUnits, Scopes, SourceOrigin,
    UnitId, UnitKind,
};
use pelton_compiler::leaf;
use pelton_grammar::diagnostic::thousands;

/// Variables that a message names.
const LISTED: usize = 4;

/// Which variables are kept, by variable index.
pub(super) type MarginalVariables<'k> = &'k [bool];

/// Why the kept variables alone do not decide what every sum over them chooses, whatever
/// the other variables are; `None` if they do.
pub(super) fn refusal(
    kind: QueryKind,
    circuit: &CircuitGraph,
    kept: MarginalVariables,
    limits: &DeterminismLimits,
) -> Option<TractabilityRefusal> {
    let (projected, originals) = projected(circuit, kept)?;
    let scopes = Scopes::compute(&projected);
    let reach = ReachableUnits::of(&projected, &[projected.root()]);
    let (reason, culprits) = match decide(&projected, &scopes, reach.marked(), limits) {
        PropertyVerdict::Proven => return None,
        PropertyVerdict::Unknown(why) => (format!("this is unknown: {why}"), Vec::new()),
        PropertyVerdict::Refuted(why) => {
            let unit = originals[why.unit.index()];
            let reason = format!(
                "they do not decide the {}, two children of which are positive for the same \
                 values of {}",
                circuit.describe(unit),
                some_names(circuit, kept)
            );
            // Children of a sum are over the same variables, so that all of them were kept.
            let culprit = OffendingUnit {
                side: CircuitOperand::First,
                unit,
                refutation: Some(Refutation { unit, ..why }),
            };
            (reason, vec![culprit])
        }
    };
    let requirement = TractabilityRequirement::MarginallyDeterministic;
    Some(kind.refused(requirement, reason, culprits))
}

/// Kept variables, the first few by name.
fn some_names(circuit: &CircuitGraph, kept: MarginalVariables) -> String {
    let variables = circuit.variables().iter().zip(kept);
    let kept = variables.filter(|(_, is_kept)| **is_kept);
    let names = kept.map(|(variable, _)| format!("`{}`", variable.name));
    let names: Vec<String> = names.collect();
    match names.split_at_checked(LISTED) {
        Some((first, others)) if !others.is_empty() => {
            format!("{} and {} more", first.join(", "), thousands(others.len()))
        }
        _ => names.join(", "),
    }
}

/// The entropy of the kept variables in a circuit whose sums they decide.
pub(super) fn entropy(
    circuit: &CircuitGraph,
    values: &[ParameterValue],
    kept: MarginalVariables,
) -> Result<f64, InformationError> {
    let scaled = ScaledCircuit::new(circuit, values, &ValueBox::default())?;
    let is_kept = mentions(circuit, kept);
    let mut entropies: Vec<f64> = Vec::with_capacity(circuit.n_units());
    for unit in circuit.units() {
        let nats = match circuit.kind(unit) {
            _ if !is_kept[unit.index()] => 0.0,
            UnitKind::Input(id) => leaf::entropy(circuit, values, circuit.leaf(id)),
            UnitKind::Product => {
                let children = circuit.children(unit);
                children.map(|child| entropies[child.unit.index()]).sum()
            }
            UnitKind::Sum => {
                let shares = scaled.log_shares(unit);
                let terms = shares
                    .map(|(_, child, share)| share.exp() * (entropies[child.index()] - share));
                terms.sum()
            }
        };
        entropies.push(nats);
    }
    finite(entropies[circuit.root().index()], "the entropy")
}

/// Whether each unit mentions a kept variable.
fn mentions(circuit: &CircuitGraph, kept: MarginalVariables) -> Vec<bool> {
    let mut found: Vec<bool> = Vec::with_capacity(circuit.n_units());
    for unit in circuit.units() {
        found.push(match circuit.leaf_of(unit) {
            Some(leaf) => kept[leaf.variable.index()],
            None => {
                let mut children = circuit.children(unit);
                children.any(|child| found[child.unit.index()])
            }
        });
    }
    found
}

/// The circuit with what does not mention kept variables left out: its support is that of
/// the kept variables. With the units that its own are copies of; none if nothing is left.
fn projected(
    circuit: &CircuitGraph,
    kept: MarginalVariables,
) -> Option<(CircuitGraph, Vec<UnitId>)> {
    let is_kept = mentions(circuit, kept);
    is_kept[circuit.root().index()].then_some(())?;
    let mut copy = CircuitRebuild::new(circuit);
    let mut originals = Vec::new();
    for unit in circuit.units().filter(|unit| is_kept[unit.index()]) {
        let children = circuit.children(unit);
        let children = children.filter(|child| is_kept[child.unit.index()]);
        let children: Vec<ChildEdge> = children.map(|child| copy.child(child)).collect();
        let origin = SourceOrigin {
            span: circuit.span(unit),
            owner: None,
            is_named: false,
        };
        copy.copy_as(unit, &children, origin);
        // Equal units become one, which is the copy of the first of them.
        if copy.get(unit) == Some(UnitId::new(originals.len())) {
            originals.push(unit);
        }
    }
    let root = copy.get(circuit.root())?;
    Some((copy.builder.finish(root), originals))
}
