//! Any circuit, any evidence, every engine: any bytes.

#![no_main]

use libfuzzer_sys::fuzz_target;
use pelton_tests::fuzz::{EngineOutcomes, engines};

fuzz_target!(|bytes: &[u8]| engines(bytes, &mut EngineOutcomes::default()));
