//! A copy of a circuit with tables in place of softened leaves.

use super::SoftTableSource;
use crate::data::Softness;
use crate::learn::LearnError;
use pelton_compiler::circuit::{
    CategoricalDistribution, CircuitGraph, CircuitRebuild, Distribution, Domain, Leaf, LeafKind,
    ParamId, ParamKind, ParameterEntry, UnitId, UnitKind, VarId,
};

/// A table to be: its variable, its parameter in the copy, and its source.
pub(super) type SoftTableDraft = (usize, ParamId, SoftTableSource);

/// Copies a circuit with tables in place of softened leaves.
pub(super) struct CircuitCopy<'a> {
    circuit: &'a CircuitGraph,
    softness: &'a Softness,
    copy: CircuitRebuild<'a>,
    tables: Vec<SoftTableDraft>,
}

impl<'a> CircuitCopy<'a> {
    pub fn new(circuit: &'a CircuitGraph, softness: &'a Softness) -> Self {
        let mut copy = CircuitRebuild::new(circuit);
        for at in 0..circuit.variables().len() {
            if let Some(noise) = softness.column(at) {
                let high = noise.n_values() as i64 + 1;
                let domain = Domain::Range { low: 0, high };
                copy.builder.set_domain(VarId::new(at), domain);
            }
        }
        CircuitCopy {
            circuit,
            softness,
            copy,
            tables: Vec::new(),
        }
    }

    pub fn run(mut self) -> Result<(CircuitGraph, Vec<SoftTableDraft>), LearnError> {
        let needed = self.needed();
        for unit in self.circuit.units().filter(|unit| needed[unit.index()]) {
            match self.source(unit)? {
                None => self.copy.copy(unit, &self.copy.children(unit)),
                Some((variable, source)) => self.table(unit, variable, source),
            }
        }
        let root = self.copy.get(self.circuit.root());
        let root = root.expect("the root is needed");
        Ok((self.copy.builder.finish(root), self.tables))
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

    /// What becomes a table at a unit, and of which variable.
    fn source(&self, unit: UnitId) -> Result<Option<(usize, SoftTableSource)>, LearnError> {
        if let Some((variable, entries)) = self.literals(unit) {
            return Ok(Some((variable, SoftTableSource::Literals(entries))));
        }
        let UnitKind::Input(id) = self.circuit.kind(unit) else {
            return Ok(None);
        };
        let leaf = self.circuit.leaf(id);
        let variable = leaf.variable.index();
        if self.softness.column(variable).is_none() {
            return Ok(None);
        }
        let domain = &self.circuit.variable(leaf.variable).domain;
        let support = pelton_compiler::leaf::support(self.circuit, leaf);
        if domain.full().is_subset(&support) {
            return Ok(Some((variable, SoftTableSource::Leaf(id))));
        }
        Err(LearnError::Circuit(format!(
            "geometric softening needs every softened variable to enter through leaves that \
             are positive everywhere, and the {} is zero for some values of `{}`; \
             use virtual or sampled softening",
            self.circuit.describe(unit),
            self.circuit.variable(leaf.variable).name
        )))
    }

    fn table(&mut self, unit: UnitId, variable: usize, source: SoftTableSource) {
        let noise = self.softness.column(variable);
        let n_values = noise.map_or(0, |noise| noise.n_values());
        let origin = self.copy.origin(unit);
        // An entry for each value that may be observed, and one for a missing cell.
        let entries = vec![ParameterEntry::learned(); n_values + 1];
        let builder = &mut self.copy.builder;
        let param = builder.parameter(None, ParamKind::Weights, &entries, origin.span);
        self.tables.push((variable, param, source));
        let kind = LeafKind::Distribution(Distribution {
            family: CategoricalDistribution.into(),
            params: vec![param],
            truncation: None,
        });
        let variable = VarId::new(variable);
        let table = builder.input(Leaf { variable, kind }, origin);
        self.copy.replace(unit, table);
    }

    /// If the unit is a sum over all literals of a softened variable, each once:
    /// the variable, and the entry that weighs each value.
    fn literals(&self, unit: UnitId) -> Option<(usize, Vec<usize>)> {
        if self.circuit.kind(unit) != UnitKind::Sum {
            return None;
        }
        // 1. The variable of the first child, which those of all others have to be.
        let first = self.circuit.child(unit, 0).unit;
        let first = self.circuit.leaf_of(first)?.variable;
        let noise = self.softness.column(first.index())?;
        let low = self.circuit.variable(first).domain.first();
        // 2. Each child is a single value of it, and none comes twice.
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
