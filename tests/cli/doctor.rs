//! `pelton doctor`

use super::run_with_input;
use pelton_tests::command::json_lines;

#[test]
fn the_machine_is_shown_and_the_self_test_passes() {
    let run = run_with_input("doctor", b"");
    assert_eq!(run.exit, Some(0), "{run:?}");
    for part in [
        "pelton ",
        "cranelift ",
        "target ",
        "cpu ",
        "cores ",
        "peak ",
        "engine ",
        "self test    ok",
    ] {
        assert!(run.stdout.contains(part), "{part} in {}", run.stdout);
    }
}

#[test]
fn programs_get_the_same() {
    let found = json_lines(&run_with_input("doctor --json", b"").stdout).remove(0);
    assert_eq!(found["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(found["self_test"]["ok"], true);
    assert!(found["machine"]["cores"].as_u64().unwrap() >= 1);
    assert!(found["peak_gflops_128"].as_f64().unwrap() > 0.0);
    #[cfg(target_arch = "x86_64")]
    assert!(found["machine"]["features"]["avx2"].is_boolean());
}
