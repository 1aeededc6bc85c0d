//! What a call through C costs beside the same call in Rust.
//!
//! `cargo bench -p pelton-c --bench bindings`. Ten thousand rows of single-precision cells of
//! four hidden Chow-Liu trees with 12 states and 69 variables (42,528 parameters), and one row
//! alone, in one thread. Calls take turns, so that both see the same machine; the ratio of
//! the fastest ones is what to look at.

#[path = "../c/library.rs"]
mod library;

use pelton::{Batch, Circuit, Options};
use pelton_compiler::emit::{EmittedFormat, SvgOptions, emit};
use pelton_workload::{SEED, hclt};
use std::ffi::{CString, c_int, c_void};
use std::ptr::{null, null_mut};
use std::time::{Duration, Instant};

type Load =
    unsafe extern "C" fn(*const u8, usize, *const library::Options, *mut *mut c_void) -> c_int;
type LogLikelihood =
    unsafe extern "C" fn(*mut c_void, *const library::Batch, *mut f64, usize) -> c_int;

fn main() {
    let graph = hclt(69, 4, 12, SEED);
    let mut text = Vec::new();
    emit(
        &graph,
        EmittedFormat::Circuit,
        &SvgOptions::default(),
        &mut text,
    )
    .expect("it can be written");
    let start = Instant::now();
    let circuit = Options::new()
        .threads(1)
        .from_bytes("hclt", &text)
        .expect("it is right");
    println!("{:?}, compiled in {:.1?}", circuit.size(), start.elapsed());
    let c = C::open(&text);
    let samples = circuit
        .sample(10_000, SEED, "")
        .expect("it can be drawn")
        .values;
    let cells: Vec<f32> = samples.iter().map(|&x| x as f32).collect();
    println!("{:>8} {:>12} {:>12} {:>8}", "rows", "Rust", "C", "ratio");
    for (n_rows, n_runs) in [(10_000, 30), (1, 3_000)] {
        compare(&circuit, &c, &cells[..n_rows * 69], n_rows, n_runs);
    }
}

fn compare(circuit: &Circuit, c: &C, cells: &[f32], n_rows: usize, n_runs: usize) {
    let batch = Batch::new(cells, n_rows, 69);
    let (mut own, mut other) = (vec![0.0; n_rows], vec![0.0; n_rows]);
    let (mut rust, mut foreign) = (Duration::MAX, Duration::MAX);
    for run in 0..2 * n_runs {
        let start = Instant::now();
        // Who comes second finds the cells in the cache, so that they take turns.
        match (run + run / 2) % 2 {
            0 => {
                let done = circuit.log_likelihood_into(&batch, &mut own);
                done.expect("rows fit");
                rust = rust.min(start.elapsed());
            }
            _ => {
                c.log_likelihood(cells, n_rows, &mut other);
                foreign = foreign.min(start.elapsed());
            }
        }
    }
    assert_eq!(own, other, "both compute the same");
    let ratio = foreign.as_secs_f64() / rust.as_secs_f64();
    println!("{n_rows:>8} {rust:>12.1?} {foreign:>12.1?} {ratio:>8.3}");
}

/// The circuit behind the C library.
struct C {
    handle: *mut c_void,
    log_likelihood: LogLikelihood,
}

impl C {
    fn open(text: &[u8]) -> Self {
        let path = library::path();
        let path = CString::new(path.to_str().expect("a plain name")).expect("without zeros");
        // SAFETY: texts end in 0, and the header gives the functions these types.
        unsafe {
            let library = libc::dlopen(path.as_ptr(), libc::RTLD_NOW);
            assert!(!library.is_null(), "{path:?} cannot be opened");
            let load = libc::dlsym(library, c"pelton_load_bytes".as_ptr());
            let log_likelihood = libc::dlsym(library, c"pelton_log_likelihood".as_ptr());
            assert!(!load.is_null() && !log_likelihood.is_null());
            let load = std::mem::transmute::<*mut c_void, Load>(load);
            let options = library::Options {
                threads: 1,
                double_precision: 0,
                engine: 0,
                learn_all: 0,
                files: std::ptr::null(),
                n_files: 0,
                allow_use: std::ptr::null(),
                n_allow_use: 0,
            };
            let mut handle = null_mut();
            assert_eq!(load(text.as_ptr(), text.len(), &options, &mut handle), 0);
            C {
                handle,
                log_likelihood: std::mem::transmute::<*mut c_void, LogLikelihood>(log_likelihood),
            }
        }
    }

    fn log_likelihood(&self, cells: &[f32], n_rows: usize, logs: &mut [f64]) {
        let batch = library::Batch {
            cells: cells.as_ptr().cast(),
            cell_type: 1,
            n_rows,
            n_columns: cells.len() / n_rows,
            mask: null(),
            names: null(),
            row_stride: 0,
            column_stride: 0,
        };
        // SAFETY: arrays with the lengths that are said.
        let status =
            unsafe { (self.log_likelihood)(self.handle, &batch, logs.as_mut_ptr(), logs.len()) };
        assert_eq!(status, 0);
    }
}
