//! Where what was learned goes.

use clap::Args;
use std::path::PathBuf;

/// The heading of options that name files to be written.
pub(super) const RESULTS: &str = "Results";

/// What is written.
#[derive(Debug, Args)]
#[command(next_help_heading = RESULTS)]
pub struct OutputArguments {
    /// Write the learned model here: OUT.pelton is a model file, OUT.pcirc is source
    /// with values. Give it twice to get both.
    #[arg(short, long = "output", value_name = "OUT")]
    pub output: Vec<PathBuf>,

    /// Write the report here, the object that --json prints.
    #[arg(long, value_name = "FILE.json")]
    pub report: Option<PathBuf>,

    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,
}
