//! The example runs to its end.

#[path = "../../examples/embed.rs"]
#[allow(dead_code, clippy::module_inception)]
mod example;

#[test]
fn the_example_works() {
    example::main().unwrap();
}
