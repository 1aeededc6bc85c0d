//! Circuits as lists of units, one a line, children first: what jpc and spn share.

use super::ExportError;
use pelton_compiler::circuit::{
    CircuitGraph, Leaf, LeafKind, ParameterValue, ReachableUnits, UnitId, UnitKind, VarId, Weight,
};
use pelton_compiler::leaf::log_table;
use rustc_hash::FxHashMap;

/// How a format writes its lines.
pub(super) trait Dialect {
    /// A variable has this value, counted from 0.
    fn indicator(&self, id: u32, variable: VarId, value: usize, is_bool: bool) -> String;
    /// A product.
    fn product(&self, id: u32, children: &[u32]) -> String;
    /// A sum with log weights.
    fn sum(&self, id: u32, terms: &[(u32, f64)]) -> String;
    /// A distribution, if the format has it.
    fn distribution(&self, id: u32, leaf: &Leaf, logs: &[f64], is_bool: bool) -> Option<String> {
        let _ = (id, leaf, logs, is_bool);
        None
    }
}

/// Lists what is below the root. Ids count from 0; the root comes last.
pub(super) fn list(
    circuit: &CircuitGraph,
    dialect: &dyn Dialect,
) -> Result<Vec<String>, ExportError> {
    let mut listing = Listing {
        circuit,
        dialect,
        values: circuit.start_values(),
        ids: vec![None; circuit.n_units()],
        indicators: FxHashMap::default(),
        lines: Vec::new(),
    };
    let reach = ReachableUnits::of(circuit, &[circuit.root()]);
    for unit in reach.units() {
        let id = listing.unit(unit)?;
        listing.ids[unit.index()] = Some(id);
    }
    Ok(listing.lines)
}

/// Children as lines end with them.
pub(super) fn listed_units(children: &[u32]) -> String {
    children.iter().map(|child| format!(" {child}")).collect()
}

/// The same with the logarithms of their weights.
pub(super) fn listed_terms(terms: &[(u32, f64)]) -> String {
    let terms = terms.iter();
    terms
        .map(|(child, log)| format!(" {child} {log:?}"))
        .collect()
}

struct Listing<'a> {
    circuit: &'a CircuitGraph,
    dialect: &'a dyn Dialect,
    values: Vec<ParameterValue>,
    /// The ids of units that are listed.
    ids: Vec<Option<u32>>,
    /// The ids of single values of variables.
    indicators: FxHashMap<(VarId, usize), u32>,
    lines: Vec<String>,
}

impl Listing<'_> {
    fn push(&mut self, line: impl FnOnce(u32) -> String) -> u32 {
        let id = self.lines.len() as u32;
        self.lines.push(line(id));
        id
    }

    fn unit(&mut self, unit: UnitId) -> Result<u32, ExportError> {
        let (circuit, dialect) = (self.circuit, self.dialect);
        let id_of = |child: UnitId| self.ids[child.index()].expect("children come first");
        match circuit.kind(unit) {
            UnitKind::Input(leaf) => self.leaf(unit, circuit.leaf(leaf)),
            UnitKind::Product => {
                let children: Vec<u32> = circuit.children(unit).map(|c| id_of(c.unit)).collect();
                Ok(self.push(|id| dialect.product(id, &children)))
            }
            UnitKind::Sum => {
                let terms = circuit.terms(unit);
                let terms = terms.map(|(child, weight)| (id_of(child), self.log(weight)));
                let terms: Vec<(u32, f64)> = terms.collect();
                Ok(self.push(|id| dialect.sum(id, &terms)))
            }
        }
    }

    fn log(&self, weight: Weight) -> f64 {
        self.values[self.circuit.entry_position(weight)].log()
    }

    fn leaf(&mut self, unit: UnitId, leaf: &Leaf) -> Result<u32, ExportError> {
        let (circuit, dialect) = (self.circuit, self.dialect);
        let domain = &circuit.variable(leaf.variable).domain;
        if domain.size().is_none_or(|size| size > 1 << 16) {
            let why = format!("is about {domain} values, which the format does not have");
            return Err(ExportError::of(circuit, unit, &why));
        }
        let is_bool = *domain == pelton_compiler::circuit::Domain::Bool;
        let logs = log_table(circuit, &self.values, leaf);
        if let LeafKind::Distribution(_) = leaf.kind {
            let id = self.lines.len() as u32;
            if let Some(line) = dialect.distribution(id, leaf, &logs, is_bool) {
                return Ok(self.push(|_| line));
            }
        }
        let possible = logs
            .iter()
            .enumerate()
            .filter(|(_, log)| **log > f64::NEG_INFINITY);
        let possible: Vec<(usize, f64)> = possible.map(|(at, log)| (at, *log)).collect();
        if let [(value, 0.0)] = possible[..] {
            return Ok(self.indicator(leaf.variable, value, is_bool));
        }
        if possible.is_empty() {
            return Err(ExportError::of(circuit, unit, "is zero for every value"));
        }
        let terms = possible.into_iter();
        let terms: Vec<(u32, f64)> = terms
            .map(|(value, log)| (self.indicator(leaf.variable, value, is_bool), log))
            .collect();
        Ok(self.push(|id| dialect.sum(id, &terms)))
    }

    fn indicator(&mut self, variable: VarId, value: usize, is_bool: bool) -> u32 {
        if let Some(&known) = self.indicators.get(&(variable, value)) {
            return known;
        }
        let dialect = self.dialect;
        let id = self.push(|id| dialect.indicator(id, variable, value, is_bool));
        self.indicators.insert((variable, value), id);
        id
    }
}
