//! Flows are derivatives of the log-likelihood: finite differences find the same.

use pelton_compiler::circuit::{
    BernoulliDistribution, CategoricalDistribution, CircuitGraph, Distribution,
    ExponentialDistribution, Family, GammaDistribution, Leaf, LeafKind, LogNormalDistribution,
    NormalDistribution, ParamId, ParameterValue, PoissonDistribution,
};
use pelton_compiler::flow::{CircuitFlows, LeafFlows};
use pelton_compiler::reference::{
    EvaluationPurpose, EvidenceCell, RowFlows, flows, log_values_of, log_values_over,
};
use pelton_compiler::reference::{log_leaf, support_flows};
use pelton_tests::dice::Dice;
use pelton_tests::workload::{EVIDENCE, Features, Shape, cells_of, evidence, workload_of};

const N_CIRCUITS: u64 = 80;
/// Entries of one row that are looked at, from the first to the last.
const MOST_ENTRIES: usize = 30;
const STEP: f64 = 1e-5;

/// Gaps of finite domains as weights of 1, so that a leaf's mass follows its entries.
fn without_gaps(circuit: &CircuitGraph, cells: Vec<EvidenceCell>) -> Vec<EvidenceCell> {
    let pairs = cells.into_iter().zip(circuit.variables());
    pairs
        .map(|(cell, variable)| match (&cell, variable.domain.size()) {
            (EvidenceCell::Missing, Some(size)) => EvidenceCell::Soft(vec![1.0; size as usize]),
            _ => cell,
        })
        .collect()
}

fn log_root(circuit: &CircuitGraph, values: &[ParameterValue], cells: &[EvidenceCell]) -> f64 {
    log_values_of(circuit, values, cells, EvaluationPurpose::Value)[circuit.root().index()]
}

/// The derivative of the log-likelihood by the logarithm of one entry.
fn by_entry(
    circuit: &CircuitGraph,
    values: &[ParameterValue],
    cells: &[EvidenceCell],
    position: usize,
) -> f64 {
    let mut values = values.to_vec();
    // Of two numbers that make up 1, the larger is known by the smaller one; logarithms are
    // taken as they stand, so that one of them can move alone.
    let mut parameters = circuit.parameters().iter().map(|own| own.entries());
    let whole = parameters.find(|own| own.contains(&position));
    for entry in whole.expect("every entry belongs to a parameter") {
        values[entry] = ParameterValue::Log(values[entry].log());
    }
    let log = values[position].log();
    let mut at = |step: f64| {
        values[position] = ParameterValue::Log(log + step);
        log_root(circuit, &values, cells)
    };
    (at(STEP) - at(-STEP)) / (2.0 * STEP)
}

/// Whether a distribution's flows are counted at its entries.
fn is_counted_at_entries(distribution: &Distribution) -> bool {
    let by_value = matches!(
        distribution.family,
        Family::Bernoulli(BernoulliDistribution) | Family::Categorical(CategoricalDistribution)
    );
    by_value && distribution.truncation.is_none()
}

fn distributions(circuit: &CircuitGraph) -> impl Iterator<Item = (usize, &Leaf, &Distribution)> {
    let leaves = circuit.leaves().iter().enumerate();
    leaves.filter_map(|(at, leaf)| match &leaf.kind {
        LeafKind::Distribution(distribution) => Some((at, leaf, distribution)),
        LeafKind::Indicator(_) => None,
    })
}

/// Entries whose flows are all in [`CircuitFlows::entries`].
fn plain_entries(circuit: &CircuitGraph) -> Vec<usize> {
    let others: Vec<ParamId> = distributions(circuit)
        .filter(|(_, _, distribution)| !is_counted_at_entries(distribution))
        .flat_map(|(_, _, distribution)| distribution.params.clone())
        .collect();
    let params = (0..circuit.parameters().len()).map(ParamId::new);
    params
        .filter(|param| !others.contains(param))
        .flat_map(|param| circuit.parameter(param).entries())
        .collect()
}

#[track_caller]
fn close(what: &str, found: f64, expected: f64, scale: f64) {
    let error = (found - expected).abs();
    assert!(error < 2e-6 * scale, "{what}: {found} is not {expected}");
}

/// Every row of evidence of some circuits that is possible.
fn for_rows(
    mut check: impl FnMut(&str, &CircuitGraph, &[ParameterValue], &[EvidenceCell]),
) -> usize {
    let mut n_rows = 0;
    for seed in 0..N_CIRCUITS {
        let workload = workload_of(Shape::Soup, seed);
        let (circuit, values) = (&workload.circuit, &workload.values);
        for kind in EVIDENCE {
            let mut dice = Dice::new(seed);
            let table = evidence(&workload, kind, 2, &mut dice, &mut Features::new());
            for row in 0..table.n_rows() {
                let cells = without_gaps(circuit, cells_of(circuit, &table, row));
                if log_root(circuit, values, &cells).is_finite() {
                    n_rows += 1;
                    let name = format!("seed {seed}, {kind:?}, row {row}");
                    check(&name, circuit, values, &cells);
                }
            }
        }
    }
    n_rows
}

fn row_flows<'a>(
    circuit: &'a CircuitGraph,
    values: &'a [ParameterValue],
    cells: &'a [EvidenceCell],
) -> RowFlows<'a> {
    flows(circuit, values, cells).expect("the row is possible")
}

fn counted(row: &RowFlows, circuit: &CircuitGraph) -> CircuitFlows {
    let mut sum = CircuitFlows::zero(circuit);
    row.add_to(&mut sum);
    sum
}

#[test]
fn flows_are_derivatives_by_entries() {
    let mut n_entries = 0;
    let n_rows = for_rows(|name, circuit, values, cells| {
        let row = row_flows(circuit, values, cells);
        let found = counted(&row, circuit);
        let entries = plain_entries(circuit);
        let stride = entries.len().div_ceil(MOST_ENTRIES).max(1);
        for &position in entries.iter().step_by(stride) {
            if values[position].is_zero() {
                assert_eq!(found.entries[position], 0.0, "{name}");
                continue;
            }
            n_entries += 1;
            let expected = by_entry(circuit, values, cells, position);
            let scale = row.log_value.abs().max(1.0);
            close(name, found.entries[position], expected, scale);
        }
    });
    println!("{n_entries} entries of {n_rows} rows");
    assert!(n_entries > 3_000);
}

#[test]
fn flows_into_leaves_are_derivatives_by_their_values() {
    for_rows(|name, circuit, values, cells| {
        let row = row_flows(circuit, values, cells);
        let found = counted(&row, circuit);
        for (at, changed, _) in distributions(circuit).take(MOST_ENTRIES) {
            let at_step = |step: f64| {
                let logs = log_values_over(circuit, values, |leaf| {
                    let cell = &cells[leaf.variable.index()];
                    let log_p = log_leaf(circuit, values, leaf, cell, EvaluationPurpose::Value);
                    if leaf == changed { log_p + step } else { log_p }
                });
                logs[circuit.root().index()]
            };
            let expected = (at_step(STEP) - at_step(-STEP)) / (2.0 * STEP);
            let total: f64 = match &found.leaves[at] {
                LeafFlows::None => continue,
                LeafFlows::Values(numbers) | LeafFlows::Bins(numbers) => numbers.iter().sum(),
                LeafFlows::Moments(numbers) => numbers[0] + numbers[1],
                LeafFlows::Grid(numbers) => numbers[0] + flow_of_grid(numbers),
            };
            close(name, total, expected, row.log_value.abs().max(1.0));
        }
    });
}

/// The flow of observed cells by their distances.
fn flow_of_grid(numbers: &[f64]) -> f64 {
    numbers[1..=numbers.len() / 2].iter().sum()
}

/// The derivative by the logarithm of the leaf's last parameter, from its moments.
fn slope(family: &Family, number: impl Fn(usize) -> f64, moments: &[f64; 4]) -> Option<f64> {
    let [seen, _, first, second] = *moments;
    Some(match family {
        Family::Normal(NormalDistribution) | Family::LogNormal(LogNormalDistribution) => {
            second / number(1).powi(2) - seen
        }
        Family::Exponential(ExponentialDistribution) => seen - number(0) * first,
        Family::Gamma(GammaDistribution) => number(0) * seen - number(1) * first,
        Family::Poisson(PoissonDistribution) => first - number(0) * seen,
        _ => return None,
    })
}

#[test]
fn moments_give_the_derivatives_by_parameters() {
    let mut n_leaves = 0;
    for_rows(|name, circuit, values, cells| {
        let row = row_flows(circuit, values, cells);
        let found = counted(&row, circuit);
        for (at, _, distribution) in distributions(circuit) {
            let position = |param_idx: usize| {
                let param = distribution.params[param_idx];
                circuit.parameter(param).entries().start
            };
            let number = |param_idx: usize| values[position(param_idx)].linear();
            let slope = match &found.leaves[at] {
                LeafFlows::Moments(moments) => slope(&distribution.family, number, moments),
                // Distances in scales, less one for each cell.
                LeafFlows::Grid(numbers) => {
                    let distances = numbers[numbers.len() / 2 + 1..].iter().map(|d| d.abs());
                    Some(distances.sum::<f64>() - flow_of_grid(numbers))
                }
                LeafFlows::None | LeafFlows::Values(_) | LeafFlows::Bins(_) => None,
            };
            let (Some(slope), None) = (slope, &distribution.truncation) else {
                continue;
            };
            n_leaves += 1;
            let last = position(distribution.params.len() - 1);
            let expected = by_entry(circuit, values, cells, last);
            let scale = slope.abs().max(row.log_value.abs()).max(1.0);
            close(name, slope, expected, scale);
        }
    });
    println!("{n_leaves} leaves");
    assert!(n_leaves > 100);
}

#[test]
fn a_gap_flows_as_weights_of_one_do() {
    for seed in 0..N_CIRCUITS {
        let workload = workload_of(Shape::Trees, seed);
        let (circuit, values) = (&workload.circuit, &workload.values);
        let mut dice = Dice::new(seed);
        let kind = EVIDENCE[1];
        let table = evidence(&workload, kind, 1, &mut dice, &mut Features::new());
        let cells = cells_of(circuit, &table, 0);
        let filled = without_gaps(circuit, cells.clone());
        let Some(row) = flows(circuit, values, &cells) else {
            continue;
        };
        let other = row_flows(circuit, values, &filled);
        let (gaps, ones) = (counted(&row, circuit), counted(&other, circuit));
        for (gap, one) in gaps.entries.iter().zip(&ones.entries) {
            assert!((gap - one).abs() < 1e-9, "seed {seed}: {gap} is not {one}");
        }
    }
}

#[test]
fn a_sum_hands_down_all_that_it_gets() {
    for_rows(|name, circuit, values, cells| {
        for row in [
            row_flows(circuit, values, cells),
            support_flows(circuit, values, cells),
        ] {
            let entering = row.contexts[circuit.root().index()];
            let used: Vec<bool> = (0..circuit.variables().len())
                .map(|at| {
                    circuit
                        .leaves()
                        .iter()
                        .any(|leaf| leaf.variable.index() == at)
                })
                .collect();
            let mut by_variable = vec![0.0; used.len()];
            for unit in circuit.units() {
                if let Some(leaf) = circuit.leaf_of(unit) {
                    by_variable[leaf.variable.index()] += row.contexts[unit.index()];
                }
            }
            for (flow, _) in by_variable.iter().zip(&used).filter(|(_, used)| **used) {
                let error = (flow - entering).abs();
                assert!(error <= 1e-12 * entering, "{name}: {flow} of {entering}");
            }
        }
    });
}
