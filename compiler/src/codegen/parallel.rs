//! Compiling the functions of a program on several threads.

use super::CodegenError;
use super::function::{FunctionCompiler, MachineCode};
use super::isa::CodegenTarget;
use super::program::PassProgram;
use crate::parallel::map_jobs;

/// Functions a thread takes at a time.
const BATCH: usize = 4;

/// Machine code of all functions, in the program's order whatever the number of
/// threads.
pub(super) fn compile_all(
    target: &CodegenTarget,
    program: &PassProgram,
    threads: usize,
) -> Result<Vec<MachineCode>, CodegenError> {
    let functions: Vec<usize> = (0..program.functions.len()).collect();
    let batches: Vec<&[usize]> = functions.chunks(BATCH).collect();
    let new_compiler = || FunctionCompiler::new(target, program);
    let parts = map_jobs(&batches, threads, new_compiler, |compiler, batch| {
        let codes = batch.iter().map(|&idx| compiler.compile(idx, false));
        codes.collect::<Result<Vec<MachineCode>, _>>()
    });
    let parts: Vec<Vec<MachineCode>> = parts.into_iter().collect::<Result<_, _>>()?;
    Ok(parts.into_iter().flatten().collect())
}
