//! Why no code could be generated.

/// The host or the code generator refused; never the author's fault.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CodegenError {
    /// There is no back end for this machine.
    #[error("no code can be generated here: {0}")]
    Host(String),
    /// A function could not be compiled.
    #[error("generated function `{function}` does not compile: {reason}")]
    Compile {
        /// The function.
        function: String,
        /// What Cranelift says.
        reason: String,
    },
    /// Memory for the code could not be had or protected.
    #[error("no memory for generated code: {0}")]
    Memory(String),
}
