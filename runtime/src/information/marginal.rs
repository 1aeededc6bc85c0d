//! Entropies of some of the variables, by structure.

use super::error::finite;
use super::{InformationError, Scaled};
use crate::query::Evidence;
use pelton_compiler::check::determinism::decide;
use pelton_compiler::check::{Limits, Scopes, Verdict};
use pelton_compiler::circuit::{
    Builder, Child, Circuit, Origin, ParamId, Reach, UnitId, UnitKind, Value, Weight,
};
use pelton_compiler::leaf;

/// Which variables are kept, by variable index.
pub(super) type Kept<'k> = &'k [bool];

/// Whether the kept variables alone decide what every sum over them chooses, whatever
/// the other variables are.
pub(super) fn is_deterministic(circuit: &Circuit, kept: Kept, limits: &Limits) -> bool {
    let Some(projected) = projected(circuit, kept) else {
        return true;
    };
    let scopes = Scopes::compute(&projected);
    let reach = Reach::of(&projected, &[projected.root()]);
    decide(&projected, &scopes, reach.marked(), limits) == Verdict::Proven
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
/// the kept variables. None if nothing is left.
fn projected(circuit: &Circuit, kept: Kept) -> Option<Circuit> {
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
    }
    let root = units[circuit.root().index()]?;
    Some(builder.finish(root))
}
