//! Why an engine does not run.

use super::{Engine, EngineOptions};
#[cfg(feature = "jit")]
use crate::codegen::CodegenError;

/// Why an engine does not run; never the circuit's fault.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EngineError {
    /// It needs what this build, this machine or the options do not have.
    #[error(
        "the engine `{engine}` needs {needs}; those that run: {}",
        others(engine)
    )]
    Unavailable {
        /// Its name.
        engine: &'static str,
        /// What it needs.
        needs: &'static str,
    },
    /// Code generation failed.
    #[cfg(feature = "jit")]
    #[error(transparent)]
    Codegen(#[from] CodegenError),
}

/// The other engines that run here.
fn others(engine: &str) -> String {
    let others = Engine::ALL.iter().filter(|other| other.name() != engine);
    let running = others.filter(|other| other.available(&BASELINE).is_ok());
    let names: Vec<_> = running.map(|other| format!("`{}`", other.name())).collect();
    names.join(", ")
}

/// What runs with these runs with any options.
const BASELINE: EngineOptions = EngineOptions {
    precision: crate::kernel::Precision::F32,
    baseline: true,
    threads: 1,
};
