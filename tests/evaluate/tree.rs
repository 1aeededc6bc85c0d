//! Flows and maxima against a list of all ways to choose a child in every sum.

use pelton_compiler::circuit::{CircuitGraph, ParameterValue, UnitId, UnitKind};
use pelton_compiler::reference::{
    EvaluationPurpose, EvidenceCell, complete, flows, log_leaf, log_values_of, support_flows,
};
use pelton_tests::dice::Dice;
use pelton_tests::workload::{EVIDENCE, Features, Shape, cells_of, evidence, workload_of};

const MOST_TREES: usize = 400;

/// A choice of one child in every sum that it reaches: its value, and the entries
/// that it uses.
#[derive(Clone)]
struct Tree {
    log_value: f64,
    entries: Vec<usize>,
}

/// What is listed: the circuit for one row and purpose.
struct List<'a> {
    circuit: &'a CircuitGraph,
    values: &'a [ParameterValue],
    cells: &'a [EvidenceCell],
    purpose: EvaluationPurpose,
}

impl List<'_> {
    /// All trees of all units, or `None` if they are too many.
    fn trees(&self) -> Option<Vec<Tree>> {
        let mut all: Vec<Vec<Tree>> = Vec::new();
        for unit in self.circuit.units() {
            let trees = match self.circuit.kind(unit) {
                UnitKind::Input(leaf) => {
                    let leaf = self.circuit.leaf(leaf);
                    let cell = &self.cells[leaf.variable.index()];
                    vec![Tree {
                        log_value: log_leaf(self.circuit, self.values, leaf, cell, self.purpose),
                        entries: Vec::new(),
                    }]
                }
                UnitKind::Product => self.product(unit, &all)?,
                UnitKind::Sum => self.sum(unit, &all),
            };
            if trees.len() > MOST_TREES {
                return None;
            }
            all.push(trees);
        }
        Some(all[self.circuit.root().index()].clone())
    }

    fn product(&self, unit: UnitId, all: &[Vec<Tree>]) -> Option<Vec<Tree>> {
        let one = Tree {
            log_value: 0.0,
            entries: Vec::new(),
        };
        let mut trees = vec![one];
        for child in self.circuit.children(unit) {
            let own = &all[child.unit.index()];
            if trees.len() * own.len() > MOST_TREES {
                return None;
            }
            let pairs = trees.iter().flat_map(|a| own.iter().map(move |b| (a, b)));
            trees = pairs
                .map(|(a, b)| Tree {
                    log_value: a.log_value + b.log_value,
                    entries: [&a.entries[..], &b.entries[..]].concat(),
                })
                .collect();
        }
        Some(trees)
    }

    fn sum(&self, unit: UnitId, all: &[Vec<Tree>]) -> Vec<Tree> {
        let mut trees = Vec::new();
        for child in self.circuit.children(unit) {
            let weight = child.weight.expect("a sum's children have weights");
            let position = self.circuit.entry_position(weight);
            let log_weight = match self.purpose {
                EvaluationPurpose::Support if self.circuit.entry(weight).is_fixed_zero() => {
                    continue;
                }
                EvaluationPurpose::Support => 0.0,
                _ if self.values[position].is_zero() => continue,
                _ => self.values[position].log(),
            };
            trees.extend(all[child.unit.index()].iter().map(|tree| Tree {
                log_value: tree.log_value + log_weight,
                entries: [&tree.entries[..], &[position]].concat(),
            }));
        }
        trees
    }
}

/// Each entry's uses in all trees, each tree counting as much as its value, over `exp(unit)`.
fn uses(trees: &[Tree], n_entries: usize, log_unit: f64) -> Vec<f64> {
    let mut uses = vec![0.0; n_entries];
    for tree in trees {
        for &position in &tree.entries {
            uses[position] += (tree.log_value - log_unit).exp();
        }
    }
    uses
}

#[track_caller]
fn same(name: &str, edges: &[(usize, f64)], expected: &[f64]) {
    let mut found = vec![0.0; expected.len()];
    for &(position, flow) in edges {
        found[position] += flow;
    }
    for (found, expected) in found.iter().zip(expected) {
        let error = (found - expected).abs() / expected.max(1.0);
        assert!(error < 1e-9, "{name}: {found} is not {expected}");
    }
}

#[test]
fn flows_are_counts_of_trees() {
    let (mut n_rows, mut n_trees) = (0, 0);
    for seed in 1_000..1_300 {
        let workload = workload_of(Shape::Soup, seed);
        let (circuit, values) = (&workload.circuit, &workload.values);
        let n_entries = circuit.all_entries().len();
        for kind in EVIDENCE {
            let mut dice = Dice::new(seed);
            let table = evidence(&workload, kind, 1, &mut dice, &mut Features::new());
            let cells = &cells_of(circuit, &table, 0);
            let name = format!("seed {seed}, {kind:?}");
            let list = |purpose| List {
                circuit,
                values,
                cells,
                purpose,
            };
            let Some(trees) = list(EvaluationPurpose::Value).trees() else {
                continue;
            };
            n_rows += 1;
            n_trees += trees.len();
            let log_p = log_values_of(circuit, values, cells, EvaluationPurpose::Value);
            let log_p = log_p[circuit.root().index()];
            match flows(circuit, values, cells) {
                Some(row) => same(&name, row.edges(), &uses(&trees, n_entries, log_p)),
                None => assert!(trees.iter().all(|tree| tree.log_value == log_p), "{name}"),
            }
            // A learned weight that is zero now has trees in the support only.
            if let Some(trees) = list(EvaluationPurpose::Support).trees() {
                let row = support_flows(circuit, values, cells);
                same(&name, row.edges(), &uses(&trees, n_entries, 0.0));
            }
            let best = list(EvaluationPurpose::Max)
                .trees()
                .expect("as many as before");
            let logs = best.iter().map(|tree| tree.log_value);
            let largest = logs.fold(f64::NEG_INFINITY, f64::max);
            let found = complete(circuit, values, cells).log_value;
            let is_close = (found - largest).abs() < 1e-9 * largest.abs().max(1.0);
            assert!(
                found == largest || is_close,
                "{name}: {found} is not {largest}"
            );
        }
    }
    println!("{n_rows} rows, {n_trees} trees");
    assert!(n_rows > 300 && n_trees > 3 * n_rows);
}
