//! Message cases: a circuit and what Pelton says about it, in files.
//!
//! `tests/cases/<stage>/NAME.pcirc` is run through `pelton check` from its own
//! folder; `NAME.expected` holds standard error followed by standard output.
//! Lines at the top of the circuit give what is not usual: `// args: -D K=9`,
//! `// exit: 0` (else 1). With `// after: share` the case is run through
//! `pelton emit --as circuit --after share` instead and shows what passes make
//! of it, with `// emit: plan` through `pelton emit --as plan`. Files in a folder `lib` are there to be used.
//! In the folders `import` and `imported` files of all endings are cases, whose comments
//! begin with `c`; those of `import` cannot be read, and the usual exit code is 2.

use crate::command::{Pelton, Run};
use std::path::{Path, PathBuf};

/// One case.
#[derive(Clone, Debug)]
pub struct Case {
    /// The folder it is run in.
    pub folder: PathBuf,
    /// Its file name.
    pub file: String,
    /// Options of the command.
    pub args: Vec<String>,
    /// The pass after which the circuit is shown; none for a case of `pelton check`.
    pub after: Option<String>,
    /// The form to emit; none for a case of `pelton check`.
    pub emit: Option<String>,
    /// The exit code it must end with.
    pub exit: i32,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

impl Case {
    /// All cases below `folder`, sorted by path.
    pub fn all(folder: &Path) -> Vec<Case> {
        let stages = entries(folder).into_iter().filter(|path| path.is_dir());
        let files = stages.flat_map(|stage| entries(&stage));
        let circuits = files.filter(|path| is_case(path));
        circuits.map(|path| Case::read(&path)).collect()
    }

    fn read(path: &Path) -> Case {
        let bytes = std::fs::read(path).expect("a case can be read");
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let directive = |name: &str| {
            let mut lines = text.lines().map_while(comment);
            lines.find_map(|line| line.strip_prefix(name))
        };
        let words = directive("args:").unwrap_or_default().split_whitespace();
        Case {
            folder: path.parent().expect("a case is in a folder").to_path_buf(),
            file: path
                .file_name()
                .expect("a case is a file")
                .to_string_lossy()
                .into_owned(),
            args: words.map(str::to_string).collect(),
            after: directive("after:").map(|pass| pass.trim().to_string()),
            emit: directive("emit:").map(|form| form.trim().to_string()),
            exit: directive("exit:").map_or(usual_exit(path), |exit| {
                exit.trim().parse().expect("an exit code")
            }),
            bytes,
        }
    }

    /// `check/smooth.pcirc`
    pub fn name(&self) -> String {
        let stage = self.folder.file_name().unwrap_or_default();
        format!("{}/{}", stage.to_string_lossy(), self.file)
    }

    /// Where the expectation is kept.
    pub fn expectation(&self) -> PathBuf {
        self.folder.join(&self.file).with_extension("expected")
    }

    /// Runs its command on it.
    pub fn run(&self, pelton: Pelton) -> Run {
        let mut args = match (&self.after, &self.emit) {
            (Some(pass), _) => vec!["emit", "--as", "circuit", "--after", pass],
            (None, Some(form)) => vec!["emit", "--as", form],
            (None, None) => vec!["check"],
        };
        args.extend(self.args.iter().map(String::as_str));
        args.push(&self.file);
        pelton.run(&self.folder, args)
    }
}

fn is_in(path: &Path, folder: &str) -> bool {
    path.parent().is_some_and(|parent| parent.ends_with(folder))
}

/// How most cases end: files of other tools cannot be read, circuits are wrong.
fn usual_exit(path: &Path) -> i32 {
    if is_in(path, "import") { 2 } else { 1 }
}

/// Whether a file in a folder of cases is one.
fn is_case(path: &Path) -> bool {
    match path.extension() {
        Some(ending) if is_in(path, "import") || is_in(path, "imported") => ending != "expected",
        ending => ending.is_some_and(|ending| ending == "pcirc"),
    }
}

/// What a line says that is a comment.
fn comment(line: &str) -> Option<&str> {
    let comment = line.strip_prefix("//").or(line.strip_prefix("c "));
    comment.map(str::trim_start)
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder of cases can be listed");
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry can be read").path())
        .collect();
    paths.sort();
    paths
}
