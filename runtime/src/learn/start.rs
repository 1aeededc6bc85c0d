//! Where learning starts.

use super::clusters::clusters;
use super::estep::EStep;
use super::flat_circuit::{FlatCircuit, FlatUnitKind, ShareVector};
use super::mstep::{MStep, MStepTarget};
use super::rows::weights_of;
use super::run::TrainingTask;
use super::{LearnError, Start};
use crate::FlowTotals;
use crate::data::Table;
use crate::model::FlowKind;
use pelton_compiler::choice::unit;
use pelton_compiler::circuit::{CircuitGraph, ParamId, ParameterValue};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;

/// Rows of a stream that are clustered.
const CLUSTERED_ROWS: usize = 1 << 16;

/// The values that a run starts from; the given ones if there are any.
pub(super) fn start(
    task: &TrainingTask,
    from: Option<&[ParameterValue]>,
    mstep: &mut MStep,
) -> Result<Vec<ParameterValue>, LearnError> {
    // 1. What the circuit, or the caller, gives.
    let (circuit, seed) = (task.model.circuit(), task.options.seed);
    let mut values = from.map_or_else(|| circuit.start_values(), <[ParameterValue]>::to_vec);
    for (_, vector) in mstep.flat.used_vectors() {
        make_add_up(vector, &mut values);
    }
    if task.options.start == Start::Keep || from.is_some() {
        return Ok(values);
    }
    // 2. Weights near equal ones, and leaves near the data, both by chance.
    draw_weights(circuit, seed, &mut values);
    let (leaves, ranges) = mstep.leaves();
    super::leaf::start(circuit, leaves, ranges, seed, &mut values);
    // 3. From there a step towards what clusters of rows say.
    if task.options.start == Start::KMeans
        && let Some((table, weights)) = task.train.first(CLUSTERED_ROWS)?
    {
        by_clusters(task, mstep, &table, weights.as_deref(), &mut values)?;
    }
    Ok(values)
}

/// Scales the learned entries of a vector to what fixed ones leave: starts that were
/// written by hand need not add up.
fn make_add_up(vector: &ShareVector, values: &mut [ParameterValue]) {
    let given = vector.free_entries().map(|entry| values[entry].linear());
    let total: f64 = given.sum();
    if (total - vector.mass).abs() <= 1e-9 {
        return;
    }
    for entry in vector.free_entries() {
        let share = if total > 0.0 {
            values[entry].linear() / total
        } else {
            1.0 / vector.n_free as f64
        };
        values[entry] = ParameterValue::Linear(vector.mass * share);
    }
}

/// How much of a sum's weights clusters decide; the rest is drawn.
const CLUSTERED: f64 = 0.8;

/// Flow that a sum may send elsewhere than its rows' cluster says.
const STRAY: f64 = 1e-3;

/// A step of EM from rows that say which child each sum chooses: those in a
/// cluster choose the child of the cluster's number wherever they pass.
///
/// In a hidden tree this sets every hidden variable to the cluster. Evidence still
/// has its say: where the child is impossible, another is chosen.
fn by_clusters(
    task: &TrainingTask,
    mstep: &mut MStep,
    table: &Table,
    weights: Option<&[f64]>,
    values: &mut [ParameterValue],
) -> Result<(), LearnError> {
    let k = usual_width(&mstep.flat);
    if k < 2 {
        return Ok(());
    }
    // 1. As many clusters as sums usually have children. Those without rows say nothing, and
    // there may be far more states than rows.
    let n_clusters = k.min(table.n_rows().max(1));
    let mut members = vec![Vec::new(); n_clusters];
    let clusters = clusters(table, n_clusters, task.options.seed);
    for (row, &cluster) in (0..).zip(&clusters) {
        members[cluster as usize].push(row);
    }
    // 2. The flows of each cluster's rows, with sums that all but choose its child.
    let estep = EStep::new(task.model, FlowKind::Expected, task.options.threads);
    let drawn = values.to_vec();
    let mut all: Option<FlowTotals> = None;
    let used = members.iter().enumerate();
    for (cluster, rows) in used.filter(|(_, rows)| !rows.is_empty()) {
        let weights = weights.map(|weights| weights_of(weights, rows));
        let mut forced = drawn.clone();
        force(&mstep.flat, k, cluster, &mut forced);
        let totals = estep.flows(&forced, &table.gather(rows), weights.as_deref())?;
        totals.add_to(&mut all);
    }
    let Some(totals) = all.filter(|totals| totals.weight > 0.0) else {
        return Ok(());
    };
    // 3. One M-step makes them a start, mixed with what was drawn.
    let fit = MStepTarget {
        flows: &totals.flows,
        flow_values: &drawn,
        weight: totals.weight,
        pseudocount: 1.0,
        tau: 0.0,
    };
    mstep.run(&fit, values);
    keep_given(task.model.circuit(), &mstep.flat, &drawn, values);
    Ok(())
}

/// The number of children that most edges of learned sums belong to.
fn usual_width(flat: &FlatCircuit) -> usize {
    let mut edges: BTreeMap<usize, usize> = BTreeMap::new();
    for unit in flat.units.iter() {
        if let FlatUnitKind::Sum(Some(param)) = unit.kind
            && flat.vectors[param.index()].is_some()
        {
            *edges.entry(unit.edges().len()).or_default() += unit.edges().len();
        }
    }
    let most = edges.into_iter().max_by_key(|&(_, n_edges)| n_edges);
    most.map_or(0, |(width, _)| width)
}

/// Sends nearly all flow of a sum to the children of one cluster. A sum with
/// several times as many children as there are clusters has several for each. One with
/// fewer chooses among larger parts, such as the trees of a mixture: each of them is to
/// explain all clusters, so it is left as it is.
fn force(flat: &FlatCircuit, k: usize, cluster: usize, values: &mut [ParameterValue]) {
    for vector in sum_vectors(flat).filter(|vector| vector.n_free >= k) {
        let n = vector.n_free;
        let period = if n.is_multiple_of(k) { k } else { n };
        let is_chosen = |at: usize| at % period == cluster % period;
        let n_chosen = (0..n).filter(|&at| is_chosen(at)).count();
        for (at, entry) in vector.free_entries().enumerate() {
            let share = if is_chosen(at) {
                (1.0 - STRAY) / n_chosen as f64
            } else {
                STRAY / (n - n_chosen).max(1) as f64
            };
            values[entry] = ParameterValue::Linear(vector.mass * share);
        }
    }
}

/// Mixes weights of sums with those that were drawn, so that no state is out of
/// reach, and puts back what the circuit gives.
fn keep_given(
    circuit: &CircuitGraph,
    flat: &FlatCircuit,
    drawn: &[ParameterValue],
    values: &mut [ParameterValue],
) {
    for vector in sum_vectors(flat) {
        for entry in vector.free_entries() {
            let mixed =
                CLUSTERED * values[entry].linear() + (1.0 - CLUSTERED) * drawn[entry].linear();
            values[entry] = ParameterValue::Linear(mixed);
        }
    }
    for parameter in circuit.parameters() {
        let is_given = |at: usize| circuit.all_entries()[at].value.is_some();
        if parameter.entries().any(is_given) {
            values[parameter.entries()].copy_from_slice(&drawn[parameter.entries()]);
        }
    }
}

/// The learned vectors that weigh edges of sums.
fn sum_vectors(flat: &FlatCircuit) -> impl Iterator<Item = &ShareVector> {
    let mut seen = vec![false; flat.vectors.len()];
    let units = flat.units.iter();
    units.filter_map(move |unit| {
        let FlatUnitKind::Sum(Some(param)) = unit.kind else {
            return None;
        };
        let is_first = !std::mem::replace(&mut seen[param.index()], true);
        flat.vectors[param.index()].as_ref().filter(|_| is_first)
    })
}

/// Values near equal shares for probabilities that the circuit leaves open; those
/// that it gives are kept.
///
/// Shares are drawn between 0.6 and 1.4 before they are scaled, as in the paper:
/// far enough from equal that hidden states part, near enough that none is lost. What no
/// unit uses is never learned, and a drawn number would look as if it were.
pub(super) fn draw_weights(circuit: &CircuitGraph, seed: u64, values: &mut [ParameterValue]) {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let is_used = circuit.used_parameters();
    for param in (0..circuit.parameters().len()).map(ParamId::new) {
        let parameter = circuit.parameter(param);
        if !parameter.kind.adds_up() || !is_used[param.index()] {
            continue;
        }
        let all = circuit.all_entries();
        let is_open = |at: &usize| all[*at].learned && all[*at].value.is_none();
        let open: Vec<usize> = parameter.entries().filter(is_open).collect();
        let mass: f64 = open.iter().map(|&at| values[at].linear()).sum();
        let drawn: Vec<f64> = open.iter().map(|_| 0.6 + 0.8 * unit(&mut random)).collect();
        let total: f64 = drawn.iter().sum();
        for (&at, share) in open.iter().zip(drawn) {
            values[at] = ParameterValue::Linear(mass * share / total);
        }
    }
}
