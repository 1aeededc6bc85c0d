//! Exit codes, as scripts rely on them.

use std::process::ExitCode;

/// How a command ended. Later variants win where several inputs end differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exit {
    /// All is well.
    Ok,
    /// A property stayed unknown under `--strict`.
    Unknown,
    /// The circuit is wrong.
    Wrong,
    /// Data do not fit the circuit.
    Unfit,
    /// A result is not a number.
    Numeric,
    /// Wrong usage, or a file that cannot be read or written.
    Usage,
    /// A signal asked the run to end; what it had was kept.
    Interrupted,
}

impl Exit {
    /// The number that the shell sees.
    pub fn code(self) -> u8 {
        match self {
            Exit::Ok => 0,
            Exit::Wrong => 1,
            Exit::Usage => 2,
            Exit::Unfit => 3,
            Exit::Numeric => 4,
            Exit::Unknown => 5,
            Exit::Interrupted => 130,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit.code())
    }
}
