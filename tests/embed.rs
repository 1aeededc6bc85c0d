//! The library as programs see it that embed it.

#[path = "embed/conformance.rs"]
mod conformance;
#[path = "embed/evaluation.rs"]
mod evaluation;
#[path = "embed/example.rs"]
mod example;
#[path = "embed/failures.rs"]
mod failures;
#[path = "embed/features.rs"]
mod features;
#[path = "embed/files.rs"]
mod files;
#[path = "embed/fitting.rs"]
mod fitting;
#[path = "embed/frames.rs"]
mod frames;
#[path = "embed/parameters.rs"]
mod parameters;
#[path = "embed/questions.rs"]
mod questions;
#[path = "embed/threads.rs"]
mod threads;

/// Variables of every kind; deterministic.
const WEATHER: &str = include_str!("../examples/weather.pcirc");

/// Two truth values with a hidden cause.
const RAIN: &str = "var rain, wet : bool;
    root 0.3: rain * wet ~ bernoulli(0.9) + 0.7: !rain * wet ~ bernoulli(0.2);";

fn assert_close(found: f64, expected: f64, tolerance: f64) {
    let is_close = found == expected || (found - expected).abs() <= tolerance;
    assert!(is_close, "{found} is not {expected}");
}
