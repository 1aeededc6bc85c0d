//! How messages are shown.

use clap::{Args, ValueEnum};

/// How messages are shown.
#[derive(Clone, Debug, Args)]
pub struct MessageArguments {
    /// Choose the form of diagnostics.
    #[arg(long, global = true, value_enum, default_value_t = MessageFormat::Human)]
    pub message_format: MessageFormat,

    /// Choose when to use colors.
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto)]
    pub color: Color,

    /// Choose how the progress of long runs is shown.
    #[arg(long, global = true, value_enum, default_value_t = ProgressForm::Auto)]
    pub progress: ProgressForm,

    /// Show errors only.
    #[arg(short, long, global = true)]
    pub quiet: bool,

    /// Report more about what is done.
    #[arg(short, long, global = true, conflicts_with = "quiet")]
    pub verbose: bool,
}

/// Form of diagnostics.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum MessageFormat {
    /// With the source and labelled places.
    Human,
    /// One line each.
    Short,
    /// One JSON object a line.
    Json,
}

/// When to use colors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal, unless NO_COLOR is set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// How the progress of long runs is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ProgressForm {
    /// As a line that changes, on a terminal.
    Auto,
    /// As a line now and then.
    Plain,
    /// Not at all.
    None,
}
