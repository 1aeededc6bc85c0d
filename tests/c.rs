//! The C library: its header, programs that use it, and the suite that all ways to embed
//! Pelton have in common.

#[path = "c/conformance.rs"]
mod conformance;
#[path = "c/header.rs"]
mod header;
#[path = "c/library.rs"]
mod library;
#[path = "c/programs.rs"]
mod programs;
