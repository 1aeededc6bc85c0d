//! Published networks and formulas.

use crate::reading::{circuit, error, is_close, mass};
use pelton_compiler::circuit::Property;
use pelton_tests::zoo::Zoo;

#[test]
fn published_formulas_have_their_models() {
    let Some(zoo) = Zoo::find("published_formulas_have_their_models") else {
        return;
    };
    // Gates of five inputs: a model for each of their assignments.
    for name in zoo.names("cnfs/easy") {
        let text = String::from_utf8(zoo.bytes("cnfs/easy", &name)).expect("it is text");
        let circuit = circuit(&name, &text, &[Property::Deterministic]);
        assert!(is_close(mass(&circuit), 32.0), "{name}: {}", mass(&circuit));
    }
}

#[test]
fn published_networks_compile_or_are_refused_by_their_width() {
    let Some(zoo) = Zoo::find("published_networks_compile_or_are_refused_by_their_width") else {
        return;
    };
    let text = |name| String::from_utf8(zoo.bytes("fgs", name)).expect("it is text");
    let properties = [Property::Deterministic, Property::Normalized];
    let asia = circuit("asia.uai", &text("asia.uai"), &properties);
    assert!(is_close(mass(&asia), 1.0));
    let message = error("DBN_11.uai", &text("DBN_11.uai"));
    assert!(
        message.starts_with("the network has width 20: "),
        "{message}"
    );
}
