//! Drivers: from operation to operation.

use super::emitter::{FrameBuffer, FunctionEmitter};
use super::program::{DriverStep, GeneratedFunction, PassProgram};
use super::{gather, product, rescale};
use crate::kernel::{KernelPass, ROW_BYTES};
use crate::plan::{DenseLayer, PlanOperation, PlanRow, TableGather, WeightSlot};
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

/// Writes a driver.
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

    /// Emits one step.
    pub(super) fn step(&mut self, step: DriverStep) {
        let (frame, pass) = (self.frame, self.program.pass);
        let op = &self.program.plan.ops[step.op()];
        match (step, op) {
            (DriverStep::Dense { function, .. }, PlanOperation::Dense(dense)) => {
                self.dense(function, dense)
            }
            (DriverStep::Gather { soft, .. }, PlanOperation::Gather(op)) => self.gather(op, soft),
            (DriverStep::Piece { function, .. }, _) => self.call(function, &[frame]),
            (DriverStep::Kernel { kernel, op }, _) => self.kernel(kernel, op),
            (_, PlanOperation::Product(op)) => product::emit(self.e, frame, op, pass),
            (_, PlanOperation::Rescale(op)) => rescale::emit(self.e, frame, op, pass),
            (_, PlanOperation::AddExponents(op)) => {
                rescale::add_exponents(self.e, frame, op.exponent, &op.inputs);
            }
            _ => unreachable!("steps are made for their operation"),
        }
    }

    fn dense(&mut self, function: usize, dense: &DenseLayer) {
        let (out, input) = (dense.out, dense.input);
        let arguments = match self.program.pass {
            KernelPass::Forward | KernelPass::Max => vec![
                self.row(FrameBuffer::Values, out),
                self.row(FrameBuffer::Values, input),
                self.slot(FrameBuffer::Weights, dense.weights),
            ],
            KernelPass::Backward => vec![
                self.row(FrameBuffer::Derivatives, out),
                self.row(FrameBuffer::Derivatives, input),
                self.row(FrameBuffer::Values, input),
                self.slot(FrameBuffer::Weights, dense.weights),
                self.slot(FrameBuffer::Counts, dense.weights),
            ],
        };
        self.call(function, &arguments);
    }

    fn gather(&mut self, op: &TableGather, soft_function: usize) {
        let (frame, pass) = (self.frame, self.program.pass);
        let soft = gather::soft(self.e, frame, op);
        let callee = self.function(soft_function);
        self.e.if_null(
            soft,
            |e| gather::hard(e, frame, op, pass),
            |e| {
                let weights = gather::tables(e, frame, op, FrameBuffer::Weights);
                let arguments = match pass {
                    KernelPass::Forward | KernelPass::Max => {
                        vec![
                            gather::leaves(e, frame, op, FrameBuffer::Values),
                            soft,
                            weights,
                        ]
                    }
                    KernelPass::Backward => {
                        let derivatives = gather::leaves(e, frame, op, FrameBuffer::Derivatives);
                        let counts = gather::tables(e, frame, op, FrameBuffer::Counts);
                        vec![derivatives, soft, soft, weights, counts]
                    }
                };
                e.builder.ins().call(callee, &arguments);
            },
        );
    }

    fn row(&mut self, buffer: FrameBuffer, row: PlanRow) -> Value {
        let base = self.e.buffer(self.frame, buffer);
        self.e.at(base, i64::from(row.0) * ROW_BYTES as i64)
    }

    fn slot(&mut self, buffer: FrameBuffer, slot: WeightSlot) -> Value {
        let base = self.e.buffer(self.frame, buffer);
        let bytes = self.e.target.precision.bytes() as i64;
        self.e.at(base, i64::from(slot.0) * bytes)
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
        let n_pointers = match &self.program.functions[function] {
            GeneratedFunction::Dense(shape) => shape.n_pointers(),
            GeneratedFunction::Piece { .. } | GeneratedFunction::Driver { .. } => 1,
        };
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
