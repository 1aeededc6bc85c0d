//! Passes of plans: the code that the library compiles while it runs.

use super::ObjectSpec;
use super::writer::Library;
use super::{density, structure};
use crate::codegen::link::ModuleSymbols;
use crate::codegen::parallel::compile_all;
use crate::codegen::program::PassProgram;
use crate::codegen::{CodegenError, CodegenFeatures, CodegenOptions};
use crate::kernel::KernelPass;
use crate::plan::Plan;
use cranelift_codegen::ir::types;
use cranelift_module::{FuncId, Linkage};

/// What passes need of the object.
pub(super) struct Passes<'a> {
    pub(super) spec: &'a ObjectSpec<'a>,
    pub(super) log_leaf: FuncId,
    /// Where leaves begin in the block of weights.
    pub(super) leaves: i64,
}

impl Passes<'_> {
    /// Defines the functions of a pass, with something before their names; gives its
    /// drivers in the order they run.
    pub(super) fn define(
        &mut self,
        library: &mut Library,
        prefix: &str,
        plan: &Plan,
        pass: KernelPass,
    ) -> Result<Vec<FuncId>, CodegenError> {
        let options = CodegenOptions {
            precision: self.spec.precision,
            kernels: None,
            features: CodegenFeatures::Baseline,
            threads: self.spec.threads,
        };
        let program = PassProgram::new(plan, &options, pass);
        let codes = compile_all(library.target, &program, self.spec.threads)?;
        let prefix = match pass {
            KernelPass::Forward | KernelPass::Max => prefix.to_string(),
            KernelPass::Backward => format!("{prefix}back_"),
        };
        let linkage = (prefix.as_str(), Linkage::Local);
        let names = ModuleSymbols::declare(library.module, library.target, &program, linkage)?;
        names.define(library.module, &codes)?;
        library.code_bytes += codes.iter().map(|code| code.bytes.len()).sum::<usize>();
        library.define_data(names.ops, structure::operations(plan), 64)?;
        // The only kernels that generated code calls are those of densities.
        for &kernel in &names.kernels {
            self.kernel(library, kernel, pass)?;
        }
        Ok(names.functions[program.drivers()].to_vec())
    }

    /// Backward passes of densities add up statistics, which nobody asks for.
    fn kernel(
        &self,
        library: &mut Library,
        kernel: FuncId,
        pass: KernelPass,
    ) -> Result<(), CodegenError> {
        match pass {
            KernelPass::Forward | KernelPass::Max => {
                density::define(library, kernel, self.log_leaf, self.leaves)
            }
            KernelPass::Backward => {
                let kind = (&[types::I64, types::I64][..], None);
                library.define(kernel, kind, |w, _| w.give(&[]))
            }
        }
    }
}
