//! `pelton bench`

use super::run_on;
use pelton_tests::command::{field, json_lines};

const SMALL: &str = "const N = 8;\nvar x[0..N] : bool;
node mix[k in 0..2] = prod i in 0..N { x[i] ~ bernoulli(?) };
root sum k in 0..2 { ?: mix[k] };\n";

#[test]
fn json_has_the_keys_that_programs_rely_on() {
    let run = run_on(SMALL, "bench a.pcirc --quick --json --threads 1");
    assert_eq!(run.exit, Some(0), "{run:?}");
    let report = json_lines(&run.stdout).remove(0);
    assert!(report["peak_gflops"].as_f64().unwrap() > 0.0);
    let cases = report["cases"].as_array().unwrap();
    let kinds: Vec<&str> = cases.iter().map(|case| field(case, "kind")).collect();
    assert_eq!(kinds, ["compile", "forward", "flows"]);
    for case in cases {
        let keys: Vec<&str> = case
            .as_object()
            .unwrap()
            .keys()
            .map(String::as_str)
            .collect();
        assert_eq!(
            keys,
            [
                "name",
                "kind",
                "sum_edges",
                "rows",
                "threads",
                "seconds",
                "gflops",
                "fraction_of_peak",
                "ns_per_edge_sample"
            ]
        );
        assert_eq!(
            (&case["sum_edges"], &case["threads"]),
            (&2.into(), &1.into())
        );
        assert_eq!(case["gflops"].is_null(), field(case, "kind") == "compile");
    }
}

#[test]
fn people_get_a_table() {
    let run = run_on(SMALL, "bench a.pcirc --quick -D N=3");
    assert_eq!(run.exit, Some(0), "{run:?}");
    assert!(run.stdout.starts_with("peak of one core: "), "{run:?}");
    assert_eq!(run.stdout.lines().count(), 5, "{run:?}");
}

#[test]
fn wrong_circuits_are_told() {
    let run = run_on("root ;", "bench a.pcirc --quick");
    assert_eq!(run.exit, Some(1), "{run:?}");
}
