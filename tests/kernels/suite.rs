//! Every law on every engine of the table.

use pelton_compiler::engine::ENGINES;
use pelton_tests::engine_suite::{ENGINE_LAWS, engine_setups};

#[test]
fn every_engine_of_the_table_keeps_every_law() {
    let setups = engine_setups();
    for setup in &setups {
        for law in ENGINE_LAWS {
            println!("{}: {}", setup.name(), law.name);
            (law.hold)(setup);
        }
    }
    // What does not run here says why.
    for engine in ENGINES {
        let is_tested = setups.iter().any(|own| own.engine.name() == engine.name());
        let needs = engine.available(&Default::default()).err();
        assert!(is_tested != needs.is_some(), "{}: {needs:?}", engine.name());
    }
}
