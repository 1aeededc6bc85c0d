//! Why a model could not be compiled.

use pelton_compiler::engine::EngineError;
use std::fmt;

/// Why a model could not be compiled; the circuit's fault only where it is no distribution.
#[derive(Clone, Debug)]
pub enum CompileError {
    /// The engine does not run here, or its code could not be generated.
    Engine(EngineError),
    /// An object was asked for of a circuit whose mass is zero or infinite.
    #[cfg(feature = "build")]
    NoDistribution(String),
}

impl fmt::Display for CompileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CompileError::Engine(error) => error.fmt(f),
            #[cfg(feature = "build")]
            CompileError::NoDistribution(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for CompileError {}

impl From<EngineError> for CompileError {
    fn from(error: EngineError) -> Self {
        CompileError::Engine(error)
    }
}
