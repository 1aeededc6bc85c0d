//! Leaves with extreme parameters: what is drawn can be read again, and no answer is NaN.

use super::{PELTON, folder_with};
use pelton_tests::command::{Run, json_lines};
use std::path::Path;

/// Domains and leaves whose samples are numbers.
const LEAVES: &[(&str, &str)] = &[
    ("real", "normal(1e300, 1e-10)"),
    ("real", "normal(0, 1e300)"),
    ("real", "lognormal(5, 40)"),
    ("real", "lognormal(-700, 5)"),
    ("real", "exponential(1e-300)"),
    ("real", "exponential(1e300)"),
    ("real", "laplace(1e300, 1e-300)"),
    ("real", "gamma(1e-5, 1)"),
    ("real", "gamma(1e15, 1e-250)"),
    ("nat", "poisson(1e15)"),
    ("nat", "poisson(1e-300)"),
    ("nat", "geometric(1e-13)"),
    ("nat", "geometric(1e-17) in [0, 1000]"),
    ("nat", "negative_binomial(16000000, 1e-7)"),
    ("nat", "binomial(16777216, 0.5)"),
    ("nat", "binomial(16777216, 1e-17)"),
    ("nat", "hypergeometric(500, 250, 250)"),
    ("nat", "hypergeometric(16777216, 8388607, 8388607)"),
    ("nat", "poisson(1e16) in [0, 9007199254740000]"),
    ("bool", "bernoulli(1e-17)"),
];

/// Leaves with mass where samples end.
const BEYOND: &[(&str, &str)] = &[
    ("nat", "poisson(1e16)"),
    ("nat", "geometric(1e-17)"),
    ("nat", "negative_binomial(2, 1e-16)"),
    ("real", "lognormal(5, 400)"),
    ("real", "normal(0, 1e308)"),
    ("real", "laplace(0, 1e307)"),
    ("real", "exponential(1e-308)"),
];

fn circuit_of((domain, leaf): (&str, &str)) -> String {
    format!("var x : {domain};\nroot x ~ {leaf};\n")
}

fn run(folder: &Path, words: &str) -> Run {
    PELTON.run(folder, words.split_whitespace())
}

#[test]
fn samples_can_be_read_again() {
    for &leaf in LEAVES {
        let folder = folder_with(circuit_of(leaf));
        let drawn = run(folder.path(), "sample a.pcirc -n 300 --seed 7 -o drawn.csv");
        assert_eq!(drawn.exit, Some(0), "{leaf:?}: {drawn:?}");
        let found = run(folder.path(), "eval a.pcirc --data drawn.csv --json");
        assert_eq!(found.exit, Some(0), "{leaf:?}: {found:?}");
        let mean = json_lines(&found.stdout)[0]["mean_log_likelihood"].as_f64();
        assert!(mean.is_some_and(f64::is_finite), "{leaf:?}: {found:?}");
    }
}

#[test]
fn what_is_too_large_is_not_drawn() {
    for &leaf in BEYOND {
        let folder = folder_with(circuit_of(leaf));
        std::fs::write(folder.path().join("rows.csv"), "x\n?\n").unwrap();
        for words in ["sample a.pcirc", "sample a.pcirc --data rows.csv"] {
            let found = run(folder.path(), words);
            assert_eq!(found.exit, Some(4), "{leaf:?}: {found:?}");
            let tells = found.stderr.contains("where samples end");
            assert!(tells, "{leaf:?}: {found:?}");
        }
        let given = ["sample", "a.pcirc", "-n", "20", "--given", "x in [1, 1000)"];
        let found = PELTON.run(folder.path(), given);
        assert_eq!(found.exit, Some(0), "{leaf:?}: {found:?}");
    }
}

#[test]
fn no_answer_is_not_a_number() {
    let words = [
        "marginals a.pcirc",
        "marginals a.pcirc --json",
        "moments a.pcirc",
        "entropy a.pcirc",
        "map a.pcirc",
        "query a.pcirc P(x>10) P(x<=3)",
    ];
    for &leaf in LEAVES.iter().chain(BEYOND) {
        let folder = folder_with(circuit_of(leaf));
        for words in words {
            if leaf.0 == "bool" && words.contains('>') {
                continue;
            }
            let found = run(folder.path(), words);
            let is_told = found.exit == Some(4) || !found.stdout.contains("NaN");
            assert!(is_told, "{leaf:?}, {words}: {found:?}");
        }
    }
    let folder = folder_with(circuit_of(("real", "lognormal(5, 40)")));
    let found = run(folder.path(), "marginals a.pcirc");
    assert_eq!(found.stdout, "x  mean inf, sd inf\n", "{found:?}");
}
