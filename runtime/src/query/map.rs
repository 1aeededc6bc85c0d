//! The most probable completion of rows.

use super::boxes::given_boxes;
use super::overlay::BoxOverlay;
use super::probability::log_masses;
use super::{QueryFailure, ValueBox};
use crate::data::{Column, Table};
use crate::model::{Model, Parameters, RowSampling, draws};
use crate::tractability::QueryKind;
use pelton_compiler::circuit::{CircuitGraph, Event, ParameterValue, ValueSet, VarId};
use pelton_compiler::leaf::is_unbounded_in;
use pelton_compiler::reference::{EvidenceCell, RowLog, unbounded};
use std::mem::take;

/// Completions that are tried one by one, for all rows together.
const MOST_COMPLETIONS: u64 = 1 << 20;
/// Completions times edges, likewise: a few seconds.
const MOST_WORK: u64 = 1 << 35;
/// Rows that are evaluated at once.
const CHUNK: usize = 1 << 14;

/// How completions are looked for.
#[derive(Clone, Copy, Debug)]
pub struct MapOptions {
    /// Samples of the posterior that are tried where no exact way is known.
    pub samples: usize,
    /// What is sampled depends on this and on the rows alone.
    pub seed: u64,
    /// The number of the table's first row.
    pub first_row: u64,
    /// Threads; 0 takes as many as there are cores.
    pub threads: usize,
}

impl Default for MapOptions {
    fn default() -> Self {
        MapOptions {
            samples: 100,
            seed: 0,
            first_row: 0,
            threads: 0,
        }
    }
}

/// The most probable completion of a row.
#[derive(Clone, Debug, PartialEq)]
pub struct MostProbable {
    /// A value for each variable; NaN for those that no leaf mentions.
    pub values: Vec<f64>,
    /// The logarithm of its probability, or density, given the evidence.
    pub log: f64,
    /// Whether no completion is more probable, or only none that was tried.
    pub is_exact: bool,
    /// A variable towards a value of which the density grows without bound: no completion is
    /// the most probable one then, all values are NaN, and the logarithm is infinite.
    pub unbounded: Option<VarId>,
}

/// The most probable completion of each row, given an event; nothing for an impossible row.
///
/// Exact where the circuit is proven deterministic (max-product then is), and where the
/// completions are few enough to try each: about a million for all rows together. Else the
/// likeliest of what max-product finds and of samples from the posterior.
pub fn most_probable(
    model: &Model,
    parameters: &Parameters,
    given: &Event,
    table: &Table,
    options: &MapOptions,
) -> Result<Vec<Option<MostProbable>>, QueryFailure> {
    let refusal = QueryKind::Map.refusal(model.circuit(), model.facts());
    let search = MostProbableSearch {
        is_exact: refusal.is_none(),
        may_be_unbounded: has_unbounded_leaf(model.circuit(), parameters.values()),
        model,
        parameters,
        table,
        options,
    };
    let mut best: Vec<BestCompletion> = vec![BestCompletion::NOTHING; table.n_rows()];
    for part in given_boxes(model.circuit(), given)? {
        search.within(&part, &mut best);
    }
    Ok(best.into_iter().map(BestCompletion::finish).collect())
}

/// Whether a leaf of the circuit grows without bound somewhere.
fn has_unbounded_leaf(circuit: &CircuitGraph, values: &[ParameterValue]) -> bool {
    let mut leaves = circuit.leaves().iter();
    leaves.any(|leaf| {
        let domain = &circuit.variable(leaf.variable).domain;
        is_unbounded_in(circuit, values, leaf, &domain.full())
    })
}

/// The best completion of a row so far.
#[derive(Clone, Debug)]
struct BestCompletion {
    values: Vec<f64>,
    log: RowLog,
    log_evidence: RowLog,
    is_exact: bool,
    unbounded: Option<VarId>,
}

impl BestCompletion {
    const NOTHING: BestCompletion = BestCompletion {
        values: Vec::new(),
        log: RowLog::ZERO,
        log_evidence: RowLog::ZERO,
        is_exact: true,
        unbounded: None,
    };

    fn offer(&mut self, values: Vec<f64>, log: RowLog) {
        if log.exceeds(self.log) {
            self.log = log;
            self.values = values;
        }
    }

    fn finish(self) -> Option<MostProbable> {
        if self.unbounded.is_some() {
            return Some(MostProbable {
                values: vec![f64::NAN; self.values.len()],
                log: f64::INFINITY,
                is_exact: true,
                unbounded: self.unbounded,
            });
        }
        (!self.log.is_zero()).then(|| MostProbable {
            log: self.log.over(self.log_evidence),
            values: self.values,
            is_exact: self.is_exact,
            unbounded: None,
        })
    }
}

struct MostProbableSearch<'a> {
    /// Whether max-product is exact.
    is_exact: bool,
    /// Whether a leaf grows without bound, so that rows have to be looked at one by one.
    may_be_unbounded: bool,
    model: &'a Model,
    parameters: &'a Parameters,
    table: &'a Table,
    options: &'a MapOptions,
}

impl MostProbableSearch<'_> {
    /// Looks among the completions that lie in a box.
    fn within(&self, part: &ValueBox, best: &mut [BestCompletion]) {
        let (model, threads) = (self.model, self.options.threads);
        let (overlay, masses) = log_masses(model, self.parameters, part, self.table, threads);
        let is_possible = |row: &usize| !masses[*row].is_zero();
        let possible: Vec<usize> = (0..masses.len()).filter(is_possible).collect();
        for &row in &possible {
            let best = &mut best[row];
            best.log_evidence = RowLog::sum([best.log_evidence, masses[row]]);
            best.unbounded = best.unbounded.or_else(|| self.unbounded(&overlay, row));
        }
        // 1. What max-product finds, which is all there is to do where it is exact.
        let within = self.parameters.within(overlay.within.clone());
        let mut found = model.completions(&within, &overlay.table, threads);
        if self.is_exact {
            // At most one term of each sum is positive, so that the maximum is the value.
            for &row in &possible {
                best[row].offer(take(&mut found[row].values), found[row].log);
            }
            return;
        }
        let values = |&row: &usize| (row, take(&mut found[row].values));
        let candidates = possible.iter().map(values);
        self.try_all(&overlay, candidates, best);
        // 2. Rows with few completions: each of them. The others: samples of the posterior.
        let mut open = Vec::new();
        for &row in &possible {
            match self.completions(&overlay, row, best.len()) {
                Some(all) => self.try_all(&overlay, all.map(|values| (row, values)), best),
                None => open.push(row),
            }
        }
        self.sampled(&overlay, &within, &open, best);
    }

    /// A variable that keeps the completions of a row from having a maximum.
    fn unbounded(&self, overlay: &BoxOverlay, row: usize) -> Option<VarId> {
        if !self.may_be_unbounded {
            return None;
        }
        let circuit = self.model.circuit();
        let columns = overlay.table.columns().iter().zip(circuit.variables());
        let cells = columns.enumerate().map(|(at, (column, variable))| {
            match column.cell(row, variable.domain.first()) {
                EvidenceCell::Missing => overlay.within.cell(circuit, VarId::new(at)),
                known => known,
            }
        });
        let cells: Vec<EvidenceCell> = cells.collect();
        unbounded(circuit, self.parameters.values(), &cells)
    }

    /// Tries samples of the posterior in rows for which there is no exact way.
    fn sampled(
        &self,
        overlay: &BoxOverlay,
        within: &Parameters,
        open: &[usize],
        best: &mut [BestCompletion],
    ) {
        let n_variables = self.model.circuit().variables().len();
        for rows in open.chunks(CHUNK / self.options.samples.clamp(1, CHUNK)) {
            let first = rows.first().map_or(0, |&row| row as u64);
            let positions: Vec<u32> = rows.iter().map(|&row| row as u32).collect();
            let options = RowSampling {
                n_each: self.options.samples,
                seed: self.options.seed,
                first_row: self.options.first_row + first,
                threads: self.options.threads,
            };
            let table = overlay.table.gather(&positions);
            let drawn = draws(self.model, within, &table, &options);
            let candidates = rows.iter().zip(&drawn).flat_map(|(&row, samples)| {
                let samples = samples.as_deref().unwrap_or_default();
                let all = samples.chunks_exact(n_variables.max(1));
                all.map(move |values| (row, values.to_vec()))
            });
            self.try_all(overlay, candidates, best);
        }
        open.iter().for_each(|&row| best[row].is_exact = false);
    }

    /// Offers completions, each with its true likelihood.
    fn try_all(
        &self,
        overlay: &BoxOverlay,
        candidates: impl Iterator<Item = (usize, Vec<f64>)>,
        best: &mut [BestCompletion],
    ) {
        let circuit = self.model.circuit();
        let mut candidates = candidates.peekable();
        while candidates.peek().is_some() {
            let (rows, values): (Vec<usize>, Vec<Vec<f64>>) =
                candidates.by_ref().take(CHUNK).unzip();
            let table = Table::from_assignments(circuit, &values);
            let threads = self.options.threads;
            let logs = self.model.row_logs(self.parameters, &table, threads);
            for ((row, values), log) in rows.into_iter().zip(values).zip(logs) {
                let log = log + log_softness(circuit, &overlay.table, row, &values).into();
                best[row].offer(values, log);
            }
        }
    }

    /// All completions of a row, if they are few enough.
    fn completions(
        &self,
        overlay: &BoxOverlay,
        row: usize,
        n_rows: usize,
    ) -> Option<impl Iterator<Item = Vec<f64>> + use<>> {
        let circuit = self.model.circuit();
        let most = MOST_COMPLETIONS / n_rows as u64;
        let most = most.min(MOST_WORK / n_rows as u64 / (circuit.n_edges() as u64 + 1));
        if self.has_more(overlay, row, most) {
            return None;
        }
        let mut choices = Vec::with_capacity(circuit.variables().len());
        let mut n = 1_u64;
        for at in 0..circuit.variables().len() {
            let own = self.choices(overlay, row, VarId::new(at), most)?;
            n = n.checked_mul(own.len() as u64).filter(|&n| n <= most)?;
            choices.push(own);
        }
        Some((0..n).map(move |number| {
            let mut rest = number as usize;
            let digit = |own: &Vec<f64>| {
                let at = rest % own.len();
                rest /= own.len();
                own[at]
            };
            choices.iter().map(digit).collect()
        }))
    }

    /// Whether the missing cells of which nothing is known have more completions than
    /// that: enough to know of most rows, without a list of values.
    fn has_more(&self, overlay: &BoxOverlay, row: usize, most: u64) -> bool {
        let mut n = 1_u64;
        let variables = self.model.circuit().variables().iter().enumerate();
        for ((at, variable), column) in variables.zip(overlay.table.columns()) {
            let is_free = !matches!(column, Column::Soft { .. })
                && overlay.within.set(VarId::new(at)).is_none()
                && column.cell(row, variable.domain.first()) == EvidenceCell::Missing;
            if is_free {
                n = n.saturating_mul(variable.domain.size().unwrap_or(u64::MAX));
            }
            if n > most {
                return true;
            }
        }
        false
    }

    /// The values that a variable may have in a row, if there are at most so many.
    fn choices(
        &self,
        overlay: &BoxOverlay,
        row: usize,
        variable: VarId,
        most: u64,
    ) -> Option<Vec<f64>> {
        let domain = &self.model.circuit().variable(variable).domain;
        let column = &overlay.table.columns()[variable.index()];
        let cell = column.cell(row, domain.first());
        if let EvidenceCell::Value(x) = cell {
            return Some(vec![x]);
        }
        let size = domain.size().filter(|&size| size <= most)?;
        let all = (0..size).map(|at| domain.first() + at as f64);
        let set: Option<&ValueSet> = overlay.within.set(variable);
        let is_inside = |x: &f64| match &cell {
            EvidenceCell::Soft(weights) => weights[(x - domain.first()) as usize] > 0.0,
            _ => set.is_none_or(|set| set.contains(*x)),
        };
        let inside: Vec<f64> = all.filter(is_inside).collect();
        (!inside.is_empty()).then_some(inside)
    }
}

/// What soft evidence adds to the logarithm of a completion.
fn log_softness(circuit: &CircuitGraph, table: &Table, row: usize, values: &[f64]) -> f64 {
    let columns = table.columns().iter().zip(circuit.variables()).zip(values);
    let logs = columns.map(|((column, variable), x)| match column {
        Column::Soft { n_values, weights } if !x.is_nan() => {
            let at = (x - variable.domain.first()) as usize;
            weights[row * n_values + at].ln()
        }
        _ => 0.0,
    });
    logs.sum()
}
