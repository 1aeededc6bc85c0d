//! Runs the `pelton` binary as a user would.

use serde_json::Value;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// How a run ended.
#[derive(Debug)]
pub struct Run {
    /// The exit code; `None` if a signal ended it.
    pub exit: Option<i32>,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

/// The binary under test.
#[derive(Clone, Copy, Debug)]
pub struct Pelton {
    /// Its path: `env!("CARGO_BIN_EXE_pelton")`, which only integration tests know.
    pub path: &'static str,
}

impl Pelton {
    /// Runs it in `folder`, with nothing on standard input.
    pub fn run<S: AsRef<std::ffi::OsStr>>(
        &self,
        folder: &Path,
        args: impl IntoIterator<Item = S>,
    ) -> Run {
        self.run_with_input(folder, args, b"")
    }

    /// Runs it in `folder` with `input` on standard input.
    pub fn run_with_input<S: AsRef<std::ffi::OsStr>>(
        &self,
        folder: &Path,
        args: impl IntoIterator<Item = S>,
        input: &[u8],
    ) -> Run {
        let mut child = Command::new(self.path)
            .args(args)
            .current_dir(folder)
            .env_remove("NO_COLOR")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary under test starts");
        let mut stdin = child.stdin.take().expect("standard input is a pipe");
        let input = input.to_vec();
        // A thread of its own: a program that prints before it has read all must not block.
        let writer = std::thread::spawn(move || {
            // A program that does not read its input closes the pipe, which is its right.
            let _ = stdin.write_all(&input);
        });
        let output = child.wait_with_output().expect("the binary ends");
        writer.join().expect("writing does not panic");
        Run {
            exit: output.status.code(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    /// The messages of `pelton check` on `file`, as JSON objects.
    pub fn messages(&self, folder: &Path, file: &str, args: &[String]) -> Vec<Value> {
        let mut all = vec!["check", "--json"];
        all.extend(args.iter().map(String::as_str));
        all.push(file);
        let run = self.run(folder, &all);
        json_lines(&run.stdout)
            .into_iter()
            .filter(|object| object.get("code").is_some())
            .collect()
    }
}

/// Reads one JSON value from each line.
pub fn json_lines(text: &str) -> Vec<Value> {
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}")))
        .collect()
}

/// A text field of a JSON object.
pub fn field<'v>(object: &'v Value, name: &str) -> &'v str {
    object[name].as_str().unwrap_or_default()
}
