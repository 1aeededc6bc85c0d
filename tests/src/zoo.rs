//! Published circuits of other tools.

use crate::skip::skip;
use std::path::PathBuf;

/// A folder of circuits that is no part of this repository: `PELTON_ZOO` names one with
/// `psdds`, `sdds`, `clts` and `vtrees` in it.
#[derive(Clone, Debug)]
pub struct Zoo {
    folder: PathBuf,
}

impl Zoo {
    /// Looks for the folder; if there is none, says that `test` is skipped.
    pub fn find(test: &str) -> Option<Self> {
        let folder = PathBuf::from(std::env::var_os("PELTON_ZOO").unwrap_or_default());
        if !folder.join("psdds").is_dir() {
            skip(test, "PELTON_ZOO names no folder with circuits");
            return None;
        }
        Some(Zoo { folder })
    }

    /// The names of the circuits of a kind, sorted.
    ///
    /// # Panics
    /// If there are none.
    pub fn names(&self, kind: &str) -> Vec<String> {
        let entries = self.folder.join(kind).read_dir();
        let files = entries.expect("the zoo has the kind").flatten();
        let files = files.filter(|entry| entry.path().is_file());
        let names = files.map(|entry| entry.file_name().to_string_lossy().into_owned());
        let mut names: Vec<String> = names.collect();
        names.sort();
        assert!(!names.is_empty(), "{kind} are there");
        names
    }

    /// The bytes of a circuit.
    ///
    /// # Panics
    /// If it is not there.
    pub fn bytes(&self, kind: &str, name: &str) -> Vec<u8> {
        let path = self.folder.join(kind).join(name);
        std::fs::read(path).expect("the circuit can be read")
    }
}
