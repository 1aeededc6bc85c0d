//! Model files wherever a command takes a circuit, and `pelton params`

use super::{GOOD, PELTON, assert_ends_well, folder_with, run_on};
use pelton_compiler::AnalysisOptions;
use pelton_compiler::circuit::ParameterValue as Number;
use pelton_compiler::load::{FileLoader, SourceInput};
use pelton_formats::analyze;
use pelton_runtime::store::{ModelDocument, save};
use pelton_tests::command::json_lines;
use serde_json::Value;
use std::path::Path;
use tempfile::TempDir;

const MIXTURE: &str = "var sky : {clear, storm};
param w : simplex(2) = ?;
node day[k in 0..2] = sky ~ categorical(?);
root sum k in 0..2 { w[k]: day[k] };
query P(sky = storm);
";

/// A folder with `a.pelton`: the mixture with an eighth for every first entry.
fn folder_with_model() -> TempDir {
    let folder = folder_with("");
    save_model(MIXTURE, &folder.path().join("a.pelton"));
    folder
}

fn save_model(text: &str, path: &Path) {
    let input = SourceInput {
        name: "mixture.pcirc".to_string(),
        path: Some("mixture.pcirc".into()),
        bytes: text.as_bytes().to_vec(),
    };
    let options = AnalysisOptions::default();
    let (program, _, checked) = analyze(input, &FileLoader, &options).into_parts();
    let checked = checked.unwrap();
    let circuit = checked.circuit();
    let values: Vec<Number> = circuit
        .all_entries()
        .chunks(2)
        .flat_map(|_| [0.125, 0.875].map(Number::Linear))
        .collect();
    save(
        path,
        &ModelDocument::of(&program, &options),
        circuit,
        &values,
    )
    .unwrap();
}

#[test]
fn every_command_takes_a_model_file() {
    let folder = folder_with_model();
    std::fs::write(folder.path().join("rows.csv"), "sky\nstorm\nclear\n").unwrap();
    for words in [
        "check a.pelton",
        "stats a.pelton",
        "emit a.pelton --as circuit",
        "emit a.pelton --as ast",
        "emit a.pelton --as source",
        "emit a.pelton --as plan",
        "params a.pelton",
        "eval a.pelton --data rows.csv",
    ] {
        let run = PELTON.run(folder.path(), words.split(' '));
        assert_eq!(run.exit, Some(0), "{words}: {}", run.stderr);
        assert_eq!(run.stderr, "", "{words}");
    }
    let check = PELTON.run(folder.path(), ["check", "a.pelton"]);
    assert!(
        check.stdout.contains("P(sky = storm) = 0.875000"),
        "{}",
        check.stdout
    );
    // By content, whatever it is called, and also from standard input.
    let bytes = std::fs::read(folder.path().join("a.pelton")).unwrap();
    std::fs::write(folder.path().join("model"), &bytes).unwrap();
    assert_eq!(PELTON.run(folder.path(), ["check", "model"]).exit, Some(0));
    let stdin = PELTON.run_with_input(folder.path(), ["check", "-"], &bytes);
    assert_eq!(stdin.exit, Some(0), "{}", stdin.stderr);
}

#[test]
fn values_are_written_back_as_source() {
    let folder = folder_with_model();
    let to_file = ["emit", "a.pelton", "--as", "source", "-o", "b.pcirc"];
    let run = PELTON.run(folder.path(), to_file);
    assert_eq!((run.exit, run.stderr.as_str()), (Some(0), ""));
    let text = std::fs::read_to_string(folder.path().join("b.pcirc")).unwrap();
    assert!(
        text.contains("param w : simplex(2) = ?[0.125, 0.875];\n"),
        "{text}"
    );
    assert!(text.contains("sky ~ categorical(day_sky[k])"), "{text}");
    let check = PELTON.run(folder.path(), ["check", "b.pcirc"]);
    assert!(
        check.stdout.contains("P(sky = storm) = 0.875000"),
        "{}",
        check.stdout
    );
    let flat = run_on(
        "var x, y : bool; def c(v) = v ~ bernoulli(?0.5); root c(x) * c(y);",
        "emit a.pcirc --as source",
    );
    assert_eq!(flat.exit, Some(0));
    assert!(
        flat.stderr
            .starts_with("note: the text lists every unit, because a `?`"),
        "{flat:?}"
    );
}

#[test]
fn broken_model_files_are_told() {
    let folder = folder_with_model();
    let path = folder.path().join("a.pelton");
    let bytes = std::fs::read(&path).unwrap();
    for (end, message) in [
        (
            bytes.len() - 1,
            "`a.pelton` cannot be read: it is cut short",
        ),
        (100, "`a.pelton` cannot be read: it is cut short"),
        (3, "`a.pelton` cannot be read: it is cut short"),
    ] {
        std::fs::write(&path, &bytes[..end]).unwrap();
        let run = PELTON.run(folder.path(), ["check", "a.pelton"]);
        assert_eq!(run.exit, Some(2), "{}", run.stderr);
        assert!(run.stderr.contains(message), "{}", run.stderr);
    }
    std::fs::write(&path, GOOD).unwrap();
    let run = PELTON.run(folder.path(), ["check", "a.pelton"]);
    assert!(run.stderr.contains("it is no model file"), "{}", run.stderr);
    assert_ends_well(&run);
    save_model(MIXTURE, &path);
    let run = PELTON.run(folder.path(), ["check", "a.pelton", "-D", "K=3"]);
    assert_eq!(run.exit, Some(2));
    assert!(run.stderr.contains("leave out `-D`"), "{}", run.stderr);
    let run = PELTON.run(folder.path(), ["fmt", "a.pelton"]);
    assert_eq!(run.exit, Some(2));
    assert!(run.stderr.contains("is a model file"), "{}", run.stderr);
}

/// Messages about a stored text name it and the file that holds it.
#[test]
fn messages_name_the_text_in_the_file() {
    let folder = folder_with("");
    let text = format!("param unused : unit = ?;\n{MIXTURE}");
    save_model(&text, &folder.path().join("a.pelton"));
    let words = ["check", "a.pelton", "--message-format", "short"];
    let run = PELTON.run(folder.path(), words);
    assert!(
        run.stderr.starts_with("a.pelton/mixture.pcirc:1:7"),
        "{}",
        run.stderr
    );
}

#[test]
fn parameters_are_listed_by_name() {
    let folder = folder_with_model();
    let all = PELTON.run(folder.path(), ["params", "a.pelton"]).stdout;
    assert_eq!(
        all,
        "w             simplex(2)  ?0.125 ?0.875
day[0].sky.p  simplex(2)  ?0.125 ?0.875
day[1].sky.p  simplex(2)  ?0.125 ?0.875
"
    );
    for (node, names) in [
        ("w", vec!["w"]),
        ("w[1]", vec!["w[1]"]),
        ("root", vec!["w"]),
        ("day", vec!["day[0].sky.p", "day[1].sky.p"]),
        ("day[ 1 ]", vec!["day[1].sky.p"]),
        ("day[1].sky.p", vec!["day[1].sky.p"]),
    ] {
        let run = PELTON.run(folder.path(), ["params", "a.pelton", node, "--json"]);
        let rows = pelton_tests::command::json_lines(&run.stdout);
        let found: Vec<&str> = rows.iter().filter_map(|row| row["name"].as_str()).collect();
        assert_eq!(found, names, "{node}");
    }
    let run = PELTON.run(folder.path(), ["params", "a.pelton", "day[0]", "--json"]);
    let row: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(row["node"], "day[0]");
    assert_eq!(row["kind"], "simplex");
    assert_eq!(row["values"], serde_json::json!([0.125, 0.875]));
    assert_eq!(row["learned"], serde_json::json!([true, true]));
    let run = PELTON.run(folder.path(), ["params", "a.pelton", "dya"]);
    assert_eq!(run.exit, Some(2));
    assert!(run.stderr.contains("did you mean `day`?"), "{}", run.stderr);
}

/// What several nodes say alike is one unit, and still a part of each of them.
#[test]
fn nodes_have_the_parameters_that_they_share() {
    let text = "var a, b : bool;\nvar n : nat;\nparam rate : positive = 2;\n\
                param q : unit = 0.5;\nparam own : unit = 0.2;\n\
                node inner = b ~ bernoulli(own);\n\
                node k[i in 0..2] = (q: a + (1 - q): !a) * n ~ poisson(rate) * inner;\n\
                node l = (q: a + (1 - q): !a) * n ~ poisson(rate) * b ~ bernoulli(0.1);\n\
                root 0.2: k[0] + 0.3: k[1] + 0.5: l;\n";
    let folder = folder_with(text);
    for (node, names) in [
        ("k[0]", vec!["rate", "q"]),
        ("l", vec!["rate", "q", "l.b.p"]),
        ("inner", vec!["own"]),
        ("root", vec!["root.weights"]),
    ] {
        let run = PELTON.run(folder.path(), ["params", "a.pcirc", node, "--json"]);
        let rows = pelton_tests::command::json_lines(&run.stdout);
        let found: Vec<&str> = rows.iter().filter_map(|row| row["name"].as_str()).collect();
        assert_eq!(found, names, "{node}: {run:?}");
    }
}

/// Vectors of every way to write them: members of arrays, of places in arrays of nodes, from
/// one place and from several, of nodes that fill no box.
const NAMES: &str = "var x[0..2], y, z, v, u[0..2] : bool;
var h : real;
param w : simplex(2) = ?;
param mu[0..2] : real = ?;
node comp[k in 0..2] =
    h ~ normal(mu[k], ?) * prod i in 0..2 { x[i] ~ bernoulli(?) }
  * (?: y + ?: !y) * (sum j in 0..2 { ?: z ~ bernoulli(?) });
node odd[i in 0..2, j in 0..2 where i + j == 1] = u[i] ~ bernoulli(?);
node pair = v ~ bernoulli(?);
root (sum k in 0..2 { w[k]: comp[k] }) * odd[0, 1] * odd[1, 0]
   * (?: pair + ?: v ~ bernoulli(?) + 0.5: v ~ bernoulli(0.25));
";

#[test]
fn vectors_are_called_as_in_the_model_file() {
    let folder = folder_with(NAMES);
    let rows = "x[0],x[1],y,z,v,u[0],u[1],h\n1,0,1,0,1,0,1,0.5\n0,1,0,1,0,0,1,1.5\n";
    std::fs::write(folder.path().join("t.csv"), rows).unwrap();
    let fit = "fit a.pcirc --train t.csv --fullbatch-epochs 2 -o a.pelton";
    let run = PELTON.run(folder.path(), fit.split(' '));
    assert_eq!(run.exit, Some(0), "{run:?}");
    let tensors = tensors(&folder.path().join("a.pelton"));
    let listed = PELTON.run(folder.path(), ["params", "a.pelton", "--json"]);
    let mut sizes: std::collections::BTreeMap<String, u64> = Default::default();
    let mut names = std::collections::BTreeSet::new();
    for row in json_lines(&listed.stdout) {
        let name = row["name"].as_str().unwrap().to_string();
        let is_learned = row["learned"].as_array().unwrap().contains(&true.into());
        if is_learned {
            // Of a `unit` parameter the file has both probabilities.
            let n_shown = row["values"].as_array().unwrap().len() as u64;
            let n = if row["kind"] == "unit" { 2 } else { n_shown };
            *sizes.entry(without_brackets(&name)).or_default() += n;
        }
        // Each of them is found by its name.
        let own = PELTON.run(folder.path(), ["params", "a.pelton", &name, "--json"]);
        let own = json_lines(&own.stdout);
        assert!(
            own.iter().any(|own| own["values"] == row["values"]),
            "{name}"
        );
        assert!(names.insert(name), "{listed:?}");
    }
    assert_eq!(sizes, tensors);
    for name in [
        "comp[1].z.p[0]",
        "comp[1].z.p[1]",
        "root.v.p",
        "odd[0, 1].u[0].p",
        "comp[0].weights_2",
    ] {
        assert!(names.contains(name), "{name} in {names:?}");
    }
}

fn without_brackets(name: &str) -> String {
    let parts = name.split('[').enumerate();
    let outside = parts.map(|(at, part)| match at {
        0 => part,
        _ => part.split_once(']').unwrap().1,
    });
    outside.collect()
}

/// How many numbers each tensor of a model file holds, but those of logarithms.
fn tensors(path: &Path) -> std::collections::BTreeMap<String, u64> {
    let bytes = std::fs::read(path).unwrap();
    let n_header = u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize;
    let header: Value = serde_json::from_slice(&bytes[8..8 + n_header]).unwrap();
    let all = header.as_object().unwrap().iter();
    let own = all.filter(|(name, _)| *name != "__metadata__" && !name.ends_with(".log"));
    let sized = own.map(|(name, tensor)| {
        let shape = tensor["shape"].as_array().unwrap().iter();
        (name.clone(), shape.map(|n| n.as_u64().unwrap()).product())
    });
    sized.collect()
}
