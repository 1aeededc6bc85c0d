//! Why no code could be generated.

use std::fmt;

/// The host or the code generator refused; never the author's fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CodegenError {
    /// There is no back end for this machine.
    Host(String),
    /// A function could not be compiled.
    Compile {
        /// The function.
        function: String,
        /// What Cranelift says.
        reason: String,
    },
    /// Memory for the code could not be had or protected.
    Memory(String),
}

impl fmt::Display for CodegenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CodegenError::Host(reason) => write!(f, "no code can be generated here: {reason}"),
            CodegenError::Compile { function, reason } => {
                write!(
                    f,
                    "generated function `{function}` does not compile: {reason}"
                )
            }
            CodegenError::Memory(reason) => write!(f, "no memory for generated code: {reason}"),
        }
    }
}

impl std::error::Error for CodegenError {}
