//! `pelton query`, `marginals`, `map` and `sample`: answers, forms of output, hostile input.

use super::{PELTON, assert_ends_well, folder_with};
use pelton_tests::command::{Run, json_lines};
use std::path::Path;
use tempfile::TempDir;

const DAY: &str = "var rain, wet : bool; var sky : {clear, cloudy, \"big, storm\"}; var temp : real;
    root 0.3: rain * (0.9: wet + 0.1: !wet) * sky ~ categorical(0.1, 0.3, 0.6) * temp ~ normal(8, 3)
       + 0.7: !rain * (0.2: wet + 0.8: !wet) * sky ~ categorical(0.6, 0.3, 0.1) * temp ~ normal(18, 5);";

fn run(folder: &Path, words: &[&str]) -> Run {
    PELTON.run(folder, words.iter().copied())
}

fn with_data(data: &str) -> TempDir {
    let folder = folder_with(DAY);
    std::fs::write(folder.path().join("d.csv"), data).unwrap();
    folder
}

#[test]
fn questions_that_cannot_be_read_are_shown_where_they_fail() {
    let folder = folder_with(DAY);
    for (query, says) in [
        ("P(ran)", "did you mean `rain`?"),
        ("P(sky = fog)", "`fog` is not a value of `sky`"),
        ("P(temp)", "`temp` is not a `bool` variable"),
        ("P(rain", "never closed"),
        ("Q(rain)", "there is no query `Q(…)`"),
        ("", "query"),
    ] {
        let run = run(folder.path(), &["query", "a.pcirc", query]);
        assert_eq!(run.exit, Some(2), "{query}: {run:?}");
        assert!(run.stderr.contains(says), "{query}: {run:?}");
        assert!(run.stdout.is_empty(), "{query}");
    }
    for command in ["marginals", "map", "sample"] {
        let run = run(
            folder.path(),
            &[command, "a.pcirc", "--given", "wet, tmp < 3"],
        );
        assert_eq!(run.exit, Some(2), "{run:?}");
        assert!(run.stderr.contains("given:1:6"), "{run:?}");
    }
    let run = run(folder.path(), &["query", "a.pcirc"]);
    assert_eq!(run.exit, Some(2), "there is nothing to answer: {run:?}");
}

#[test]
fn a_name_that_holds_brackets_is_asked_for_as_it_was_declared() {
    let text = "var `x[1]`, `y[1, 2]`, `z[ 1]` : {a, b};\n\
        root `x[1]` ~ categorical(0.3, 0.7) * `y[1, 2]` ~ categorical(0.4, 0.6)\n\
        * `z[ 1]` ~ categorical(0.2, 0.8);\n";
    let folder = folder_with(text);
    for (query, value) in [
        ("P(`x[1]` = a)", "0.300000"),
        ("P(x[1] = a)", "0.300000"),
        ("P(`y[1, 2]` = b | `x[1]` = b)", "0.600000"),
        ("P(`z[ 1]` = a)", "0.200000"),
    ] {
        let run = run(folder.path(), &["query", "a.pcirc", query]);
        assert_eq!(run.exit, Some(0), "{query}: {run:?}");
        assert!(run.stdout.trim_end().ends_with(value), "{query}: {run:?}");
    }
}

#[test]
fn what_is_impossible_is_said_so() {
    let folder = with_data("rain,wet,sky,temp\n1,,,\n");
    let path = folder.path();
    for words in [
        &["query", "a.pcirc", "P(rain | wet, !wet)"][..],
        &["marginals", "a.pcirc", "--given", "wet && !wet"],
        &["map", "a.pcirc", "--given", "wet && !wet"],
        &["sample", "a.pcirc", "--given", "wet && !wet"],
        &["query", "a.pcirc", "P(wet | !rain)", "--data", "d.csv"],
        &[
            "marginals",
            "a.pcirc",
            "--given",
            "!rain",
            "--data",
            "d.csv",
        ],
        &["map", "a.pcirc", "--given", "!rain", "--data", "d.csv"],
        &["sample", "a.pcirc", "--given", "!rain", "--data", "d.csv"],
    ] {
        let run = run(path, words);
        assert_eq!(run.exit, Some(3), "{words:?}: {run:?}");
        let says = run.stderr.contains("probability zero") || run.stderr.contains("probability 0");
        assert!(says && !run.stdout.contains("NaN"), "{words:?}: {run:?}");
    }
    let mixed = run(
        path,
        &["query", "a.pcirc", "P(temp = 1 || temp = 2)", "P(rain)"],
    );
    assert_eq!(mixed.exit, Some(0), "{mixed:?}");
}

#[test]
fn some_impossible_rows_are_null_and_counted() {
    let folder = with_data("rain,wet,sky,temp\n1,,,\n0,,,\n");
    let words = [
        "query",
        "a.pcirc",
        "P(wet | !rain)",
        "--data",
        "d.csv",
        "--json",
    ];
    let run = run(folder.path(), &words);
    assert_eq!(run.exit, Some(0), "{run:?}");
    let lines = json_lines(&run.stdout);
    assert!(lines[0]["value"].is_null() && lines[0]["log"].is_null());
    assert!((lines[1]["value"].as_f64().unwrap() - 0.2).abs() < 1e-6);
    assert!(run.stderr.contains("row 1 of 2"), "{run:?}");
}

#[test]
fn a_completion_that_need_not_be_the_best_says_why() {
    let folder = folder_with(
        "var x[0..40] : bool;\n\
         root 0.5: (prod i in 0..40 { x[i] ~ bernoulli(0.3) }) + 0.5: (prod i in 0..40 { x[i] ~ bernoulli(0.8) });\n",
    );
    let run = run(folder.path(), &["map", "a.pcirc"]);
    assert_eq!(run.exit, Some(0), "{run:?}");
    assert!(run.stdout.contains("(approximate)"), "{run:?}");
    for says in [
        "a.pcirc:2:6",
        "the most probable completion is exact if the circuit is deterministic, but the sum at \
         the root is not deterministic",
    ] {
        assert!(run.stderr.contains(says), "{}", run.stderr);
    }
}

#[test]
fn samples_are_read_back() {
    let folder = folder_with(DAY);
    let words = [
        "sample", "a.pcirc", "-n", "5000", "--seed", "3", "-o", "s.csv",
    ];
    assert_eq!(run(folder.path(), &words).exit, Some(0));
    let text = std::fs::read_to_string(folder.path().join("s.csv")).unwrap();
    assert_eq!(text.lines().count(), 5001);
    assert!(text.contains("\"big, storm\""));
    let eval = run(
        folder.path(),
        &["eval", "a.pcirc", "--data", "s.csv", "--json"],
    );
    let summary = json_lines(&eval.stdout).remove(0);
    assert_eq!(summary["rows"], 5000, "{eval:?}");
    assert_eq!(summary["zero_rows"], 0);
    let one = run(
        folder.path(),
        &[
            "sample",
            "a.pcirc",
            "-n",
            "5000",
            "--seed",
            "3",
            "--threads",
            "1",
        ],
    );
    assert_eq!(one.stdout, text);
    let none = run(folder.path(), &["sample", "a.pcirc", "-n", "0"]);
    assert_eq!(none.stdout.lines().count(), 1);
}

#[test]
fn programs_get_json_with_the_keys_they_rely_on() {
    let folder = with_data("rain,wet,sky,temp\n1,,,\n,1,clear,\n");
    let keys = |words: &[&str]| {
        let run = run(folder.path(), words);
        assert_eq!(run.exit, Some(0), "{run:?}");
        let lines = json_lines(&run.stdout);
        let keys = lines[0].as_object().unwrap().keys().cloned();
        keys.collect::<Vec<String>>().join(" ")
    };
    assert_eq!(
        keys(&["query", "a.pcirc", "P(rain)", "--json"]),
        "query value log kind"
    );
    assert_eq!(
        keys(&["query", "a.pcirc", "P(rain)", "--json", "--data", "d.csv"]),
        "row query value log kind"
    );
    assert_eq!(
        keys(&["marginals", "a.pcirc", "--json"]),
        "variable probabilities"
    );
    assert_eq!(
        keys(&["map", "a.pcirc", "--json"]),
        "values value log kind exact"
    );
}

#[test]
fn bad_data_and_soft_evidence_are_refused_with_reasons() {
    let folder = with_data("rain,wet,sky,temp\n1,,fog,\n");
    let path = folder.path();
    for command in [
        &["query", "a.pcirc", "P(rain)"][..],
        &["map", "a.pcirc"],
        &["sample", "a.pcirc"],
    ] {
        let words: Vec<&str> = command.iter().copied().chain(["--data", "d.csv"]).collect();
        let run = run(path, &words);
        assert_eq!(run.exit, Some(3), "{run:?}");
        assert!(run.stderr.contains("`fog` is not a category"), "{run:?}");
    }
    for (soft, says) in [
        (
            "sky=clear,sky=cloudy\n1,0\n",
            "for some values of `sky` only",
        ),
        ("rain=false,rain=true\n0,0\n", "no soft evidence"),
        ("rain=false,rain=true\n-1,2\n", "no soft evidence"),
        ("rain=false,rain=true\n1,2\n,2\n", "`rain` in row 2"),
        ("rain=false,rain=true\n1,2\n1,inf\n", "soft.csv:3: column 2"),
        ("rain=false,rain=true\n1,1e999\n", "soft.csv:2: column 2"),
        ("fog=1\n1\n", "fog=1"),
        ("", "nothing in it"),
    ] {
        std::fs::write(path.join("soft.csv"), soft).unwrap();
        let run = run(path, &["query", "a.pcirc", "P(wet)", "--soft", "soft.csv"]);
        assert_eq!(run.exit, Some(3), "{soft}: {run:?}");
        assert!(run.stderr.contains(says), "{soft}: {run:?}");
    }
    std::fs::write(path.join("empty.csv"), "").unwrap();
    for words in [
        &["marginals", "a.pcirc", "--data", "empty.csv"][..],
        &["map", "a.pcirc", "--data", "nowhere.csv"],
        &["sample", "-", "--data", "-"],
        &["query", "nowhere.pcirc", "P(rain)"],
    ] {
        let run = run(path, words);
        assert_ends_well(&run);
        assert!(run.exit != Some(0) && !run.stderr.is_empty(), "{run:?}");
    }
}

#[test]
fn a_number_that_cannot_be_read_is_not_taken_for_another() {
    for question in ["P(x < 1e400)", "P(n = 99999999999999999999)"] {
        let circuit = "var x : real;\nvar n : nat;\nroot x ~ normal(0, 1) * n ~ poisson(3);\n";
        let folder = folder_with(circuit);
        let run = PELTON.run(folder.path(), ["query", "a.pcirc", question]);
        assert_eq!((run.exit, run.stdout.as_str()), (Some(2), ""), "{run:?}");
        assert!(run.stderr.contains("PC0005"), "{run:?}");
    }
}

#[test]
fn a_variable_that_no_unit_mentions_has_no_probabilities() {
    let circuit = "var a, b : bool;\nroot 0.4: a + 0.6: !a;\n";
    for words in [
        vec!["query", "a.pcirc", "P(b || a)"],
        vec!["query", "a.pcirc", "P(a | b)"],
        vec!["marginals", "a.pcirc", "--given", "b"],
    ] {
        let folder = folder_with(circuit);
        let run = PELTON.run(folder.path(), words);
        assert_eq!(run.exit, Some(1), "{run:?}");
        assert!(run.stderr.contains("no unit mentions"), "{run:?}");
    }
}

/// Far out the mass is zero as a number, and the mean is known all the same.
#[test]
fn means_in_far_tails_are_those_of_the_tail() {
    let folder =
        folder_with("var t : real;\nvar n : nat;\nroot t ~ normal(0, 1) * n ~ poisson(3);\n");
    let mean = |given: &str, variable: &str| {
        let words = ["marginals", "a.pcirc", "--json", "--given", given];
        let found = PELTON.run(folder.path(), words);
        assert_eq!(found.exit, Some(0), "{found:?}");
        let lines = json_lines(&found.stdout);
        let line = lines.iter().find(|line| line["variable"] == variable);
        line.unwrap()["mean"].as_f64().unwrap()
    };
    // The mean of the tail beyond x is x + 1/x - 2/x^3 + ….
    let x: f64 = 45.0;
    let expected = x + 1.0 / x - 2.0 / x.powi(3) + 10.0 / x.powi(5);
    let found = mean("t > 45", "t");
    assert!((found - expected).abs() < 1e-6, "{found} is not {expected}");
    // There counts fall by the rate over the count.
    let expected = 501.0 + 3.0 / 502.0 * (1.0 + 3.0 / 503.0);
    let found = mean("n > 500", "n");
    assert!((found - expected).abs() < 1e-4, "{found} is not {expected}");
    let words = ["moments", "a.pcirc", "--given", "t > 45, n > 500"];
    let found = PELTON.run(folder.path(), words);
    assert_eq!(found.exit, Some(0), "{found:?}");
}

#[test]
fn empty_categories_are_read_back() {
    let folder = folder_with("var sky : {\"\", storm};\nroot [sky = \"\"];\n");
    let drawn = run(folder.path(), &["sample", "a.pcirc", "-n", "2"]);
    assert_eq!(drawn.stdout, "sky\n\"\"\n\"\"\n", "{drawn:?}");
    std::fs::write(folder.path().join("d.csv"), &drawn.stdout).unwrap();
    let words = ["eval", "a.pcirc", "--data", "d.csv", "--per-row"];
    let back = run(folder.path(), &words);
    assert_eq!(back.stdout.lines().count(), 2, "{back:?}");
    // A cell of which nothing is known is not the empty category.
    let text = "var sky : {\"\", storm};\nvar rain : bool;\nroot [sky = storm] * rain;\n";
    let folder = folder_with(text);
    std::fs::write(folder.path().join("d.csv"), "sky,rain\n?,0\n?,1\n").unwrap();
    let drawn = run(folder.path(), &["sample", "a.pcirc", "--data", "d.csv"]);
    assert_eq!(drawn.stdout, "sky,rain\n?,\nstorm,1\n", "{drawn:?}");
}

#[test]
fn names_with_brackets_need_no_quotes() {
    // Members of one array would be of one domain.
    let text = "var `x[0]` : bool;\nvar `x[1]` : real;\nroot `x[0]` * `x[1]` ~ normal(0, 1);\n";
    let folder = folder_with(text);
    let path = folder.path();
    let unquoted = run(path, &["query", "a.pcirc", "P(x[ 0 ])"]);
    assert_eq!((unquoted.exit, unquoted.stderr.as_str()), (Some(0), ""));
    let quoted = run(path, &["query", "a.pcirc", "P(`x[0]`)"]);
    assert_eq!((quoted.exit, quoted.stderr.as_str()), (Some(0), ""));
    let other = run(path, &["query", "a.pcirc", "P(z[0])"]);
    assert!(!other.stderr.contains("backquotes"), "{other:?}");
}

#[test]
fn unions_of_many_intervals_are_one_set() {
    let folder = folder_with(
        "var x : real;\nvar y : bool;\nroot x ~ uniform(0, 4000) * y ~ bernoulli(0.5);\n",
    );
    let parts: Vec<String> = (0..2000)
        .map(|at| format!("x in [{}, {})", 2 * at, 2 * at + 1))
        .collect();
    let event = parts.join(" || ");
    for (question, says) in [
        (format!("P({event})"), "= 0.500000"),
        (format!("P(y | {event})"), "= 0.500000"),
        (format!("P({event} || y)"), "= 0.750000"),
    ] {
        let run = run(folder.path(), &["query", "a.pcirc", &question]);
        assert_eq!(run.exit, Some(0), "{:.300}", run.stderr);
        assert!(
            run.stdout.trim_end().ends_with(says),
            "{}",
            &run.stdout[run.stdout.len() - 40..]
        );
    }
}

#[test]
fn a_dash_is_standard_output() {
    let folder = folder_with(DAY);
    let path = folder.path();
    for words in [
        &["sample", "a.pcirc", "-n", "3", "-o", "-"][..],
        &["condition", "a.pcirc", "rain", "-o", "-"],
        &["marginalize", "a.pcirc", "--onto", "sky", "-o", "-"],
    ] {
        let (with, without) = (run(path, words), run(path, &words[..words.len() - 2]));
        assert_eq!(with.exit, Some(0), "{words:?}: {with:?}");
        assert_eq!(with.stdout, without.stdout, "{words:?}");
        assert!(!path.join("-").exists());
    }
    let both = run(path, &["condition", "a.pcirc", "rain", "-o", "-", "--json"]);
    assert_eq!(both.exit, Some(2), "{both:?}");
    assert!(both.stderr.contains("standard output"), "{both:?}");
}

#[test]
fn a_density_without_bound_has_no_maximum() {
    let folder = folder_with(
        "var t : real; var b : bool; root 0.5: b * t ~ gamma(0.5, 1) + 0.5: !b * t ~ gamma(2, 1);",
    );
    let free = run(folder.path(), &["map", "a.pcirc"]);
    assert_eq!(free.exit, Some(4), "{free:?}");
    assert!(
        free.stderr.contains("no most probable completion"),
        "{free:?}"
    );
    for given in ["!b", "t > 0.1", "t = 2"] {
        let found = run(folder.path(), &["map", "a.pcirc", "--given", given]);
        assert_eq!(found.exit, Some(0), "{found:?}");
        assert!(found.stdout.contains("(exact)"), "{found:?}");
    }
}

/// In rows, in JSON and in streams it is said of each row on its own.
#[test]
fn rows_without_a_maximum_are_told_apart() {
    let folder = folder_with(
        "var t : real; var b : bool; root 0.5: b * t ~ gamma(0.5, 1) + 0.5: !b * t ~ gamma(2, 1);",
    );
    std::fs::write(folder.path().join("d.csv"), "b,t\n1,\n0,\n,2\n").unwrap();
    let rows = run(folder.path(), &["map", "a.pcirc", "--data", "d.csv"]);
    assert_eq!(rows.exit, Some(0), "{rows:?}");
    assert!(
        rows.stdout.starts_with("row 1\n  no maximum\nrow 2\n"),
        "{rows:?}"
    );
    assert!(
        rows.stderr.contains("1 row has no maximum; of row 1"),
        "{rows:?}"
    );
    let json = ["map", "a.pcirc", "--data", "d.csv", "--json"];
    let found = json_lines(&run(folder.path(), &json).stdout);
    assert_eq!(found.len(), 3);
    assert_eq!(found[0]["unbounded"], "t");
    assert!(found[0]["values"].is_null() && found[0]["log"].is_null());
    for bounded in &found[1..] {
        assert!(bounded.get("unbounded").is_none(), "{bounded}");
        assert_eq!(bounded["exact"], true, "{bounded}");
    }
    let requests = "{\"row\": {\"b\": true}}\n{\"rows\": [{\"b\": true}, {\"b\": false}]}\n";
    let words = ["map", "a.pcirc", "--stream"];
    let run = PELTON.run_with_input(folder.path(), words, requests.as_bytes());
    let found = json_lines(&run.stdout);
    assert_eq!(found[0]["error"]["kind"], "numeric", "{run:?}");
    let answers = found[1]["answers"].as_array().unwrap();
    assert_eq!(answers[0]["unbounded"], "t", "{run:?}");
    assert!(answers[0]["values"].is_null(), "{run:?}");
    assert_eq!(answers[1]["values"]["b"], false, "{run:?}");
}

#[test]
fn a_category_may_be_called_like_a_member_of_an_array() {
    let text = "var `x[1]` : {`x[1, 2]`, `x[7]`};\nroot `x[1]` ~ categorical(0.4, 0.6);\n";
    let folder = folder_with(text);
    for (question, expected) in [
        ("P(`x[1]` = `x[1, 2]`)", "0.400000"),
        ("P(x[1] = `x[7]`)", "0.600000"),
    ] {
        let asked = PELTON.run(folder.path(), ["query", "a.pcirc", question]);
        assert_eq!(
            asked.stdout,
            format!("{question} = {expected}\n"),
            "{asked:?}"
        );
    }
}
