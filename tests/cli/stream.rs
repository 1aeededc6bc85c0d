//! `--stream`: requests and answers as lines of JSON, hostile lines, and one process that
//! is asked again and again.

use super::{PELTON, folder_with};
use pelton_tests::command::{Run, json_lines};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};

const DAY: &str = "var rain, wet : bool; var sky : {clear, cloudy, storm}; var temp : real;
    root 0.3: rain * (0.9: wet + 0.1: !wet) * sky ~ categorical(0.1, 0.3, 0.6) * temp ~ normal(8, 3)
       + 0.7: !rain * (0.2: wet + 0.8: !wet) * sky ~ categorical(0.6, 0.3, 0.1) * temp ~ normal(18, 5);";

/// The answers to requests.
fn asked(folder: &Path, words: &[&str], requests: &[Value]) -> Vec<Value> {
    let lines: Vec<String> = requests.iter().map(Value::to_string).collect();
    let run = asked_raw(folder, words, lines.join("\n").as_bytes());
    assert_eq!(run.exit, Some(0), "{run:?}");
    json_lines(&run.stdout)
}

fn asked_raw(folder: &Path, words: &[&str], input: &[u8]) -> Run {
    let words: Vec<&str> = words.iter().copied().chain(["--stream"]).collect();
    PELTON.run_with_input(folder, &words, input)
}

#[test]
fn answers_are_those_of_the_commands() {
    let folder = folder_with(DAY);
    let data = "wet,sky,temp\n1,storm,\n,,7.5\n0,clear,20\n";
    std::fs::write(folder.path().join("d.csv"), data).unwrap();
    let rows = json!([
        {"wet": true, "sky": "storm"},
        {"temp": 7.5},
        {"wet": 0, "sky": "clear", "temp": 20},
    ]);
    let by_file = |words: &[&str]| {
        let more = ["--data", "d.csv", "--json", "--precision", "f64"];
        let run = PELTON.run(folder.path(), words.iter().chain(&more));
        assert_eq!(run.exit, Some(0), "{run:?}");
        json_lines(&run.stdout)
    };
    let by_stream = |words: &[&str]| {
        let found = asked(folder.path(), words, &[json!({"id": 5, "rows": rows})]);
        assert_eq!(found[0]["id"], 5);
        found[0]["answers"].as_array().unwrap().clone()
    };
    let without_row = |mut line: Value| {
        line.as_object_mut().unwrap().remove("row");
        line
    };
    for words in [
        &["eval", "a.pcirc"][..],
        &["query", "a.pcirc", "P(rain | temp < 10)"],
        &["map", "a.pcirc", "--given", "temp < 25"],
    ] {
        let mut words_by_file = words.to_vec();
        words_by_file.extend((words[0] == "eval").then_some("--per-row"));
        let lines: Vec<Value> = by_file(&words_by_file)
            .into_iter()
            .map(without_row)
            .collect();
        assert_eq!(by_stream(words), lines, "{words:?}");
    }
    let lines = by_file(&["marginals", "a.pcirc"]);
    let replies = by_stream(&["marginals", "a.pcirc"]);
    assert_eq!(lines.len(), 12);
    for line in lines {
        let row = line["row"].as_u64().unwrap() as usize - 1;
        let own = &replies[row]["marginals"][line["variable"].as_str().unwrap()];
        assert_eq!(own["probabilities"], line["probabilities"]);
        assert_eq!((&own["mean"], &own["sd"]), (&line["mean"], &line["sd"]));
    }
}

#[test]
fn samples_are_those_of_the_command() {
    let folder = folder_with(DAY);
    let run = PELTON.run(
        folder.path(),
        [
            "sample", "a.pcirc", "-n", "5", "--seed", "3", "--given", "wet",
        ],
    );
    let request = json!({"n": 5, "seed": 3, "given": "wet"});
    let found = asked(folder.path(), &["sample", "a.pcirc"], &[request]);
    let samples = found[0]["samples"].as_array().unwrap();
    assert_eq!(samples.len(), 5);
    for (sample, line) in samples.iter().zip(run.stdout.lines().skip(1)) {
        let truth = |key: &str| u8::from(sample[key].as_bool().unwrap());
        let (sky, temp) = (sample["sky"].as_str().unwrap(), &sample["temp"]);
        let expected = format!("{},{},{sky},{temp}", truth("rain"), truth("wet"));
        assert_eq!(line, expected);
    }
}

#[test]
fn what_is_wrong_is_answered_and_the_next_request_is_fine() {
    let folder = folder_with(DAY);
    let fine = r#"{"id": "fine", "row": {"wet": true}}"#;
    for (command, request, kind, says) in [
        ("eval", "{", "usage", "not JSON"),
        ("eval", "[1, 2]", "usage", "a request is an object"),
        ("eval", r#"{"rowes": []}"#, "usage", "did you mean `rows`?"),
        (
            "eval",
            r#"{"query": "P(rain)"}"#,
            "usage",
            "a request has no `query`",
        ),
        (
            "eval",
            r#"{"row": {"ran": 1}}"#,
            "usage",
            "did you mean `rain`?",
        ),
        ("eval", r#"{"row": {"rain": 2}}"#, "data", "`2`"),
        ("eval", r#"{"row": {"sky": 1}}"#, "data", "`sky`"),
        (
            "eval",
            r#"{"row": {"sky": ["storm"]}}"#,
            "usage",
            "`sky` is a list",
        ),
        ("eval", r#"{"row": [1, 1]}"#, "usage", "2 columns"),
        ("eval", r#"{"row": 3}"#, "usage", "a row is an object"),
        (
            "eval",
            r#"{"rows": {"rain": 1}}"#,
            "usage",
            "`rows` is a list",
        ),
        (
            "eval",
            r#"{"row": {}, "rows": []}"#,
            "usage",
            "either `row` or `rows`",
        ),
        (
            "eval",
            r#"{"rows": [{}, [1, 1, "storm", 2]]}"#,
            "usage",
            "write all alike",
        ),
        ("eval", r#"{"row": {"temp": 1e999}}"#, "usage", "not JSON"),
        ("query", r#"{"row": {}}"#, "usage", "there is no query"),
        ("query", r#"{"query": 7}"#, "usage", "`query` is a text"),
        ("query", r#"{"query": "P(rain"}"#, "usage", "never closed"),
        (
            "query",
            r#"{"query": "P(rain | temp > 3, temp < 2)"}"#,
            "data",
            "zero",
        ),
        (
            "marginals",
            r#"{"given": "temp > 3, temp < 2"}"#,
            "data",
            "zero",
        ),
        ("map", r#"{"given": "temp > 3, temp < 2"}"#, "data", "zero"),
        (
            "sample",
            r#"{"given": "temp > 3, temp < 2"}"#,
            "data",
            "zero",
        ),
        ("sample", r#"{"n": -1}"#, "usage", "whole number"),
        ("sample", r#"{"n": 10000000000}"#, "usage", "ask for less"),
    ] {
        let input = format!("{request}\n\n{fine}\n");
        let words: &[&str] = match command {
            "query" => &["query", "a.pcirc"],
            other => &[other, "a.pcirc"],
        };
        let run = asked_raw(folder.path(), words, input.as_bytes());
        assert_eq!(run.exit, Some(0), "{request}: {run:?}");
        let lines = json_lines(&run.stdout);
        assert_eq!(lines.len(), 2, "{request}: {run:?}");
        let error = &lines[0]["error"];
        assert_eq!(error["kind"], kind, "{request}: {lines:?}");
        let message = error["message"].as_str().unwrap();
        assert!(message.contains(says), "{request}: {message}");
        assert_eq!(lines[1]["id"], "fine", "{request}");
        assert_eq!(
            lines[1].get("error").is_some(),
            command == "query",
            "{lines:?}"
        );
    }
}

#[test]
fn impossible_rows_keep_their_place_in_lists() {
    let folder = folder_with("var a, b : bool; root a * b ~ bernoulli(0.25);");
    let request = json!({"rows": [{"a": false}, {"a": true}]});
    let query = &["query", "a.pcirc", "P(b)"][..];
    for (words, field) in [
        (query, "value"),
        (&["map", "a.pcirc"], "values"),
        (&["sample", "a.pcirc"], "samples"),
    ] {
        let found = asked(folder.path(), words, std::slice::from_ref(&request));
        let answers = found[0]["answers"].as_array().unwrap();
        assert!(answers[0][field].is_null(), "{words:?}: {answers:?}");
        assert!(!answers[1][field].is_null(), "{words:?}: {answers:?}");
    }
    let found = asked(folder.path(), &["eval", "a.pcirc"], &[request]);
    assert_eq!(
        found[0]["answers"][0],
        json!({"log_likelihood": null, "zero": true})
    );
}

#[test]
fn hostile_lines_end_well() {
    let folder = folder_with(DAY);
    let long = vec![b'['; (16 << 20) + 10];
    let deep = vec![b'['; 100_000];
    let bytes: Vec<u8> = (0..=255).filter(|&byte| byte != b'\n').collect();
    let wide = format!("{{\"rows\": [{}{{}}]}}", "{},".repeat(5_000_000));
    let mut input = Vec::new();
    for line in [&long, &deep, &bytes, wide.as_bytes(), br#"{"id": 9}"#] {
        input.extend(line);
        input.push(b'\n');
    }
    let run = asked_raw(folder.path(), &["eval", "a.pcirc"], &input);
    assert_eq!(run.exit, Some(0), "{run:?}");
    let lines = json_lines(&run.stdout);
    assert_eq!(lines.len(), 5);
    let messages = lines.iter().map(|line| line["error"]["message"].as_str());
    let messages: Vec<&str> = messages.flatten().collect();
    assert_eq!(messages.len(), 4, "{messages:?}");
    assert!(messages[0].contains("16 MiB"), "{messages:?}");
    assert!(messages[3].contains("fewer"), "{messages:?}");
    assert_eq!(lines[4]["id"], 9);
}

#[test]
fn wrong_command_lines_are_usage() {
    let folder = folder_with(DAY);
    for (words, says) in [
        (&["query", "-"][..], "has to be a file"),
        (&["eval", "-"], "has to be a file"),
        (&["moments", "-"], "has to be a file"),
        (
            &["query", "a.pcirc", "P(rain)", "P(wet)"],
            "one query at most",
        ),
        (&["query", "a.pcirc", "P(ran)"], "did you mean `rain`?"),
        (
            &["eval", "a.pcirc", "--data", "d.csv"],
            "cannot be used with",
        ),
        (&["sample", "a.pcirc", "-o", "x.csv"], "cannot be used with"),
        (
            &["marginals", "a.pcirc", "--given", "ran"],
            "did you mean `rain`?",
        ),
    ] {
        let run = asked_raw(folder.path(), words, b"");
        assert_eq!(run.exit, Some(2), "{words:?}: {run:?}");
        assert!(run.stderr.contains(says), "{words:?}: {run:?}");
        assert!(run.stdout.is_empty(), "{words:?}");
    }
}

#[test]
fn one_process_is_asked_again_and_again() {
    let folder = folder_with(DAY);
    let mut process = Command::new(env!("CARGO_BIN_EXE_pelton"))
        .args(["query", "a.pcirc", "P(rain)", "--stream"])
        .current_dir(folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = process.stdin.take().unwrap();
    let mut output = BufReader::new(process.stdout.take().unwrap());
    // Each answer is awaited before the next request is written.
    for id in 0..200 {
        let temp = f64::from(id) / 10.0;
        writeln!(input, "{}", json!({"id": id, "row": {"temp": temp}})).unwrap();
        let mut line = String::new();
        output.read_line(&mut line).unwrap();
        let answer: Value = serde_json::from_str(&line).unwrap();
        assert_eq!(answer["id"], id);
        let density = |mean: f64, sd: f64| (-((temp - mean) / sd).powi(2) / 2.0).exp() / sd;
        let (rain, dry) = (0.3 * density(8.0, 3.0), 0.7 * density(18.0, 5.0));
        let value = answer["value"].as_f64().unwrap();
        assert!((value - rain / (rain + dry)).abs() < 1e-9, "{answer}");
    }
    drop(input);
    assert!(process.wait().unwrap().success());
}
