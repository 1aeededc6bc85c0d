//! The suite that all ways to embed the library have in common, through C's door.

use super::library::{self, Batch, Options};
use pelton_tests::conformance::{Binding, Outcome, check, rows, to_json};
use serde_json::{Value as Json, json};
use std::ffi::{CString, c_char, c_int, c_void};
use std::ptr::{null, null_mut};

type Handle = *mut c_void;
type Text = *const c_char;

/// The functions of the library, by the types that the header gives them.
struct Library(*mut c_void);

macro_rules! function {
    ($library:expr, $name:literal, fn($($argument:ty),*)) => {{
        let name = concat!($name, "\0");
        // SAFETY: the library is open, and the header gives the function this type.
        unsafe {
            let found = libc::dlsym($library.0, name.as_ptr().cast());
            assert!(!found.is_null(), "there is no {name}");
            std::mem::transmute::<*mut c_void, unsafe extern "C" fn($($argument),*) -> c_int>(found)
        }
    }};
}

impl Library {
    fn open() -> Self {
        let path = library::path();
        let path = CString::new(path.to_str().expect("a plain name")).expect("without zeros");
        // SAFETY: a text that ends in 0.
        let library = unsafe { libc::dlopen(path.as_ptr(), libc::RTLD_NOW) };
        assert!(!library.is_null(), "{path:?} cannot be opened");
        Library(library)
    }
}

struct C<'a> {
    library: &'a Library,
    handle: Handle,
    n_variables: usize,
}

impl Drop for C<'_> {
    fn drop(&mut self) {
        let free = function!(self.library, "pelton_free", fn(Handle));
        // SAFETY: a handle of the library.
        assert_eq!(unsafe { free(self.handle) }, 0);
    }
}

fn batch(cells: &[f64], n_rows: usize, n_columns: usize) -> Batch {
    Batch {
        cells: cells.as_ptr().cast(),
        cell_type: 0,
        n_rows,
        n_columns,
        mask: null(),
        names: null(),
        row_stride: 0,
        column_stride: 0,
    }
}

fn done(status: c_int) -> Result<(), u8> {
    match status {
        0 => Ok(()),
        other => Err(other as u8),
    }
}

fn list(numbers: &[f64]) -> Json {
    numbers.iter().copied().map(to_json).collect()
}

impl C<'_> {
    /// How many numbers the posteriors of each variable are.
    fn sizes(&self) -> Result<Vec<usize>, u8> {
        let n_posterior = function!(
            self.library,
            "pelton_n_posterior",
            fn(Handle, usize, *mut usize)
        );
        let size = |variable| {
            let mut n = 0;
            // SAFETY: places of this test.
            done(unsafe { n_posterior(self.handle, variable, &mut n) })?;
            Ok(n)
        };
        (0..self.n_variables).map(size).collect()
    }

    fn posteriors(&self, evidence: &Batch, given: Text) -> Outcome {
        let sizes = self.sizes()?;
        let width: usize = sizes.iter().sum();
        let mut numbers = vec![0.0; width * evidence.n_rows];
        let mut logs = vec![0.0; evidence.n_rows];
        let posteriors = function!(
            self.library,
            "pelton_posteriors",
            fn(Handle, *const Batch, Text, *mut f64, usize, *mut f64)
        );
        let (place, n) = (numbers.as_mut_ptr(), numbers.len());
        // SAFETY: places of this test.
        done(unsafe { posteriors(self.handle, evidence, given, place, n, logs.as_mut_ptr()) })?;
        let row = |row: &[f64]| {
            let mut rest = row;
            let own = sizes.iter().map(|&n| {
                let (own, others) = rest.split_at(n);
                rest = others;
                list(own)
            });
            own.collect::<Json>()
        };
        let numbers: Json = numbers.chunks(width.max(1)).map(row).collect();
        Ok(json!({ "log_evidence": list(&logs), "numbers": numbers }))
    }
}

impl Binding for C<'_> {
    fn make(&self, call: &Json) -> Outcome {
        let (library, handle, n_variables) = (self.library, self.handle, self.n_variables);
        let text = |name: &str| {
            CString::new(call[name].as_str().unwrap_or_default()).expect("without zeros")
        };
        let cells = |name: &str| {
            let rows = rows(&call[name]);
            let n_columns = rows.first().map_or(n_variables, Vec::len);
            (rows.concat(), rows.len(), n_columns)
        };
        let (own, evidence) = (cells("rows"), cells("evidence"));
        let (n_rows, n_given) = (own.1, evidence.1);
        let own = batch(&own.0, own.1, own.2);
        let given = batch(&evidence.0, evidence.1, evidence.2);
        let mut logs = vec![0.0; n_rows.max(n_given)];
        // SAFETY of all calls: arrays of this test with the lengths that are said.
        match call["call"].as_str().unwrap_or_default() {
            "log_likelihood" => {
                let f = function!(
                    library,
                    "pelton_log_likelihood",
                    fn(Handle, *const Batch, *mut f64, usize)
                );
                done(unsafe { f(handle, &own, logs.as_mut_ptr(), n_rows) })?;
                Ok(json!({ "logs": list(&logs) }))
            }
            "log_conditional" => {
                let f = function!(
                    library,
                    "pelton_log_conditional",
                    fn(Handle, *const Batch, *const Batch, *mut f64, usize)
                );
                done(unsafe { f(handle, &own, &given, logs.as_mut_ptr(), n_rows) })?;
                Ok(json!({ "logs": list(&logs) }))
            }
            "query" => {
                let f = function!(
                    library,
                    "pelton_query",
                    fn(Handle, Text, *mut f64, *mut c_int)
                );
                let (question, mut log, mut is_density) = (text("question"), 0.0, 0);
                done(unsafe { f(handle, question.as_ptr(), &mut log, &mut is_density) })?;
                Ok(json!({ "log": to_json(log), "is_density": is_density == 1 }))
            }
            "posteriors" => self.posteriors(&given, text("given").as_ptr()),
            "map" => {
                let f = function!(
                    library,
                    "pelton_map",
                    fn(Handle, *const Batch, Text, *mut f64, usize, *mut f64, *mut u8)
                );
                let (text, mut values) = (text("given"), vec![0.0; n_given * n_variables]);
                let (place, n) = (values.as_mut_ptr(), values.len());
                let logs_at = logs.as_mut_ptr();
                done(unsafe { f(handle, &given, text.as_ptr(), place, n, logs_at, null_mut()) })?;
                let values: Json = values.chunks(n_variables).map(list).collect();
                Ok(json!({ "values": values, "logs": list(&logs) }))
            }
            "entropy" => {
                let f = function!(library, "pelton_entropy", fn(Handle, *mut f64));
                let mut nats = 0.0;
                done(unsafe { f(handle, &mut nats) })?;
                Ok(json!({ "nats": nats }))
            }
            "moments" => {
                let f = function!(
                    library,
                    "pelton_moments",
                    fn(Handle, Text, *mut f64, *mut f64, usize)
                );
                let text = text("given");
                let (mut means, mut variances) = (vec![0.0; n_variables], vec![0.0; n_variables]);
                let places = (means.as_mut_ptr(), variances.as_mut_ptr());
                done(unsafe { f(handle, text.as_ptr(), places.0, places.1, n_variables) })?;
                Ok(json!({ "means": list(&means), "variances": list(&variances) }))
            }
            "parameter" => {
                let size = function!(
                    library,
                    "pelton_parameter_size",
                    fn(Handle, Text, *mut usize)
                );
                let get = function!(
                    library,
                    "pelton_get_parameter",
                    fn(Handle, Text, *mut f64, usize)
                );
                let (name, mut n) = (text("name"), 0);
                done(unsafe { size(handle, name.as_ptr(), &mut n) })?;
                let mut values = vec![0.0; n];
                done(unsafe { get(handle, name.as_ptr(), values.as_mut_ptr(), n) })?;
                Ok(json!({ "values": list(&values) }))
            }
            other => panic!("there is no call `{other}`"),
        }
    }
}

#[test]
fn the_suite_holds_for_c() {
    let library: &'static Library = Box::leak(Box::new(Library::open()));
    let compile = function!(
        library,
        "pelton_compile",
        fn(Text, *const Options, *mut Handle)
    );
    let n_variables = function!(library, "pelton_n_variables", fn(Handle, *mut usize));
    let n_calls = check(&|text, is_double| {
        let text = CString::new(text).unwrap();
        let options = Options {
            threads: 1,
            double_precision: u32::from(is_double),
            engine: 0,
            learn_all: 0,
            files: std::ptr::null(),
            n_files: 0,
            allow_use: std::ptr::null(),
            n_allow_use: 0,
        };
        let (mut handle, mut n) = (null_mut(), 0);
        // SAFETY: a text that ends in 0, and places of this test.
        done(unsafe { compile(text.as_ptr(), &options, &mut handle) })?;
        // SAFETY: likewise.
        done(unsafe { n_variables(handle, &mut n) })?;
        Ok(Box::new(C {
            library,
            handle,
            n_variables: n,
        }))
    });
    assert!(n_calls >= 60);
}
