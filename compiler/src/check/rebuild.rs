//! Copying a circuit with changes.

use crate::circuit::{
    Assertion, Builder, Child, Circuit, Leaf, LeafKind, Origin, ParamId, UnitId, UnitKind, Weight,
};

/// A copy in the making: variables, names and parameters are there from the
/// start, units follow one by one in the order of their ids.
///
/// Going through [`Builder`] keeps what it promises: equal units are shared,
/// children come before their parents.
pub(super) struct Rebuild<'a> {
    circuit: &'a Circuit,
    /// Where new units and parameters are added.
    pub builder: Builder,
    params: Vec<ParamId>,
    units: Vec<UnitId>,
}

impl<'a> Rebuild<'a> {
    pub fn new(circuit: &'a Circuit) -> Self {
        let mut builder = Builder::new();
        for variable in circuit.variables() {
            builder.variable(variable.clone());
        }
        // Names are added in their old order, so that their ids stay.
        let names = circuit.names();
        for id in names.ids() {
            builder.name(names.base(id), names.indices(id));
        }
        let params = circuit
            .parameters()
            .iter()
            .enumerate()
            .map(|(at, parameter)| {
                let entries = circuit.entries(ParamId::new(at));
                builder.parameter(parameter.name, parameter.kind, entries, parameter.span)
            });
        Rebuild {
            params: params.collect(),
            units: Vec::with_capacity(circuit.n_units()),
            circuit,
            builder,
        }
    }

    /// The children of an old unit as the copy has them.
    pub fn children(&self, unit: UnitId) -> Vec<Child> {
        let children = self.circuit.children(unit).map(|child| Child {
            unit: self.units[child.unit.index()],
            weight: child.weight.map(|weight| Weight {
                param: self.params[weight.param.index()],
                index: weight.index,
            }),
            span: child.span,
        });
        children.collect()
    }

    /// Copies the next unit, with these children.
    pub fn copy(&mut self, unit: UnitId, children: &[Child]) {
        let origin = Origin {
            span: self.circuit.span(unit),
            owner: self.circuit.owner(unit),
            is_named: self.circuit.name(unit).is_some(),
        };
        let copy = match self.circuit.kind(unit) {
            UnitKind::Input(leaf) => {
                let leaf = self.leaf(self.circuit.leaf(leaf));
                self.builder.input(leaf, origin)
            }
            UnitKind::Product => self.builder.product(children, origin),
            UnitKind::Sum => self.builder.sum(children, origin),
        };
        self.units.push(copy);
    }

    fn leaf(&self, leaf: &Leaf) -> Leaf {
        let mut leaf = leaf.clone();
        if let LeafKind::Distribution(distribution) = &mut leaf.kind {
            for param in &mut distribution.params {
                *param = self.params[param.index()];
            }
        }
        leaf
    }

    /// The finished copy, with the assertions and queries of the original.
    pub fn finish(mut self) -> Circuit {
        for assertion in self.circuit.assertions() {
            self.builder.assertion(Assertion {
                target: self.units[assertion.target.index()],
                properties: assertion.properties.clone(),
            });
        }
        for query in self.circuit.queries() {
            self.builder.query(query.clone());
        }
        self.builder.finish(self.units[self.circuit.root().index()])
    }
}
