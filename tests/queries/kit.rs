//! Circuits small enough to look at every assignment, and random questions about them.

use pelton_compiler::AnalysisOptions;
use pelton_compiler::check::{CheckOptions, Checked, check};
use pelton_compiler::circuit::{CircuitGraph, DeclaredQuery, Event, Property, ValueSet, VarId};
use pelton_compiler::kernel::Precision;
use pelton_compiler::load::{FileLoader, SourceInput};
use pelton_compiler::reference::{EvidenceCell, assignments, log_likelihood};
use pelton_formats::analyze;
use pelton_grammar::diagnostic::SourceDiagnostics;
use pelton_runtime::data::Table;
use pelton_runtime::{Engine, Model, ModelOptions};
use pelton_tests::dice::Dice;
use pelton_tests::workload::{Workload, cells_of, workload};

/// A circuit with all assignments of the variables it mentions, and their probabilities.
pub struct World {
    pub workload: Workload,
    pub checked: Checked,
    pub all: Vec<(Vec<f64>, f64)>,
    pub mentioned: Vec<VarId>,
}

impl World {
    /// The world of a seed, if its circuit is small and discrete and has mass.
    pub fn new(seed: u64) -> Option<World> {
        let workload = workload(seed);
        let circuit = &workload.circuit;
        let mut is_mentioned = vec![false; circuit.variables().len()];
        circuit
            .leaves()
            .iter()
            .for_each(|leaf| is_mentioned[leaf.variable.index()] = true);
        let is_first = |x: &[f64]| {
            let cells = x.iter().zip(circuit.variables()).zip(&is_mentioned);
            cells
                .into_iter()
                .all(|((x, v), mentioned)| *mentioned || *x == v.domain.first())
        };
        let all = assignments(circuit, 2_000)?.filter(|x| is_first(x));
        let p = |x: &Vec<f64>| log_likelihood(circuit, &workload.values, x).exp();
        let all: Vec<(Vec<f64>, f64)> = all.map(|x| (x.clone(), p(&x))).collect();
        let total: f64 = all.iter().map(|(_, p)| p).sum();
        if !(total > 1e-200 && total < 1e200) {
            return None;
        }
        let options = CheckOptions {
            decide: vec![Property::Deterministic],
            ..CheckOptions::default()
        };
        let checked = check(circuit.clone(), &options, &mut SourceDiagnostics::new())?;
        let mentioned = (0..is_mentioned.len()).filter(|&at| is_mentioned[at]);
        Some(World {
            mentioned: mentioned.map(VarId::new).collect(),
            checked,
            all,
            workload,
        })
    }

    pub fn model(&self, engine: Engine) -> Model {
        let options = ModelOptions {
            engine,
            precision: Precision::F64,
            ..ModelOptions::default()
        };
        Model::compile(self.checked.clone(), &options).unwrap()
    }

    pub fn circuit(&self) -> &CircuitGraph {
        &self.workload.circuit
    }

    /// Assignments that agree with a row and an event, each with its weight.
    pub fn within<'a>(
        &'a self,
        cells: &'a [EvidenceCell],
        event: &'a Event,
    ) -> impl Iterator<Item = (&'a [f64], f64)> {
        self.all
            .iter()
            .filter(|(x, _)| holds(event, x))
            .map(|(x, p)| (&x[..], p * self.softness(cells, x)))
    }

    fn softness(&self, cells: &[EvidenceCell], x: &[f64]) -> f64 {
        let parts = self.mentioned.iter().map(|variable| {
            let x = x[variable.index()];
            let first = self.circuit().variable(*variable).domain.first();
            match &cells[variable.index()] {
                EvidenceCell::Missing | EvidenceCell::In(_) => 1.0,
                EvidenceCell::Value(own) => f64::from(*own == x),
                EvidenceCell::Soft(weights) => weights[(x - first) as usize],
            }
        });
        parts.product()
    }

    /// A random event about a few of the variables.
    pub fn event(&self, dice: &mut Dice) -> Event {
        let n = 1 + dice.below(3);
        let parts: Vec<Event> = (0..n).map(|_| self.statement(dice)).collect();
        match dice.below(3) {
            0 => Event::Or(parts),
            1 => Event::And(vec![Event::Or(parts), self.statement(dice)]),
            _ => Event::And(parts),
        }
    }

    fn statement(&self, dice: &mut Dice) -> Event {
        let variable = dice.pick(&self.mentioned);
        let domain = &self.circuit().variable(variable).domain;
        let values = (0..domain.size().unwrap()).map(|at| domain.first() + at as f64);
        let chosen = values.filter(|_| dice.chance(60));
        let set = chosen.fold(ValueSet::empty(), |set, x| {
            set.union(&ValueSet::point(x, true))
        });
        Event::In(variable, set)
    }

    pub fn query(&self, dice: &mut Dice) -> DeclaredQuery {
        DeclaredQuery {
            text: "P".into(),
            event: self.event(dice),
            given: if dice.chance(70) {
                self.event(dice)
            } else {
                Event::And(Vec::new())
            },
            span: Default::default(),
        }
    }
}

/// Whether an event holds of an assignment.
pub fn holds(event: &Event, x: &[f64]) -> bool {
    match event {
        Event::In(variable, set) => set.contains(x[variable.index()]),
        Event::And(parts) => parts.iter().all(|part| holds(part, x)),
        Event::Or(parts) => parts.iter().any(|part| holds(part, x)),
    }
}

/// The rows of a table as cells.
pub fn rows_of(circuit: &CircuitGraph, table: &Table) -> Vec<Vec<EvidenceCell>> {
    (0..table.n_rows())
        .map(|row| cells_of(circuit, table, row))
        .collect()
}

/// A circuit of text.
pub fn circuit(text: &str) -> Checked {
    let input = SourceInput {
        name: "test".into(),
        path: None,
        bytes: text.into(),
    };
    let options = AnalysisOptions {
        decide: vec![Property::Deterministic],
        ..AnalysisOptions::default()
    };
    analyze(input, &FileLoader, &options)
        .into_checked()
        .unwrap()
}

/// A model of text in double precision.
pub fn model(text: &str) -> Model {
    let options = ModelOptions {
        precision: Precision::F64,
        ..ModelOptions::default()
    };
    Model::compile(circuit(text), &options).unwrap()
}

/// The statistic of counts that are expected in these numbers, beyond what chance gives in
/// one of a million cases: about zero or less if the counts are right.
pub fn excess(counts: &[f64], expected: &[f64]) -> f64 {
    let (mut statistic, mut freedom) = (0.0, -1.0);
    let (mut rest, mut rest_expected) = (0.0, 0.0);
    for (&count, &expected) in counts.iter().zip(expected) {
        // Rare values are counted together.
        if expected < 10.0 {
            rest += count;
            rest_expected += expected;
        } else {
            statistic += (count - expected).powi(2) / expected;
            freedom += 1.0;
        }
    }
    if rest_expected > 10.0 {
        statistic += (rest - rest_expected).powi(2) / rest_expected;
        freedom += 1.0;
    } else {
        // So rare that a few are already too many.
        assert!(rest <= 40.0, "{rest} instead of {rest_expected}");
    }
    let z: f64 = 4.9;
    let freedom = f64::max(freedom, 1.0);
    // Wilson and Hilferty's approximation of the quantile.
    let cube = 1.0 - 2.0 / (9.0 * freedom) + z * (2.0 / (9.0 * freedom)).sqrt();
    statistic - freedom * cube.powi(3)
}
