//! A pass over a plan as a list of functions.
//!
//! Functions come in three kinds: dense shapes, shared by all blocks of a shape;
//! pieces of sparse segments; and drivers, which run through the operations in
//! order, calling the others and kernels and doing small operations themselves.
//! Drivers are cut into functions of bounded size, because long functions
//! compile slower than linearly.

use super::dense::DenseShape;
use super::sparse::{SparsePiece, pieces};
use super::{CodegenOptions, gather};
use crate::kernel::{KernelPass, KernelTable, OpFn};
use crate::plan::{DenseLayer, DerivativeWrite, Plan, PlanOperation};
use rustc_hash::FxHashMap;

/// Calls and small operations of a driver.
const DRIVER_STEPS: usize = 256;

/// What one small operation counts for among the steps of a driver.
const SMALL_OP_STEPS: usize = 8;

/// The functions of a pass, drivers last.
pub(super) struct PassProgram<'a> {
    pub(super) plan: &'a Plan,
    pub(super) pass: KernelPass,
    pub(super) functions: Vec<GeneratedFunction<'a>>,
    pub(super) kernels: Vec<(&'static str, OpFn)>,
    pub(super) n_drivers: usize,
}

/// One function to be generated.
pub(super) enum GeneratedFunction<'a> {
    Dense(DenseShape),
    Piece {
        op: usize,
        /// Which of the operation's pieces.
        part: usize,
        piece: SparsePiece<'a>,
    },
    Driver {
        number: usize,
        steps: Vec<DriverStep>,
    },
}

/// What a driver does for one operation.
#[derive(Clone, Copy, Debug)]
pub(super) enum DriverStep {
    /// Calls a dense shape.
    Dense { op: usize, function: usize },
    /// Calls a piece of a sparse segment.
    Piece { op: usize, function: usize },
    /// Calls a kernel of the kernel table.
    Kernel { op: usize, kernel: usize },
    /// Looks up tables, or calls a dense shape for soft evidence.
    Gather { op: usize, soft: usize },
    /// Does it on the spot.
    Here { op: usize },
}

impl<'a> PassProgram<'a> {
    /// The functions of one pass over a plan.
    pub(super) fn new(plan: &'a Plan, options: &CodegenOptions, pass: KernelPass) -> Self {
        let mut builder = PassProgramBuilder::new(plan, options, pass);
        // What each operation becomes, and the functions that are called for it; then drivers,
        // cut where they get long.
        let steps = builder.steps();
        let mut program = builder.program;
        for (number, steps) in cut(steps, |step| step.cost(plan)).into_iter().enumerate() {
            program
                .functions
                .push(GeneratedFunction::Driver { number, steps });
            program.n_drivers = number + 1;
        }
        program
    }

    /// Drivers in the order they run.
    pub(super) fn drivers(&self) -> std::ops::Range<usize> {
        self.functions.len() - self.n_drivers..self.functions.len()
    }
}

/// Cuts steps into runs of bounded cost.
fn cut(steps: Vec<DriverStep>, cost: impl Fn(&DriverStep) -> usize) -> Vec<Vec<DriverStep>> {
    let mut runs: Vec<Vec<DriverStep>> = Vec::new();
    let mut total = DRIVER_STEPS;
    for step in steps {
        let cost = cost(&step);
        if total + cost > DRIVER_STEPS {
            runs.push(Vec::new());
            total = 0;
        }
        total += cost;
        runs.last_mut().expect("a run was begun").push(step);
    }
    runs
}

impl DriverStep {
    /// The operation.
    pub(super) fn op(&self) -> usize {
        match *self {
            DriverStep::Dense { op, .. }
            | DriverStep::Piece { op, .. }
            | DriverStep::Kernel { op, .. }
            | DriverStep::Gather { op, .. }
            | DriverStep::Here { op } => op,
        }
    }

    fn cost(&self, plan: &Plan) -> usize {
        let DriverStep::Here { op } = *self else {
            return 1;
        };
        SMALL_OP_STEPS
            + match &plan.ops[op] {
                PlanOperation::Product(product) => product.factors.len(),
                PlanOperation::AddExponents(add) => add.inputs.len(),
                PlanOperation::Rescale(rescale) => {
                    let runs = rescale.classes.iter().map(|class| 4 + class.rows.len());
                    4 * runs.sum::<usize>()
                }
                _ => 0,
            }
    }
}

struct PassProgramBuilder<'a> {
    program: PassProgram<'a>,
    /// Kernels that are called in place of generated code.
    given: Option<KernelTable>,
    portable: KernelTable,
    shapes: FxHashMap<DenseShape, usize>,
    kernels: FxHashMap<&'static str, usize>,
}

impl<'a> PassProgramBuilder<'a> {
    fn new(plan: &'a Plan, options: &CodegenOptions, pass: KernelPass) -> Self {
        PassProgramBuilder {
            program: PassProgram {
                plan,
                pass,
                functions: Vec::new(),
                kernels: Vec::new(),
                n_drivers: 0,
            },
            given: options.kernels,
            portable: KernelTable::portable(options.precision),
            shapes: FxHashMap::default(),
            kernels: FxHashMap::default(),
        }
    }

    fn steps(&mut self) -> Vec<DriverStep> {
        let n = self.program.plan.ops.len();
        let mut steps = Vec::new();
        match self.program.pass {
            KernelPass::Forward | KernelPass::Max => (0..n).for_each(|op| self.op(op, &mut steps)),
            KernelPass::Backward => (0..n).rev().for_each(|op| self.op(op, &mut steps)),
        }
        steps
    }

    fn op(&mut self, idx: usize, steps: &mut Vec<DriverStep>) {
        let (plan, pass) = (self.program.plan, self.program.pass);
        let op = &plan.ops[idx];
        // Densities are always computed by a kernel; for others one is called where the CPU
        // has wider vectors than generated code.
        let table = match op {
            PlanOperation::Density(_) => Some(&self.portable),
            _ => self.given.as_ref(),
        };
        if let Some(kernel) = table.and_then(|table| table.get(op, pass)) {
            let kernel = self.kernel(kernel);
            return steps.push(DriverStep::Kernel { op: idx, kernel });
        }
        match op {
            PlanOperation::Dense(dense) => {
                let function = self.shape(shape(dense, pass));
                steps.push(DriverStep::Dense { op: idx, function });
            }
            PlanOperation::Gather(gather) => {
                let soft = self.shape(gather::soft_shape(gather, pass));
                steps.push(DriverStep::Gather { op: idx, soft });
            }
            PlanOperation::Sparse(segment) => self.pieces(idx, pieces(segment, pass), steps),
            PlanOperation::AddExponents(_) if pass == KernelPass::Backward => {}
            PlanOperation::AddExponents(_)
            | PlanOperation::Product(_)
            | PlanOperation::Rescale(_) => {
                steps.push(DriverStep::Here { op: idx });
            }
            PlanOperation::Density(_) => {}
        }
    }

    fn pieces(&mut self, op: usize, pieces: Vec<SparsePiece<'a>>, steps: &mut Vec<DriverStep>) {
        let first = self.program.functions.len();
        let n = pieces.len();
        for (part, piece) in pieces.into_iter().enumerate() {
            let function = GeneratedFunction::Piece { op, part, piece };
            self.program.functions.push(function);
        }
        let calls = (first..first + n).map(|function| DriverStep::Piece { op, function });
        match self.program.pass {
            KernelPass::Forward | KernelPass::Max => steps.extend(calls),
            KernelPass::Backward => steps.extend(calls.rev()),
        }
    }

    fn shape(&mut self, shape: DenseShape) -> usize {
        let functions = &mut self.program.functions;
        *self.shapes.entry(shape).or_insert_with(|| {
            functions.push(GeneratedFunction::Dense(shape));
            functions.len() - 1
        })
    }

    fn kernel(&mut self, kernel: (&'static str, OpFn)) -> usize {
        let kernels = &mut self.program.kernels;
        *self.kernels.entry(kernel.0).or_insert_with(|| {
            kernels.push(kernel);
            kernels.len() - 1
        })
    }
}

/// The shape of a dense block. Derivatives do not matter forward, so that more
/// blocks share a function.
fn shape(dense: &DenseLayer, pass: KernelPass) -> DenseShape {
    DenseShape {
        pass,
        n_out: dense.n_out,
        n_in: dense.n_in,
        stride: dense.n_in,
        flow: match pass {
            KernelPass::Forward | KernelPass::Max => DerivativeWrite::Skip,
            KernelPass::Backward => dense.flow,
        },
    }
}
