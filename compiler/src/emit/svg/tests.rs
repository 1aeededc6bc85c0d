//! Drawings of small and large circuits.

use super::super::fixture;
use super::*;

#[test]
fn show() {
    let options = SvgOptions::default();
    std::fs::write("/tmp/sprinkler.svg", svg(&fixture::sprinkler(), &options)).unwrap();
    std::fs::write("/tmp/penguins.svg", svg(&fixture::penguins(), &options)).unwrap();
    std::fs::write("/tmp/hmm3.svg", svg(&fixture::hmm(3, 3, 4), &options)).unwrap();
    std::fs::write("/tmp/hmm8.svg", svg(&fixture::hmm(8, 8, 4), &options)).unwrap();
    std::fs::write(
        "/tmp/hmm1024.svg",
        svg(&fixture::hmm(1024, 32, 27), &options),
    )
    .unwrap();
}
