//! What is in an object, a library and a header.

use super::harness::{Case, has, run, write};
use pelton_compiler::codegen::ahead::{BuildTarget, UnknownTarget, WeightsAre};
use pelton_compiler::kernel::Precision;
use pelton_runtime::{AheadOptions, build};
use pelton_tests::skip::skip;
use pelton_tests::workload::{Shape, workload_of};
use std::collections::BTreeSet;
use std::process::Command;

fn case() -> Case {
    let workload = workload_of(Shape::Soup, 3);
    Case {
        circuit: workload.circuit,
        values: workload.values,
        rows: Vec::new(),
    }
}

/// What may be left to the C library.
const FROM_C: [&str; 9] = [
    "exp",
    "free",
    "fma",
    "log",
    "log1p",
    "log2",
    "malloc",
    "sin",
    "_GLOBAL_OFFSET_TABLE_",
];

#[test]
fn objects_need_nothing_but_c() {
    if !has("nm") {
        return skip("symbols of objects", "there is no nm");
    }
    let folder = tempfile::tempdir().expect("there is room");
    for target in BuildTarget::ALL {
        write(
            folder.path(),
            "soup",
            &case().build("soup", target, Precision::F32),
        );
        let library = folder.path().join("libsoup.a");
        let undefined = run(Command::new("nm").arg("--undefined-only").arg(&library));
        for line in String::from_utf8_lossy(&undefined.stdout).lines() {
            let symbol = line.split_whitespace().last().unwrap_or_default();
            let is_known = symbol.is_empty() || line.ends_with(':') || FROM_C.contains(&symbol);
            assert!(is_known, "{line}");
        }
        let defined = run(Command::new("nm")
            .args(["-g", "--defined-only"])
            .arg(&library));
        let defined = String::from_utf8_lossy(&defined.stdout).into_owned();
        let defined: BTreeSet<&str> = defined
            .lines()
            .filter_map(|line| line.split_whitespace().nth(2))
            .collect();
        let indexed = run(Command::new("nm").arg("-s").arg(&library));
        let indexed = String::from_utf8_lossy(&indexed.stdout).into_owned();
        for symbol in defined {
            assert!(symbol.starts_with("soup_"), "{symbol}");
            assert!(indexed.contains(&format!("{symbol} in soup.o")), "{symbol}");
        }
    }
}

#[test]
fn equal_inputs_give_equal_files() {
    let build = || case().build("soup", BuildTarget::Aarch64, Precision::F64);
    let (first, second) = (build(), build());
    assert!(first.object == second.object && first.library == second.library);
    assert_eq!(first.header, second.header);
}

/// Code and structure do not depend on the values of parameters that are loaded.
#[test]
fn weights_of_other_values_fit_the_same_object() {
    let built = |p: f64| {
        let text = format!(
            "var a : bool; var x : real;\n\
             root ?{p}: a * x ~ normal(?{p}, ?2) + ?{}: !a * x ~ normal(1, 1);",
            1.0 - p
        );
        let circuit = pelton_tests::text::circuit(&text);
        let options = AheadOptions {
            name: "pair",
            target: BuildTarget::X86_64,
            precision: Precision::F32,
            weights: WeightsAre::Loaded,
            threads: 1,
        };
        let values = circuit.start_values();
        let case = Case {
            circuit,
            values,
            rows: Vec::new(),
        };
        build(case.checked(), case.values, &options).expect("it can be built")
    };
    let (first, second) = (built(0.25), built(0.5));
    assert!(first.object == second.object && first.header == second.header);
    let weights = [first.weights, second.weights].map(|weights| weights.expect("they are loaded"));
    assert_eq!(weights[0].len(), weights[1].len());
    assert_eq!(weights[0][..24], weights[1][..24], "what tells the circuit");
    assert_ne!(weights[0], weights[1]);
}

#[test]
fn headers_are_c_and_cpp() {
    let folder = tempfile::tempdir().expect("there is room");
    write(
        folder.path(),
        "soup",
        &case().build("soup", BuildTarget::Host, Precision::F64),
    );
    let source = folder.path().join("header.c");
    std::fs::write(
        &source,
        "#include \"soup.h\"\n#include \"soup.h\"\nint main(void) { return 0; }\n",
    )
    .expect("the folder can be written");
    let warnings = ["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only"];
    run(Command::new("cc")
        .args(["-std=c99"])
        .args(warnings)
        .arg(&source));
    if has("c++") {
        let language = ["-std=c++11", "-x", "c++"];
        run(Command::new("c++")
            .args(language)
            .args(warnings)
            .arg(&source));
    } else {
        skip("headers in C++", "there is no c++")
    }
}

#[test]
fn targets_have_the_names_that_other_tools_use() {
    for (name, target) in [
        ("host", BuildTarget::Host),
        ("x86_64-unknown-linux-gnu", BuildTarget::X86_64),
        ("x86_64-avx2", BuildTarget::X86_64V3),
        ("aarch64-unknown-linux-gnu", BuildTarget::Aarch64),
    ] {
        assert_eq!(name.parse(), Ok(target));
    }
    let error: UnknownTarget = "riscv".parse::<BuildTarget>().expect_err("no such target");
    let said = error.to_string();
    assert!(
        said.contains("`riscv`") && said.contains("x86_64-v3"),
        "{said}"
    );
}
