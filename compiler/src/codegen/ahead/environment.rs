//! The CPU's floating-point environment, which the code generator has no instructions
//! for: two functions given as machine code.

use super::facts::facts;
use super::library::FunctionLibrary;
use super::target::BuildTarget;
use crate::codegen::CodegenError;
use crate::codegen::link::memory_error;
use cranelift_module::Linkage;
use pelton_macros::only_generated;

/// How kernels find out what was lost; see `kernel/flags.rs`, which does the same here.
#[repr(C)]
#[derive(Clone, Copy)]
pub(super) struct FloatFlags {
    /// The sticky flags.
    all: u64,
    /// The flag of underflow.
    pub(super) underflow: u64,
    /// Makes results zero that would be subnormal, where that is faster.
    flush: u64,
}

impl FloatFlags {
    pub(super) fn of(target: BuildTarget) -> Self {
        if target.is_arm() {
            FloatFlags {
                all: 0x9f,
                underflow: 1 << 3,
                flush: 0,
            }
        } else {
            FloatFlags {
                all: 0x3f,
                underflow: 1 << 4,
                flush: 1 << 15,
            }
        }
    }
}

/// The control word, and how it is set.
#[only_generated]
pub(super) fn read_environment() -> u64;
#[only_generated]
pub(super) fn write_environment(word: u64);

/// Clears the flags; gives the control word to go back to.
#[only_generated]
pub(super) fn enter_environment() -> u64 {
    let (flags, before) = (&facts().flags, read_environment());
    write_environment((before & !flags.all) | flags.flush);
    before
}

/// Below the stack pointer is the caller's to use; both functions take and give one word.
mod x86 {
    /// `stmxcsr [rsp-8]; mov eax, [rsp-8]; ret`
    pub const READ: &[u8] = &[0x0f, 0xae, 0x5c, 0x24, 0xf8, 0x8b, 0x44, 0x24, 0xf8, 0xc3];
    /// `mov [rsp-8], edi; ldmxcsr [rsp-8]; ret`
    pub const WRITE: &[u8] = &[0x89, 0x7c, 0x24, 0xf8, 0x0f, 0xae, 0x54, 0x24, 0xf8, 0xc3];
}

mod arm {
    /// `mrs x0, fpsr; ret`
    pub const READ: &[u8] = &[0x20, 0x44, 0x3b, 0xd5, 0xc0, 0x03, 0x5f, 0xd6];
    /// `msr fpsr, x0; ret`
    pub const WRITE: &[u8] = &[0x20, 0x44, 0x1b, 0xd5, 0xc0, 0x03, 0x5f, 0xd6];
}

pub(super) fn define(
    library: &mut FunctionLibrary,
    target: BuildTarget,
) -> Result<(), CodegenError> {
    let (read, write) = if target.is_arm() {
        (arm::READ, arm::WRITE)
    } else {
        (x86::READ, x86::WRITE)
    };
    for (function, bytes) in [
        (read_environment::function(), read),
        (write_environment::function(), write),
    ] {
        let id = library.declare(function.short_name(), Linkage::Local, &function)?;
        let defined = library.module.define_function_bytes(id, 16, bytes, &[]);
        defined.map_err(memory_error)?;
    }
    Ok(())
}
