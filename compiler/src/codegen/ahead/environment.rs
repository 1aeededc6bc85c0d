//! The CPU's floating-point environment, which the code generator has no instructions
//! for: two functions given as machine code.

use super::target::BuildTarget;
use super::writer::{Library, Writer};
use crate::codegen::CodegenError;
use crate::codegen::link::memory_error;
use cranelift_codegen::ir::{InstBuilder, Value, types};
use cranelift_module::{FuncId, Linkage, Module};

/// How kernels find out what was lost; see `kernel/flags.rs`, which does the same here.
#[derive(Clone, Copy)]
pub(super) struct Environment {
    /// Gives the control word.
    pub(super) read: FuncId,
    /// Sets it.
    pub(super) write: FuncId,
    /// The sticky flags.
    pub(super) flags: i64,
    /// The flag of underflow.
    pub(super) underflow: i64,
    /// Makes results zero that would be subnormal, where that is faster.
    pub(super) flush: i64,
}

impl Environment {
    /// Clears the flags; gives the control word to go back to.
    pub(super) fn enter(&self, w: &mut Writer) -> Value {
        let before = w.value_of(self.read, &[]);
        let clear = w.b.ins().band_imm_s(before, !self.flags);
        let during = w.b.ins().bor_imm_s(clear, self.flush);
        w.call(self.write, &[during]);
        before
    }
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
    library: &mut Library,
    target: BuildTarget,
) -> Result<Environment, CodegenError> {
    let (read, write) = match target.is_arm() {
        true => (arm::READ, arm::WRITE),
        false => (x86::READ, x86::WRITE),
    };
    let mut bytes = |name, kind, bytes: &[u8]| {
        let id = library.declare(name, Linkage::Local, kind)?;
        let defined = library.module.define_function_bytes(id, 16, bytes, &[]);
        defined.map_err(memory_error).map(|()| id)
    };
    let read = bytes("environment_read", (&[], Some(types::I64)), read)?;
    let write = bytes("environment_write", (&[types::I64], None), write)?;
    Ok(match target.is_arm() {
        true => Environment {
            read,
            write,
            flags: 0x9f,
            underflow: 1 << 3,
            flush: 0,
        },
        false => Environment {
            read,
            write,
            flags: 0x3f,
            underflow: 1 << 4,
            flush: 1 << 15,
        },
    })
}
