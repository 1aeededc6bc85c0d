//! Embeds Pelton in a Rust program: compile, ask, train, save, load.
//!
//! `cargo run -p pelton --example embed`

use pelton::{Batch, Circuit, Error, FitOptions, Training};
use std::ops::ControlFlow;

const TEXT: &str = "
    var rain, sprinkler, wet : bool;
    node day[k in 0..2] = rain ~ bernoulli(?) * sprinkler ~ bernoulli(?) * wet ~ bernoulli(?);
    root sum k in 0..2 { ?: day[k] };
";

/// Days: rain, sprinkler, wet. The last one was not observed whole.
const DAYS: [f32; 18] = [
    1.0,
    0.0,
    1.0,
    1.0,
    0.0,
    1.0,
    0.0,
    1.0,
    1.0,
    0.0,
    1.0,
    0.0,
    0.0,
    0.0,
    0.0,
    f32::NAN,
    1.0,
    1.0,
];

/// Compiles, trains, asks, saves and loads.
pub fn main() -> Result<(), Error> {
    let mut circuit = Circuit::compile(TEXT)?;
    let days = Batch::new(&DAYS, 6, 3);
    let report = circuit.fit(Training::new(&days), &FitOptions::default(), |progress| {
        if let Some(epoch) = progress.ended.filter(|epoch| epoch.epoch % 10 == 0) {
            println!("epoch {}: {:.4}", epoch.epoch, epoch.train_ll);
        }
        ControlFlow::Continue(())
    })?;
    println!(
        "{}; {:.4} a day",
        report.stop_reason.describe(),
        report.train.mean
    );

    println!(
        "P(rain | wet) = {:.4}",
        circuit.query("P(rain | wet)")?.value()
    );
    let last = circuit.map(&Batch::new(&DAYS[15..], 1, 3), "")?;
    println!("the last day, completed: {:?}", last.row(0));

    let path = std::env::temp_dir().join(format!("days-{}.pelton", std::process::id()));
    circuit.save(&path)?;
    let again = Circuit::load(&path)?;
    assert_eq!(again.log_likelihood(&days)?, circuit.log_likelihood(&days)?);
    std::fs::remove_file(&path)
        .map_err(|error| eprintln!("{error}"))
        .ok();
    Ok(())
}
