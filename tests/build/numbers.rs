//! Built objects against the library, on random circuits and rows.

use super::harness::{Case, Tools, evaluate, has};
use pelton_compiler::codegen::ahead::BuildTarget;
use pelton_compiler::kernel::Precision;
use pelton_compiler::plan::TABLE_DOMAIN;
use pelton_runtime::{Engine, Model, ModelOptions, log_normalizer};
use pelton_tests::dice::Dice;
use pelton_tests::skip::skip;
use pelton_tests::workload::{
    EvidenceKind, Features, SHAPES, Shape, Workload, cells_of, evidence, workload, workload_of,
};
use pelton_workload::hclt;

const CC: Tools = Tools {
    compiler: "cc",
    runner: None,
};

/// Rows of a kind, and as many whose cells come from different rows: most of those are
/// impossible in circuits that decide something.
fn rows(workload: &Workload, dice: &mut Dice) -> Vec<Vec<f64>> {
    let mut rows: Vec<Vec<f64>> = Vec::new();
    for kind in [
        EvidenceKind::Hard,
        EvidenceKind::Partial,
        EvidenceKind::Missing,
    ] {
        let n = if kind == EvidenceKind::Missing { 1 } else { 25 };
        let table = evidence(workload, kind, n, dice, &mut Features::new());
        for row in 0..n {
            let cells = cells_of(&workload.circuit, &table, row);
            rows.push(cells.iter().map(|cell| cell.observed()).collect());
        }
    }
    for _ in 0..rows.len() {
        let mixed = (0..rows[0].len()).map(|at| rows[dice.below(rows.len())][at]);
        let mixed = mixed.collect();
        rows.push(mixed);
    }
    rows
}

fn case(workload: Workload, seed: u64) -> Case {
    let rows = rows(&workload, &mut Dice::new(seed));
    Case {
        circuit: workload.circuit,
        values: workload.values,
        rows,
    }
}

/// Circuits of all shapes, and a hidden tree whose states underflow in single precision.
fn cases(seed: u64, n: u64) -> Vec<Case> {
    let shaped = SHAPES.iter().filter(|&&shape| shape != Shape::Wide);
    let shaped = shaped.map(|&shape| workload_of(shape, seed));
    let random = (seed..seed + n).map(workload);
    let tree = hclt(60, 1, 8, seed);
    let values = tree.start_values();
    let tree = Workload {
        circuit: tree,
        values,
        shape: Shape::Trees,
        features: Features::new(),
    };
    let all = shaped.chain(random).chain([tree]);
    let cases = all.map(|workload| case(workload, seed));
    cases.filter(has_mass).collect()
}

/// Whether there is anything to ask of a circuit: what is zero everywhere is not built.
fn has_mass(case: &Case) -> bool {
    let checked = case.checked();
    log_normalizer(checked.circuit(), checked.facts(), &case.values).is_ok()
}

/// What two ways to evaluate a row differ by.
#[derive(Debug, Default)]
struct Differences {
    n_rows: usize,
    n_impossible: usize,
    n_bits: usize,
    worst: f64,
}

/// Compares every row with the library's generated code.
fn compare(
    cases: &[Case],
    found: &[Vec<f64>],
    precision: Precision,
    baseline: bool,
) -> Differences {
    let options = ModelOptions {
        engine: Engine::Cranelift,
        precision,
        baseline,
        threads: 1,
        ..ModelOptions::default()
    };
    let mut differences = Differences::default();
    for (case, found) in cases.iter().zip(found) {
        let model = Model::compile(case.checked(), &options).expect("the engine works here");
        let parameters = model.parameters(case.values.clone());
        let expected = model.log_likelihoods(&parameters, &case.table(), 1);
        let divisor = model.log_divisor(&parameters).unwrap_or(0.0);
        let expected = expected.over(divisor);
        for (&found, &expected) in found.iter().zip(&expected.logs) {
            differences.n_rows += 1;
            differences.n_impossible += usize::from(expected == f64::NEG_INFINITY);
            if found.to_bits() != expected.to_bits() {
                differences.n_bits += 1;
                let by = (found - expected).abs() / (1.0 + expected.abs());
                assert!(by < 1e-4, "{found} for {expected}");
                differences.worst = differences.worst.max(by);
            }
        }
    }
    differences
}

/// Rows that differ in their bits lost something: the library looks at them again with
/// twice the digits, and computes densities in logarithms by other formulas.
fn assert_equal(target: BuildTarget, baseline: bool, tools: &Tools, (seed, n): (u64, u64)) {
    for (precision, bound) in [(Precision::F64, 1e-12), (Precision::F32, 1e-6)] {
        let (real, finite): (Vec<Case>, Vec<Case>) =
            cases(seed, n).into_iter().partition(has_densities);
        for (cases, bound, most_bits) in [(real, bound, 1.0), (finite, 1e-15, 0.15)] {
            let found = evaluate(&cases, target, precision, tools);
            let differences = compare(&cases, &found, precision, baseline);
            eprintln!("{} {}: {differences:?}", target.name(), precision.name());
            assert!(differences.worst < bound, "{differences:?}");
            assert!(differences.n_impossible > 5, "{differences:?}");
            // The functions of another machine's C library may round otherwise.
            if target != BuildTarget::Aarch64 {
                let most = differences.n_rows as f64 * most_bits;
                assert!(differences.n_bits as f64 <= most, "{differences:?}");
            }
        }
    }
}

/// Whether a variable's values are not evaluated by tables.
fn has_densities(case: &Case) -> bool {
    let variables = case.circuit.variables().iter();
    let mut sizes = variables.map(|variable| variable.domain.size());
    sizes.any(|size| size.is_none_or(|size| size > TABLE_DOMAIN))
}

#[test]
fn objects_for_the_host_give_what_the_library_gives() {
    assert_equal(BuildTarget::Host, false, &CC, (1, 60));
}

/// Parameters for which the terms of formulas would be large numbers that cancel.
#[test]
fn objects_keep_the_digits_of_large_parameters() {
    let text = "var a, b, c, d : nat;
        var g : real;
        root a ~ poisson(1e12) * b ~ binomial(16777216, 0.3) * g ~ gamma(1e12, 0.3)
            * c ~ negative_binomial(3, 1e-12)
            * d ~ hypergeometric(16777216, 8000000, 4000000);";
    let circuit = pelton_tests::text::circuit(text);
    let [x, y, z] = [3.333_34e12, 3.333_343e12, 3.333_33e12];
    let case = Case {
        values: circuit.start_values(),
        circuit,
        rows: vec![
            vec![1e12, 5_033_164.0, 3e12, 1_907_300.0, x],
            vec![1_000_002_000_000.0, 5_036_000.0, 0.0, 1_909_000.0, y],
            vec![f64::NAN, 5_030_000.0, 5e12, f64::NAN, z],
        ],
    };
    let cases = [case];
    let found = evaluate(&cases, BuildTarget::Host, Precision::F64, &CC);
    let differences = compare(&cases, &found, Precision::F64, false);
    assert!(differences.worst < 1e-13, "{differences:?}");
}

#[test]
fn objects_for_any_x86_give_what_the_library_gives_without_fused_operations() {
    if cfg!(target_arch = "x86_64") {
        assert_equal(BuildTarget::X86_64, true, &CC, (100, 30));
    }
}

#[test]
fn objects_for_newer_x86_give_what_the_library_gives() {
    #[cfg(target_arch = "x86_64")]
    if std::is_x86_feature_detected!("avx2") && std::is_x86_feature_detected!("fma") {
        assert_equal(BuildTarget::X86_64V3, false, &CC, (200, 30))
    } else {
        skip("newer x86", "this CPU has no AVX2")
    }
}

/// Both machines fuse multiply-adds where the library does, so that only C's own
/// functions may differ.
#[test]
fn objects_for_arm_give_what_the_library_gives() {
    let tools = match (cfg!(target_arch = "aarch64"), has("aarch64-linux-gnu-gcc")) {
        (true, _) => CC,
        (false, true) if has("qemu-aarch64") => Tools {
            compiler: "aarch64-linux-gnu-gcc",
            runner: Some(&["qemu-aarch64"]),
        },
        _ => {
            let why = "there is no aarch64-linux-gnu-gcc or qemu-aarch64; tests/install-qemu";
            return skip("objects for ARM", why);
        }
    };
    assert_equal(BuildTarget::Aarch64, false, &tools, (300, 30));
}
