//! Read and write files of other tools: any bytes.

#![no_main]

use libfuzzer_sys::fuzz_target;
use pelton_tests::fuzz::{Outcomes, import};

fuzz_target!(|bytes: &[u8]| import(bytes, &mut Outcomes::default()));
