//! From a function of a program to Cranelift's form, and on to machine code.

use super::CodegenError;
use super::driver::{DriverEmitter, FUNCTIONS};
use super::emitter::FunctionEmitter;
use super::isa::CodegenTarget;
use super::program::{PassFunction, PassProgram};
use crate::kernel::KernelPass;
use cranelift_codegen::control::ControlPlane;
use cranelift_codegen::ir::{self, InstBuilder, SourceLoc, UserExternalName, UserFuncName};
use cranelift_codegen::{Context, FinalizedMachReloc, FinalizedRelocTarget};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};

pub(super) struct MachineCode {
    pub(super) bytes: Vec<u8>,
    pub(super) alignment: u64,
    pub(super) relocations: Vec<Relocation>,
    /// The code as text, if it was asked for.
    pub(super) text: Option<String>,
}

/// A place in the code that needs an address.
pub(super) struct Relocation {
    pub(super) place: FinalizedMachReloc,
    /// The name behind the place; none for the compiler's own helpers.
    pub(super) name: Option<UserExternalName>,
}

/// Builds functions, one after the other.
pub(super) struct FunctionCompiler<'a> {
    target: &'a CodegenTarget,
    program: &'a PassProgram<'a>,
    scratch: FunctionBuilderContext,
    context: Context,
    control: ControlPlane,
}

impl<'a> FunctionCompiler<'a> {
    pub(super) fn new(target: &'a CodegenTarget, program: &'a PassProgram<'a>) -> Self {
        FunctionCompiler {
            target,
            program,
            scratch: FunctionBuilderContext::new(),
            context: Context::new(),
            control: ControlPlane::default(),
        }
    }

    pub(super) fn compile(&mut self, idx: usize, text: bool) -> Result<MachineCode, CodegenError> {
        self.context.clear();
        self.context.set_disasm(text);
        // Cranelift's form first, then machine code, whose relocations name what it calls.
        self.context.func = self.build(idx, false);
        let isa = &*self.target.isa;
        if let Err(error) = self.context.compile(isa, &mut self.control) {
            return Err(CodegenError::Compile {
                reason: format!("{:?}", error.inner),
                function: self.program.name(idx),
            });
        }
        let compiled = self.context.take_compiled_code();
        let compiled = compiled.expect("a function was just compiled");
        let places = compiled.buffer.relocs().iter();
        Ok(MachineCode {
            bytes: compiled.code_buffer().to_vec(),
            alignment: u64::from(compiled.buffer.alignment),
            relocations: places.map(|place| self.relocation(place)).collect(),
            text: compiled.vcode,
        })
    }

    fn relocation(&self, place: &FinalizedMachReloc) -> Relocation {
        let names = self.context.func.params.user_named_funcs();
        let name = match &place.target {
            FinalizedRelocTarget::ExternalName(ir::ExternalName::User(name)) => {
                Some(names[*name].clone())
            }
            _ => None,
        };
        let place = place.clone();
        Relocation { place, name }
    }

    /// A function in Cranelift's form. With `marks`, instructions of a driver
    /// carry the position of their operation, counted from 1.
    pub(super) fn build(&mut self, idx: usize, marks: bool) -> ir::Function {
        let body = &self.program.functions[idx];
        let name = UserFuncName::user(FUNCTIONS, idx as u32);
        let signature = self.target.signature(body.n_pointers());
        let mut function = ir::Function::with_name_signature(name, signature);
        let mut e = FunctionEmitter {
            builder: FunctionBuilder::new(&mut function, &mut self.scratch),
            target: self.target,
        };
        emit(&mut e, self.program, body, marks);
        e.builder.seal_all_blocks();
        e.builder.finalize(self.target.isa.frontend_config());
        function
    }
}

fn emit(e: &mut FunctionEmitter, program: &PassProgram, body: &PassFunction, marks: bool) {
    let entry = e.builder.create_block();
    e.builder.append_block_params_for_function_params(entry);
    e.builder.switch_to_block(entry);
    let pointers = e.builder.block_params(entry).to_vec();
    match body {
        PassFunction::Dense(shape) => shape.emit(e, &pointers),
        PassFunction::Piece { piece, .. } => piece.emit(e, pointers[0], program.pass),
        PassFunction::Driver { steps, .. } => {
            let mut driver = DriverEmitter::new(e, program, pointers[0]);
            for &step in steps {
                if marks {
                    driver.mark(SourceLoc::new(step.op as u32 + 1));
                }
                driver.step(step);
            }
        }
    }
    if marks {
        e.builder.set_srcloc(SourceLoc::default());
    }
    e.builder.ins().return_(&[]);
}

impl PassProgram<'_> {
    /// The name of a function; no other of the program has it.
    pub(super) fn name(&self, idx: usize) -> String {
        let pass = match self.pass {
            KernelPass::Forward => "forward",
            KernelPass::Max => "max",
            KernelPass::Backward => "backward",
        };
        match &self.functions[idx] {
            PassFunction::Dense(shape) => format!("{pass}_{}", shape.name()),
            PassFunction::Piece { op, part, .. } => format!("{pass}_sparse_{op}_{part}"),
            PassFunction::Driver { number, .. } => format!("{pass}_{number}"),
        }
    }
}
