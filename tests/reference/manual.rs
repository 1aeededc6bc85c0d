//! Every command and every snippet of the pages that readers follow.

use super::{PELTON, chapters};
use pelton_tests::manual::{Tally, run, run_in, snippets};
use std::path::{Path, PathBuf};
use std::process::Command;

pub(super) fn root() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.canonicalize().expect("the repository is there")
}

/// The entry page, the manual, the guide for Python and the page on editors. Pages of
/// messages hold circuits alone, and have a test of their own.
fn pages() -> Vec<PathBuf> {
    let others = [
        "README.md",
        "runtime/bindings/python/README.md",
        "grammar/editors/README.md",
    ];
    let others = others.iter().map(|name| root().join(name));
    others.chain(chapters()).collect()
}

#[test]
fn every_command_runs_as_typed() {
    let mut tally = Tally::default();
    for page in pages() {
        tally.add(run(PELTON, &root(), &page));
    }
    println!(
        "{} commands run, {} snippets of circuits, data, Rust, C and Python are run by their own tests, {} blocks are marked:",
        tally.n_commands,
        tally.n_snippets,
        tally.marked.len()
    );
    for marked in &tally.marked {
        println!("  {marked}");
    }
    assert!(tally.faults.is_empty(), "{}", tally.faults.join("\n"));
    assert!(tally.n_commands >= 40, "{}", tally.n_commands);
    assert!(tally.marked.len() <= 5, "{:?}", tally.marked);
}

/// The snippets in Rust, as they stand on the page.
#[rustfmt::skip]
fn in_rust() -> Result<(Vec<f64>, f64), pelton::Error> {
use pelton::{Batch, Circuit}; // pelton = { path = "runtime/pelton", default-features = false, features = ["jit"] }

let circuit = Circuit::load("examples/sprinkler.pcirc")?;
let logs = circuit.log_likelihood(&Batch::new(&[1.0, f64::NAN], 1, 2))?; // NaN is missing
let rain = circuit.query("P(rain | wet)")?.value();
Ok((logs, rain))
}

#[test]
fn snippets_in_rust_are_compiled_and_run() {
    let own = include_str!("manual.rs");
    for page in pages() {
        let text = std::fs::read_to_string(&page).unwrap();
        for block in snippets(&text, "rust") {
            assert!(
                own.contains(&block.body),
                "{}: {}",
                page.display(),
                block.line
            );
        }
    }
    // Paths of snippets begin where the repository does; no other test here needs to know.
    std::env::set_current_dir(root()).unwrap();
    let (logs, rain) = in_rust().unwrap();
    assert!((logs[0] - 0.3_f64.ln()).abs() < 1e-6, "{logs:?}");
    assert!((rain - 0.27 / 0.41).abs() < 1e-9, "{rain}");
}

/// Programs of a page are compiled with what its commands built, and print what is quoted.
#[test]
fn programs_in_c_are_compiled_and_run() {
    let mut n_run = 0;
    for page in pages() {
        let text = std::fs::read_to_string(&page).unwrap();
        let programs = snippets(&text, "c");
        if programs.is_empty() {
            continue;
        }
        let folder = tempfile::tempdir().unwrap();
        let tally = run_in(PELTON, &root(), &page, folder.path());
        assert!(tally.faults.is_empty(), "{:?}", tally.faults);
        for program in programs {
            let printed = compiled_and_run(folder.path(), &program.body);
            let quoted = text
                .lines()
                .any(|line| line.strip_prefix("> ") == Some(&printed));
            assert!(quoted, "{}:{}: {printed}", page.display(), program.line);
            n_run += 1;
        }
    }
    assert!(n_run >= 1);
}

fn compiled_and_run(folder: &Path, program: &str) -> String {
    std::fs::write(folder.join("program.c"), program).expect("it can be written");
    let words = "-std=c11 -Wall -Wextra -Werror -Ibuilt program.c built/libdays.a -lm -o program";
    let mut compiler = Command::new("cc");
    compiler.args(words.split(' ')).current_dir(folder);
    assert!(compiler.status().expect("it runs").success());
    let output = Command::new(folder.join("program"))
        .output()
        .expect("it runs");
    assert!(output.status.success(), "{output:?}");
    String::from_utf8_lossy(&output.stdout)
        .trim_end()
        .to_string()
}
