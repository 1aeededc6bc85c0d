//! Listings of generated code.
//!
//! Listings have names where the code has addresses, so the same plan gives the
//! same text.

use super::describe::describe;
use super::driver::{FUNCTIONS, KERNELS, OPS};
use super::function::FunctionCompiler;
use super::isa::CodegenTarget;
use super::program::{PassFunction, PassProgram};
use super::{CodegenError, CodegenOptions};
use crate::kernel::KernelPass;
use crate::plan::Plan;
use std::fmt::Write;

/// A pass in Cranelift's own language.
pub fn clif_text(
    plan: &Plan,
    options: &CodegenOptions,
    pass: KernelPass,
) -> Result<String, CodegenError> {
    listing(plan, options, pass, |compiler, idx| {
        Ok(compiler.build(idx, true).display().to_string())
    })
}

/// A pass in the instructions of this machine.
pub fn asm_text(
    plan: &Plan,
    options: &CodegenOptions,
    pass: KernelPass,
) -> Result<String, CodegenError> {
    listing(plan, options, pass, |compiler, idx| {
        let code = compiler.compile(idx, true)?;
        Ok(code.text.unwrap_or_default())
    })
}

fn listing(
    plan: &Plan,
    options: &CodegenOptions,
    pass: KernelPass,
    body: impl Fn(&mut FunctionCompiler, usize) -> Result<String, CodegenError>,
) -> Result<String, CodegenError> {
    // What names stand for, then function by function: a heading and the body, with a comment
    // where an operation begins.
    let target = CodegenTarget::new(options)?;
    let program = PassProgram::new(plan, options, pass);
    let mut compiler = FunctionCompiler::new(&target, &program);
    let mut text = names(&program);
    for idx in 0..program.functions.len() {
        text += &heading(&program, idx);
        text += &with_operations(&program, &body(&mut compiler, idx)?);
    }
    Ok(text)
}

/// Which name stands for what.
fn names(program: &PassProgram) -> String {
    let mut text = String::new();
    for idx in 0..program.functions.len() {
        let _ = writeln!(text, "; u{FUNCTIONS}:{idx} = {}", program.name(idx));
    }
    for (idx, (name, _)) in program.kernels.iter().enumerate() {
        let _ = writeln!(text, "; u{KERNELS}:{idx} = {name}");
    }
    if !program.kernels.is_empty() {
        let _ = writeln!(text, "; u{OPS}:0 = the operations of the plan");
    }
    text
}

/// The comment before a function.
fn heading(program: &PassProgram, idx: usize) -> String {
    let mut text = format!("\n; {}\n", program.name(idx));
    let mut line = |about: &str| {
        let _ = writeln!(text, ";   {about}");
    };
    match &program.functions[idx] {
        PassFunction::Dense(shape) => line(shape.about()),
        PassFunction::Piece { op, piece, .. } => {
            line(&operation(program, *op));
            line(&format!("here: {}", piece.about()));
        }
        PassFunction::Driver { steps, .. } => {
            let mut ops: Vec<_> = steps.iter().map(|step| step.op).collect();
            ops.dedup();
            ops.into_iter().for_each(|op| line(&operation(program, op)));
        }
    }
    text
}

fn operation(program: &PassProgram, op: usize) -> String {
    let about = describe(&program.plan.ops[op], program.pass);
    format!("operation {op}: {about}")
}

/// Turns the marks of instructions, `@` and the operation's position in
/// hexadecimal, into a comment where an operation begins.
fn with_operations(program: &PassProgram, body: &str) -> String {
    let mut text = String::with_capacity(body.len());
    let mut current = None;
    for line in body.lines() {
        let Some((op, line)) = marked(line) else {
            let _ = writeln!(text, "{line}");
            continue;
        };
        if current != Some(op) {
            current = Some(op);
            let _ = writeln!(text, "    ; {}", operation(program, op));
        }
        let _ = writeln!(text, "    {line}");
    }
    text
}

/// The operation of a line and the line without its mark.
fn marked(line: &str) -> Option<(usize, &str)> {
    let (mark, rest) = line.strip_prefix('@')?.split_once(' ')?;
    let op = usize::from_str_radix(mark, 16).ok()?;
    Some((op.checked_sub(1)?, rest.trim_start()))
}
