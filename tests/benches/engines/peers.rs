//! Other tools on the same work, where they are installed.

use super::Rates;
use serde_json::Value;
use std::process::Command;

/// Work of ours, and the words that ask a peer for the same.
const WORK: &[(&str, &str)] = &[
    ("hclt-4x12", "w1 hand plants 12 4 1"),
    ("hclt-4x12", "w1 cirkit plants 12 4 1"),
    ("hclt-1x64", "w1 hand plants 64 1 1"),
];

/// Prints rows a second of both, and the ratio.
pub fn compare(rates: &[Rates]) {
    let python = std::env::var_os("PELTON_PEERS");
    let script = std::env::var_os("PELTON_PEERS_SCRIPT");
    let Some((python, script)) = python.zip(script) else {
        println!("\nPELTON_PEERS and PELTON_PEERS_SCRIPT are not set: no other tools are measured");
        return;
    };
    println!(
        "\n{:<26} {:>14} {:>14} {:>10}",
        "peer", "pelton rows/s", "peer rows/s", "ratio"
    );
    for (name, words) in WORK {
        let Some(own) = rates.iter().find(|rates| rates.name == *name) else {
            continue;
        };
        let output = Command::new(&python)
            .arg(&script)
            .args(words.split(' '))
            .output();
        let found = output.ok().and_then(|output| {
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            serde_json::from_str::<Value>(text.lines().last()?).ok()
        });
        let Some(found) = found else {
            println!("{words:<26} did not run");
            continue;
        };
        for (kind, rate, key) in [
            ("log-likelihood", own.forward, "ll_per_s"),
            ("flows against EM", own.flows, "em_per_s"),
        ] {
            if let Some(peer) = found[key].as_f64() {
                println!(
                    "{words:<26} {rate:>14.0} {peer:>14.0} {:>10.1}  {kind}",
                    rate / peer
                );
            }
        }
    }
}
