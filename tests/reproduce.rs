//! The reproduction of the paper's experiments, on small data.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use pelton::{Batch, Circuit, FitOptions, LearnerChoice, Options, Progress};
use pelton_tests::command::{Pelton, Run, json_lines};
use serde_json::Value;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

const REPRODUCE: Pelton = Pelton {
    path: env!("CARGO_BIN_EXE_pelton-reproduce"),
};

/// Rows of six columns, each of which mostly repeats the one before it.
fn rows(n_rows: usize, seed: u64) -> String {
    let mut state = seed;
    let mut draw = move || {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        state >> 60
    };
    let mut text = String::new();
    for _ in 0..n_rows {
        let mut cell = draw() % 2;
        let mut cells = vec![cell.to_string()];
        for _ in 1..6 {
            cell = if draw() < 3 { 1 - cell } else { cell };
            cells.push(cell.to_string());
        }
        text += &format!("{}\n", cells.join(","));
    }
    text
}

/// A folder `d` with the data sets `nltcs` and `mine`.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (seed, name) in (1..).zip(["nltcs", "mine"]) {
        let own = folder.path().join("d").join(name);
        std::fs::create_dir_all(&own).unwrap();
        for (split, n_rows) in [("train", 200), ("valid", 60), ("test", 60)] {
            let rows = rows(n_rows, 10 * seed + n_rows as u64);
            std::fs::write(own.join(format!("{split}.data")), rows).unwrap();
        }
    }
    folder
}

fn reproduce(folder: &TempDir, words: &str) -> Run {
    let words = format!("d -o o {words}");
    REPRODUCE.run(folder.path(), words.split_whitespace())
}

fn path(folder: &TempDir, name: &str) -> PathBuf {
    folder.path().join(name)
}

fn read(folder: &TempDir, name: &str) -> String {
    std::fs::read_to_string(path(folder, name)).unwrap_or_else(|e| panic!("{name}: {e}"))
}

fn json(folder: &TempDir, name: &str) -> Value {
    serde_json::from_str(&read(folder, name)).unwrap()
}

/// The names of all files in a folder, sorted.
fn files(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn the_table_is_written_and_nothing_runs_twice() {
    let folder = folder();
    let words = "--data nltcs,mine --seeds 2 --only table --threads 2";
    let first = reproduce(&folder, words);
    assert_eq!(
        (first.exit, first.stderr.as_str()),
        (Some(0), ""),
        "{first:?}"
    );
    assert_eq!(read(&folder, "o/paper.md"), first.stdout);
    let line = |name: &str| {
        let begins = format!("| {name} | 6 | 200 | -");
        let mut lines = first.stdout.lines();
        lines.find(|line| line.starts_with(&begins)).unwrap()
    };
    assert!(line("nltcs").contains(" ± ") && line("nltcs").contains("| LearnPSDD, paper | 2 |"));
    assert!(line("mine").contains(" |  |  |  |  | 2 | "));
    let repeat = format!("`cargo run --release -p pelton-reproduce -- d -o o {words}`");
    assert!(first.stdout.contains(&repeat), "{first:?}");
    let expected = [
        "mine-0.json",
        "mine-1.json",
        "mine.svg",
        "nltcs-0.json",
        "nltcs-1.json",
        "nltcs.svg",
    ];
    assert_eq!(files(&path(&folder, "o/paper")), expected);

    let before = expected.map(|name| read(&folder, &format!("o/paper/{name}")));
    let second = reproduce(&folder, words);
    let note = "note: 4 of 4 results had been computed before\n";
    assert_eq!((second.exit, second.stderr.as_str()), (Some(0), note));
    assert_eq!(second.stdout, first.stdout);
    let after = expected.map(|name| read(&folder, &format!("o/paper/{name}")));
    assert!(before == after);
}

#[test]
fn results_say_what_they_came_from() {
    let folder = folder();
    let run = reproduce(&folder, "--data mine --seeds 2 --only table --json");
    let table = &json_lines(&run.stdout)[0]["paper"];
    assert_eq!(table, &json(&folder, "o/paper.json"));
    let line = &table["lines"][0];
    assert_eq!(line["data_set"], "mine");
    assert!(line["paper"].is_null() && line["reaches_paper"].is_null());
    let result = json(&folder, "o/paper/mine-1.json");
    assert_eq!(line["test_lls"][1], result["test_ll"]);
    for key in [
        "train_ll",
        "valid_ll",
        "test_ll",
        "sum_edges",
        "seconds",
        "threads",
        "epochs",
    ] {
        assert!(!result[key].is_null(), "{key}");
    }
    assert_eq!(result["data"]["rows"]["test"], 60);
    let identity = &result["identity"];
    assert_eq!(identity["options"]["learning"]["seed"], 1);
    assert_eq!(identity["options"]["learning"]["patience"], 20);
    assert_eq!(identity["options"]["structure"]["form"], "paper");
    assert!(!identity["files"]["test.data"]["xxh3"].is_null());
    // Seeds differ in what they draw.
    let other = json(&folder, "o/paper/mine-0.json");
    assert_ne!(other["train_ll"], result["train_ll"]);
}

#[test]
fn what_is_missing_damaged_or_of_other_data_is_run() {
    let folder = folder();
    let words = "--data nltcs,mine --seeds 2 --only table";
    let first = reproduce(&folder, words);
    let likelihood = |name: &str| json(&folder, &format!("o/paper/{name}.json"))["test_ll"].clone();
    let before = likelihood("mine-1");
    std::fs::remove_file(path(&folder, "o/paper/mine-1.json")).unwrap();
    let second = reproduce(&folder, words);
    assert_eq!(
        second.stderr,
        "note: 3 of 4 results had been computed before\n"
    );
    assert_eq!(likelihood("mine-1"), before);
    let cells = |run: &Run| run.stdout.matches('±').count();
    assert_eq!((cells(&first), cells(&second)), (2, 2));

    std::fs::write(path(&folder, "o/paper/mine-0.json"), "{\"test_ll\": ").unwrap();
    let damaged = reproduce(&folder, words);
    let says = "mine-0.json` is not used, and run again: it is damaged\n";
    assert!(damaged.stderr.contains(says), "{damaged:?}");

    for split in ["train", "valid", "test"] {
        let file = path(&folder, &format!("d/nltcs/{split}.data"));
        std::fs::write(file, rows(70, 7)).unwrap();
        let changed = reproduce(&folder, words);
        let says =
            format!("nltcs-1.json` is not used, and run again: {split}.data was another file");
        assert!(changed.stderr.contains(&says), "{changed:?}");
        let note = "note: 2 of 4 results had been computed before\n";
        assert!(changed.stderr.ends_with(note), "{changed:?}");
    }
}

/// Other options are another result; how many threads there are is not.
#[test]
fn results_with_other_options_are_not_used() {
    let folder = folder();
    let words = "--data mine --seeds 1 --only table --threads";
    assert_eq!(reproduce(&folder, &format!("{words} 1")).exit, Some(0));
    let threads = reproduce(&folder, &format!("{words} 2"));
    assert_eq!(
        threads.stderr,
        "note: 1 of 1 results had been computed before\n"
    );
    let precision = reproduce(&folder, &format!("{words} 1 --precision f64"));
    assert!(
        precision
            .stderr
            .contains("run again: precision was \"f32\""),
        "{precision:?}"
    );
    let best = |budget| {
        reproduce(
            &folder,
            &format!("{words} 1 --setting best --budget {budget}"),
        )
        .stderr
    };
    assert_eq!(best("1s"), "");
    assert!(best("2s").contains("budget seconds was 1"));
}

#[test]
fn the_best_setting_reports_its_ensemble() {
    let folder = folder();
    let run = reproduce(
        &folder,
        "--data nltcs --seeds 1 --setting best --budget 1s --only table",
    );
    assert_eq!((run.exit, run.stderr.as_str()), (Some(0), ""), "{run:?}");
    assert!(run.stdout.contains("setting `best`"), "{run:?}");
    let result = json(&folder, "o/best/nltcs-0.json");
    let trials = result["trials"].as_array().unwrap();
    let weights = trials.iter().map(|trial| trial["weight"].as_f64().unwrap());
    assert!((weights.sum::<f64>() - 1.0).abs() < 1e-9);
    assert!(
        trials
            .iter()
            .all(|trial| trial["ended_at"].as_f64().unwrap() > 0.0)
    );
    assert!(result["test_ll"].as_f64().unwrap() < 0.0);
    assert!(read(&folder, "o/best/nltcs.svg").starts_with("<svg"));
}

/// A test file that cannot be used is not noticed before everything has been learned.
#[test]
fn test_rows_are_read_last() {
    for words in [
        "--only table",
        "--only table --setting best --budget 1s",
        "--only deterministic",
    ] {
        let folder = folder();
        std::fs::write(path(&folder, "d/mine/test.data"), "0,1,0,1,0,what\n").unwrap();
        let words = format!("--data mine --seeds 1 --progress plain {words}");
        let run = reproduce(&folder, &words);
        assert_eq!(run.exit, Some(3), "{run:?}");
        let (learning, error) = (run.stderr.find("epoch 1/"), run.stderr.find("test.data"));
        assert!(learning.is_some() && learning < error, "{run:?}");
    }
    // What does not look at them does not open them.
    let folder = folder();
    std::fs::write(path(&folder, "d/mine/test.data"), "what").unwrap();
    let run = reproduce(&folder, "--data mine --only em --epochs 2");
    assert_eq!(run.exit, Some(0), "{run:?}");
}

#[test]
fn without_only_figures_follow_the_table() {
    let folder = folder();
    let run = reproduce(&folder, "--seeds 1 --json");
    assert_eq!((run.exit, run.stderr.as_str()), (Some(0), ""), "{run:?}");
    let all = &json_lines(&run.stdout)[0];
    let names: Vec<&String> = all.as_object().unwrap().keys().collect();
    assert_eq!(names, ["paper", "deterministic"]);
    // Of what is there, only benchmarks come unasked.
    assert_eq!(all["paper"]["lines"].as_array().unwrap().len(), 1);
    assert_eq!(all["paper"]["benchmarks"], 1);
    let circuits = all["deterministic"]["data_sets"][0]["circuits"]
        .as_array()
        .unwrap();
    let n_rows: Vec<u64> = circuits
        .iter()
        .map(|one| one["rows"].as_u64().unwrap())
        .collect();
    assert_eq!(n_rows, [200, 50, 13]);
    for circuit in circuits {
        assert!(circuit["overfitting"].is_f64());
        for method in ["pseudocount", "softening", "entropy", "both"] {
            assert!(circuit["methods"][method]["test_ll"].is_f64(), "{method}");
        }
    }
    assert!(read(&folder, "o/deterministic.svg").contains("<circle"));
    assert!(read(&folder, "o/deterministic.md").contains("| nltcs | Chow-Liu tree | 13 | "));
}

/// The Chow-Liu tree of the training rows of `mine`, as text.
fn tree_of_mine(folder: &TempDir) -> String {
    let text = read(folder, "d/mine/train.data");
    let cells: Vec<u8> = text
        .bytes()
        .filter(u8::is_ascii_digit)
        .map(|digit| digit - b'0')
        .collect();
    let batch = Batch::new(&cells, cells.len() / 6, 6);
    let (learner, fit) = (LearnerChoice::new("clt").unwrap(), FitOptions::default());
    let go_on = |_: &Progress<'_>| ControlFlow::Continue(());
    let learned = Circuit::learn_structure(&batch, &learner, &fit, &Options::new(), go_on);
    learned.unwrap().0.to_source().unwrap()
}

#[test]
fn circuits_that_are_given_are_tried_beside_trees() {
    let folder = folder();
    std::fs::create_dir(path(&folder, "c")).unwrap();
    std::fs::write(path(&folder, "c/mine.pcirc"), tree_of_mine(&folder)).unwrap();
    let words = "--only deterministic --data mine,nltcs --circuits c --json";
    let run = reproduce(&folder, words);
    assert_eq!(run.exit, Some(0), "{run:?}");
    let all = json_lines(&run.stdout).remove(0);
    let of = |at: usize| {
        let circuits = all["deterministic"]["data_sets"][at]["circuits"].clone();
        circuits.as_array().unwrap().clone()
    };
    let (mine, nltcs) = (of(0), of(1));
    assert_eq!(nltcs.len(), 3);
    let structures: Vec<&str> = mine
        .iter()
        .filter_map(|c| c["structure"].as_str())
        .collect();
    assert_eq!(structures, ["clt", "mine.pcirc"].repeat(3));
    // From all rows, what was learned elsewhere is the same tree.
    let best = |circuit: &Value| circuit["methods"]["both"]["test_ll"].as_f64().unwrap();
    assert!((best(&mine[0]) - best(&mine[1])).abs() < 1e-9);
    // Another circuit is another result; this one is of other data.
    let other = "var a, b : bool;\nroot 0.5: a * b + 0.5: a * !b;\n";
    std::fs::write(path(&folder, "c/mine.pcirc"), other).unwrap();
    let run = reproduce(&folder, words);
    assert_eq!(run.exit, Some(3), "{run:?}");
    assert!(run.stderr.contains("run again"), "{run:?}");
    assert!(run.stderr.contains("there are 2 of 6"), "{run:?}");
    let run = reproduce(&folder, "--only deterministic --data mine --circuits none");
    assert_eq!(run.exit, Some(2), "{run:?}");
    assert!(run.stderr.contains("`none` is not a folder"), "{run:?}");
}

#[test]
fn figures_are_drawn_of_other_data_if_asked_for() {
    let folder = folder();
    let words = "--only em,protein --data mine --epochs 4 --seeds 2";
    let run = reproduce(&folder, words);
    assert_eq!((run.exit, run.stderr.as_str()), (Some(0), ""), "{run:?}");
    let em = &json(&folder, "o/em.json")["data_sets"][0]["runs"];
    let phases = |name: &str| -> Vec<String> {
        let epochs = em[name]["epochs"].as_array().unwrap().iter();
        epochs
            .map(|epoch| epoch["phase"].as_str().unwrap().to_string())
            .collect()
    };
    assert_eq!(
        phases("hybrid"),
        ["minibatch", "minibatch", "fullbatch", "fullbatch"]
    );
    assert_eq!(phases("minibatch"), ["minibatch"; 4]);
    assert_eq!(phases("fullbatch"), ["fullbatch"; 4]);
    assert!(em["hybrid"]["test_ll"].is_null());
    let methods = &json(&folder, "o/protein.json")["data_sets"][0]["methods"];
    for (at, n_trials) in [(0, 6), (1, 48)] {
        let trials = methods[at]["choice"]["trials"].as_array().unwrap();
        assert_eq!(trials.len(), n_trials);
        let runs = methods[at]["runs"].as_array().unwrap();
        assert_eq!(runs.len(), 2);
        assert!(runs[0]["epochs"][0]["test_ll"].is_f64());
    }
    for name in [
        "em/mine-epoch",
        "em/mine-seconds",
        "protein/mine-valid",
        "protein/mine-test",
    ] {
        assert!(
            read(&folder, &format!("o/{name}.svg")).contains("<polyline"),
            "{name}"
        );
    }
    assert!(read(&folder, "o/protein/mine-test.svg").contains("<polygon"));
    let again = reproduce(&folder, words);
    assert_eq!(
        again.stderr,
        "note: 9 of 9 results had been computed before\n"
    );
}

#[test]
fn quiet_is_quiet() {
    let folder = folder();
    let words = "--data mine --seeds 1 --only table -q";
    for _ in 0..2 {
        let run = reproduce(&folder, words);
        assert_eq!(run.exit, Some(0));
        assert_eq!((run.stdout.as_str(), run.stderr.as_str()), ("", ""));
    }
    assert!(path(&folder, "o/paper.md").exists());
}

#[test]
fn progress_says_where_it_is() {
    let folder = folder();
    let run = reproduce(
        &folder,
        "--data nltcs,mine --seeds 2 --only table --progress plain",
    );
    for begins in [
        "1/2 nltcs, seed 0: epoch 1/200 minibatch",
        "2/2 mine, seed 1: epoch 1/200 ",
    ] {
        let mut lines = run.stderr.lines();
        assert!(
            lines.any(|line| line.starts_with(begins)),
            "{begins}: {run:?}"
        );
    }
}

#[test]
fn bad_input_is_told() {
    let folder = folder();
    std::fs::remove_file(path(&folder, "d/mine/valid.data")).unwrap();
    std::fs::create_dir(path(&folder, "empty")).unwrap();
    for (words, says) in [
        ("", "<DIR>"),
        ("nowhere", "there is no folder `nowhere`"),
        ("empty", "none of the twenty benchmarks"),
        ("d --data other", "there is no folder `d/other`"),
        ("d --data mine", "there is no file `d/mine/valid.data`"),
        ("d --data nltcs,../d/nltcs", "`../d/nltcs` is no name"),
        ("d --data nltcs,", "`` is no name"),
        ("d --only em", "there is no folder `d/binarized_mnist`"),
        ("d --only tables", "tables"),
        ("d --setting worst", "worst"),
        ("d --budget 10", "write a time such as 90s, 10m or 1h30m"),
        ("d --budget 0s", "write a time"),
        ("d --seeds 0", "--seeds"),
        ("d -o d/nltcs/train.data", "cannot be made"),
    ] {
        let run = REPRODUCE.run(folder.path(), words.split_whitespace());
        assert_eq!(run.exit, Some(2), "{words}: {run:?}");
        assert!(run.stderr.contains(says), "{words}: {}", run.stderr);
        assert_eq!(run.stdout, "", "{words}");
    }
    std::fs::write(
        path(&folder, "d/nltcs/train.data"),
        "0,1,0,1,0,1\n0,1,0,1,1\n",
    )
    .unwrap();
    let unfit = reproduce(&folder, "--data nltcs --only table");
    assert_eq!(unfit.exit, Some(3), "{unfit:?}");
    assert!(unfit.stderr.contains("train.data:2: "), "{unfit:?}");
    assert!(files(&path(&folder, "o/paper")).is_empty());
}

#[cfg(unix)]
#[test]
fn an_interrupted_command_goes_on() {
    use std::io::{BufRead, BufReader, Read};
    use std::process::{Command, Stdio};
    let folder = folder();
    let words = "d -o o --data mine --only table --progress plain --seeds 1000";
    let mut child = Command::new(REPRODUCE.path)
        .args(words.split_whitespace())
        .current_dir(folder.path())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    while !line.contains("seed 1: epoch 1/") {
        line.clear();
        assert!(
            stderr.read_line(&mut line).unwrap() > 0,
            "it ended by itself"
        );
    }
    let id = child.id().to_string();
    assert!(
        Command::new("kill")
            .args(["-INT", &id])
            .status()
            .unwrap()
            .success()
    );
    let mut rest = String::new();
    stderr.read_to_string(&mut rest).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130), "{rest}");
    let note = "note: interrupted; the same command goes on with what is not done\n";
    assert!(rest.ends_with(note), "{rest}");
    // Only whole results are there.
    let names = files(&path(&folder, "o/paper"));
    assert!(names.contains(&"mine-0.json".to_string()), "{names:?}");
    for name in names.iter().filter(|name| name.ends_with(".json")) {
        assert!(json(&folder, &format!("o/paper/{name}"))["test_ll"].is_f64());
    }
    assert!(
        !names.iter().any(|name| name.starts_with(".pelton-")),
        "{names:?}"
    );
    let words = "--data mine --only table --seeds 1";
    let again = reproduce(&folder, words);
    assert_eq!(
        again.stderr,
        "note: 1 of 1 results had been computed before\n"
    );
}
