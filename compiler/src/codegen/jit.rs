//! Generated code in memory.
//!
//! All code of a pass goes into one arena of known size. Its pages are writable
//! until addresses are filled in, executable afterwards, and never both.

use super::CodegenError;
use super::driver::{FUNCTIONS, KERNELS};
use super::function::{Code, Relocation};
use super::isa::Target;
use super::parallel::compile_all;
use super::program::Program;
use crate::kernel::Frame;
use cranelift_jit::{ArenaMemoryProvider, JITBuilder, JITModule};
use cranelift_module::{
    DataId, FuncId, Linkage, Module, ModuleError, ModuleReloc, ModuleRelocTarget,
    default_libcall_names,
};
use std::sync::Mutex;

/// A driver: runs some of the operations of a pass on a tile.
pub(super) type DriverFn = unsafe extern "C" fn(frame: *const Frame);

/// The code of a pass, freed when dropped.
pub(super) struct Loaded {
    /// Drivers in the order they run.
    pub(super) drivers: Vec<DriverFn>,
    /// Bytes of machine code.
    pub(super) n_bytes: usize,
    /// Owns the memory. Nobody looks at it before the end; the lock only says
    /// that threads may share what stands beside it.
    module: Mutex<Option<JITModule>>,
}

impl Drop for Loaded {
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
    target: &Target,
    program: &Program,
    threads: usize,
) -> Result<Loaded, CodegenError> {
    let codes = compile_all(target, program, threads)?;
    let mut module = empty_module(target, program, &codes)?;
    let drivers = define_all(&mut module, target, program, &codes);
    // The module is owned before an error returns, so that its memory is freed.
    let mut loaded = Loaded {
        drivers: Vec::new(),
        n_bytes: codes.iter().map(|code| code.bytes.len()).sum(),
        module: Mutex::new(Some(module)),
    };
    loaded.drivers = drivers?;
    Ok(loaded)
}

fn define_all(
    module: &mut JITModule,
    target: &Target,
    program: &Program,
    codes: &[Code],
) -> Result<Vec<DriverFn>, CodegenError> {
    let names = Names::declare(module, target, program)?;
    names.define(module, codes)?;
    module.finalize_definitions().map_err(memory_error)?;
    Ok(names.drivers(module, program))
}

fn memory_error(error: ModuleError) -> CodegenError {
    CodegenError::Memory(error.to_string())
}

fn empty_module(
    target: &Target,
    program: &Program,
    codes: &[Code],
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

/// The symbol of a plan's first operation.
const OPS_SYMBOL: &str = "operations";

/// Room for all code with its alignment and the segment's last page. Calls may
/// need a trampoline each on some architectures.
fn arena_size(target: &Target, codes: &[Code]) -> usize {
    let minimum = u64::from(target.isa.function_alignment().minimum);
    let symbols = target.isa.symbol_alignment();
    let sizes = codes.iter().map(|code| {
        let alignment = code.alignment.max(minimum).max(symbols) as usize;
        code.bytes.len() + alignment + code.relocations.len() * 24
    });
    sizes.sum::<usize>().max(1) + (1 << 16)
}

/// What names stand for in a module.
struct Names {
    functions: Vec<FuncId>,
    kernels: Vec<FuncId>,
    ops: DataId,
}

impl Names {
    fn declare(
        module: &mut JITModule,
        target: &Target,
        program: &Program,
    ) -> Result<Self, CodegenError> {
        let mut declare = |name: &str, linkage, n_pointers| {
            let signature = target.signature(n_pointers);
            let id = module.declare_function(name, linkage, &signature);
            id.map_err(memory_error)
        };
        let functions = 0..program.functions.len();
        let functions = functions.map(|idx| declare(&program.name(idx), Linkage::Local, 1));
        let functions = functions.collect::<Result<_, _>>()?;
        let kernels = program.kernels.iter();
        let kernels = kernels.map(|(name, _)| declare(name, Linkage::Import, 2));
        let kernels = kernels.collect::<Result<_, _>>()?;
        let ops = module.declare_data(OPS_SYMBOL, Linkage::Import, false, false);
        Ok(Names {
            functions,
            kernels,
            ops: ops.map_err(memory_error)?,
        })
    }

    fn define(&self, module: &mut JITModule, codes: &[Code]) -> Result<(), CodegenError> {
        for (&id, code) in self.functions.iter().zip(codes) {
            let places = code.relocations.iter();
            let places: Vec<_> = places.map(|place| self.relocation(id, place)).collect();
            let defined = module.define_function_bytes(id, code.alignment, &code.bytes, &places);
            defined.map_err(memory_error)?;
        }
        Ok(())
    }

    fn relocation(&self, function: FuncId, relocation: &Relocation) -> ModuleReloc {
        let place = &relocation.place;
        ModuleReloc {
            offset: place.offset,
            kind: place.kind,
            addend: place.addend,
            name: self.target(function, relocation),
        }
    }

    fn target(&self, function: FuncId, relocation: &Relocation) -> ModuleRelocTarget {
        use cranelift_codegen::FinalizedRelocTarget;
        use cranelift_codegen::ir::ExternalName;
        let index = |name: &cranelift_codegen::ir::UserExternalName| name.index as usize;
        match (&relocation.name, &relocation.place.target) {
            (Some(name), _) if name.namespace == FUNCTIONS => self.functions[index(name)].into(),
            (Some(name), _) if name.namespace == KERNELS => self.kernels[index(name)].into(),
            (Some(_), _) => self.ops.into(),
            (None, &FinalizedRelocTarget::Func(offset)) => {
                ModuleRelocTarget::FunctionOffset(function, offset)
            }
            (None, FinalizedRelocTarget::ExternalName(ExternalName::LibCall(libcall))) => {
                ModuleRelocTarget::LibCall(*libcall)
            }
            (None, _) => unreachable!("generated code names nothing else"),
        }
    }

    fn drivers(&self, module: &JITModule, program: &Program) -> Vec<DriverFn> {
        let drivers = self.functions[program.drivers()].iter();
        drivers
            .map(|&id| {
                let address = module.get_finalized_function(id);
                // SAFETY: drivers are compiled with this signature and the
                // calling convention of the host.
                unsafe { std::mem::transmute::<*const u8, DriverFn>(address) }
            })
            .collect()
    }
}
