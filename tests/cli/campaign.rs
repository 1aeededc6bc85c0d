//! A few trials of each kind of the campaign, so that it is ready when a person starts it.

use super::PELTON;
use std::path::Path;
use std::process::Command;

#[test]
fn some_trials_of_the_campaign_find_nothing() {
    let campaign = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/campaign");
    let kept = tempfile::tempdir().unwrap();
    let mut python = Command::new("python3");
    python.arg(campaign).args(["--pelton", PELTON.path]);
    python.args(["--count", "6", "--seed", "1", "--jobs", "1", "--keep"]);
    let Ok(output) = python.arg(kept.path()).output() else {
        println!("skipped: there is no python3");
        return;
    };
    let told = String::from_utf8_lossy(&output.stderr);
    let table = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{told}{table}");
    assert!(table.contains("engines"), "{table}");
}
