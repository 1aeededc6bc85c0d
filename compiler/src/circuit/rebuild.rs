//! Copying a circuit with changes.

use super::{
    Assertion, ChildEdge, CircuitBuilder, CircuitGraph, LeafId, SourceOrigin, UnitId, UnitKind,
};

/// A copy in the making: variables, names and parameters are there from the
/// start and keep their ids, units follow one by one, children before parents.
///
/// Going through [`CircuitBuilder`] keeps what it promises: equal units are shared,
/// children come before their parents.
pub struct CircuitRebuild<'a> {
    circuit: &'a CircuitGraph,
    /// Where new units and parameters are added.
    pub builder: CircuitBuilder,
    /// What each old unit became; none for one that was left out.
    units: Vec<Option<UnitId>>,
    /// What each old leaf became, as far as it has been used.
    leaves: Vec<Option<LeafId>>,
}

impl<'a> CircuitRebuild<'a> {
    /// A copy of a circuit's variables and parameters that has no unit yet.
    pub fn new(circuit: &'a CircuitGraph) -> Self {
        CircuitRebuild {
            builder: CircuitBuilder::over(circuit),
            units: vec![None; circuit.n_units()],
            leaves: vec![None; circuit.leaves().len()],
            circuit,
        }
    }

    /// What an old unit became, if it has been copied or replaced.
    pub fn get(&self, unit: UnitId) -> Option<UnitId> {
        self.units[unit.index()]
    }

    /// An edge of the original as the copy has it.
    pub fn child(&self, child: ChildEdge) -> ChildEdge {
        let unit = self.get(child.unit);
        ChildEdge {
            unit: unit.expect("children are copied before their parents"),
            ..child
        }
    }

    /// The children of an old unit as the copy has them.
    pub fn children(&self, unit: UnitId) -> Vec<ChildEdge> {
        let children = self.circuit.children(unit);
        children.map(|child| self.child(child)).collect()
    }

    /// Where an old unit comes from and what it is called.
    pub fn origin(&self, unit: UnitId) -> SourceOrigin {
        SourceOrigin {
            span: self.circuit.span(unit),
            owner: self.circuit.owner(unit),
            is_named: self.circuit.name(unit).is_some(),
        }
    }

    /// Copies a unit, with these children.
    pub fn copy(&mut self, unit: UnitId, children: &[ChildEdge]) {
        self.copy_as(unit, children, self.origin(unit));
    }

    /// Copies a unit, with these children and another name or place.
    pub fn copy_as(&mut self, unit: UnitId, children: &[ChildEdge], origin: SourceOrigin) {
        let copy = match self.circuit.kind(unit) {
            UnitKind::Input(leaf) => {
                let leaf = self.leaf(leaf);
                self.builder.input_of(leaf, origin)
            }
            UnitKind::Product => self.builder.product(children, origin),
            UnitKind::Sum => self.builder.sum(children, origin),
        };
        self.replace(unit, copy);
    }

    fn leaf(&mut self, leaf: LeafId) -> LeafId {
        let (circuit, builder) = (self.circuit, &mut self.builder);
        let known = &mut self.leaves[leaf.index()];
        *known.get_or_insert_with(|| builder.leaf(circuit.leaf(leaf).clone()))
    }

    /// Lets a unit of the copy stand for an old one.
    pub fn replace(&mut self, unit: UnitId, copy: UnitId) {
        self.units[unit.index()] = Some(copy);
    }

    /// The finished copy, with the queries of the original and the assertions
    /// of what is still there.
    pub fn finish(mut self) -> CircuitGraph {
        for assertion in self.circuit.assertions() {
            if let Some(target) = self.get(assertion.target) {
                let properties = assertion.properties.clone();
                self.builder.assertion(Assertion { target, properties });
            }
        }
        for query in self.circuit.queries() {
            self.builder.query(query.clone());
        }
        let root = self.get(self.circuit.root());
        self.builder.finish(root.expect("the root was copied"))
    }
}
