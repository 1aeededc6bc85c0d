//! Why the work ended before it was done.

use pelton_cli::CommandFailure;
use pelton_runtime::data::DataError;
use pelton_runtime::learn::LearnError;
use pelton_runtime::structure::StructureError;

/// Why the work ended before it was done.
#[derive(Debug)]
pub enum Halt {
    /// A signal asked for it.
    Interrupted,
    /// It cannot be done.
    Failed(CommandFailure),
}

impl From<CommandFailure> for Halt {
    fn from(failure: CommandFailure) -> Self {
        Halt::Failed(failure)
    }
}

impl From<DataError> for Halt {
    fn from(error: DataError) -> Self {
        Halt::Failed(error.into())
    }
}

impl From<LearnError> for Halt {
    fn from(error: LearnError) -> Self {
        Halt::Failed(error.into())
    }
}

impl From<StructureError> for Halt {
    fn from(error: StructureError) -> Self {
        match error {
            StructureError::Data(message) => CommandFailure::Unfit(message).into(),
            StructureError::Option(message) => CommandFailure::Usage(message).into(),
            StructureError::Circuit(message) => CommandFailure::Wrong(message).into(),
            StructureError::Interrupted(_) => Halt::Interrupted,
            StructureError::Learn(error) => error.into(),
        }
    }
}
