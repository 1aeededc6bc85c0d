//! Machines that can be built for.

use crate::codegen::CodegenError;
use crate::codegen::isa::{CodegenTarget, flags};
use crate::kernel::Precision;
use cranelift_codegen::isa::{self, Builder};
use cranelift_codegen::settings::Configurable;
use std::str::FromStr;

/// A machine that can be built for, with Linux or another system that has ELF objects
/// and the calling convention of System V.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BuildTarget {
    /// This machine, with every instruction that its CPU has.
    #[default]
    Host,
    /// Any 64-bit x86 CPU.
    X86_64,
    /// 64-bit x86 CPUs with AVX2 and fused multiply-add.
    X86_64V3,
    /// Any 64-bit ARM CPU.
    Aarch64,
}

/// A name that stands for no machine.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no target `{0}`; known are {known}, and their triples for Linux such as {triple}",
    known = BuildTarget::ALL.map(BuildTarget::name).join(", "),
    triple = BuildTarget::Aarch64.triple())]
pub struct UnknownTarget(String);

impl FromStr for BuildTarget {
    type Err = UnknownTarget;

    fn from_str(name: &str) -> Result<Self, UnknownTarget> {
        let is_known = |target: &&BuildTarget| target.spellings().contains(&name);
        let found = BuildTarget::ALL.iter().find(is_known);
        found
            .copied()
            .ok_or_else(|| UnknownTarget(name.to_string()))
    }
}

/// What the third level of x86-64 adds that generated code can use.
const V3: [&str; 11] = [
    "has_sse3",
    "has_ssse3",
    "has_sse41",
    "has_sse42",
    "has_popcnt",
    "has_avx",
    "has_avx2",
    "has_fma",
    "has_bmi1",
    "has_bmi2",
    "has_lzcnt",
];

impl BuildTarget {
    /// All targets.
    pub const ALL: [BuildTarget; 4] = [
        BuildTarget::Host,
        BuildTarget::X86_64,
        BuildTarget::X86_64V3,
        BuildTarget::Aarch64,
    ];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        self.spellings()[0]
    }

    fn spellings(self) -> &'static [&'static str] {
        match self {
            BuildTarget::Host => &["host"],
            BuildTarget::X86_64 => &["x86_64", "x86-64", "x86_64-unknown-linux-gnu"],
            BuildTarget::X86_64V3 => &["x86_64-v3", "x86_64-avx2", "x86-64-v3"],
            BuildTarget::Aarch64 => &["aarch64", "arm64", "aarch64-unknown-linux-gnu"],
        }
    }

    /// Whether code runs on ARM rather than on x86.
    pub(super) fn is_arm(self) -> bool {
        match self {
            BuildTarget::Host => cfg!(target_arch = "aarch64"),
            BuildTarget::X86_64 | BuildTarget::X86_64V3 => false,
            BuildTarget::Aarch64 => true,
        }
    }

    /// The triple, as other tools write it.
    pub fn triple(self) -> &'static str {
        match self.is_arm() {
            true => "aarch64-unknown-linux-gnu",
            false => "x86_64-unknown-linux-gnu",
        }
    }

    /// What code for it is generated with.
    pub(in crate::codegen) fn machine(
        self,
        precision: Precision,
    ) -> Result<CodegenTarget, CodegenError> {
        let isa = self.builder()?.finish(flags(true)?);
        let isa = isa.map_err(|error| CodegenError::Host(error.to_string()))?;
        Ok(CodegenTarget::of(isa, precision))
    }

    fn builder(self) -> Result<Builder, CodegenError> {
        let refused = |reason: String| CodegenError::Host(reason);
        if self == BuildTarget::Host {
            if !cfg!(all(
                target_os = "linux",
                any(target_arch = "x86_64", target_arch = "aarch64")
            )) {
                return Err(refused(
                    "objects are built for Linux on x86-64 and ARM: name a target".to_string(),
                ));
            }
            return cranelift_native::builder().map_err(|reason| refused(reason.to_string()));
        }
        let triple = target_lexicon::Triple::from_str(self.triple())
            .map_err(|error| refused(error.to_string()))?;
        let mut builder = isa::lookup(triple).map_err(|error| refused(error.to_string()))?;
        if self == BuildTarget::X86_64V3 {
            for feature in V3 {
                let enabled = builder.enable(feature);
                enabled.map_err(|error| refused(error.to_string()))?;
            }
        }
        Ok(builder)
    }
}
