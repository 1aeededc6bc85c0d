//! Why an engine does not run.

use super::{Engine, EngineOptions};
#[cfg(feature = "jit")]
use crate::codegen::CodegenError;
use std::error::Error;
use std::fmt;

/// Why an engine does not run; never the circuit's fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EngineError {
    /// It needs what this build, this machine or the options do not have.
    Unavailable {
        /// Its name.
        engine: &'static str,
        /// What it needs.
        needs: &'static str,
    },
    /// Code generation failed.
    #[cfg(feature = "jit")]
    Codegen(CodegenError),
}

impl fmt::Display for EngineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EngineError::Unavailable { engine, needs } => {
                let others = Engine::ALL.iter().filter(|other| other.name() != *engine);
                let running = others.filter(|other| other.available(&BASELINE).is_ok());
                let names: Vec<_> = running.map(|other| format!("`{}`", other.name())).collect();
                let names = names.join(", ");
                write!(
                    f,
                    "the engine `{engine}` needs {needs}; those that run: {names}"
                )
            }
            #[cfg(feature = "jit")]
            EngineError::Codegen(error) => error.fmt(f),
        }
    }
}

/// What runs with these runs with any options.
const BASELINE: EngineOptions = EngineOptions {
    precision: crate::kernel::Precision::F32,
    baseline: true,
    threads: 1,
};

impl Error for EngineError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            EngineError::Unavailable { .. } => None,
            // Its text is the same, so that what lies below it comes next.
            #[cfg(feature = "jit")]
            EngineError::Codegen(error) => error.source(),
        }
    }
}

#[cfg(feature = "jit")]
impl From<CodegenError> for EngineError {
    fn from(error: CodegenError) -> Self {
        EngineError::Codegen(error)
    }
}
