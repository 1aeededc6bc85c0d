//! The numbers of the suite are those of the reference.
//!
//! `BLESS=1` writes them into the files, which hold only calls and arguments at first.

use pelton_tests::conformance::oracle::Oracle;
use pelton_tests::conformance::{Binding, RESULTS, agree, files};
use serde_json::Value as Json;

#[test]
fn the_files_hold_what_the_reference_gives() {
    let is_blessed = std::env::var_os("BLESS").is_some();
    for (path, mut file) in files() {
        let oracle = Oracle::compile(file["circuit"].as_str().expect("a text"));
        let calls = file["calls"].as_array_mut().expect("a list");
        for call in calls.iter_mut().filter(|call| call.get("error").is_none()) {
            let oracle = oracle
                .as_ref()
                .unwrap_or_else(|_| panic!("{path:?} is wrong"));
            let found = oracle
                .make(call)
                .unwrap_or_else(|kind| panic!("{kind}: {path:?} {call}"));
            for name in RESULTS.iter().filter(|name| found.get(**name).is_some()) {
                if is_blessed {
                    call[*name] = found[*name].clone()
                } else {
                    agree(
                        &call[*name],
                        &found[*name],
                        1e-12,
                        &format!("{path:?} {call}"),
                    )
                }
            }
        }
        if is_blessed {
            std::fs::write(&path, written(&file)).unwrap();
        }
    }
}

/// A file with a call on each line.
fn written(file: &Json) -> String {
    let calls = file["calls"].as_array().expect("a list").iter();
    let calls: Vec<String> = calls.map(|call| format!("    {call}")).collect();
    format!(
        "{{\n  \"about\": {},\n  \"circuit\": {},\n  \"calls\": [\n{}\n  ]\n}}\n",
        file["about"],
        file["circuit"],
        calls.join(",\n")
    )
}

#[test]
fn the_suite_is_large_enough() {
    if std::env::var_os("BLESS").is_some() {
        return; // The files are being written.
    }
    let n_calls: usize = files()
        .iter()
        .map(|(_, file)| file["calls"].as_array().unwrap().len())
        .sum();
    assert!(files().len() >= 6 && n_calls >= 30, "{n_calls} calls");
}
