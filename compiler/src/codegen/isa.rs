//! The machine that code is generated for.

use super::{CodegenError, CodegenFeatures, CodegenOptions};
use crate::kernel::Precision;
use cranelift_codegen::ir::{AbiParam, Signature, Type, types};
use cranelift_codegen::isa::OwnedTargetIsa;
use cranelift_codegen::settings::{self, Configurable};

/// The machine and the number type: all that decides how an operation is written.
#[derive(Clone)]
pub(super) struct CodegenTarget {
    pub(super) isa: OwnedTargetIsa,
    pub(super) precision: Precision,
    /// Without the instruction `fma` would be a library call for each lane.
    pub(super) has_fma: bool,
}

impl CodegenTarget {
    pub(super) fn new(options: &CodegenOptions) -> Result<Self, CodegenError> {
        let detect = options.features == CodegenFeatures::Detect;
        let builder = cranelift_native::builder_with_options(detect)
            .map_err(|reason| CodegenError::Host(reason.to_string()))?;
        let isa = builder
            .finish(flags(false)?)
            .map_err(|error| CodegenError::Host(error.to_string()))?;
        Ok(CodegenTarget::of(isa, options.precision))
    }

    /// A machine with the instructions that `isa` knows.
    pub(super) fn of(isa: OwnedTargetIsa, precision: Precision) -> Self {
        CodegenTarget {
            has_fma: has_fma(&isa),
            isa,
            precision,
        }
    }

    /// The type of 128 bits of numbers, the widest that the back end knows.
    pub(super) fn vector(&self) -> Type {
        match self.precision {
            Precision::F32 => types::F32X4,
            Precision::F64 => types::F64X2,
        }
    }

    /// The type of one number.
    pub(super) fn scalar(&self) -> Type {
        self.vector().lane_type()
    }

    pub(super) fn pointer(&self) -> Type {
        self.isa.pointer_type()
    }

    /// A function of pointers that returns nothing.
    pub(super) fn signature(&self, n_pointers: usize) -> Signature {
        let mut signature = Signature::new(self.isa.default_call_conv());
        let pointer = AbiParam::new(self.pointer());
        signature.params.resize(n_pointers, pointer);
        signature
    }
}

/// Optimisations stay off: they reorder loads away from their uses, which made
/// these kernels several times slower to run and to compile.
pub(super) fn flags(is_pic: bool) -> Result<settings::Flags, CodegenError> {
    let mut builder = settings::builder();
    let verify = if cfg!(debug_assertions) {
        "true"
    } else {
        "false"
    };
    for (name, value) in [
        ("opt_level", "none"),
        ("regalloc_algorithm", "backtracking"),
        ("enable_verifier", verify),
        ("use_colocated_libcalls", "false"),
        ("is_pic", if is_pic { "true" } else { "false" }),
        ("probestack_strategy", "inline"),
    ] {
        builder
            .set(name, value)
            .map_err(|error| CodegenError::Host(error.to_string()))?;
    }
    Ok(settings::Flags::new(builder))
}

fn has_fma(isa: &OwnedTargetIsa) -> bool {
    let x86 = isa.triple().architecture.to_string().starts_with("x86");
    let flagged = |flag: &settings::Value| flag.name == "has_fma" && flag.as_bool() == Some(true);
    !x86 || isa.isa_flags().iter().any(flagged)
}
