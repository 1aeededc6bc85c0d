//! Passes of plans: the code that the library compiles while it runs.

use super::density::{density, no_statistics};
use super::emitter::Scalar;
use super::library::Library;
use super::{ObjectSpec, structure};
use crate::codegen::link::Names;
use crate::codegen::parallel::compile_all;
use crate::codegen::program::Program;
use crate::codegen::{CodegenError, CodegenOptions, Features};
use crate::kernel::{Pass, Real};
use crate::plan::Plan;
use cranelift_module::Linkage;

/// Defines a function that runs a pass, and those of the pass with something before their
/// names.
pub(super) fn define<R: Real + Scalar<As = R>>(
    library: &mut Library,
    spec: &ObjectSpec,
    (name, prefix): (&'static str, &str),
    (plan, pass): (&Plan, Pass),
) -> Result<(), CodegenError> {
    let options = CodegenOptions {
        precision: spec.precision,
        kernels: None,
        features: Features::Baseline,
        threads: spec.threads,
    };
    let program = Program::new(plan, &options, pass);
    let codes = compile_all(library.target, &program, spec.threads)?;
    let linkage = (prefix, Linkage::Local);
    let names = Names::declare(&mut library.module, library.target, &program, linkage)?;
    names.define(&mut library.module, &codes)?;
    library.code_bytes += codes.iter().map(|code| code.bytes.len()).sum::<usize>();
    library.define_data(names.ops, structure::operations(plan))?;
    library.sequence(name, &names.functions[program.drivers()])?;
    // The only kernels that generated code calls are those of densities; their backward
    // passes add up statistics, which nobody asks for.
    for &kernel in &names.kernels {
        let function = match pass {
            Pass::Forward | Pass::Max => density::<R>::function(),
            Pass::Backward => no_statistics::function(),
        };
        library.define(kernel, function)?;
    }
    Ok(())
}
