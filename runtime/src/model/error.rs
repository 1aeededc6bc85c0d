//! Why a model could not be compiled.

#[cfg(feature = "jit")]
use pelton_compiler::codegen::CodegenError;
use std::fmt;

/// Why a model could not be compiled; the circuit's fault only where it is no distribution.
#[derive(Clone, Debug)]
pub enum CompileError {
    /// The wide engine was asked for and the CPU lacks AVX2 or FMA, or may not use them.
    NoWideKernels,
    /// Generated code was asked for, and this build has no code generator.
    NoCodeGenerator,
    /// An object was asked for of a circuit whose mass is zero or infinite.
    #[cfg(feature = "build")]
    NoDistribution(String),
    /// Code generation failed.
    #[cfg(feature = "jit")]
    Codegen(CodegenError),
}

impl fmt::Display for CompileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CompileError::NoWideKernels => f.write_str(
                "the wide engine needs a CPU with AVX2 and FMA; the engine `cranelift` runs on every one",
            ),
            CompileError::NoCodeGenerator => f.write_str(
                "the engine `cranelift` needs a build with the feature `jit`; the engine `auto` \
                 runs without",
            ),
            #[cfg(feature = "build")]
            CompileError::NoDistribution(message) => f.write_str(message),
            #[cfg(feature = "jit")]
            CompileError::Codegen(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for CompileError {}

#[cfg(feature = "jit")]
impl From<CodegenError> for CompileError {
    fn from(error: CodegenError) -> Self {
        CompileError::Codegen(error)
    }
}
