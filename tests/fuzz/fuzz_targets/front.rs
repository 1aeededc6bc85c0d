//! Parse, lower, check, print: any bytes.

#![no_main]

use libfuzzer_sys::fuzz_target;
use pelton_tests::fuzz::{Outcomes, front};

fuzz_target!(|bytes: &[u8]| front(bytes, &mut Outcomes::default()));
