//! The data that are learned from.

use super::number;
use crate::arguments::named::named;
use crate::arguments::running::HEADERS;
use clap::Args;
use pelton_runtime::data::HeaderMode;
use std::path::{Path, PathBuf};

/// The data.
#[derive(Debug, Args)]
#[command(next_help_heading = "Data")]
pub struct SplitArguments {
    /// Learn from these rows; `-` is standard input.
    #[arg(long, value_name = "DATA")]
    pub train: PathBuf,

    /// Validate with these rows: they decide the best epoch and early stopping.
    #[arg(long, value_name = "DATA")]
    pub valid: Option<PathBuf>,

    /// Evaluate these rows once, at the end.
    #[arg(long, value_name = "DATA")]
    pub test: Option<PathBuf>,

    /// Say whether the first line of the data is a header.
    #[arg(long, value_parser = named(HEADERS), default_value = "auto")]
    pub header: HeaderMode,

    /// Weight the rows of every file by this column: its name, or
    /// its number from 1 where there is no header.
    #[arg(long, value_name = "NAME")]
    pub weight_column: Option<String>,

    /// Read the training data again in every epoch, this many rows at a time, for data
    /// larger than memory.
    #[arg(long, value_name = "N", value_parser = number(1))]
    pub chunk_rows: Option<usize>,
}

impl SplitArguments {
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        let train = Some(self.train.as_path());
        let all = [train, self.valid.as_deref(), self.test.as_deref()];
        all.into_iter().flatten()
    }
}
