//! Why a command ends early, and with which exit code.

use crate::Exit;
use crate::arguments::MessageArguments;
use crate::flags::flags;
use pelton::ErrorKind;
use pelton::open::OpenError;
use pelton_compiler::transform::TransformError;
use pelton_runtime::CompileError;
use pelton_runtime::data::DataError;
use pelton_runtime::learn::LearnError;
use pelton_runtime::query::InformationError;
use pelton_runtime::structure::StructureError;

/// What there is, or why a command ends early.
pub type CommandResult<T> = Result<T, CommandFailure>;

/// Why a command ends early.
#[derive(Debug, thiserror::Error)]
pub enum CommandFailure {
    /// Wrong usage, or a file that cannot be read or written.
    #[error("{0}")]
    Usage(String),
    /// The circuit does not allow what is asked for.
    #[error("{0}")]
    Wrong(String),
    /// Data that do not fit the circuit.
    #[error("{0}")]
    Unfit(String),
    /// A result is not a number.
    #[error("{0}")]
    Numeric(String),
    /// A signal asked for an end before there was anything to keep.
    #[error("{0}")]
    Interrupted(String),
    /// What is wrong has been told, as diagnostics.
    #[error("what is wrong has been told")]
    Told(Exit),
    /// Whoever reads our output has gone away; there is nobody to tell.
    #[error("nobody reads the results")]
    Closed,
}

impl CommandFailure {
    /// Prints it, unless that was done; the exit code that stands for it.
    pub fn report(self, messages: &MessageArguments) -> Exit {
        if !matches!(self, CommandFailure::Told(_) | CommandFailure::Closed) {
            messages.failure(&self.to_string());
        }
        match self {
            CommandFailure::Usage(_) => Exit::Usage,
            CommandFailure::Wrong(_) => Exit::Wrong,
            CommandFailure::Unfit(_) => Exit::Unfit,
            CommandFailure::Numeric(_) => Exit::Numeric,
            CommandFailure::Interrupted(_) => Exit::Interrupted,
            CommandFailure::Told(exit) => exit,
            CommandFailure::Closed => Exit::Ok,
        }
    }
}

/// The library says what kind of fault it is; its options are named as flags.
impl From<pelton::Error> for CommandFailure {
    fn from(error: pelton::Error) -> Self {
        let message = error.worded(flags);
        match error.kind() {
            ErrorKind::Circuit => CommandFailure::Wrong(message),
            ErrorKind::Data => CommandFailure::Unfit(message),
            ErrorKind::Numeric => CommandFailure::Numeric(message),
            _ => CommandFailure::Usage(message),
        }
    }
}

/// Errors of lower crates are what the library makes of them.
macro_rules! as_library_error {
    ($($error:ty),*) => {$(
        impl From<$error> for CommandFailure {
            fn from(error: $error) -> Self {
                pelton::Error::from(error).into()
            }
        }
    )*};
}

as_library_error!(
    CompileError,
    DataError,
    InformationError,
    LearnError,
    OpenError,
    TransformError
);

impl From<StructureError> for CommandFailure {
    fn from(error: StructureError) -> Self {
        match error {
            StructureError::Interrupted(message) => CommandFailure::Interrupted(message),
            error => pelton::Error::from(error).into(),
        }
    }
}

impl From<std::io::Error> for CommandFailure {
    /// An error while printing results, or the failure that ended that.
    fn from(error: std::io::Error) -> Self {
        let error = match error.downcast::<CommandFailure>() {
            Ok(failure) => return failure,
            Err(error) => error,
        };
        match error.kind() {
            std::io::ErrorKind::BrokenPipe => CommandFailure::Closed,
            _ => CommandFailure::Usage(format!("the results cannot be printed: {error}")),
        }
    }
}
