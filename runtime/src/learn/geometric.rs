//! Geometric softening: leaves that are the geometric mean of their values.
//!
//! Where `x` was observed, a softened leaf is worth the product of `f(v)` to the
//! power of the noise's probability of `v`. By Jensen's inequality the circuit's
//! value is then a lower bound of the expected log-likelihood of the softened data.
//! A leaf is a function of the observed code alone, so a second circuit with a
//! table of such products for each leaf is compiled and trained in place of the
//! first; a missing cell is one more code, whose product is the leaf's mass.

mod copy;

use super::LearnError;
use super::flat_circuit::params_of;
use crate::FlowTotals;
use crate::data::{Column, SoftColumn, Softness, Table};
use crate::model::Model;
use copy::CircuitCopy;
use pelton_compiler::check::{CheckOptions, check};
use pelton_compiler::circuit::{CircuitGraph, Leaf, LeafId, ParameterValue};
use pelton_compiler::flow::{CircuitFlows, LeafFlows};
use pelton_compiler::leaf::{log_density, log_table};
use pelton_grammar::diagnostic::SourceDiagnostics;
use std::collections::HashMap;
use std::sync::Arc;

/// The circuit that is trained in place of another.
#[derive(Debug)]
pub(super) struct GeometricSurrogate {
    softness: Arc<Softness>,
    model: Model,
    tables: Vec<SoftTable>,
    /// The leaf of the original for each other leaf that both have.
    leaves: Vec<Option<LeafId>>,
}

/// A leaf that became a table.
#[derive(Debug)]
struct SoftTable {
    variable: usize,
    /// Where the table's entries begin in the second circuit.
    first: usize,
    source: SoftTableSource,
}

/// What a table was made from.
#[derive(Debug)]
enum SoftTableSource {
    Leaf(LeafId),
    /// A sum over all literals of a variable: the entry that weighs each value.
    Literals(Vec<usize>),
}

impl GeometricSurrogate {
    /// Compiles the circuit in which softened leaves are tables.
    pub fn new(original: &Model, softness: Arc<Softness>) -> Result<Self, LearnError> {
        // 1. A copy with a table in place of each softened leaf.
        let copy = CircuitCopy::new(original.circuit(), &softness);
        let (circuit, drafts) = copy.run()?;
        let tables = drafts
            .into_iter()
            .map(|(variable, param, source)| SoftTable {
                variable,
                first: circuit.parameter(param).entries().start,
                source,
            });
        let tables = tables.collect();
        let checked = check(
            circuit,
            &CheckOptions::default(),
            &mut SourceDiagnostics::new(),
        );
        let checked = checked.expect("a copy with other leaves has the structure of the original");
        let model = Model::compile(checked, original.options())?;
        // 2. Other leaves are the original's, and are found again by being equal.
        let known: HashMap<&Leaf, usize> = original.circuit().leaves().iter().zip(0..).collect();
        let leaves = model.circuit().leaves().iter();
        let leaves = leaves.map(|leaf| known.get(leaf).map(|&at| LeafId::new(at)));
        Ok(GeometricSurrogate {
            leaves: leaves.collect(),
            softness,
            tables,
            model,
        })
    }

    /// Refuses parameters under which a softened leaf is zero somewhere: noise would
    /// make every row impossible.
    pub fn check(
        &self,
        original: &CircuitGraph,
        values: &[ParameterValue],
    ) -> Result<(), LearnError> {
        let is_zero = |table: &&SoftTable| {
            let logs = table.logs(original, values);
            let mut noisy = logs.iter().zip(&self.noise(table).other);
            noisy.any(|(&log, &noise)| log == f64::NEG_INFINITY && noise > 0.0)
        };
        match self.tables.iter().find(is_zero) {
            None => Ok(()),
            Some(table) => Err(LearnError::Circuit(format!(
                "geometric softening needs every softened variable to enter through leaves that \
                 are positive everywhere, and a leaf of `{}` starts with a probability of zero",
                original.variables()[table.variable].name
            ))),
        }
    }

    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Its parameters for given ones of the original.
    pub fn values(
        &self,
        original: &CircuitGraph,
        values: &[ParameterValue],
    ) -> Vec<ParameterValue> {
        let n_original = original.all_entries().len();
        let mut all = self.model.circuit().start_values();
        all.truncate(self.model.n_entries());
        all[..n_original].copy_from_slice(values);
        for table in &self.tables {
            let (logs, noise) = (table.logs(original, values), self.noise(table));
            for code in 0..noise.n_values() {
                // The geometric mean: what has no noise counts for nothing, be it impossible.
                let terms = logs.iter().zip(noise.weights(code));
                let terms = terms.filter(|term| term.1 > 0.0);
                let log = terms.map(|(log, weight)| log * weight).sum();
                all[table.first + code] = ParameterValue::Log(log);
            }
            let missing = table.log_mass(original, values);
            all[table.first + noise.n_values()] = ParameterValue::Log(missing);
        }
        all
    }

    fn noise(&self, table: &SoftTable) -> &SoftColumn {
        let noise = self.softness.column(table.variable);
        noise.expect("only softened leaves are tables")
    }

    /// Rows in which missing cells of softened variables are a code of their own.
    pub fn table(&self, table: &Table) -> Table {
        let columns = table.columns().iter().enumerate().map(|(at, column)| {
            let Some(noise) = self.softness.column(at) else {
                return column.clone();
            };
            let missing = noise.n_values() as u32;
            match column {
                Column::Missing => Column::Codes(vec![missing; table.n_rows()]),
                column => column.map_codes(|code| code.or(Some(missing))),
            }
        });
        Table::new(table.n_rows(), columns.collect())
    }

    /// Flows of the second circuit as flows of the original: what flows into a
    /// code of a table is spread over the values that the noise may have come from.
    pub fn flows(
        &self,
        original: &CircuitGraph,
        values: &[ParameterValue],
        totals: FlowTotals,
    ) -> FlowTotals {
        // What both circuits have is copied; what flowed into tables is spread over the values
        // that each code may stand for.
        let mut flows = CircuitFlows::zero(original);
        let n_original = flows.entries.len();
        let copied = &totals.flows.entries[..n_original];
        flows.entries.copy_from_slice(copied);
        for (own, known) in totals.flows.leaves.iter().zip(&self.leaves) {
            if let Some(leaf) = known {
                add(flows.leaves[leaf.index()].numbers_mut(), own.numbers());
            }
        }
        for table in &self.tables {
            let spread = self.spread(table, original, values, &totals.flows.entries);
            table.add(original, &spread, &mut flows);
        }
        FlowTotals { flows, ..totals }
    }

    fn spread(
        &self,
        table: &SoftTable,
        original: &CircuitGraph,
        values: &[ParameterValue],
        entries: &[f64],
    ) -> Vec<f64> {
        let noise = self.noise(table);
        let n = noise.n_values();
        let missing = entries[table.first + n];
        let log_mass = table.log_mass(original, values);
        let logs = table.logs(original, values);
        // A missing cell is spread as the leaf itself is distributed, a code as its noise is.
        let of_missing = logs.iter().map(|log| missing * (log - log_mass).exp());
        let mut spread: Vec<f64> = of_missing.collect();
        for code in 0..n {
            let flow = entries[table.first + code];
            if flow > 0.0 {
                let shares = spread.iter_mut().zip(noise.weights(code));
                shares.for_each(|(sum, weight)| *sum += flow * weight);
            }
        }
        spread
    }
}

fn add(sums: &mut [f64], numbers: &[f64]) {
    let pairs = sums.iter_mut().zip(numbers);
    pairs.for_each(|(sum, number)| *sum += number);
}

impl SoftTable {
    /// The logarithm of each value's probability.
    fn logs(&self, original: &CircuitGraph, values: &[ParameterValue]) -> Vec<f64> {
        match &self.source {
            SoftTableSource::Leaf(leaf) => log_table(original, values, original.leaf(*leaf)),
            SoftTableSource::Literals(entries) => {
                entries.iter().map(|&entry| values[entry].log()).collect()
            }
        }
    }

    /// The logarithm of what a missing cell is worth.
    fn log_mass(&self, original: &CircuitGraph, values: &[ParameterValue]) -> f64 {
        match &self.source {
            SoftTableSource::Leaf(leaf) => {
                log_density(original, values, original.leaf(*leaf), f64::NAN)
            }
            SoftTableSource::Literals(entries) => {
                let total: f64 = entries.iter().map(|&entry| values[entry].linear()).sum();
                total.ln()
            }
        }
    }

    /// Adds flows at each value to where the original counts them.
    fn add(&self, original: &CircuitGraph, spread: &[f64], flows: &mut CircuitFlows) {
        match &self.source {
            SoftTableSource::Literals(entries) => {
                let pairs = entries.iter().zip(spread);
                pairs.for_each(|(&entry, flow)| flows.entries[entry] += flow);
            }
            SoftTableSource::Leaf(leaf) => match &mut flows.leaves[leaf.index()] {
                LeafFlows::Values(numbers) => add(numbers, spread),
                _ => {
                    if let Some(&param) = params_of(original, *leaf).first() {
                        let own = original.parameter(param).entries();
                        add(&mut flows.entries[own], spread);
                    }
                }
            },
        }
    }
}
