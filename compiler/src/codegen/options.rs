//! What a caller can choose.

use crate::kernel::Precision;

/// How code is generated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CodegenOptions {
    /// The number type of the kernels.
    pub precision: Precision,
    /// Calls the 256-bit kernels for operations that have one, if the CPU can
    /// run them; everything else is generated.
    pub wide: bool,
    /// Which instructions generated code may use.
    pub features: Features,
    /// Threads that compile; 0 takes as many as the machine has.
    pub threads: usize,
}

/// Which instructions generated code may use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Features {
    /// All that this CPU has.
    #[default]
    Detect,
    /// Only what every CPU of the architecture has; without fused
    /// multiply-add results differ in the last bits.
    Baseline,
}
