//! Why a model could not be compiled.

use pelton_compiler::engine::EngineError;

/// Why a model could not be compiled; the circuit's fault only where it is no distribution.
#[derive(Clone, Debug, thiserror::Error)]
pub enum CompileError {
    /// The engine does not run here, or its code could not be generated.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// An object was asked for of a circuit whose mass is zero or infinite.
    #[cfg(feature = "build")]
    #[error("{0}")]
    NoDistribution(String),
}
