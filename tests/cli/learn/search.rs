//! `pelton learn hclt --budget`

use super::*;

fn trials(report: &Value) -> &Vec<Value> {
    report["trials"].as_array().unwrap()
}

#[test]
fn trials_are_told_and_their_weights_add_up() {
    let folder = packing();
    let words = format!("--valid v.csv --test s.csv {FILES} --budget 2s --report r.json");
    let report = report(&learn(&folder, "hclt", &words));
    let trials = trials(&report);
    assert!(!trials.is_empty());
    let total: f64 = trials.iter().map(|trial| number(&trial["weight"])).sum();
    assert!((total - 1.0).abs() < 1e-9, "{total}");
    for key in [
        "hidden",
        "trees",
        "tree_choice",
        "init",
        "pseudocount",
        "softness",
        "entropy",
        "seed",
        "train_ll",
        "valid_ll",
        "valid_zero_rows",
        "best_epoch",
        "epochs",
        "sum_edges",
        "seconds",
        "weight",
    ] {
        assert!(!trials[0][key].is_null(), "{key}");
    }
    for trial in trials {
        let (whole, own) = (&report["valid_ll"], &trial["valid_ll"]);
        assert!(number(whole) >= number(own) - 1e-9, "{trial}");
    }
    assert_eq!(report["structure"]["kind"], "hclt");
    assert_eq!(report["budget_seconds"], 2.0);
    let splits = [
        ("t.csv", "train_ll"),
        ("v.csv", "valid_ll"),
        ("s.csv", "test_ll"),
    ];
    assert_usable(&folder, &report, &splits);
    let written: Value = serde_json::from_slice(&read(&folder, "r.json")).unwrap();
    assert_eq!(written, report);
}

#[test]
fn people_get_a_table_of_trials() {
    let folder = packing();
    let run = learn(&folder, "hclt", "--valid v.csv -o o.pelton --budget 0.5s");
    assert_eq!(run.exit, Some(0), "{run:?}");
    assert!(
        run.stdout.trim_start().starts_with("trees  hidden"),
        "{run:?}"
    );
    assert!(run.stdout.contains("in the ensemble"), "{run:?}");
    assert_eq!(run.stderr, "");
}

#[test]
fn what_is_given_is_not_searched_for() {
    let folder = packing();
    let words = "--valid v.csv -o o.pelton --json --budget 0.5s --hidden 3 --trees 2 \
                 --pseudocount 0.7 --softness 0 --entropy 0.02 --tree-choice best";
    let report = report(&learn(&folder, "hclt", words));
    for trial in trials(&report) {
        for (key, value) in [("hidden", 3), ("trees", 2)] {
            assert_eq!(trial[key], value, "{key}");
        }
        for (key, value) in [("pseudocount", 0.7), ("softness", 0.0), ("entropy", 0.02)] {
            assert_eq!(trial[key], value, "{key}");
        }
        assert_eq!(trial["tree_choice"], "best");
    }
}

/// The first trial has an epoch, however short the time is.
#[test]
fn the_shortest_budget_gives_a_model() {
    let folder = packing();
    let words = format!("--valid v.csv {FILES} --budget 0.001s");
    let report = report(&learn(&folder, "hclt", &words));
    assert!(!trials(&report).is_empty());
    assert_usable(&folder, &report, &[("v.csv", "valid_ll")]);
}
