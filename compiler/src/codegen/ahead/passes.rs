//! Passes of plans: the code that the library compiles while it runs.

use super::density::{density, no_statistics};
use super::emitter::GeneratedType;
use super::library::FunctionLibrary;
use super::{ObjectSpec, structure};
use crate::codegen::link::ModuleSymbols;
use crate::codegen::parallel::compile_all;
use crate::codegen::program::PassProgram;
use crate::codegen::{CodegenError, CodegenFeatures, CodegenOptions};
use crate::kernel::{KernelPass, Real};
use crate::plan::Plan;
use cranelift_module::Linkage;

/// Defines a function that runs a pass, and those of the pass with something before their
/// names.
pub(super) fn define<R: Real + GeneratedType<As = R>>(
    library: &mut FunctionLibrary,
    spec: &ObjectSpec,
    (name, prefix): (&'static str, &str),
    (plan, pass): (&Plan, KernelPass),
) -> Result<(), CodegenError> {
    let options = CodegenOptions {
        precision: spec.precision,
        kernels: None,
        features: CodegenFeatures::Baseline,
        threads: spec.threads,
    };
    let program = PassProgram::new(plan, &options, pass);
    let codes = compile_all(library.target, &program, spec.threads)?;
    let linkage = (prefix, Linkage::Local);
    let names = ModuleSymbols::declare(&mut library.module, library.target, &program, linkage)?;
    names.define(&mut library.module, &codes)?;
    library.code_bytes += codes.iter().map(|code| code.bytes.len()).sum::<usize>();
    library.define_data(names.ops, structure::operations(plan))?;
    library.sequence(name, &names.functions[program.drivers()])?;
    // The only kernels that generated code calls are those of densities; their backward
    // passes add up statistics, which nobody asks for.
    for &kernel in &names.kernels {
        let function = match pass {
            KernelPass::Forward | KernelPass::Max => density::<R>::function(),
            KernelPass::Backward => no_statistics::function(),
        };
        library.define(kernel, function)?;
    }
    Ok(())
}
