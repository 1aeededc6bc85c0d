//! One suite for every way to embed the library.
//!
//! `tests/conformance/*.json` hold circuits, calls and what they give. A [`Binding`] is one
//! way to make the calls; [`check`] makes all of them and compares. The numbers come from
//! the reference evaluation in double precision ([`oracle`]).
//!
//! A file is an object: `about`, `circuit` (its text) and `calls`, a list of objects. `call`
//! names the function, further keys are arguments and expected results; `error` is the kind
//! of error that is expected instead. A cell or number that is missing or not a number is
//! null, infinities are `"inf"` and `"-inf"`. Results need to agree up to `1e-9` in double
//! and `1e-4` in single precision, relative to numbers beyond 1.
//!
//! | call | arguments | results |
//! |---|---|---|
//! | `compile` | | |
//! | `log_likelihood` | `rows` | `logs` |
//! | `log_conditional` | `rows`, `evidence` | `logs` |
//! | `query` | `question` | `log`, `is_density` |
//! | `posteriors` | `evidence`, `given` | `log_evidence`, `numbers` (`[row][variable]`: probabilities, or mean and standard deviation) |
//! | `map` | `evidence`, `given` | `values`, `logs` |
//! | `entropy` | | `nats` |
//! | `moments` | `given` | `means`, `variances` (null for categories) |
//! | `parameter` | `name` | `values` |

mod json;
pub mod oracle;

pub use json::{number, numbers, rows, to_json};

use serde_json::Value as Json;
use std::path::PathBuf;

/// What a call gives: an object with the results, or the kind of error.
pub type Outcome = Result<Json, u8>;

/// A circuit behind one of the ways to embed the library.
pub trait Binding {
    /// Makes a call; `call` holds its name and arguments.
    fn make(&self, call: &Json) -> Outcome;
}

/// Compiles a circuit, in double precision or single.
pub type Compile<'a> = &'a dyn Fn(&str, bool) -> Result<Box<dyn Binding>, u8>;

/// All files of the suite, by name.
pub fn files() -> Vec<(PathBuf, Json)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/conformance");
    let entries = std::fs::read_dir(folder).expect("the suite is there");
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|end| end == "json"));
    paths.sort();
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).expect("it can be read");
        let json = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path:?}: {error}"));
        (path, json)
    };
    paths.into_iter().map(read).collect()
}

/// Makes all calls of all files in both precisions and compares; gives their number.
pub fn check(compile: Compile<'_>) -> usize {
    let mut n_calls = 0;
    for (path, file) in files() {
        for is_double in [true, false] {
            let tolerance = if is_double { 1e-9 } else { 1e-4 };
            let binding = compile(file["circuit"].as_str().expect("a text"), is_double);
            for call in file["calls"].as_array().expect("a list") {
                let found = match (&binding, call["call"].as_str()) {
                    (Err(kind), _) => Err(*kind),
                    (Ok(_), Some("compile")) => Ok(Json::Null),
                    (Ok(binding), _) => binding.make(call),
                };
                let place = format!("{path:?}, double {is_double}: {call}");
                compare(call, &found, tolerance, &place);
                n_calls += 1;
            }
        }
    }
    n_calls
}

/// Names of results, of which a call has some.
pub const RESULTS: [&str; 9] = [
    "logs",
    "log",
    "is_density",
    "log_evidence",
    "numbers",
    "values",
    "nats",
    "means",
    "variances",
];

fn compare(call: &Json, found: &Outcome, tolerance: f64, place: &str) {
    let found = match (found, call["error"].as_u64()) {
        (Err(kind), Some(wanted)) => return assert_eq!(u64::from(*kind), wanted, "{place}"),
        (Err(kind), None) => panic!("error {kind} of {place}"),
        (Ok(found), Some(wanted)) => panic!("{found} instead of error {wanted} of {place}"),
        (Ok(found), None) => found,
    };
    let expected = || RESULTS.iter().filter(|name| call.get(**name).is_some());
    let is_compile = call["call"] == "compile";
    assert!(
        is_compile || expected().count() > 0,
        "nothing is expected of {place}"
    );
    for name in expected() {
        agree(
            &call[*name],
            &found[*name],
            tolerance,
            &format!("{name} of {place}"),
        );
    }
}

/// Whether two results agree.
pub fn agree(wanted: &Json, found: &Json, tolerance: f64, place: &str) {
    match (wanted, found) {
        (Json::Array(wanted), Json::Array(found)) => {
            assert_eq!(wanted.len(), found.len(), "{place}");
            let pairs = wanted.iter().zip(found);
            pairs.for_each(|(wanted, found)| agree(wanted, found, tolerance, place));
        }
        (Json::Bool(wanted), found) => assert_eq!(Some(*wanted), found.as_bool(), "{place}"),
        _ => {
            let (wanted, found) = (number(wanted), number(found));
            let is_same = wanted == found || (wanted.is_nan() && found.is_nan());
            let is_near = (wanted - found).abs() <= tolerance * wanted.abs().max(1.0);
            assert!(is_same || is_near, "{found} instead of {wanted}: {place}");
        }
    }
}
