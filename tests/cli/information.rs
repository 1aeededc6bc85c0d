//! `pelton entropy`, `kl`, `mi`, `moments`, `count` and `queries`.

use crate::{PELTON, assert_ends_well, folder_with, run_on, run_with_input};
use pelton_tests::command::{Run, json_lines};
use serde_json::{Value, json};

const COIN: &str = "var rain : bool;\nroot 0.25: rain + 0.75: !rain;\n";
const PAIR: &str = "var rain, wet : bool;\nroot 0.5: rain * wet + 0.5: !rain * !wet;\n";
const MIXTURE: &str = "var x : real;\nvar sky : {clear, cloudy};\n\
    root 0.5: x ~ normal(0, 1) * sky ~ uniform() + 0.5: x ~ normal(4, 1) * sky ~ uniform();\n";

fn object(run: &Run) -> Value {
    assert_eq!(run.exit, Some(0), "{run:?}");
    json_lines(&run.stdout).remove(0)
}

fn number(object: &Value, key: &str) -> f64 {
    object[key]
        .as_f64()
        .unwrap_or_else(|| panic!("{key} in {object}"))
}

#[track_caller]
fn close(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-9, "{found} is not {expected}");
}

/// Runs `pelton kl` on two texts.
fn kl(first: &str, second: &str, words: &str) -> Run {
    let folder = folder_with(first);
    std::fs::write(folder.path().join("b.pcirc"), second).unwrap();
    let words = format!("kl a.pcirc b.pcirc {words}");
    PELTON.run(folder.path(), words.split_whitespace())
}

#[test]
fn entropy_in_any_unit() {
    let found = object(&run_on(PAIR, "entropy a.pcirc --json"));
    close(number(&found, "entropy"), 2_f64.ln());
    assert_eq!(
        (
            &found["unit"],
            &found["method"],
            &found["kind"],
            &found["of"]
        ),
        (
            &json!("nats"),
            &json!("structure"),
            &json!("shannon"),
            &json!("variables")
        )
    );
    assert_eq!(found["states"], Value::Null);
    let bits = object(&run_on(PAIR, "entropy a.pcirc --json --base 2"));
    close(number(&bits, "entropy"), 1.0);
    assert_eq!(bits["unit"], "bits");
    let run = run_on(PAIR, "entropy a.pcirc");
    assert_eq!(
        run.stdout,
        "entropy                    0.693147 nats\n                     of variables; exact, by the structure of the circuit\n"
    );
}

#[test]
fn entropy_given_what_is_known() {
    let day = "var rain, wet : bool;\nroot 0.3: rain * (0.9: wet + 0.1: !wet) + 0.7: !rain * (0.2: wet + 0.8: !wet);\n";
    let coin = |p: f64| -p * p.ln() - (1.0 - p) * (1.0 - p).ln();
    let ask = |given: &str, more: &str| {
        let folder = folder_with(day);
        let words = ["entropy", "a.pcirc", "--json", "--given", given];
        PELTON.run(
            folder.path(),
            words.into_iter().chain(more.split_whitespace()),
        )
    };
    let found = object(&ask("rain", ""));
    close(number(&found, "entropy"), coin(0.9));
    assert_eq!(
        (&found["given"], &found["method"]),
        (&json!("rain"), &json!("structure"))
    );
    close(
        number(&object(&ask("rain", "--joint")), "entropy"),
        coin(0.9),
    );
    close(
        number(&object(&ask("wet", "")), "entropy"),
        coin(0.27 / 0.41),
    );
    close(number(&object(&ask("rain, wet", "")), "entropy"), 0.0);
    let union: [f64; 3] = [0.27, 0.03, 0.14].map(|p: f64| p / 0.44);
    let union: f64 = union.iter().map(|p| -p * p.ln()).sum();
    close(number(&object(&ask("rain || wet", "")), "entropy"), union);
    let estimate = object(&ask("rain", "--samples 20000"));
    assert!(
        (number(&estimate, "entropy") - coin(0.9)).abs() < 0.02,
        "{estimate}"
    );
    let impossible = ask("rain, !rain", "");
    assert_eq!(impossible.exit, Some(3), "{impossible:?}");
    assert!(
        impossible.stderr.contains("probability zero"),
        "{impossible:?}"
    );
    assert_eq!(ask("fog", "").exit, Some(2));
    let point = run_on(
        "var x : real;\nroot x ~ normal(0, 1);\n",
        "entropy a.pcirc --given x=1",
    );
    assert!(point.stdout.contains("0.000000 nats"), "{point:?}");
    let mixture = run_on(MIXTURE, "entropy a.pcirc --given x>1");
    assert_eq!(mixture.exit, Some(1), "{mixture:?}");
    assert!(mixture.stderr.contains("a.pcirc:3:6"), "{mixture:?}");
}

#[test]
fn entropy_is_refused_with_the_place_and_the_reason() {
    let run = run_on(MIXTURE, "entropy a.pcirc");
    assert_eq!((run.exit, run.stdout.as_str()), (Some(1), ""), "{run:?}");
    assert!(run.stderr.contains("a.pcirc:3:6"), "{run:?}");
    assert!(run.stderr.contains("witness: "), "{run:?}");
    assert!(
        run.stderr.contains(
            "pelton: the entropy is exact if the circuit is deterministic, but the sum at the \
             root is not deterministic; "
        ),
        "{run:?}"
    );
    assert!(run.stderr.contains("`x` is real"), "{run:?}");
    let joint = object(&run_on(MIXTURE, "entropy a.pcirc --joint --json"));
    let normal = 0.5 * (std::f64::consts::TAU * std::f64::consts::E).ln();
    close(number(&joint, "entropy"), normal + 2.0 * 2_f64.ln());
    assert_eq!(
        (&joint["of"], &joint["kind"]),
        (&json!("variables and choices"), &json!("differential"))
    );
    // Few states are visited instead.
    let few = "var a : bool;\nroot 0.5: a ~ bernoulli(0.25) + 0.5: a ~ bernoulli(0.75);\n";
    let found = object(&run_on(few, "entropy a.pcirc --json"));
    assert_eq!(
        (&found["method"], &found["states"]),
        (&json!("enumeration"), &json!(2))
    );
    close(number(&found, "entropy"), 2_f64.ln());
}

#[test]
fn divergence_of_two_files() {
    let other = "var rain : bool;\nroot 0.5: rain + 0.5: !rain;\n";
    let found = object(&kl(COIN, other, "--json"));
    let own = -(0.25 * 0.25_f64.ln() + 0.75 * 0.75_f64.ln());
    close(number(&found, "entropy"), own);
    close(number(&found, "cross_entropy"), 2_f64.ln());
    close(number(&found, "kl"), 2_f64.ln() - own);
    assert_eq!(found["infinite"], false);
    let never = "var rain : bool;\nroot 0: rain + 1: !rain;\n";
    let found = object(&kl(COIN, never, "--json"));
    assert_eq!(
        (&found["kl"], &found["cross_entropy"], &found["infinite"]),
        (&Value::Null, &Value::Null, &json!(true))
    );
    let run = kl(COIN, never, "");
    assert!(
        run.stdout
            .contains("infinite (A is positive where B is zero)"),
        "{run:?}"
    );
    let run = kl(COIN, PAIR, "");
    assert_eq!(run.exit, Some(2));
    assert!(
        run.stderr
            .contains("only the second circuit mentions `wet`"),
        "{run:?}"
    );
    assert_eq!(run_with_input("kl - -", COIN.as_bytes()).exit, Some(2));
    let single =
        "var x : real;\nvar sky : {clear, cloudy};\nroot x ~ normal(0, 1) * sky ~ uniform();\n";
    let run = kl(single, MIXTURE, "");
    assert_eq!(run.exit, Some(1), "{run:?}");
    assert!(run.stderr.contains("b.pcirc:3:6"), "{run:?}");
    assert_eq!(kl(MIXTURE, single, "").exit, Some(1));
    let cross = object(&kl(MIXTURE, single, "--cross --json"));
    assert_eq!(cross["kl"], Value::Null);
    close(
        number(&cross, "cross_entropy"),
        0.5 * std::f64::consts::TAU.ln() + 0.5 * (1.0 + 8.0) + 2_f64.ln(),
    );
}

#[test]
fn mutual_information_of_named_variables() {
    let found = object(&run_on(PAIR, "mi a.pcirc rain wet --json --base 2"));
    close(number(&found, "mutual_information"), 1.0);
    close(number(&found, "entropy_xy"), 1.0);
    let array = "var x[0..2, 0..2], y : bool;\n\
        root (prod i in 0..2, j in 0..2 { x[i, j] ~ bernoulli(0.5) }) * y ~ bernoulli(0.5);\n";
    let found = object(&run_on(array, "mi a.pcirc x y --json --base 2"));
    close(number(&found, "entropy_x"), 4.0);
    close(number(&found, "mutual_information"), 0.0);
    let run = run_on(PAIR, "mi a.pcirc rain wett");
    assert_eq!(run.exit, Some(2));
    assert!(
        run.stderr
            .contains("no variable `wett`; did you mean `wet`?"),
        "{run:?}"
    );
    assert_eq!(run_on(PAIR, "mi a.pcirc rain rain").exit, Some(2));
    assert_eq!(run_on(PAIR, "mi a.pcirc rain ,").exit, Some(2));
    let run = run_on(MIXTURE, "mi a.pcirc x sky");
    assert_eq!(run.exit, Some(1));
    assert!(
        run.stderr.contains("mutual information is exact if"),
        "{run:?}"
    );
    assert!(run.stderr.contains("a.pcirc:3:6"), "{run:?}");
    assert!(
        run.stderr
            .contains("they do not decide the sum at the root"),
        "{run:?}"
    );
}

#[test]
fn moments_of_all_numbers() {
    let run = run_on(MIXTURE, "moments a.pcirc --json");
    let found = object(&run);
    assert_eq!(found["variable"], "x");
    close(number(&found, "mean"), 2.0);
    close(number(&found, "variance"), 5.0);
    assert!(run.stderr.contains("1 variable has categories"), "{run:?}");
    let found = object(&run_on(PAIR, "moments a.pcirc --covariance --json"));
    assert_eq!(found["variables"], json!(["rain", "wet"]));
    assert_eq!(found["covariance"], json!([[0.25, 0.25], [0.25, 0.25]]));
    let run = run_on(PAIR, "moments a.pcirc --covariance");
    assert!(
        run.stdout
            .contains("rain           0.500000       0.250000       0.500000"),
        "{run:?}"
    );
    // A moment that is larger than any number is null.
    let wild = "var x : real;\nroot x ~ lognormal(700, 30);\n";
    assert_eq!(
        object(&run_on(wild, "moments a.pcirc --json"))["mean"],
        Value::Null
    );
}

#[test]
fn counts_with_all_digits() {
    assert_eq!(run_on(PAIR, "count a.pcirc").stdout, "2\n");
    let many = "var x[0..100] : bool;\nroot prod i in 0..100 { x[i] ~ bernoulli(?) };\n";
    let found = object(&run_on(many, "count a.pcirc --json"));
    assert_eq!(found["models"], "1267650600228229401496703205376");
    let run = run_on(MIXTURE, "count a.pcirc");
    assert_eq!(run.exit, Some(1));
    assert!(run.stderr.contains("`x` is real"), "{run:?}");
    let weights = "var a : bool;\nnode a2 = 2: a + 3: !a;\nroot a2;\n";
    let found = object(&run_on(weights, "count a.pcirc --weighted --json -q"));
    close(number(&found, "mass"), 5.0);
    close(number(&found, "log"), 5_f64.ln());
}

#[test]
fn what_is_known_is_taken_into_account() {
    let folder = folder_with(MIXTURE);
    let run = |words: &[&str]| PELTON.run(folder.path(), words);
    // Half of the mass of the two parts lies below the middle between them.
    let found = object(&run(&["moments", "a.pcirc", "--json", "--given", "x <= 2"]));
    let hazard = (-2.0_f64).exp() / std::f64::consts::TAU.sqrt();
    close(
        number(&found, "mean"),
        2.0 - 2.0 * (1.0 - 2.0 * 0.022750131948179) - 2.0 * hazard,
    );
    let found = object(&run(&[
        "moments",
        "a.pcirc",
        "--json",
        "--given",
        "x = 3 || x = 1",
    ]));
    close(number(&found, "mean"), 2.0);
    close(number(&found, "variance"), 1.0);
    let run = |text: &str, words: &[&str]| PELTON.run(folder_with(text).path(), words);
    assert_eq!(
        run(PAIR, &["count", "a.pcirc", "--given", "rain || wet"]).stdout,
        "1\n"
    );
    let weighted = run(
        PAIR,
        &[
            "count",
            "a.pcirc",
            "--given",
            "rain",
            "--weighted",
            "--json",
        ],
    );
    close(number(&object(&weighted), "mass"), 0.5);
    let none = run(
        PAIR,
        &[
            "count",
            "a.pcirc",
            "--given",
            "rain, !wet",
            "--weighted",
            "--json",
        ],
    );
    assert_eq!(object(&none), json!({"mass": 0.0, "log": null}));
    assert_eq!(
        run(PAIR, &["moments", "a.pcirc", "--given", "rain, !wet"]).exit,
        Some(3)
    );
    assert_eq!(
        run(PAIR, &["moments", "a.pcirc", "--given", "snow"]).exit,
        Some(2)
    );
    assert_eq!(
        run(PAIR, &["count", "a.pcirc", "--given", "rain &&"]).exit,
        Some(2)
    );
}

#[test]
fn estimates_are_called_so() {
    let run = run_on(MIXTURE, "entropy a.pcirc --samples 20000 --seed 3 --json");
    let found = object(&run);
    assert_eq!(
        (&found["method"], &found["samples"]),
        (&json!("samples"), &json!(20000))
    );
    // The two parts hardly overlap, so that the choice between them is almost known.
    let most = 0.5 * (std::f64::consts::TAU * std::f64::consts::E).ln() + 2.0 * 2_f64.ln();
    let (amount, error) = (number(&found, "entropy"), number(&found, "standard_error"));
    assert!(amount < most && amount > most - 0.2, "{found}");
    assert!(error > 0.0 && error < 0.02, "{found}");
    let again = run_on(MIXTURE, "entropy a.pcirc --samples 20000 --seed 3 --json");
    assert_eq!(run.stdout, again.stdout);
    let text = run_on(MIXTURE, "mi a.pcirc x sky --samples 1000").stdout;
    assert!(
        text.contains("an estimate from 1,000 samples, standard error"),
        "{text}"
    );
    let single =
        "var x : real;\nvar sky : {clear, cloudy};\nroot x ~ normal(0, 1) * sky ~ uniform();\n";
    let found = object(&kl(single, MIXTURE, "--samples 20000 --json"));
    assert!((number(&found, "kl") - 2_f64.ln()).abs() < 0.1, "{found}");
    let never = "var rain : bool;\nroot !rain;\n";
    let found = object(&kl(COIN, never, "--samples 100 --json"));
    assert_eq!(
        (&found["kl"], &found["infinite"]),
        (&Value::Null, &json!(true))
    );
    assert_eq!(run_on(COIN, "entropy a.pcirc --samples 1").exit, Some(2));
    assert_eq!(
        run_on(COIN, "entropy a.pcirc --samples 10 --joint").exit,
        Some(2)
    );
}

#[test]
fn circuits_without_mass_are_told() {
    let zero = "var a : bool;\nroot 0: a + 0: !a;\n";
    for words in [
        "entropy a.pcirc",
        "moments a.pcirc",
        "count a.pcirc --weighted",
        "kl a.pcirc a.pcirc",
    ] {
        let run = run_on(zero, &format!("{words} -q"));
        assert_eq!(
            (run.exit, run.stdout.as_str()),
            (Some(3), ""),
            "{words}: {run:?}"
        );
    }
    assert_eq!(run_on(zero, "count a.pcirc -q").stdout, "0\n");
}

#[test]
fn questions_are_listed() {
    let all = run_with_input("queries --json", b"");
    let lines = json_lines(&all.stdout);
    assert!(lines.len() >= 18, "{all:?}");
    assert!(
        lines
            .iter()
            .all(|line| line["standing"].is_null() && !line["query"].is_null())
    );
    let run = run_on(MIXTURE, "queries a.pcirc --json");
    let lines = json_lines(&run.stdout);
    let of = |name: &str| lines.iter().find(|line| line["query"] == name).unwrap();
    assert_eq!(of("entropy")["standing"], "not exact");
    assert!(
        of("entropy")["reason"]
            .as_str()
            .unwrap()
            .contains("sum at the root"),
        "{lines:?}"
    );
    assert_eq!(of("likelihood")["standing"], "exact");
    assert_eq!(of("product of two circuits")["standing"], "depends");
    assert!(
        run_on(PAIR, "queries a.pcirc")
            .stdout
            .contains("entropy                            exact\n")
    );
}

/// Wrong circuits, missing files and damaged ones.
#[test]
fn hostile_input_is_told() {
    let broken = [
        "",
        "var x",
        "root 1;",
        "var a : bool;\nroot b;\n",
        "\u{0}\u{1}",
    ];
    for words in [
        "entropy a.pcirc",
        "kl a.pcirc a.pcirc",
        "mi a.pcirc a b",
        "moments a.pcirc",
        "count a.pcirc",
        "queries a.pcirc",
    ] {
        for text in broken {
            assert_ends_well(&run_on(text, words));
        }
        let missing = words.replace("a.pcirc", "no.pcirc");
        assert_eq!(run_on(COIN, &missing).exit, Some(2), "{missing}");
        assert_eq!(
            run_on(COIN, &format!("{words} --base 1")).exit,
            Some(2),
            "{words}"
        );
    }
    // Weights whose product has no finite logarithm, and no product at all.
    let huge = "var x : bool;\nnode a = exp(1.2e308): x + 1: !x;\nroot exp(1.2e308): a;\n";
    let empty = "var x : bool;\nroot prod i in 0..0 { x };\n";
    for text in [huge, empty] {
        for words in [
            "entropy a.pcirc",
            "kl a.pcirc a.pcirc",
            "moments a.pcirc",
            "count a.pcirc",
            "count a.pcirc --weighted",
        ] {
            assert_ends_well(&run_on(text, &format!("{words} -q")));
        }
    }
}
