//! Pelton for C.
//!
//! Every function returns a [`pelton_status`] and writes results to places of the caller.
//! Handles are numbers that are looked up, never pointers that are followed, so that a
//! handle which was freed is an error and no crash. No panic leaves a function. A call works
//! on the circuit as it was when it began: evaluation does not wait for training, which
//! replaces the parameters when it is done.
//!
//! The header `include/pelton.h` is made from these files by cbindgen.

#![allow(non_camel_case_types)]

mod ask;
mod batch;
mod circuit;
mod error;
mod evaluate;
mod fit;
mod guard;
mod handle;
mod parameter;
mod words;
