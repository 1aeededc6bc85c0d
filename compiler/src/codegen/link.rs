//! Names of generated code, and the places in it that need their addresses.

use super::CodegenError;
use super::driver::{FUNCTIONS, KERNELS};
use super::function::{MachineCode, Relocation};
use super::isa::CodegenTarget;
use super::program::PassProgram;
use cranelift_module::{
    DataId, FuncId, Linkage, Module, ModuleError, ModuleReloc, ModuleRelocTarget,
};

/// The symbol of a plan's first operation.
pub(super) const OPS_SYMBOL: &str = "operations";

pub(super) fn memory_error(error: ModuleError) -> CodegenError {
    CodegenError::Memory(error.to_string())
}

/// What names stand for in a module.
pub(super) struct ModuleSymbols {
    pub(super) functions: Vec<FuncId>,
    pub(super) kernels: Vec<FuncId>,
    pub(super) ops: DataId,
}

impl ModuleSymbols {
    /// Declares all of them, with something before their names; kernels and operations are
    /// others' or the module's own.
    pub(super) fn declare(
        module: &mut impl Module,
        target: &CodegenTarget,
        program: &PassProgram,
        (prefix, kernels_are): (&str, Linkage),
    ) -> Result<Self, CodegenError> {
        let mut declare = |name: &str, linkage, n_pointers| {
            let signature = target.signature(n_pointers);
            let name = format!("{prefix}{name}");
            let id = module.declare_function(&name, linkage, &signature);
            id.map_err(memory_error)
        };
        let functions = 0..program.functions.len();
        let functions = functions.map(|idx| declare(&program.name(idx), Linkage::Local, 1));
        let functions = functions.collect::<Result<_, _>>()?;
        let kernels = program.kernels.iter();
        let kernels = kernels.map(|(name, _)| declare(name, kernels_are, 2));
        let kernels = kernels.collect::<Result<_, _>>()?;
        let ops = module.declare_data(&format!("{prefix}{OPS_SYMBOL}"), kernels_are, false, false);
        Ok(ModuleSymbols {
            functions,
            kernels,
            ops: ops.map_err(memory_error)?,
        })
    }

    /// Puts the code of all functions into the module.
    pub(super) fn define(
        &self,
        module: &mut impl Module,
        codes: &[MachineCode],
    ) -> Result<(), CodegenError> {
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
}
