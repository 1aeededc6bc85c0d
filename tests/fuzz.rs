//! Drives the fuzz bodies: the front half with seeded mutations of a kept corpus, of
//! circuits and of files of other tools, the engines with random bytes.
//!
//! `PELTON_FUZZ_SECONDS` sets how long; a few seconds without it. The inputs
//! depend on the seed alone, so a failure is repeated by running again.

use pelton_tests::fuzz::{EngineOutcomes, Outcomes, engines, front, import, networks};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

const SEED: u64 = 20_211;

/// Pieces that are inserted: the words and signs of the language, and what breaks it.
const PIECES: &[&str] = &[
    "var ",
    "const ",
    "param ",
    "node ",
    "root ",
    "def ",
    "use ",
    "assert ",
    "query ",
    "sum ",
    "prod ",
    "where ",
    "if ",
    "else ",
    "in ",
    "is ",
    "as ",
    " ~ ",
    "normal(0, 1)",
    "bernoulli(?)",
    "categorical(0.2, 0.8)",
    "poisson(3)",
    "uniform(0, 1)",
    "histogram([0, 1, 2], ?)",
    " in [0, 5)",
    "simplex(2)",
    "unit",
    "bool",
    "real",
    "nat",
    "0..3",
    "{a, b}",
    "?",
    "?0.5",
    "0.5: ",
    "1/3: ",
    "exp(-2): ",
    " + ",
    " * ",
    "!",
    "-",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ";",
    ":",
    ",",
    "=",
    "==",
    "<",
    "..",
    "&&",
    "||",
    "^",
    "%",
    "@smooth ",
    "@allow(unused_node) ",
    "@",
    "\"",
    "`",
    "//",
    "/*",
    "*/",
    "///",
    "\n",
    "\0",
    "\u{feff}",
    "é",
    "999999999999999999999",
    "1e999",
    "inf",
    "true",
    "smooth",
    "deterministic",
    "x[0]",
    "P(x | y)",
];

#[test]
fn mutated_circuits_break_no_law() {
    let corpus = corpus();
    let duration = duration();
    let mut rng = ChaCha8Rng::seed_from_u64(SEED);
    let mut outcomes = Outcomes::default();
    for (name, bytes) in &corpus {
        run(bytes, name, |bytes| front(bytes, &mut outcomes));
    }
    let start = Instant::now();
    let mut n_inputs = 0;
    while start.elapsed() < duration || n_inputs < 200 {
        let bytes = mutated(&corpus, &mut rng);
        run(&bytes, "mutation", |bytes| front(bytes, &mut outcomes));
        n_inputs += 1;
    }
    println!(
        "seed {SEED}: {} kept and {n_inputs} mutated inputs, {outcomes:?}",
        corpus.len()
    );
    assert!(outcomes.right > 0 && outcomes.wrong > 0 && outcomes.not_lowered > 0);
}

/// Names of files by which formats are told, and how cases of them begin.
const NETWORKS: &[&str] = &["bif", "cnf", "deeprob", "dnf", "spflow", "uai"];

#[test]
fn mutated_networks_break_no_law() {
    let corpora = NETWORKS
        .iter()
        .map(|&format| (format, network_corpus(format)));
    let corpora: Vec<_> = corpora.collect();
    let duration = duration();
    let mut rng = ChaCha8Rng::seed_from_u64(SEED);
    let mut outcomes = Outcomes::default();
    let start = Instant::now();
    let mut n_inputs = 0;
    while start.elapsed() < duration || n_inputs < 600 {
        let (format, corpus) = &corpora[n_inputs % corpora.len()];
        let bytes = mutated(corpus, &mut rng);
        let name = format!("fuzz.{format}");
        run(&bytes, format, |bytes| {
            networks(&name, bytes, &mut outcomes)
        });
        n_inputs += 1;
    }
    println!("seed {SEED}: {n_inputs} mutated networks, {outcomes:?}");
    assert!(outcomes.right > 0 && outcomes.not_lowered > 0);
}

/// The message cases of a format and the files that the tests read without an error.
fn network_corpus(format: &str) -> Vec<(String, Vec<u8>)> {
    let top = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut corpus = Vec::new();
    for folder in [top.join("cases/import"), top.join("data/networks")] {
        let entries = std::fs::read_dir(&folder).expect("the folder can be listed");
        let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        paths.sort();
        for path in paths {
            let name = path
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            if name.starts_with(&format!("{format}_")) && !name.ends_with(".expected") {
                let bytes = std::fs::read(&path).expect("a listed file can be read");
                corpus.push((name, bytes));
            }
        }
    }
    assert!(!corpus.is_empty(), "the corpus of {format} is missing");
    corpus
}

/// Lines of other tools' files are cut, copied, swapped and given other words.
#[test]
fn mutated_files_of_other_tools_break_no_law() {
    let corpus = imports();
    let duration = duration();
    let mut rng = ChaCha8Rng::seed_from_u64(SEED);
    let mut outcomes = Outcomes::default();
    for (name, bytes) in &corpus {
        run(bytes, name, |bytes| import(bytes, &mut outcomes));
    }
    let start = Instant::now();
    let mut n_inputs = 0;
    while start.elapsed() < duration || n_inputs < 500 {
        let mut bytes = corpus[rng.random_range(0..corpus.len())].1.clone();
        for _ in 0..rng.random_range(1..=4) {
            match rng.random_range(0..4) {
                0 => mutate_lines(&mut bytes, &mut rng),
                1 => insert_number(&mut bytes, &mut rng),
                _ => mutate(&mut bytes, &corpus, &mut rng),
            }
        }
        bytes.truncate(20_000);
        run(&bytes, "import", |bytes| import(bytes, &mut outcomes));
        n_inputs += 1;
    }
    println!(
        "seed {SEED}: {} kept and {n_inputs} mutated files, {outcomes:?}",
        corpus.len()
    );
    assert!(outcomes.right > 0 && outcomes.wrong > 0 && outcomes.not_lowered > 0);
}

#[test]
fn engines_agree_whatever_the_circuit() {
    let duration = duration();
    let mut rng = ChaCha8Rng::seed_from_u64(SEED);
    let mut outcomes = EngineOutcomes::default();
    let start = Instant::now();
    let mut n_inputs = 0;
    while start.elapsed() < duration || n_inputs < 50 {
        let bytes: Vec<u8> = (0..rng.random_range(8..400))
            .map(|_| rng.random())
            .collect();
        run(&bytes, "circuit", |bytes| engines(bytes, &mut outcomes));
        n_inputs += 1;
    }
    println!("seed {SEED}: {n_inputs} inputs, {outcomes:?}");
    assert!(outcomes.possible > 0 && outcomes.impossible > 0 && outcomes.agreed > 0);
}

fn duration() -> Duration {
    let seconds = std::env::var("PELTON_FUZZ_SECONDS");
    let seconds = seconds.ok().and_then(|s| s.parse().ok());
    Duration::from_secs(seconds.unwrap_or(5))
}

/// Runs the body; a broken law is reported with the input that broke it.
fn run(bytes: &[u8], name: &str, body: impl FnOnce(&[u8])) {
    let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| body(bytes)));
    if result.is_err() {
        let path = std::env::temp_dir().join(format!("pelton-fuzz-{name}"));
        std::fs::write(&path, bytes).expect("the temporary folder can be written");
        panic!(
            "{name} (seed {SEED}) broke a law; the input is in {}",
            path.display()
        );
    }
}

fn mutated(corpus: &[(String, Vec<u8>)], rng: &mut ChaCha8Rng) -> Vec<u8> {
    let mut bytes = corpus[rng.random_range(0..corpus.len())].1.clone();
    for _ in 0..rng.random_range(1..=4) {
        mutate(&mut bytes, corpus, rng);
    }
    bytes.truncate(20_000);
    bytes
}

fn mutate(bytes: &mut Vec<u8>, corpus: &[(String, Vec<u8>)], rng: &mut ChaCha8Rng) {
    let at = rng.random_range(0..=bytes.len());
    let end = (at + rng.random_range(0..20)).min(bytes.len());
    match rng.random_range(0..12) {
        6.. => replace_word(bytes, rng),
        0 => drop(bytes.drain(at..end)),
        1 => insert(
            bytes,
            at,
            PIECES[rng.random_range(0..PIECES.len())].as_bytes(),
        ),
        2 => {
            let copy = bytes[at..end].to_vec();
            insert(bytes, at, &copy);
        }
        3 if at < bytes.len() => bytes[at] = rng.random(),
        4 => {
            let piece = PIECES[rng.random_range(0..PIECES.len())].as_bytes();
            bytes.splice(at..end, piece.iter().copied());
        }
        _ => {
            let other = &corpus[rng.random_range(0..corpus.len())].1;
            let from = rng.random_range(0..=other.len());
            let to = (from + rng.random_range(0..200)).min(other.len());
            insert(bytes, at, &other[from..to]);
        }
    }
}

/// Replaces one word or number by another of the same text: unlike the other
/// mutations this mostly keeps the syntax whole and reaches the later stages.
fn replace_word(bytes: &mut Vec<u8>, rng: &mut ChaCha8Rng) {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte == b'.';
    let mut words = Vec::new();
    let mut at = 0;
    for run in bytes.chunk_by(|a, b| is_word(a) == is_word(b)) {
        if is_word(&run[0]) {
            words.push(at..at + run.len());
        }
        at += run.len();
    }
    if words.is_empty() {
        return;
    }
    let target = words[rng.random_range(0..words.len())].clone();
    let word = bytes[words[rng.random_range(0..words.len())].clone()].to_vec();
    bytes.splice(target, word);
}

fn insert(bytes: &mut Vec<u8>, at: usize, piece: &[u8]) {
    bytes.splice(at..at, piece.iter().copied());
}

/// Numbers that no file should be trusted with.
const NUMBERS: &[&str] = &[
    "0",
    "-1",
    "1000000000",
    "9223372036854775807",
    "-9223372036854775808",
    "99999999999999999999",
    "nan",
    "inf",
    "-inf",
    "1e-400",
    "0.5",
    "-0.0",
];

/// Puts a number in the place of a word.
fn insert_number(bytes: &mut Vec<u8>, rng: &mut ChaCha8Rng) {
    let is_blank = |byte: &u8| byte.is_ascii_whitespace();
    let from = rng.random_range(0..=bytes.len());
    let start = bytes[..from]
        .iter()
        .rposition(is_blank)
        .map_or(0, |at| at + 1);
    let length = bytes[start..].iter().position(is_blank);
    let end = length.map_or(bytes.len(), |length| start + length);
    let number = NUMBERS[rng.random_range(0..NUMBERS.len())];
    bytes.splice(start..end, number.bytes());
}

/// Drops, repeats or moves a line.
fn mutate_lines(bytes: &mut Vec<u8>, rng: &mut ChaCha8Rng) {
    let mut lines: Vec<Vec<u8>> = bytes
        .split_inclusive(|byte| *byte == b'\n')
        .map(<[u8]>::to_vec)
        .collect();
    if lines.is_empty() {
        return;
    }
    let (at, to) = (
        rng.random_range(0..lines.len()),
        rng.random_range(0..lines.len()),
    );
    match rng.random_range(0..4) {
        0 => drop(lines.remove(at)),
        1 => lines.insert(to, lines[at].clone()),
        2 => lines.swap(at, to),
        _ => lines.truncate(at + 1),
    }
    *bytes = lines.concat();
}

/// Small files of other tools, whole and broken, in order of their names.
fn imports() -> Vec<(String, Vec<u8>)> {
    let top = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for folder in [top.join("foreign"), top.join("cases/import")] {
        for entry in std::fs::read_dir(folder)
            .expect("the corpus is there")
            .flatten()
        {
            let path = entry.path();
            if path.extension().is_some_and(|ending| ending != "expected") {
                let bytes = std::fs::read(&path).expect("a listed file can be read");
                files.push((entry.file_name().to_string_lossy().into_owned(), bytes));
            }
        }
    }
    files.sort();
    assert!(files.len() > 50, "the corpus is missing");
    files
}

/// The examples and the message cases, in order of their names.
fn corpus() -> Vec<(String, Vec<u8>)> {
    let top = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut paths = Vec::new();
    for folder in [top.join("cases"), top.join("../examples")] {
        collect(&folder, &mut paths);
    }
    paths.sort();
    assert!(paths.len() > 5, "the corpus is missing");
    let small = paths.into_iter().filter_map(|path| {
        let bytes = std::fs::read(&path).expect("a listed file can be read");
        (bytes.len() < 20_000).then(|| (path.display().to_string(), bytes))
    });
    small.collect()
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let path = entry.path();
        match path.is_dir() {
            true => collect(&path, paths),
            false if path.extension().is_some_and(|ending| ending == "pcirc") => paths.push(path),
            false => {}
        }
    }
}
