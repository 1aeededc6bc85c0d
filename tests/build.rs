//! Circuits compiled ahead of time: linked into C programs and compared with the library.

#[path = "build/harness.rs"]
mod harness;
#[path = "build/numbers.rs"]
mod numbers;
#[path = "build/object.rs"]
mod object;
#[path = "build/program.rs"]
mod program;
