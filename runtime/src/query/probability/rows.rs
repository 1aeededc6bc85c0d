//! Answers for every row of a table, on compiled kernels.

use super::{ProbabilityKind, both_boxes};
use crate::data::{Column, Table};
use crate::model::{Model, Parameters};
use crate::query::boxes::boxes_of;
use crate::query::overlay::BoxOverlay;
use crate::query::{QueryFailure, ValueBox};
use pelton_compiler::circuit::{DeclaredQuery, VarId};
use pelton_compiler::evidence::Event;
use pelton_compiler::reference::RowLog;
use serde_json::{Map, Value, json};

/// The answer to a question for one row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RowAnswer {
    /// Natural logarithm of the answer, or why there is none.
    pub log: Result<f64, QueryFailure>,
    /// What the number is.
    pub kind: ProbabilityKind,
}

/// Answers each question for each row: `P(event | given, what the row has observed)`.
///
/// Missing cells are summed out. A question costs an evaluation of all rows for each box
/// of its events and one for each box of what is given; questions with the same condition
/// share the latter. The first index is the question.
///
/// ```
/// # use pelton_compiler::{AnalysisOptions, analyze, load::{FileLoader, SourceInput}, lower::ask};
/// # use pelton_runtime::{Model, ModelOptions, data::Table, query::answer_rows};
/// let text = "var rain, wet : bool;
///     root 0.3: rain * (0.9: wet + 0.1: !wet) + 0.7: !rain * (0.2: wet + 0.8: !wet);";
/// # let input = SourceInput { name: "example".into(), path: None, bytes: text.into() };
/// let checked = analyze(input, &FileLoader, &AnalysisOptions::default()).into_checked().unwrap();
/// let query = ask(checked.circuit(), "P(rain)").unwrap();
/// let model = Model::compile(checked, &ModelOptions::default()).unwrap();
/// let rows = [vec![f64::NAN, 1.0], vec![f64::NAN, f64::NAN]];
/// let table = Table::from_assignments(model.circuit(), &rows);
/// let answers = answer_rows(&model, &model.start_parameters(), &[query], &table, 1);
/// let p: Vec<f64> = answers[0].iter().map(|row| row.log.unwrap().exp()).collect();
/// assert!((p[0] - 0.27 / 0.41).abs() < 1e-6 && (p[1] - 0.3).abs() < 1e-6);
/// ```
pub fn answer_rows(
    model: &Model,
    parameters: &Parameters,
    queries: &[DeclaredQuery],
    table: &Table,
    threads: usize,
) -> Vec<Vec<RowAnswer>> {
    let asking = RowQueryContext {
        model,
        parameters,
        table,
        threads,
    };
    let mut known: Vec<(&DeclaredQuery, Result<RowCondition, QueryFailure>)> = Vec::new();
    let mut answers = Vec::with_capacity(queries.len());
    for query in queries {
        let mut others = known.iter();
        let at = others.position(|(other, _)| other.given == query.given);
        let at = at.unwrap_or_else(|| {
            known.push((query, asking.condition(query)));
            known.len() - 1
        });
        let rows = match &known[at].1 {
            Ok(condition) => asking.answers(query, condition),
            Err(gap) => Err(*gap),
        };
        answers.push(rows.unwrap_or_else(|gap| vec![RowAnswer::none(gap); table.n_rows()]));
    }
    answers
}

/// The logarithm of the probability, or density, of what each row has observed, given an
/// event: -∞ where the row contradicts the event, not a number where that is impossible.
pub fn log_conditionals(
    model: &Model,
    parameters: &Parameters,
    given: &Event,
    table: &Table,
    threads: usize,
) -> Result<Vec<f64>, QueryFailure> {
    let circuit = model.circuit();
    let parts = boxes_of(circuit, given)?;
    let nothing = Table::from_assignments(circuit, &[vec![f64::NAN; circuit.variables().len()]]);
    let sums_of = |table, n_points: Option<usize>| {
        let asking = RowQueryContext {
            model,
            parameters,
            table,
            threads,
        };
        let mut sums = vec![BoxMassSum::NOTHING; table.n_rows()];
        let counts =
            |part: &&ValueBox| n_points.is_none_or(|n| part.exact_variables(circuit).len() == n);
        for part in parts.iter().filter(counts) {
            asking.add(part, &mut sums, |_, _| true);
        }
        sums
    };
    // 1. The event alone. Its boxes with more exact values than others weigh nothing.
    let alone = &sums_of(&nothing, None)[0];
    // 2. The boxes that weigh something, in each row; where none is possible, the sum is zero.
    let both = sums_of(table, Some(alone.points.len()));
    // 3. The quotient of relative values, which outliers do not round away.
    let quotient = |both: &BoxMassSum| match alone.log {
        _ if alone.is_mixed || both.is_mixed => Err(QueryFailure::MixedDensities),
        log if log.is_zero() => Ok(f64::NAN),
        log => Ok(both.log.over(log)),
    };
    both.iter().map(quotient).collect()
}

/// The logarithm of the mass, or density, of what each row has observed together with
/// what is given.
pub(in crate::query) fn log_masses(
    model: &Model,
    parameters: &Parameters,
    part: &ValueBox,
    table: &Table,
    threads: usize,
) -> (BoxOverlay, Vec<RowLog>) {
    let overlay = BoxOverlay::new(model.circuit(), table, part);
    let parameters = parameters.within(overlay.within.clone());
    let mut logs = model.row_logs(&parameters, &overlay.table, threads);
    for (row, log) in logs.iter_mut().enumerate() {
        if !overlay.is_possible(row) {
            *log = RowLog::ZERO;
        }
    }
    (overlay, logs)
}

impl RowAnswer {
    /// `{"query", "value", "log", "kind"}`; numbers that are not finite are null.
    pub fn to_json(&self, query: &str) -> Map<String, Value> {
        let log = self.log.unwrap_or(f64::NAN);
        Map::from_iter([
            ("query".to_string(), json!(query)),
            ("value".to_string(), json!(log.exp())),
            ("log".to_string(), json!(log)),
            ("kind".to_string(), json!(self.kind.name())),
        ])
    }

    fn none(gap: QueryFailure) -> Self {
        RowAnswer {
            log: Err(gap),
            kind: ProbabilityKind::Probability,
        }
    }

    fn of(both: &BoxMassSum, given: &BoxMassSum) -> Self {
        if both.is_mixed || given.is_mixed {
            return RowAnswer::none(QueryFailure::MixedDensities);
        }
        if given.log.is_zero() {
            return RowAnswer::none(QueryFailure::ImpossibleGiven);
        }
        RowAnswer {
            log: Ok(both.log.over(given.log)),
            kind: ProbabilityKind::of(both.points.len() > given.points.len()),
        }
    }
}

/// The mass of several boxes in one row.
#[derive(Clone, Debug)]
struct BoxMassSum {
    log: RowLog,
    /// The reals that the boxes give exact values to and the row does not.
    points: Vec<VarId>,
    /// Whether no box was added yet.
    is_empty: bool,
    /// Whether densities of different variables met.
    is_mixed: bool,
}

impl BoxMassSum {
    const NOTHING: BoxMassSum = BoxMassSum {
        log: RowLog::ZERO,
        points: Vec::new(),
        is_empty: true,
        is_mixed: false,
    };

    /// Adds a box; one with more exact values than others weighs nothing beside them.
    fn add(&mut self, log: RowLog, points: &[VarId]) {
        let is_finer = self.is_empty || points.len() < self.points.len();
        if is_finer {
            *self = BoxMassSum {
                log,
                points: points.to_vec(),
                is_empty: false,
                is_mixed: false,
            };
        } else if points == self.points {
            self.log = RowLog::sum([self.log, log]);
        } else if points.len() == self.points.len() {
            self.is_mixed = true;
        }
    }
}

struct RowQueryContext<'a> {
    model: &'a Model,
    parameters: &'a Parameters,
    table: &'a Table,
    threads: usize,
}

/// What is given: its boxes, and their mass in each row.
struct RowCondition {
    parts: Vec<ValueBox>,
    sums: Vec<BoxMassSum>,
}

impl RowQueryContext<'_> {
    fn condition(&self, query: &DeclaredQuery) -> Result<RowCondition, QueryFailure> {
        let parts = boxes_of(self.model.circuit(), &query.given)?;
        let mut sums = vec![BoxMassSum::NOTHING; self.table.n_rows()];
        for part in &parts {
            self.add(part, &mut sums, |_, _| true);
        }
        Ok(RowCondition { parts, sums })
    }

    fn answers(
        &self,
        query: &DeclaredQuery,
        condition: &RowCondition,
    ) -> Result<Vec<RowAnswer>, QueryFailure> {
        let circuit = self.model.circuit();
        let mut sums = vec![BoxMassSum::NOTHING; self.table.n_rows()];
        for (part, at) in both_boxes(circuit, &query.event, &condition.parts)? {
            // What weighs nothing among what is given weighs nothing here either.
            let fixed = condition.parts[at].exact_variables(circuit);
            self.add(&part, &mut sums, |row, open| {
                let fixed = fixed.iter();
                let n_open = fixed.filter(|variable| open.contains(variable)).count();
                n_open == condition.sums[row].points.len()
            });
        }
        let rows = sums.iter().zip(&condition.sums);
        let answers = rows.map(|(both, given)| RowAnswer::of(both, given));
        Ok(answers.collect())
    }

    /// Adds the mass of a box to all rows in which it counts.
    fn add(
        &self,
        part: &ValueBox,
        sums: &mut [BoxMassSum],
        counts: impl Fn(usize, &[VarId]) -> bool,
    ) {
        let points = part.exact_variables(self.model.circuit());
        let (overlay, logs) =
            log_masses(self.model, self.parameters, part, self.table, self.threads);
        let rows = sums.iter_mut().zip(logs).enumerate();
        for (row, (sum, log)) in rows.filter(|(row, _)| overlay.is_possible(*row)) {
            let is_open = |&variable: &VarId| is_missing(self.table, variable, row);
            let open: Vec<VarId> = points.iter().copied().filter(is_open).collect();
            if counts(row, &open) {
                sum.add(log, &open);
            }
        }
    }
}

fn is_missing(table: &Table, variable: VarId, row: usize) -> bool {
    match &table.columns()[variable.index()] {
        Column::Reals(cells) => cells[row].is_nan(),
        _ => true,
    }
}
