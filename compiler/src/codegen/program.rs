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
    pub(super) functions: Vec<PassFunction<'a>>,
    pub(super) kernels: Vec<(&'static str, OpFn)>,
    pub(super) n_drivers: usize,
}

/// One function to be generated.
pub(super) enum PassFunction<'a> {
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

impl PassFunction<'_> {
    /// Pointers that it takes: the frame, or operands of its own.
    pub(super) fn n_pointers(&self) -> usize {
        match self {
            PassFunction::Dense(shape) => shape.n_pointers(),
            PassFunction::Piece { .. } | PassFunction::Driver { .. } => 1,
        }
    }
}

/// What a driver does for one operation.
#[derive(Clone, Copy, Debug)]
pub(super) struct DriverStep {
    pub(super) op: usize,
    pub(super) action: DriverAction,
}

/// How an operation is done; the numbers are positions of functions or kernels.
#[derive(Clone, Copy, Debug)]
pub(super) enum DriverAction {
    /// Calls a dense shape, or a piece of a sparse segment.
    Function(usize),
    /// Calls a kernel of the kernel table.
    Kernel(usize),
    /// Looks up tables, or calls a dense shape for soft evidence.
    Gather(usize),
    /// Does it on the spot.
    Here,
}

impl<'a> PassProgram<'a> {
    /// The functions of one pass over a plan.
    pub(super) fn new(plan: &'a Plan, options: &CodegenOptions, pass: KernelPass) -> Self {
        let mut builder = PassProgramBuilder::new(plan, options, pass);
        // What each operation becomes, and the functions that are called for it; then drivers,
        // cut where they get long.
        let mut steps = Vec::new();
        match pass {
            KernelPass::Forward | KernelPass::Max => {
                (0..plan.ops.len()).for_each(|op| builder.op(op, &mut steps));
            }
            KernelPass::Backward => {
                (0..plan.ops.len())
                    .rev()
                    .for_each(|op| builder.op(op, &mut steps));
            }
        }
        let mut program = builder.program;
        for (number, steps) in cut(steps, |step| step.cost(plan)).into_iter().enumerate() {
            program
                .functions
                .push(PassFunction::Driver { number, steps });
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
    fn cost(&self, plan: &Plan) -> usize {
        let DriverAction::Here = self.action else {
            return 1;
        };
        SMALL_OP_STEPS
            + match &plan.ops[self.op] {
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

    fn op(&mut self, idx: usize, steps: &mut Vec<DriverStep>) {
        let (plan, pass) = (self.program.plan, self.program.pass);
        let op = &plan.ops[idx];
        let mut push = |action| steps.push(DriverStep { op: idx, action });
        // Densities are always computed by a kernel; for others one is called where the CPU
        // has wider vectors than generated code.
        let table = match op {
            PlanOperation::Density(_) => Some(&self.portable),
            _ => self.given.as_ref(),
        };
        if let Some(kernel) = table.and_then(|table| table.get(op, pass)) {
            return push(DriverAction::Kernel(self.kernel(kernel)));
        }
        match op {
            PlanOperation::Dense(dense) => {
                push(DriverAction::Function(self.shape(shape(dense, pass))));
            }
            PlanOperation::Gather(gather) => {
                let soft = self.shape(gather::soft_shape(gather, pass));
                push(DriverAction::Gather(soft));
            }
            PlanOperation::Sparse(segment) => self.pieces(idx, pieces(segment, pass), steps),
            PlanOperation::AddExponents(_) if pass == KernelPass::Backward => {}
            PlanOperation::AddExponents(_)
            | PlanOperation::Product(_)
            | PlanOperation::Rescale(_) => push(DriverAction::Here),
            PlanOperation::Density(_) => {}
        }
    }

    fn pieces(&mut self, op: usize, pieces: Vec<SparsePiece<'a>>, steps: &mut Vec<DriverStep>) {
        // Later pieces read what earlier ones made; backwards they are called the other way.
        let first = self.program.functions.len();
        let n = pieces.len();
        for (part, piece) in pieces.into_iter().enumerate() {
            let function = PassFunction::Piece { op, part, piece };
            self.program.functions.push(function);
        }
        let actions = (first..first + n).map(DriverAction::Function);
        let calls = actions.map(|action| DriverStep { op, action });
        match self.program.pass {
            KernelPass::Forward | KernelPass::Max => steps.extend(calls),
            KernelPass::Backward => steps.extend(calls.rev()),
        }
    }

    fn shape(&mut self, shape: DenseShape) -> usize {
        let functions = &mut self.program.functions;
        *self.shapes.entry(shape).or_insert_with(|| {
            functions.push(PassFunction::Dense(shape));
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
