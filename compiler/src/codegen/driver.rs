//! Drivers: from operation to operation.

use super::emitter::{FrameBuffer, FunctionEmitter};
use super::program::{DriverAction, DriverStep, PassProgram};
use super::{gather, product, rescale};
use crate::kernel::KernelPass;
use crate::plan::{DenseLayer, PlanOperation, TableGather};
use cranelift_codegen::ir::{
    ExtFuncData, ExternalName, FuncRef, GlobalValue, GlobalValueData, InstBuilder, SourceLoc,
    UserExternalName, Value,
};
use rustc_hash::FxHashMap;

/// Name space of generated functions, by position in the program.
pub(super) const FUNCTIONS: u32 = 0;
/// Name space of kernels, by position in the program.
pub(super) const KERNELS: u32 = 1;
/// Name space of the plan's operations: a single symbol, the first of them.
pub(super) const OPS: u32 = 2;

pub(super) struct DriverEmitter<'e, 'b, 'p> {
    e: &'e mut FunctionEmitter<'b>,
    program: &'p PassProgram<'p>,
    frame: Value,
    callees: FxHashMap<(u32, u32), FuncRef>,
    ops: Option<GlobalValue>,
}

impl<'e, 'b, 'p> DriverEmitter<'e, 'b, 'p> {
    pub(super) fn new(
        e: &'e mut FunctionEmitter<'b>,
        program: &'p PassProgram<'p>,
        frame: Value,
    ) -> Self {
        DriverEmitter {
            e,
            program,
            frame,
            callees: FxHashMap::default(),
            ops: None,
        }
    }

    /// Marks the instructions that follow.
    pub(super) fn mark(&mut self, place: SourceLoc) {
        self.e.builder.set_srcloc(place);
    }

    pub(super) fn step(&mut self, step: DriverStep) {
        let (frame, pass) = (self.frame, self.program.pass);
        let op = &self.program.plan.ops[step.op];
        match (step.action, op) {
            (DriverAction::Function(function), PlanOperation::Dense(dense)) => {
                self.dense(function, dense)
            }
            (DriverAction::Gather(soft), PlanOperation::Gather(op)) => self.gather(op, soft),
            (DriverAction::Function(function), _) => self.call(function, &[frame]),
            (DriverAction::Kernel(kernel), _) => self.kernel(kernel, step.op),
            (_, PlanOperation::Product(op)) => product::emit(self.e, frame, op, pass),
            (_, PlanOperation::Rescale(op)) => rescale::emit(self.e, frame, op, pass),
            (_, PlanOperation::AddExponents(op)) => {
                rescale::add_exponents(self.e, frame, op.exponent, &op.inputs);
            }
            _ => unreachable!("steps are made for their operation"),
        }
    }

    fn dense(&mut self, function: usize, dense: &DenseLayer) {
        let (out, input, weights) = (dense.out, dense.input, dense.weights);
        let (e, frame) = (&mut *self.e, self.frame);
        let arguments = match self.program.pass {
            KernelPass::Forward | KernelPass::Max => vec![
                e.row(frame, FrameBuffer::Values, out),
                e.row(frame, FrameBuffer::Values, input),
                e.slot(frame, FrameBuffer::Weights, weights),
            ],
            KernelPass::Backward => vec![
                e.row(frame, FrameBuffer::Derivatives, out),
                e.row(frame, FrameBuffer::Derivatives, input),
                e.row(frame, FrameBuffer::Values, input),
                e.slot(frame, FrameBuffer::Weights, weights),
                e.slot(frame, FrameBuffer::Counts, weights),
            ],
        };
        self.call(function, &arguments);
    }

    fn gather(&mut self, op: &TableGather, soft_function: usize) {
        let (frame, pass) = (self.frame, self.program.pass);
        let soft = gather::soft(self.e, frame, op);
        let callee = self.function(soft_function);
        // Soft evidence makes a dense layer of the tables; without it entries are looked up.
        let look_up = |e: &mut FunctionEmitter| gather::hard(e, frame, op, pass);
        self.e.if_null(soft, look_up, |e| {
            let weights = e.slot(frame, FrameBuffer::Weights, op.weights);
            let arguments = match pass {
                KernelPass::Forward | KernelPass::Max => {
                    vec![e.row(frame, FrameBuffer::Values, op.out), soft, weights]
                }
                KernelPass::Backward => {
                    let derivatives = e.row(frame, FrameBuffer::Derivatives, op.out);
                    let counts = e.slot(frame, FrameBuffer::Counts, op.weights);
                    vec![derivatives, soft, soft, weights, counts]
                }
            };
            e.builder.ins().call(callee, &arguments);
        });
    }

    fn call(&mut self, function: usize, arguments: &[Value]) {
        let callee = self.function(function);
        self.e.builder.ins().call(callee, arguments);
    }

    /// Calls a kernel with the frame and the address of the operation.
    fn kernel(&mut self, kernel: usize, op: usize) {
        let callee = self.callee(KERNELS, kernel as u32, 2);
        let ops = *self.ops.get_or_insert_with(|| import_ops(self.e));
        let pointer = self.e.target.pointer();
        let first = self.e.builder.ins().symbol_value(pointer, ops);
        let op = self.e.at(first, (op * size_of::<PlanOperation>()) as i64);
        self.e.builder.ins().call(callee, &[self.frame, op]);
    }

    fn function(&mut self, function: usize) -> FuncRef {
        let n_pointers = self.program.functions[function].n_pointers();
        self.callee(FUNCTIONS, function as u32, n_pointers)
    }

    fn callee(&mut self, space: u32, index: u32, n_pointers: usize) -> FuncRef {
        let e = &mut *self.e;
        *self.callees.entry((space, index)).or_insert_with(|| {
            let signature = e.target.signature(n_pointers);
            let signature = e.builder.import_signature(signature);
            let name = UserExternalName::new(space, index);
            let name = e.builder.func.declare_imported_user_function(name);
            e.builder.import_function(ExtFuncData {
                name: ExternalName::user(name),
                signature,
                // Generated code lies close together; kernels may be anywhere.
                colocated: space == FUNCTIONS,
                patchable: false,
            })
        })
    }
}

fn import_ops(e: &mut FunctionEmitter) -> GlobalValue {
    let name = UserExternalName::new(OPS, 0);
    let name = e.builder.func.declare_imported_user_function(name);
    e.builder.create_global_value(GlobalValueData::Symbol {
        name: ExternalName::user(name),
        offset: 0.into(),
        colocated: false,
        tls: false,
    })
}
