//! Density leaves against the plain functions of leaves.

mod world;

use super::*;
use crate::circuit::{
    CategoricalDistribution, Domain, Family, GammaDistribution, HistogramDistribution, Leaf,
    LeafKind, LogNormalDistribution, NormalDistribution, ValueSet, VarId,
};
use crate::flow::{FlowGrid, LeafFlows};
use crate::kernel::{Frame, KernelPass, KernelTable, Precision, ROW_BYTES, Real};
use crate::plan::{DensityRun, ExponentId, PlanOperation, PlanRow};
use world::{Spec, World, counts, interval, large_counts, large_reals, reals, world};

/// What a forward pass of the leaves writes, and what a backward pass adds.
struct Answer<R> {
    values: Vec<R>,
    exponents: Vec<i32>,
    lost: u64,
    statistics: Vec<f64>,
}

fn run<R: Real>(
    table: &KernelTable,
    world: &World,
    leaves: &[LeafId],
    cells: &[f64],
    purpose: EvaluationPurpose,
) -> Answer<R> {
    let circuit = &world.circuit;
    let within = ValueBox::default();
    let densities =
        PreparedDensities::new(circuit, leaves, &circuit.start_values(), purpose, &within);
    let mut n_numbers = 0;
    let statistics = leaves.iter().map(|&leaf| {
        let first = n_numbers;
        n_numbers += n_statistics(circuit, circuit.leaf(leaf)) as u32;
        first
    });
    let op = PlanOperation::Density(DensityRun {
        variable: VarId::new(0),
        reals: 0,
        first_leaf: 0,
        n: leaves.len() as u32,
        out: PlanRow(0),
        exponent: ExponentId(0),
        statistics: statistics.collect(),
    });
    let mut reals = vec![0.0; R::LANES];
    reals[..cells.len()].copy_from_slice(cells);
    // Doubles align rows well enough for plain and wide kernels alike.
    #[repr(align(64))]
    #[derive(Clone, Copy)]
    struct Block<R: Real>(R::Lanes);
    let mut values = vec![Block::<R>(R::row(R::ZERO)); leaves.len()];
    let mut derivatives = vec![Block::<R>(R::row(R::from_f64(0.5))); leaves.len()];
    assert_eq!(size_of::<Block<R>>(), ROW_BYTES);
    let mut answer = Answer {
        values: Vec::new(),
        exponents: vec![77; R::LANES],
        lost: 0,
        statistics: vec![0.0; n_numbers as usize],
    };
    let frame = Frame {
        values: values.as_mut_ptr().cast(),
        derivatives: derivatives.as_mut_ptr().cast(),
        // Leaves have no weights to count; that there is a place for counts says that
        // statistics are wanted.
        counts: std::ptr::dangling_mut(),
        exponents: answer.exponents.as_mut_ptr(),
        reals: reals.as_ptr(),
        densities: (&raw const densities).cast(),
        statistics: answer.statistics.as_mut_ptr(),
        lost: &mut answer.lost,
        ..Frame::empty()
    };
    for pass in [KernelPass::Forward, KernelPass::Backward] {
        let (_, kernel) = table.get(&op, pass).expect("density leaves have a kernel");
        // SAFETY: the buffers were made for the operation.
        unsafe { kernel(&frame, &op) };
    }
    answer.values = values
        .iter()
        .flat_map(|block| block.0.as_ref().to_vec())
        .collect();
    answer
}

fn each_table(check: impl Fn(Precision, &KernelTable)) {
    for precision in [Precision::F32, Precision::F64] {
        check(precision, &KernelTable::portable(precision));
        if let Some(table) = KernelTable::wide(precision) {
            check(precision, &table);
        }
    }
}

/// Each leaf alone: its value is then what is left of its own logarithm.
fn compare_alone<R: Real>(table: &KernelTable, world: &World, purpose: EvaluationPurpose) {
    for (idx, leaf) in world.leaves().into_iter().enumerate() {
        let answer = run::<R>(table, world, &[leaf], &world.cells, purpose);
        for (lane, &x) in world.cells.iter().enumerate() {
            let expected = world.log(idx, x, purpose);
            let (value, exponent) = (answer.values[lane].to_f64(), answer.exponents[lane]);
            if expected / std::f64::consts::LN_2 < -1_048_577.0 && expected.is_finite() {
                assert_eq!(answer.lost >> lane & 1, 1, "leaf {idx} at {x}");
                continue;
            }
            assert_eq!(answer.lost >> lane & 1, 0, "leaf {idx} at {x}");
            if expected == f64::NEG_INFINITY {
                assert_eq!((value, exponent), (0.0, 0), "leaf {idx} at {x}");
                continue;
            }
            let whole = (0.999..2.001).contains(&value);
            assert!(whole, "leaf {idx} at {x}: {value}");
            let found = value.ln() + f64::from(exponent) * std::f64::consts::LN_2;
            let rounding = if size_of::<R>() == 4 { 3e-7 } else { 4e-13 };
            // Terms of a count's logarithm are this large before they cancel.
            let terms = if x > 1.0 { x * x.ln() } else { 1.0 };
            let error = (found - expected).abs() / expected.abs().max(0.1 * terms).max(1.0);
            assert!(
                error < rounding,
                "leaf {idx} ({purpose:?}) at {x}: {found} is not {expected}"
            );
        }
    }
}

#[test]
fn leaves_alone_give_their_density() {
    each_table(|precision, table| {
        for world in [reals(), counts(), large_reals(), large_counts()] {
            for purpose in [
                EvaluationPurpose::Value,
                EvaluationPurpose::Support,
                EvaluationPurpose::Max,
            ] {
                match precision {
                    Precision::F32 => compare_alone::<f32>(table, &world, purpose),
                    Precision::F64 => compare_alone::<f64>(table, &world, purpose),
                }
            }
        }
    });
}

/// All leaves together: one exponent, and lost bits where a leaf falls too far.
fn compare_together<R: Real>(table: &KernelTable, world: &World) {
    let leaves = world.leaves();
    let answer = run::<R>(
        table,
        world,
        &leaves,
        &world.cells,
        EvaluationPurpose::Value,
    );
    for (lane, &x) in world.cells.iter().enumerate() {
        let log2 = |idx| world.log(idx, x, EvaluationPurpose::Value) / std::f64::consts::LN_2;
        let largest = (0..leaves.len())
            .map(log2)
            .fold(f64::NEG_INFINITY, f64::max);
        let exponent = answer.exponents[lane];
        if largest.is_finite() && largest.abs() > 1_048_577.0 {
            assert_eq!(answer.lost >> lane & 1, 1, "{x}");
            continue;
        }
        if largest.is_finite() {
            assert!((largest - f64::from(exponent) - 0.5).abs() < 0.5001, "{x}")
        } else {
            assert_eq!(exponent, 0)
        }
        let mut is_lost = false;
        for idx in 0..leaves.len() {
            let rest = log2(idx) - f64::from(exponent);
            let value = answer.values[idx * R::LANES + lane].to_f64();
            let positive = rest >= f64::from(R::MIN_EXPONENT);
            is_lost |= !positive && rest.is_finite();
            let expected = if positive { rest.exp2() } else { 0.0 };
            let close = (value - expected).abs() <= 1e-6 * expected;
            assert!(close, "leaf {idx} at {x}: {value:e} is not {expected:e}");
        }
        assert_eq!(answer.lost >> lane & 1 == 1, is_lost, "{x}");
    }
}

#[test]
fn leaves_of_a_variable_share_an_exponent() {
    each_table(|precision, table| {
        for world in [reals(), counts()] {
            match precision {
                Precision::F32 => compare_together::<f32>(table, &world),
                Precision::F64 => compare_together::<f64>(table, &world),
            }
        }
    });
}

/// What [`LeafFlows`] documents, cell by cell.
fn expected_flows(circuit: &CircuitGraph, leaf: &Leaf, cells: &[f64], flows: &[f64]) -> Vec<f64> {
    let mut sums = LeafFlows::zero(circuit, leaf);
    let values = circuit.start_values();
    let LeafKind::Distribution(distribution) = &leaf.kind else {
        return Vec::new();
    };
    let mean = distribution
        .params
        .first()
        .map(|&param| values[circuit.parameter(param).entries().start].linear());
    for (&x, &flow) in cells.iter().zip(flows).filter(|pair| *pair.1 != 0.0) {
        match (&mut sums, &distribution.family, mean) {
            (LeafFlows::Bins(bins), Family::Histogram(HistogramDistribution { breaks }), _) => {
                let at = breaks
                    .windows(2)
                    .position(|b| b[0].value() <= x && x < b[1].value());
                bins[at.unwrap_or(breaks.len() - 1)] += flow;
            }
            (LeafFlows::Grid(sums), _, _) if x.is_nan() => sums[0] += flow,
            (LeafFlows::Grid(sums), _, _) => {
                FlowGrid::of(circuit, &values, distribution).add(x, flow, sums);
            }
            (LeafFlows::Moments(sums), _, _) if x.is_nan() => sums[1] += flow,
            (LeafFlows::Moments(sums), family, mean) => {
                let mean = mean.expect("families with moments have parameters");
                let (first, second) = match family {
                    Family::Normal(NormalDistribution) => (x - mean, (x - mean).powi(2)),
                    Family::LogNormal(LogNormalDistribution) => {
                        (x.ln() - mean, (x.ln() - mean).powi(2))
                    }
                    Family::Gamma(GammaDistribution) => (x, x.ln()),
                    _ => (x, 0.0),
                };
                sums[0] += flow;
                sums[2] += flow * first;
                sums[3] += flow * second;
            }
            _ => {}
        }
    }
    sums.numbers().to_vec()
}

fn compare_statistics<R: Real>(table: &KernelTable, world: &World) {
    let leaves = world.leaves();
    let answer = run::<R>(
        table,
        world,
        &leaves,
        &world.cells,
        EvaluationPurpose::Value,
    );
    let mut found = answer.statistics.as_slice();
    for (idx, &leaf) in leaves.iter().enumerate() {
        let mut cells = world.cells.clone();
        cells.resize(R::LANES, 0.0);
        let row = &answer.values[idx * R::LANES..(idx + 1) * R::LANES];
        let flows: Vec<f64> = row.iter().map(|value| 0.5 * value.to_f64()).collect();
        let leaf = world.circuit.leaf(leaf);
        let expected = expected_flows(&world.circuit, leaf, &cells, &flows);
        let (own, rest) = found.split_at(expected.len());
        found = rest;
        for (found, expected) in own.iter().zip(&expected) {
            let close = (found - expected).abs() <= 1e-12 * expected.abs().max(1.0);
            assert!(close, "leaf {idx}: {own:?} is not {expected:?}");
        }
    }
    assert!(found.is_empty());
}

#[test]
fn backward_passes_add_the_statistics_of_families() {
    each_table(|precision, table| {
        for world in [reals(), counts()] {
            match precision {
                Precision::F32 => compare_statistics::<f32>(table, &world),
                Precision::F64 => compare_statistics::<f64>(table, &world),
            }
        }
    });
}

#[test]
fn values_of_larger_ranges_are_looked_up() {
    let n = 5000;
    let entries: Vec<f64> = (0..n)
        .map(|at| f64::from(at) / f64::from(n * (n - 1) / 2))
        .collect();
    let domain = Domain::Range {
        low: 10,
        high: 10 + i64::from(n),
    };
    let specs: [Spec<'_>; 2] = [
        (
            Family::Categorical(CategoricalDistribution),
            &[&entries],
            None,
        ),
        (
            Family::Categorical(CategoricalDistribution),
            &[&entries],
            Some(ValueSet::integers(100, 200)),
        ),
    ];
    let cells = [
        f64::NAN,
        9.0,
        10.0,
        11.0,
        99.0,
        100.0,
        199.0,
        200.0,
        5009.0,
        5010.0,
    ];
    let world = world(domain, &specs, &[ValueSet::integers(12, 100)], &cells);
    for purpose in [
        EvaluationPurpose::Value,
        EvaluationPurpose::Support,
        EvaluationPurpose::Max,
    ] {
        compare_alone::<f64>(&KernelTable::portable(Precision::F64), &world, purpose);
    }
}

#[test]
fn an_infinite_mass_is_infinity() {
    let specs: [Spec<'_>; 1] = [(Family::Normal(NormalDistribution), &[&[0.0], &[1.0]], None)];
    let half = interval(0.0, f64::INFINITY);
    let world = world(Domain::Real, &specs, &[half], &[f64::NAN, -1.0]);
    assert_eq!(
        world.log(1, f64::NAN, EvaluationPurpose::Value),
        f64::INFINITY
    );
    each_table(|precision, table| {
        let (leaves, cells) = (world.leaves(), &world.cells);
        if precision == Precision::F32 {
            let answer = run::<f32>(table, &world, &leaves, cells, EvaluationPurpose::Value);
            assert_eq!((answer.values[0], answer.values[64]), (1.0, f32::INFINITY));
            assert_eq!((answer.exponents[0], answer.lost), (0, 0));
        }
    });
}
