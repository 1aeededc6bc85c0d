//! What is true of every engine.

use super::EngineSetup;
use crate::dice::Dice;
use crate::differential::{Compiled, Judge};
use crate::workload::{EVIDENCE, Features, SHAPES, Workload, evidence, workload_of};
use pelton_compiler::check::{CheckOptions, Checked, check};
use pelton_compiler::reference::{EvaluationPurpose, EvidenceCell, log_values_of};
use pelton_grammar::diagnostic::SourceDiagnostics;
use pelton_runtime::data::{Column, Table};
use pelton_runtime::{FlowOptions, Model, ModelOptions, Parameters};

/// A law that every engine keeps.
#[derive(Clone, Copy, Debug)]
pub struct EngineLaw {
    /// What it says.
    pub name: &'static str,
    /// Panics if it is broken.
    pub hold: fn(&EngineSetup),
}

/// All of them.
pub const ENGINE_LAWS: &[EngineLaw] = &[
    EngineLaw {
        name: "values, maxima, flows and completions are the reference's",
        hold: agrees_with_the_reference,
    },
    EngineLaw {
        name: "one thread and many agree bit for bit",
        hold: does_not_depend_on_threads,
    },
    EngineLaw {
        name: "a row alone is worth what it is in a table",
        hold: does_not_depend_on_other_rows,
    },
    EngineLaw {
        name: "rows of which nothing is known are worth the mass",
        hold: missing_rows_are_worth_the_mass,
    },
    EngineLaw {
        name: "segments of any length give the same values",
        hold: does_not_depend_on_segments,
    },
];

/// Rows that end within a tile of either precision.
const N_ROWS: usize = 70;

/// Compiled for the setup, with the values of the workload.
struct Subject {
    model: Model,
    parameters: Parameters,
    table: Table,
}

impl Subject {
    fn new(workload: &Workload, options: &ModelOptions, n_rows: usize, seed: u64) -> Self {
        let model = Model::compile(checked(workload), options).expect("the engine runs here");
        let kind = EVIDENCE[seed as usize % EVIDENCE.len()];
        let mut dice = Dice::new(seed);
        Subject {
            parameters: model.parameters(workload.values.clone()),
            table: evidence(workload, kind, n_rows, &mut dice, &mut Features::new()),
            model,
        }
    }

    fn logs(&self, table: &Table, threads: usize) -> Vec<f64> {
        let found = self.model.log_likelihoods(&self.parameters, table, threads);
        found.logs
    }
}

fn checked(workload: &Workload) -> Checked {
    let mut found = SourceDiagnostics::new();
    let circuit = workload.circuit.clone();
    check(circuit, &CheckOptions::default(), &mut found).expect("workloads are right")
}

/// A workload of each shape that is not too large to be compiled often.
fn workloads() -> impl Iterator<Item = (u64, Workload)> {
    let all = SHAPES.iter().enumerate();
    let all = all.map(|(at, &shape)| (at as u64, workload_of(shape, at as u64)));
    all.filter(|(_, workload)| workload.circuit.n_edges() < 5_000)
}

#[track_caller]
fn assert_near(found: &[f64], expected: &[f64], tolerance: f64, what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (found, expected) in found.iter().zip(expected) {
        let is_near = (found - expected).abs() <= tolerance * expected.abs().max(1.0);
        assert!(
            found == expected || is_near,
            "{what}: {found}, not {expected}"
        );
    }
}

fn agrees_with_the_reference(setup: &EngineSetup) {
    for (seed, workload) in workloads() {
        for kind in EVIDENCE {
            let mut dice = Dice::new(seed);
            let table = evidence(&workload, kind, 33, &mut dice, &mut Features::new());
            let options = setup.options();
            let mut subject = Compiled::new(&workload.circuit, &workload.values, &options);
            let (circuit, values) = (subject.circuit().clone(), subject.values().to_vec());
            let judge = Judge::new(&circuit, &values, &table);
            let tolerance = subject.tolerance();
            if let Err(why) = judge.judge(&mut subject, tolerance) {
                panic!("{:?}, {kind:?}: {why}", workload.shape);
            }
        }
    }
}

fn does_not_depend_on_threads(setup: &EngineSetup) {
    for (seed, workload) in workloads() {
        let subject = Subject::new(&workload, &setup.options(), 20 * N_ROWS, seed);
        let (model, parameters, table) = (&subject.model, &subject.parameters, &subject.table);
        let all = |threads| {
            let options = FlowOptions {
                threads,
                ..FlowOptions::default()
            };
            let flows = model.flows(parameters, table, &options);
            let completions = model.completions(parameters, table, threads);
            let posteriors = model.posteriors(parameters, table, threads);
            let logs = subject.logs(table, threads);
            format!("{logs:?} {:?} {completions:?} {posteriors:?}", flows.flows)
        };
        let one = all(1);
        for threads in [2, 5] {
            assert!(all(threads) == one, "{threads}, {:?}", workload.shape);
        }
    }
}

fn does_not_depend_on_other_rows(setup: &EngineSetup) {
    for (seed, workload) in workloads() {
        let subject = Subject::new(&workload, &setup.options(), N_ROWS, seed);
        let together = subject.logs(&subject.table, 1);
        for row in [0, 1, 31, 32, 63, 64, N_ROWS - 1] {
            let alone = subject.table.slice(row..row + 1);
            let alone = subject.logs(&alone, 1);
            let what = format!("row {row}, {:?}", workload.shape);
            // A row that is looked at again beside others is no worse for it.
            assert_near(&alone, &together[row..row + 1], 1e-7, &what);
        }
    }
}

fn missing_rows_are_worth_the_mass(setup: &EngineSetup) {
    for (seed, workload) in workloads() {
        let subject = Subject::new(&workload, &setup.options(), 1, seed);
        let circuit = subject.model.circuit();
        let n_variables = circuit.variables().len();
        let nothing = Table::new(3, vec![Column::Missing; n_variables]);
        let cells = vec![EvidenceCell::Missing; n_variables];
        let values = subject.parameters.values();
        let logs = log_values_of(circuit, values, &cells, EvaluationPurpose::Value);
        let expected = [logs[circuit.root().index()]; 3];
        let what = format!("{:?}", workload.shape);
        assert_near(&subject.logs(&nothing, 1), &expected, 1e-5, &what);
    }
}

fn does_not_depend_on_segments(setup: &EngineSetup) {
    for (seed, workload) in workloads() {
        let plain = Subject::new(&workload, &setup.options(), N_ROWS, seed);
        let expected = plain.logs(&plain.table, 1);
        for segment_terms in [1, 7] {
            let options = ModelOptions {
                segment_terms,
                ..setup.options()
            };
            let own = Subject::new(&workload, &options, N_ROWS, seed);
            let what = format!("{segment_terms} terms, {:?}", workload.shape);
            assert_near(&own.logs(&own.table, 1), &expected, 1e-5, &what);
        }
    }
}
