//! Compiling the functions of a program on several threads.

use super::CodegenError;
use super::function::{Code, Compiler};
use super::isa::Target;
use super::program::Program;
use crate::parallel::map_jobs;

/// Functions a thread takes at a time.
const BATCH: usize = 4;

/// Machine code of all functions, in the program's order whatever the number of
/// threads.
pub(super) fn compile_all(
    target: &Target,
    program: &Program,
    threads: usize,
) -> Result<Vec<Code>, CodegenError> {
    let functions: Vec<usize> = (0..program.functions.len()).collect();
    let batches: Vec<&[usize]> = functions.chunks(BATCH).collect();
    let new_compiler = || Compiler::new(target, program);
    let parts = map_jobs(&batches, threads, new_compiler, |compiler, batch| {
        let codes = batch.iter().map(|&idx| compiler.compile(idx, false));
        codes.collect::<Result<Vec<Code>, _>>()
    });
    let parts: Vec<Vec<Code>> = parts.into_iter().collect::<Result<_, _>>()?;
    Ok(parts.into_iter().flatten().collect())
}
