//! Circuits go to files and come back the same.

use super::WEATHER;
use pelton::{Batch, Circuit, FitOptions, Options};
use std::ops::ControlFlow;

fn trained() -> Circuit {
    let mut circuit = Options::new()
        .learn_all(true)
        .compile(WEATHER)
        .expect("it is right");
    let rows = circuit.sample(500, 1, "").expect("it is right");
    let batch = Batch::new(&rows.values, 500, rows.n_variables);
    let go_on = |_: &pelton::Progress<'_>| ControlFlow::Continue(());
    circuit
        .fit(&batch, &FitOptions::default(), go_on)
        .expect("it is right");
    circuit
}

#[test]
fn models_and_texts_come_back_bit_for_bit() {
    let folder = tempfile::tempdir().unwrap();
    let circuit = trained();
    let rows = circuit.sample(100, 2, "").unwrap();
    let batch = Batch::new(&rows.values, 100, rows.n_variables);
    let expected = circuit.log_likelihood(&batch).unwrap();
    for name in ["weather.pelton", "weather.pcirc"] {
        let path = folder.path().join(name);
        circuit.save(&path).unwrap();
        let again = Circuit::load(&path).unwrap();
        assert_eq!(again.log_likelihood(&batch).unwrap(), expected, "{name}");
    }
    let again = Circuit::from_bytes("model", &circuit.to_bytes().unwrap()).unwrap();
    assert_eq!(again.parameters(), circuit.parameters());
    let again = Circuit::compile(&circuit.to_source().unwrap()).unwrap();
    assert_eq!(again.log_likelihood(&batch).unwrap(), expected);
}

#[test]
fn circuits_of_other_tools_are_read() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/foreign");
    let mut n_read = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let circuit = Circuit::load(&path).unwrap_or_else(|error| panic!("{path:?}: {error}"));
        assert!(!circuit.variables().is_empty());
        n_read += 1;
    }
    assert!(n_read >= 5);
}

#[test]
fn endings_of_other_formats_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let error = trained()
        .save(folder.path().join("weather.psdd"))
        .unwrap_err();
    assert!(
        error.to_string().contains("the command line converts"),
        "{error}"
    );
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

const USING: &str = "use \"lib/coin.pcirc\" as coin; var x : bool; root coin.fair(x);";
const COIN: &str = "def fair(v) = ?0.5: v + ?0.5: !v;";

/// A text from memory reaches what is handed over and no file, wherever it lies.
#[test]
fn texts_from_memory_reach_no_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("secret");
    std::fs::write(&path, "token 1234567").unwrap();
    let text = format!("use {path:?} as s; var x : bool; root s.f(x);");
    for error in [
        Circuit::compile(&text).unwrap_err(),
        Circuit::from_bytes("main", text.as_bytes()).unwrap_err(),
        Options::new()
            .file("other", COIN)
            .compile(&text)
            .unwrap_err(),
    ] {
        assert_eq!(error.diagnostics()[0].code, "PC0006");
        let shown = format!("{error:?}");
        assert!(shown.contains("reaches no files"), "{shown}");
        assert!(!shown.contains("1234567"), "{shown}");
    }
    let options = Options::new().file("./lib/coin.pcirc", COIN);
    let circuit = options.compile(USING).unwrap();
    assert_eq!(circuit.query("P(x)").unwrap().value(), 0.5);
    // What is written needs nobody's files.
    let again = Circuit::compile(&circuit.to_source().unwrap()).unwrap();
    assert_eq!(again.query("P(x)").unwrap().value(), 0.5);
    for name in ["m.pcirc", "m.pelton"] {
        let path = folder.path().join(name);
        circuit.save(&path).unwrap();
        assert_eq!(
            Circuit::load(&path).unwrap().query("P(x)").unwrap().value(),
            0.5
        );
    }
    assert!(options.load(folder.path().join("m.pcirc")).is_err());
}

#[test]
fn loaded_circuits_use_files_of_folders_that_are_allowed() {
    let folder = tempfile::tempdir().unwrap();
    let (own, lib) = (folder.path().join("own"), folder.path().join("lib"));
    std::fs::create_dir(&own).unwrap();
    std::fs::create_dir(&lib).unwrap();
    std::fs::write(lib.join("coin.pcirc"), COIN).unwrap();
    let main = own.join("main.pcirc");
    std::fs::write(&main, USING.replace("lib/", "../lib/")).unwrap();
    let error = Circuit::load(&main).unwrap_err();
    assert!(error.to_string().contains("may not be used"), "{error}");
    let options = Options::new().allow_use(&lib);
    assert!(options.load(&main).is_ok());
    assert!(options.compile(USING).is_err());
}
