//! Native code for plans, by Cranelift.
//!
//! [`compile`] turns a plan into a [`NativePlan`] that runs whole passes over a tile.
//! Code is written for what 128-bit vectors can do best: dense layers are loops
//! over register tiles, single sums are straight-line code. Where the CPU has
//! wider vectors than Cranelift knows, generated drivers call the kernels of
//! [`kernel`](crate::kernel) instead.
//!
//! Weights are read from the frame, so learning never compiles anything.
//! Cranelift's types stay inside this module.

#[cfg(feature = "build")]
pub mod ahead;
mod counts;
mod dense;
mod describe;
mod driver;
mod emitter;
mod error;
mod function;
mod gather;
mod isa;
mod jit;
mod lanes;
mod link;
mod matrix;
mod options;
mod parallel;
mod product;
mod program;
mod rescale;
mod sparse;
mod text;

#[cfg(test)]
mod tests;

pub use error::CodegenError;
pub use options::{CodegenFeatures, CodegenOptions};
pub use text::{asm_text, clif_text};

/// The version of Cranelift that generates code.
pub const CRANELIFT_VERSION: &str = cranelift_codegen::VERSION;

use crate::kernel::{Frame, KernelPass, PlanExecutor};
use crate::plan::Plan;
use isa::CodegenTarget;
use jit::LoadedPass;
use program::PassProgram;
use std::fmt;
use std::sync::{Arc, OnceLock};

/// Prepares native code for a plan.
///
/// Each pass is compiled when it is first used or [prepared](NativePlan::prepare),
/// so that evaluation does not pay for flows.
pub fn compile(plan: Arc<Plan>, options: &CodegenOptions) -> Result<NativePlan, CodegenError> {
    Ok(NativePlan {
        target: CodegenTarget::new(options)?,
        options: *options,
        plan,
        passes: Default::default(),
    })
}

/// Native code of a plan. Threads may share it; each needs its own [`Frame`].
pub struct NativePlan {
    plan: Arc<Plan>,
    options: CodegenOptions,
    target: CodegenTarget,
    passes: [OnceLock<Result<Box<LoadedPass>, CodegenError>>; 3],
}

impl NativePlan {
    /// The plan that the code is for.
    pub fn plan(&self) -> &Arc<Plan> {
        &self.plan
    }

    /// How the code was made.
    pub fn options(&self) -> &CodegenOptions {
        &self.options
    }

    /// Compiles a pass unless that was done before.
    pub fn prepare(&self, pass: KernelPass) -> Result<(), CodegenError> {
        self.loaded(pass).map(|_| ())
    }

    /// Bytes of machine code of a pass, which is compiled if need be.
    pub fn code_bytes(&self, pass: KernelPass) -> Result<usize, CodegenError> {
        self.loaded(pass).map(|loaded| loaded.n_bytes)
    }

    fn loaded(&self, pass: KernelPass) -> Result<&LoadedPass, CodegenError> {
        let loaded = self.passes[pass as usize].get_or_init(|| {
            let program = PassProgram::new(&self.plan, &self.options, pass);
            jit::load(&self.target, &program, self.options.threads).map(Box::new)
        });
        loaded.as_deref().map_err(Clone::clone)
    }
}

impl PlanExecutor for NativePlan {
    unsafe fn run(&self, pass: KernelPass, frame: &Frame) {
        let loaded = self
            .loaded(pass)
            .expect("a pass that cannot be compiled is found out by `prepare`");
        for driver in &loaded.drivers {
            // SAFETY: the code was generated for this plan, whose buffers the
            // caller vouches for, and its memory lives as long as `loaded`.
            unsafe { driver(frame) }
        }
    }
}

impl fmt::Debug for NativePlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut kernel = f.debug_struct("Kernel");
        kernel.field("options", &self.options);
        kernel.finish_non_exhaustive()
    }
}
