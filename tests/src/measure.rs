//! What benchmarks measure.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The fastest of `n` runs: noise only ever adds.
pub fn fastest(n: usize, mut body: impl FnMut()) -> Duration {
    let times = (0..n).map(|_| {
        let start = Instant::now();
        body();
        start.elapsed()
    });
    times.min().unwrap_or_default()
}

/// Peak resident memory in megabytes, where the system tells.
pub fn peak_memory() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kilobytes: usize = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes / 1024)
}

/// Prints how long a command takes from its start, beside an interpreter that
/// does nothing.
pub fn from_start(what: &str, command: &mut Command) {
    let own = fastest(20, || run(command));
    println!("process start to {what}: {own:.1?}");
    let mut python = Command::new("python3");
    python.args(["-c", "pass"]);
    if python.stdout(Stdio::null()).status().is_ok() {
        let other = fastest(20, || run(&mut python));
        let ratio = own.as_secs_f64() / other.as_secs_f64();
        println!("  an empty python3 program: {other:.1?}; pelton takes {ratio:.2} of that");
    }
}

fn run(command: &mut Command) {
    let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
    assert!(status.expect("the program starts").success());
}
