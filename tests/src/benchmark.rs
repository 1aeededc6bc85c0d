//! Data sets that the field compares itself on.

use crate::skip::skip;
use pelton_compiler::circuit::CircuitGraph;
use pelton_runtime::data::{DataSource, ReadOptions, Table, read};
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// A data set, unpacked into a folder.
///
/// The data are not part of this repository: `PELTON_BENCHMARKS` names a folder with
/// archives `NAME.tar.xz` of `NAME/{train,valid,test}.data`.
#[derive(Debug)]
pub struct Benchmark {
    folder: TempDir,
    name: &'static str,
}

impl Benchmark {
    /// Unpacks a data set; if there is no archive of it, that is said instead.
    ///
    /// # Panics
    /// If the archive cannot be unpacked.
    pub fn unpack(name: &'static str) -> Option<Self> {
        let folder = std::env::var_os("PELTON_BENCHMARKS").unwrap_or_default();
        let archive = Path::new(&folder).join(format!("{name}.tar.xz"));
        if !archive.is_file() {
            let why = format!("PELTON_BENCHMARKS names no folder with {name}.tar.xz");
            skip(name, &why);
            return None;
        }
        let folder = tempfile::tempdir().expect("a folder can be made");
        // Python reads xz wherever it runs; tar needs another program for it.
        let script = "import sys, tarfile; tarfile.open(sys.argv[1]).extractall(sys.argv[2])";
        let mut python = Command::new("python3");
        python
            .args(["-W", "ignore", "-c", script])
            .arg(archive)
            .arg(folder.path());
        let status = python.status().expect("python3 starts");
        assert!(status.success(), "{name} is unpacked");
        Some(Benchmark { folder, name })
    }

    /// Where the rows of `train`, `valid` or `test` are.
    pub fn path(&self, split: &str) -> PathBuf {
        let folder = self.folder.path().join(self.name);
        folder.join(format!("{split}.data"))
    }

    /// The rows for the variables of a circuit.
    ///
    /// # Panics
    /// If there are none, or they do not fit.
    pub fn table(&self, circuit: &CircuitGraph, split: &str) -> Table {
        let source = DataSource::open(&self.path(split)).expect("the split is there");
        let data = read(source, circuit, &ReadOptions::default());
        data.expect("the data fit").table
    }
}
