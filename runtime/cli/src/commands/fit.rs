//! `pelton fit`

use crate::Failure;
use crate::arguments::{Fit, Messages};
use crate::exit::Exit;
use crate::learning::{Fitting, Opener, Setup, Tables, check_checkpoint, check_usage, check_used};

/// Learns the parameters of a circuit.
pub fn run(options: &Fit, messages: &Messages) -> Result<Exit, Failure> {
    let (job, checkpoint) = (options.job(), options.own.checkpoint.as_deref());
    check_usage(job, checkpoint)?;
    check_checkpoint(&options.own)?;
    let setup = Setup::of(job, &options.model, messages)?;
    check_used(job, checkpoint, &setup.opened.program)?;
    let learning = options.options();
    learning.check(setup.model.circuit())?;
    let opener = Opener::default();
    let tables = Tables::read(&options.splits, setup.model.circuit(), &opener, messages)?;
    let fitting = Fitting {
        job,
        fit: &options.own,
        learning: &learning,
        setup: &setup,
        tables: &tables,
    };
    fitting.run(|report| report, |_| Ok(()), messages)
}
