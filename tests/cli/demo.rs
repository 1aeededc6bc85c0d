//! `pelton demo`, the first thing a reader of the README runs.

use super::PELTON;

#[test]
fn the_demo_checks_answers_draws_and_explains() {
    let folder = tempfile::tempdir().unwrap();
    let run = PELTON.run(folder.path(), ["demo"]);
    assert_eq!(run.exit, Some(0), "{}", run.stderr);
    for part in [
        "weather.pcirc: ok",
        "deterministic proven",
        "P(late) = 0.172000",
        "mean log-density          -4.",
        "error[PC0103]: sum node `warm` is not deterministic",
        "witness: temp = 12",
        "check pelton-demo/weather.pcirc`",
        "--data pelton-demo/weather.csv --per-row`",
    ] {
        assert!(run.stdout.contains(part), "{part} in {}", run.stdout);
    }
    let drawing = folder.path().join("pelton-demo/weather.svg");
    let drawing = std::fs::read_to_string(drawing).unwrap();
    assert!(drawing.starts_with("<svg"), "{drawing}");
}
