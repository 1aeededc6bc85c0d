//! The library that C programs are linked to.

use std::ffi::{c_char, c_void};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The shared library, built like the program that asks. Cargo builds no library for tests
/// that Rust cannot link to, so that it is asked for here; with the same selection as for
/// the tests, nothing but the library itself is left to be built.
pub fn path() -> PathBuf {
    static PATH: OnceLock<PathBuf> = OnceLock::new();
    PATH.get_or_init(built).clone()
}

fn built() -> PathBuf {
    // Another build of it, such as one without generated code.
    if let Some(path) = std::env::var_os("PELTON_LIBRARY") {
        return path.into();
    }
    let own = std::env::current_exe().expect("tests are programs");
    let folder = own
        .parent()
        .and_then(Path::parent)
        .expect("in target/PROFILE/deps");
    let profile = folder.file_name().and_then(|name| name.to_str());
    let profile = match profile.expect("a plain name") {
        "debug" => "dev",
        other => other,
    };
    let target = folder.parent().expect("in target");
    let built = Command::new(env!("CARGO"))
        .args([
            "build",
            "--workspace",
            "--lib",
            "--test",
            "c",
            "--locked",
            "--quiet",
        ])
        .args(["--profile", profile, "--target-dir"])
        .arg(target)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    let said = String::from_utf8_lossy(&built.stderr);
    assert!(
        built.status.success(),
        "the library cannot be built: {said}"
    );
    let name = if cfg!(target_os = "macos") {
        "libpelton.dylib"
    } else {
        "libpelton.so"
    };
    folder.join(name)
}

/// `pelton_options`
#[repr(C)]
pub struct Options {
    pub threads: usize,
    pub double_precision: u32,
    pub engine: u32,
    pub learn_all: u32,
    pub files: *const c_void,
    pub n_files: usize,
    pub allow_use: *const *const c_char,
    pub n_allow_use: usize,
}

/// `pelton_batch`
#[repr(C)]
pub struct Batch {
    pub cells: *const c_void,
    pub cell_type: u32,
    pub n_rows: usize,
    pub n_columns: usize,
    pub mask: *const u8,
    pub names: *const *const c_char,
    pub row_stride: usize,
    pub column_stride: usize,
}
