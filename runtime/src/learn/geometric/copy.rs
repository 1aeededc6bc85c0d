//! A copy of a circuit with tables in place of softened leaves.

use super::Source;
use crate::data::Softness;
use crate::learn::LearnError;
use pelton_compiler::circuit::{
    Builder, CategoricalDistribution, Child, Circuit, Distribution, Domain, Entry, Leaf, LeafId,
    LeafKind, Origin, ParamId, ParamKind, UnitId, UnitKind, VarId,
};

/// A table to be: its variable, its parameter in the copy, and its source.
pub(super) type Draft = (usize, ParamId, Source);

/// Copies a circuit with tables in place of softened leaves.
pub(super) struct CircuitCopy<'a> {
    circuit: &'a Circuit,
    softness: &'a Softness,
    builder: Builder,
    params: Vec<ParamId>,
    units: Vec<Option<UnitId>>,
    tables: Vec<Draft>,
}

impl<'a> CircuitCopy<'a> {
    pub fn new(circuit: &'a Circuit, softness: &'a Softness) -> Self {
        let mut builder = Builder::new();
        for (at, variable) in circuit.variables().iter().enumerate() {
            let mut variable = variable.clone();
            if let Some(noise) = softness.column(at) {
                let high = noise.n_values() as i64 + 1;
                variable.domain = Domain::Range { low: 0, high };
            }
            builder.variable(variable);
        }
        let params = (0..circuit.parameters().len())
            .map(ParamId::new)
            .map(|param| {
                let parameter = circuit.parameter(param);
                {
                    // With a name of its own no parameter is merged with an equal one,
                    // and all entries stay where they are.
                    let name = builder.name("original", &[param.index() as i64]);
                    let entries = circuit.entries(param);
                    builder.parameter(Some(name), parameter.kind, entries, parameter.span)
                }
            });
        CircuitCopy {
            params: params.collect(),
            units: vec![None; circuit.n_units()],
            tables: Vec::new(),
            builder,
            circuit,
            softness,
        }
    }

    pub fn run(mut self) -> Result<(Circuit, Vec<Draft>), LearnError> {
        debug_assert!(
            self.params
                .iter()
                .enumerate()
                .all(|(at, param)| param.index() == at)
        );
        let needed = self.needed();
        for unit in self.circuit.units().filter(|unit| needed[unit.index()]) {
            let copy = self.unit(unit)?;
            self.units[unit.index()] = Some(copy);
        }
        let root = self.units[self.circuit.root().index()].expect("the root is needed");
        Ok((self.builder.finish(root), self.tables))
    }

    /// What the root reaches without going into sums over literals.
    fn needed(&self) -> Vec<bool> {
        let mut needed = vec![false; self.circuit.n_units()];
        needed[self.circuit.root().index()] = true;
        for unit in self.circuit.units().rev() {
            if needed[unit.index()] && self.literals(unit).is_none() {
                for child in self.circuit.children(unit) {
                    needed[child.unit.index()] = true;
                }
            }
        }
        needed
    }

    fn unit(&mut self, unit: UnitId) -> Result<UnitId, LearnError> {
        let origin = Origin {
            span: self.circuit.span(unit),
            owner: None,
            is_named: false,
        };
        if let Some((variable, entries)) = self.literals(unit) {
            return Ok(self.table(variable, Source::Literals(entries), origin));
        }
        match self.circuit.kind(unit) {
            UnitKind::Input(id) => self.input(unit, id, origin),
            kind => {
                let children: Vec<Child> = self
                    .circuit
                    .children(unit)
                    .map(|child| Child {
                        unit: self.units[child.unit.index()].expect("children are copied first"),
                        ..child
                    })
                    .collect();
                Ok(match kind {
                    UnitKind::Sum => self.builder.sum(&children, origin),
                    _ => self.builder.product(&children, origin),
                })
            }
        }
    }

    fn input(&mut self, unit: UnitId, id: LeafId, origin: Origin) -> Result<UnitId, LearnError> {
        let leaf = self.circuit.leaf(id);
        let variable = leaf.variable.index();
        if self.softness.column(variable).is_none() {
            return Ok(self.builder.input(leaf.clone(), origin));
        }
        let domain = &self.circuit.variable(leaf.variable).domain;
        let support = pelton_compiler::leaf::support(self.circuit, leaf);
        match domain.full().is_subset(&support) {
            true => Ok(self.table(variable, Source::Leaf(id), origin)),
            false => Err(LearnError::Circuit(format!(
                "geometric softening needs every softened variable to enter through leaves that \
                 are positive everywhere, and the {} is zero for some values of `{}`; \
                 use virtual or sampled softening",
                self.circuit.describe(unit),
                self.circuit.variable(leaf.variable).name
            ))),
        }
    }

    fn table(&mut self, variable: usize, source: Source, origin: Origin) -> UnitId {
        let n_values = self
            .softness
            .column(variable)
            .map_or(0, |noise| noise.n_values());
        let entries = vec![Entry::learned(); n_values + 1];
        let param = self
            .builder
            .parameter(None, ParamKind::Weights, &entries, origin.span);
        self.tables.push((variable, param, source));
        let distribution = Distribution {
            family: CategoricalDistribution.into(),
            params: vec![param],
            truncation: None,
        };
        let leaf = Leaf {
            variable: VarId::new(variable),
            kind: LeafKind::Distribution(distribution),
        };
        self.builder.input(leaf, origin)
    }

    /// If the unit is a sum over all literals of a softened variable, each once:
    /// the variable, and the entry that weighs each value.
    fn literals(&self, unit: UnitId) -> Option<(usize, Vec<usize>)> {
        if self.circuit.kind(unit) != UnitKind::Sum {
            return None;
        }
        let first = self
            .circuit
            .leaf_of(self.circuit.child(unit, 0).unit)?
            .variable;
        let noise = self.softness.column(first.index())?;
        let low = self.circuit.variable(first).domain.first();
        let mut entries = vec![usize::MAX; noise.n_values()];
        for child in self.circuit.children(unit) {
            let leaf = self.circuit.leaf_of(child.unit)?;
            let LeafKind::Indicator(set) = &leaf.kind else {
                return None;
            };
            let value = set.example(true).filter(|_| set.measure() == 1.0)?;
            let entry = entries.get_mut((value - low) as usize)?;
            if leaf.variable != first || *entry != usize::MAX {
                return None;
            }
            *entry = self.circuit.entry_position(child.weight?);
        }
        let is_complete = entries.iter().all(|&entry| entry != usize::MAX);
        is_complete.then_some((first.index(), entries))
    }
}
