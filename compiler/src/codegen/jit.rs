//! Generated code in memory.
//!
//! All code of a pass goes into one arena of known size. Its pages are writable
//! until addresses are filled in, executable afterwards, and never both.

use super::CodegenError;
use super::function::MachineCode;
use super::isa::CodegenTarget;
use super::link::{ModuleSymbols, OPS_SYMBOL, memory_error};
use super::parallel::compile_all;
use super::program::PassProgram;
use crate::kernel::Frame;
use cranelift_jit::{ArenaMemoryProvider, JITBuilder, JITModule};
use cranelift_module::{Linkage, default_libcall_names};
use std::sync::Mutex;

/// A driver: runs some of the operations of a pass on a tile.
pub(super) type DriverFn = unsafe extern "C" fn(frame: *const Frame);

/// The code of a pass, freed when dropped.
pub(super) struct LoadedPass {
    /// Drivers in the order they run.
    pub(super) drivers: Vec<DriverFn>,
    /// Bytes of machine code.
    pub(super) n_bytes: usize,
    /// Owns the memory. Nobody looks at it before the end; the lock only says
    /// that threads may share what stands beside it.
    module: Mutex<Option<JITModule>>,
}

impl Drop for LoadedPass {
    fn drop(&mut self) {
        let module = self.module.get_mut().map_or(None, |module| module.take());
        if let Some(module) = module {
            // SAFETY: the pointers into this memory are in `drivers`, which are
            // called only through a borrow of `self`.
            unsafe { module.free_memory() }
        }
    }
}

/// Compiles a program and puts it into memory.
pub(super) fn load(
    target: &CodegenTarget,
    program: &PassProgram,
    threads: usize,
) -> Result<LoadedPass, CodegenError> {
    let codes = compile_all(target, program, threads)?;
    let mut module = empty_module(target, program, &codes)?;
    let drivers = define_all(&mut module, target, program, &codes);
    // The module is owned before an error returns, so that its memory is freed.
    let mut loaded = LoadedPass {
        drivers: Vec::new(),
        n_bytes: codes.iter().map(|code| code.bytes.len()).sum(),
        module: Mutex::new(Some(module)),
    };
    loaded.drivers = drivers?;
    Ok(loaded)
}

fn define_all(
    module: &mut JITModule,
    target: &CodegenTarget,
    program: &PassProgram,
    codes: &[MachineCode],
) -> Result<Vec<DriverFn>, CodegenError> {
    let names = ModuleSymbols::declare(module, target, program, ("", Linkage::Import))?;
    names.define(module, codes)?;
    module.finalize_definitions().map_err(memory_error)?;
    Ok(drivers(&names, module, program))
}

fn empty_module(
    target: &CodegenTarget,
    program: &PassProgram,
    codes: &[MachineCode],
) -> Result<JITModule, CodegenError> {
    let mut builder = JITBuilder::with_isa(target.isa.clone(), default_libcall_names());
    for &(name, kernel) in &program.kernels {
        builder.symbol(name, kernel as *const u8);
    }
    builder.symbol(OPS_SYMBOL, program.plan.ops.as_ptr().cast());
    let arena = ArenaMemoryProvider::new_with_size(arena_size(target, codes))
        .map_err(|error| CodegenError::Memory(error.to_string()))?;
    builder.memory_provider(Box::new(arena));
    Ok(JITModule::new(builder))
}

/// Room for all code with its alignment and the segment's last page. Calls may
/// need a trampoline each on some architectures.
fn arena_size(target: &CodegenTarget, codes: &[MachineCode]) -> usize {
    let minimum = u64::from(target.isa.function_alignment().minimum);
    let symbols = target.isa.symbol_alignment();
    let sizes = codes.iter().map(|code| {
        let alignment = code.alignment.max(minimum).max(symbols) as usize;
        code.bytes.len() + alignment + code.relocations.len() * 24
    });
    sizes.sum::<usize>().max(1) + (1 << 16)
}

fn drivers(names: &ModuleSymbols, module: &JITModule, program: &PassProgram) -> Vec<DriverFn> {
    let drivers = names.functions[program.drivers()].iter();
    drivers
        .map(|&id| {
            let address = module.get_finalized_function(id);
            // SAFETY: drivers are compiled with this signature and the
            // calling convention of the host.
            unsafe { std::mem::transmute::<*const u8, DriverFn>(address) }
        })
        .collect()
}
