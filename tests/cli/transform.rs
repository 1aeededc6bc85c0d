//! `pelton condition`, `marginalize`, `multiply`, `smooth`, `prune` and `mix`

use super::{PELTON, Run, assert_ends_well, folder_with};
use serde_json::Value;
use tempfile::TempDir;

const DAYS: &str = "var rain, wet : bool;
var temp : real;
node rainy = wet ~ bernoulli(0.9) * temp ~ normal(5, 2);
node dry = wet ~ bernoulli(0.2) * temp ~ normal(15, 4);
root 0.3: rain * rainy + 0.7: !rain * dry;
assert root is deterministic, normalized;
query P(rain);
query P(rain | wet);
";

fn run(folder: &TempDir, words: &[&str]) -> Run {
    let run = PELTON.run(folder.path(), words);
    assert_ends_well(&run);
    run
}

fn days() -> TempDir {
    folder_with(DAYS)
}

fn with_file(folder: &TempDir, name: &str, text: &str) {
    std::fs::write(folder.path().join(name), text).unwrap();
}

/// What `pelton check` prints of a file that was written.
fn checked(folder: &TempDir, name: &str) -> String {
    let run = run(folder, &["check", name]);
    assert_eq!(run.exit, Some(0), "{run:?}");
    run.stdout
}

fn json(run: &Run) -> Value {
    assert_eq!(run.exit, Some(0), "{run:?}");
    serde_json::from_str(&run.stdout).unwrap()
}

#[test]
fn every_command_writes_source_and_model_files_alike() {
    let folder = days();
    with_file(
        &folder,
        "short.pcirc",
        "var a, b : bool; root 0.5: a * b + 0.5: !a;",
    );
    let commands: [&[&str]; 6] = [
        &["condition", "a.pcirc", "wet, temp <= 10"],
        &["marginalize", "a.pcirc", "--out", "temp"],
        &["multiply", "a.pcirc", "a.pcirc", "--normalize"],
        &["smooth", "short.pcirc"],
        &["prune", "a.pcirc", "--below", "0.35"],
        &["mix", "a.pcirc", "a.pcirc", "--weights", "0.25,0.75"],
    ];
    for words in commands {
        let printed = run(&folder, words);
        assert_eq!(printed.exit, Some(0), "{printed:?}");
        let to = |name: &'static str| [words, &["-o", name][..]].concat();
        let silent = run(&folder, &to("out.pcirc"));
        assert_eq!(
            (silent.exit, silent.stdout.as_str()),
            (Some(0), ""),
            "{silent:?}"
        );
        let written = std::fs::read_to_string(folder.path().join("out.pcirc")).unwrap();
        assert_eq!(written, printed.stdout, "{words:?}");
        assert_eq!(run(&folder, &to("out.pelton")).exit, Some(0), "{words:?}");
        let answers = |text: String| -> Vec<String> {
            let lines = text.lines().filter(|line| line.contains('='));
            lines.map(str::to_string).collect()
        };
        let same = [
            checked(&folder, "out.pcirc"),
            checked(&folder, "out.pelton"),
        ]
        .map(answers);
        assert_eq!(same[0], same[1], "{words:?}");
        let told = json(&run(
            &folder,
            &[words, &["-o", "out.pcirc", "--json"]].concat(),
        ));
        assert_eq!(told["output"], "out.pcirc");
        assert!(told["units"].as_u64().unwrap() > 0, "{told}");
    }
}

#[test]
fn conditioning_answers_like_a_query() {
    let folder = days();
    let words = ["condition", "a.pcirc", "wet", "-o", "wet.pcirc", "--json"];
    let told = run(&folder, &words);
    assert!(
        told.stderr.contains("1 query was dropped"),
        "{}",
        told.stderr
    );
    let told = json(&told);
    assert!(
        (told["log_evidence"].as_f64().unwrap() - 0.41f64.ln()).abs() < 1e-12,
        "{told}"
    );
    assert_eq!(
        (&told["kind"], &told["variables"]),
        (&"probability".into(), &2.into())
    );
    let answers = checked(&folder, "wet.pcirc");
    assert!(answers.contains("P(rain) = 0.658537"), "{answers}");
    let kept = run(
        &folder,
        &["condition", "a.pcirc", "wet, temp = 10", "--keep"],
    );
    assert!(
        kept.stdout.contains("var rain, wet : bool;"),
        "{}",
        kept.stdout
    );
    assert!(
        kept.stderr.contains("points have no indicator"),
        "{}",
        kept.stderr
    );
    assert!(kept.stderr.contains("log-density"), "{}", kept.stderr);
    let either = run(
        &folder,
        &["condition", "a.pcirc", "wet || temp < 0", "-o", "b.pelton"],
    );
    assert_eq!(either.exit, Some(0), "{either:?}");
}

#[test]
fn impossible_and_unclear_events_are_told() {
    let folder = days();
    let exit = |event: &str| run(&folder, &["condition", "a.pcirc", event, "-o", "out.pcirc"]);
    for event in ["rain, !rain", "rain && !rain"] {
        let run = exit(event);
        assert_eq!(run.exit, Some(3), "{run:?}");
        assert!(run.stderr.contains("probability zero"), "{}", run.stderr);
    }
    for event in [
        "snow",
        "rain | wet",
        "temp",
        "wet; root rain",
        "(",
        "rain = 7",
    ] {
        let run = exit(event);
        assert_eq!(run.exit, Some(2), "{event}: {run:?}");
        assert!(!run.stderr.is_empty());
    }
    let all = exit("rain, wet, temp = 3");
    assert_eq!(all.exit, Some(1), "{all:?}");
    assert!(all.stderr.contains("--keep"), "{}", all.stderr);
    assert!(!folder.path().join("out.pcirc").exists());
}

#[test]
fn marginals_name_their_variables() {
    let folder = days();
    let onto = run(&folder, &["marginalize", "a.pcirc", "--onto", "rain, wet"]);
    let out = run(&folder, &["marginalize", "a.pcirc", "--out", "temp"]);
    assert_eq!(onto.stdout, out.stdout);
    assert!(
        onto.stdout.contains("query P(rain | wet)"),
        "{}",
        onto.stdout
    );
    let unknown = run(&folder, &["marginalize", "a.pcirc", "--onto", "rian"]);
    assert_eq!(unknown.exit, Some(2));
    assert!(
        unknown.stderr.contains("did you mean `rain`"),
        "{}",
        unknown.stderr
    );
    for words in [
        &["marginalize", "a.pcirc"][..],
        &["marginalize", "a.pcirc", "--onto", "rain", "--out", "wet"],
        &["marginalize", "a.pcirc", "--onto", ""],
        &["marginalize", "a.pcirc", "--out", "rain,wet,temp"],
    ] {
        assert_eq!(run(&folder, words).exit, Some(2), "{words:?}");
    }
    // Without `rain`, nothing tells the two children apart.
    let lost = run(&folder, &["marginalize", "a.pcirc", "--out", "rain"]);
    assert!(
        lost.stderr.contains("deterministic was dropped"),
        "{}",
        lost.stderr
    );
    assert!(
        lost.stdout.contains("assert root is normalized;"),
        "{}",
        lost.stdout
    );
}

#[test]
fn products_that_do_not_fit_are_told() {
    let folder =
        folder_with("var a, b, c : bool; node ab = 0.5: a * b + 0.5: !a * !b; root ab * c;");
    with_file(
        &folder,
        "b.pcirc",
        "var a, b, c : bool; node bc = 0.5: b * c + 0.5: !b * !c; root a * bc;",
    );
    let crossing = run(&folder, &["multiply", "a.pcirc", "b.pcirc"]);
    assert_eq!(crossing.exit, Some(1), "{crossing:?}");
    assert!(
        crossing.stderr.contains("`ab` over {a, b}"),
        "{}",
        crossing.stderr
    );
    assert!(
        crossing.stderr.contains("`bc` over {b, c}"),
        "{}",
        crossing.stderr
    );
    for says in [
        "a.pcirc:1:31",
        "b.pcirc:1:31",
        "the product of two circuits is exact if the circuits are compatible",
        "`marginalize` out what one circuit splits unlike the other",
    ] {
        assert!(crossing.stderr.contains(says), "{}", crossing.stderr);
    }
    with_file(&folder, "c.pcirc", "var a : 0..2; root a ~ uniform();");
    let domains = run(&folder, &["multiply", "a.pcirc", "c.pcirc"]);
    assert_eq!(domains.exit, Some(1));
    assert!(
        domains.stderr.contains("`a` has the domain bool"),
        "{}",
        domains.stderr
    );
    with_file(&folder, "d.pcirc", "var a : bool; root !a;");
    with_file(&folder, "e.pcirc", "var a : bool; root a;");
    assert_eq!(
        run(&folder, &["multiply", "d.pcirc", "e.pcirc"]).exit,
        Some(3)
    );
    assert_eq!(run(&folder, &["multiply", "-", "-"]).exit, Some(2));
    let large = run(
        &folder,
        &["multiply", "a.pcirc", "a.pcirc", "--max-size", "20"],
    );
    assert_eq!(large.exit, Some(1), "{large:?}");
    assert!(large.stderr.contains("--max-size"), "{}", large.stderr);
}

#[test]
fn smoothing_says_what_it_filled() {
    let folder = folder_with("var a : bool; var k : 0..4; root 0.5: a * [k = 1] + 0.5: !a;");
    let uniform = run(&folder, &["smooth", "a.pcirc", "-o", "b.pcirc"]);
    assert!(
        uniform.stderr.contains("k ~ uniform()"),
        "{}",
        uniform.stderr
    );
    assert!(checked(&folder, "b.pcirc").contains("normalized"));
    let logic = run(&folder, &["smooth", "a.pcirc", "--logic", "-o", "c.pcirc"]);
    assert!(
        logic.stderr.contains("|domain|") && logic.stderr.contains("k: 1 for each value"),
        "{}",
        logic.stderr
    );
    let again = run(&folder, &["smooth", "b.pcirc"]);
    assert!(again.stderr.contains("smooth as it is"), "{}", again.stderr);
    assert_eq!(
        again.stdout,
        std::fs::read_to_string(folder.path().join("b.pcirc")).unwrap()
    );
    // What has no uniform distribution, and what is wrong otherwise.
    let real = folder_with("var a : bool; var t : real; root 0.5: a * t ~ normal(0, 1) + 0.5: !a;");
    assert_eq!(run(&real, &["smooth", "a.pcirc"]).exit, Some(1));
    let tangled = folder_with("var a : bool; root a * !a;");
    let tangled = run(&tangled, &["smooth", "a.pcirc", "-o", "out.pcirc"]);
    assert_eq!((tangled.exit, tangled.stdout.as_str()), (Some(1), ""));
}

#[test]
fn pruning_by_weights_and_by_flows() {
    let text = "var x : 0..3; var y : bool;
        root ?0.5: [x = 0] * y + ?0.4999: [x = 1] * y ~ bernoulli(?0.5) + ?0.0001: [x = 2] * !y;";
    let folder = folder_with(text);
    let told = json(&run(
        &folder,
        &[
            "prune", "a.pcirc", "--below", "0.001", "-o", "b.pcirc", "--json",
        ],
    ));
    assert_eq!((&told["dropped"], &told["tied"]), (&1.into(), &0.into()));
    let bound = told["divergence_bound"].as_f64().unwrap();
    assert!((bound + 0.9999f64.ln()).abs() < 1e-12, "{told}");
    let learned = std::fs::read_to_string(folder.path().join("b.pcirc")).unwrap();
    assert!(
        learned.contains("?0.5") && !learned.contains("x = 2"),
        "{learned}"
    );
    // Rows that never take the second edge.
    with_file(&folder, "rows.csv", "x,y\n0,1\n0,1\n2,0\n0,1\n");
    let words = [
        "prune", "a.pcirc", "--below", "0.01", "--data", "rows.csv", "-o", "c.pcirc", "--json",
    ];
    let told = json(&run(&folder, &words));
    assert_eq!(
        (&told["dropped"], &told["zero_rows"]),
        (&1.into(), &0.into()),
        "{told}"
    );
    let before = told["mean_log_likelihood_before"].as_f64().unwrap();
    assert!(
        told["mean_log_likelihood"].as_f64().unwrap() > before,
        "{told}"
    );
    // One edge stays, whatever the bound.
    let all = json(&run(
        &folder,
        &[
            "prune", "a.pcirc", "--below", "10", "-o", "d.pcirc", "--json",
        ],
    ));
    assert_eq!(all["dropped"], 2, "{all}");
    checked(&folder, "d.pcirc");
    for below in ["-1", "nan", "much"] {
        let words = ["prune", "a.pcirc", &format!("--below={below}")];
        assert_eq!(run(&folder, &words).exit, Some(2), "{below}");
    }
    with_file(&folder, "none.csv", "x,y\n1,\n");
    with_file(&folder, "zero.csv", "x,y\n2,1\n");
    let zero = run(
        &folder,
        &["prune", "a.pcirc", "--below", "0.1", "--data", "zero.csv"],
    );
    assert_eq!(zero.exit, Some(3), "{zero:?}");
}

#[test]
fn mixtures_are_weighed_by_hand_or_by_data() {
    let folder = folder_with("var a, b : bool; root a ~ bernoulli(?0.9) * b ~ bernoulli(0.5);");
    with_file(
        &folder,
        "b.pcirc",
        "var b, a : bool; root a ~ bernoulli(0.1) * b ~ bernoulli(0.5);",
    );
    // Three quarters of the rows have `a`: 0.1 + 0.8 w = 0.75.
    with_file(&folder, "rows.csv", "a,b\n1,0\n1,1\n1,0\n0,1\n");
    let words = [
        "mix", "a.pcirc", "b.pcirc", "--fit", "rows.csv", "-o", "m.pcirc", "--json",
    ];
    let told = json(&run(&folder, &words));
    let weight = told["weights"][0].as_f64().unwrap();
    assert!((weight - 0.8125).abs() < 1e-3, "{told}");
    let text = std::fs::read_to_string(folder.path().join("m.pcirc")).unwrap();
    assert!(
        text.contains("bernoulli(?0.9)") && text.contains("bernoulli(0.1)"),
        "{text}"
    );
    let even = json(&run(
        &folder,
        &["mix", "a.pcirc", "b.pcirc", "-o", "e.pelton", "--json"],
    ));
    assert_eq!(even["weights"], serde_json::json!([0.5, 0.5]));
    for weights in [
        "0.3",
        "0.3,0.3",
        "0.5,0.25,0.25",
        "1.5,-0.5",
        "nan,1",
        "a,b",
    ] {
        let words = ["mix", "a.pcirc", "b.pcirc", &format!("--weights={weights}")];
        let run = run(&folder, &words);
        assert_eq!(run.exit, Some(2), "{weights}: {run:?}");
    }
    assert_eq!(run(&folder, &["mix", "a.pcirc"]).exit, Some(2));
    with_file(&folder, "c.pcirc", "var a : bool; root a;");
    let lacks = run(&folder, &["mix", "a.pcirc", "c.pcirc"]);
    assert_eq!(lacks.exit, Some(1));
    assert!(
        lacks.stderr.contains("circuit 2 has no variable `b`"),
        "{}",
        lacks.stderr
    );
}

#[test]
fn places_that_cannot_be_written_are_told_first() {
    let folder = days();
    for target in ["no/such/folder.pcirc", "out.txt", "out"] {
        let words = ["condition", "a.pcirc", "wet", "-o", target];
        let run = run(&folder, &words);
        assert_eq!(run.exit, Some(2), "{run:?}");
        assert!(run.stderr.contains(target), "{}", run.stderr);
    }
    let json = run(&folder, &["condition", "a.pcirc", "wet", "--json"]);
    assert_eq!(json.exit, Some(2), "{json:?}");
    let wrong = folder_with("var a, b : bool; root 0.5: a + 0.5: b;");
    for words in [
        &["condition", "a.pcirc", "a"][..],
        &["marginalize", "a.pcirc", "--onto", "a"],
        &["multiply", "a.pcirc", "a.pcirc"],
        &["prune", "a.pcirc", "--below", "0"],
        &["mix", "a.pcirc", "a.pcirc"],
    ] {
        assert_eq!(run(&wrong, words).exit, Some(1), "{words:?}");
    }
}
