//! Entropies of some of the variables, by structure.

use super::error::finite;
use super::{InformationError, Scaled};
use crate::query::Evidence;
use crate::query_table::{Culprit, Need, QueryKind, Refusal, Side};
use pelton_compiler::check::determinism::decide;
use pelton_compiler::check::{Limits, Refutation, Verdict};
use pelton_compiler::circuit::{
    Builder, Child, Circuit, Origin, ParamId, Reach, Scopes, UnitId, UnitKind, Value, Weight,
};
use pelton_compiler::leaf;
use pelton_grammar::diagnostic::thousands;

/// Variables that a message names.
const LISTED: usize = 4;

/// Which variables are kept, by variable index.
pub(super) type Kept<'k> = &'k [bool];

/// Why the kept variables alone do not decide what every sum over them chooses, whatever
/// the other variables are; `None` if they do.
pub(super) fn refusal(circuit: &Circuit, kept: Kept, limits: &Limits) -> Option<Refusal> {
    let (projected, originals) = projected(circuit, kept)?;
    let scopes = Scopes::compute(&projected);
    let reach = Reach::of(&projected, &[projected.root()]);
    let (reason, culprits) = match decide(&projected, &scopes, reach.marked(), limits) {
        Verdict::Proven => return None,
        Verdict::Unknown(why) => (format!("this is unknown: {why}"), Vec::new()),
        Verdict::Refuted(why) => {
            let unit = originals[why.unit.index()];
            let reason = format!(
                "they do not decide the {}, two children of which are positive for the same \
                 values of {}",
                circuit.describe(unit),
                some_names(circuit, kept)
            );
            // Children of a sum are over the same variables, so that all of them were kept.
            let refutation = Some(Refutation { unit, ..why });
            let side = Side::First;
            let culprit = Culprit {
                side,
                unit,
                refutation,
            };
            (reason, vec![culprit])
        }
    };
    let kind = QueryKind::MutualInformation;
    Some(kind.refused(Need::MarginallyDeterministic, reason, culprits))
}

/// Kept variables, the first few by name.
fn some_names(circuit: &Circuit, kept: Kept) -> String {
    let variables = circuit.variables().iter().zip(kept);
    let names: Vec<String> = variables
        .filter(|(_, is_kept)| **is_kept)
        .map(|(variable, _)| format!("`{}`", variable.name))
        .collect();
    match names.len() > LISTED {
        true => format!(
            "{} and {} more",
            names[..LISTED].join(", "),
            thousands(names.len() - LISTED)
        ),
        false => names.join(", "),
    }
}

/// The entropy of the kept variables in a circuit whose sums they decide.
pub(super) fn entropy(
    circuit: &Circuit,
    values: &[Value],
    kept: Kept,
) -> Result<f64, InformationError> {
    let scaled = Scaled::new(circuit, values, &Evidence::none(circuit))?;
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
fn mentions(circuit: &Circuit, kept: Kept) -> Vec<bool> {
    let mut found: Vec<bool> = Vec::with_capacity(circuit.n_units());
    for unit in circuit.units() {
        found.push(match circuit.leaf_of(unit) {
            Some(leaf) => kept[leaf.variable.index()],
            None => circuit
                .children(unit)
                .any(|child| found[child.unit.index()]),
        });
    }
    found
}

/// The circuit with what does not mention kept variables left out: its support is that of
/// the kept variables. With the units that its own are copies of; none if nothing is left.
fn projected(circuit: &Circuit, kept: Kept) -> Option<(Circuit, Vec<UnitId>)> {
    let is_kept = mentions(circuit, kept);
    is_kept[circuit.root().index()].then_some(())?;
    let mut builder = Builder::new();
    for variable in circuit.variables() {
        builder.variable(variable.clone());
    }
    let params = (0..circuit.parameters().len()).map(ParamId::new).map(|id| {
        let parameter = circuit.parameter(id);
        builder.parameter(None, parameter.kind, circuit.entries(id), parameter.span)
    });
    let params: Vec<ParamId> = params.collect();
    let mut units: Vec<Option<UnitId>> = vec![None; circuit.n_units()];
    let mut originals = Vec::new();
    for unit in circuit.units().filter(|unit| is_kept[unit.index()]) {
        let children = circuit.children(unit).filter_map(|child| {
            let weight = child.weight.map(|weight| Weight {
                param: params[weight.param.index()],
                ..weight
            });
            let unit = units[child.unit.index()]?;
            Some(Child {
                unit,
                weight,
                ..child
            })
        });
        let children: Vec<Child> = children.collect();
        let origin = Origin {
            span: circuit.span(unit),
            owner: None,
            is_named: false,
        };
        let copy = match circuit.kind(unit) {
            UnitKind::Input(leaf) => {
                let mut leaf = circuit.leaf(leaf).clone();
                if let pelton_compiler::circuit::LeafKind::Distribution(own) = &mut leaf.kind {
                    own.params
                        .iter_mut()
                        .for_each(|id| *id = params[id.index()]);
                }
                builder.input(leaf, origin)
            }
            UnitKind::Product => builder.product(&children, origin),
            UnitKind::Sum => builder.sum(&children, origin),
        };
        units[unit.index()] = Some(copy);
        // Equal units become one, which is the copy of the first of them.
        if copy.index() == originals.len() {
            originals.push(unit);
        }
    }
    let root = units[circuit.root().index()]?;
    Some((builder.finish(root), originals))
}
