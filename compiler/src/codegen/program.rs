//! A pass over a plan as a list of functions.
//!
//! Functions come in three kinds: dense shapes, shared by all blocks of a shape;
//! pieces of sparse segments; and drivers, which run through the operations in
//! order, calling the others and kernels and doing small operations themselves.
//! Drivers are cut into functions of bounded size, because long functions
//! compile slower than linearly.

use super::dense::Shape;
use super::sparse::{Piece, pieces};
use super::{CodegenOptions, gather};
use crate::kernel::{KernelTable, OpFn, Pass};
use crate::plan::{Dense, Flow, Op, Plan};
use rustc_hash::FxHashMap;

/// Calls and small operations of a driver.
const DRIVER_STEPS: usize = 256;

/// What one small operation counts for among the steps of a driver.
const SMALL_OP_STEPS: usize = 8;

/// The functions of a pass, drivers last.
pub(super) struct Program<'a> {
    pub(super) plan: &'a Plan,
    pub(super) pass: Pass,
    pub(super) functions: Vec<Function<'a>>,
    pub(super) kernels: Vec<(&'static str, OpFn)>,
    pub(super) n_drivers: usize,
}

/// One function to be generated.
pub(super) enum Function<'a> {
    Dense(Shape),
    Piece {
        op: usize,
        /// Which of the operation's pieces.
        part: usize,
        piece: Piece<'a>,
    },
    Driver {
        number: usize,
        steps: Vec<Step>,
    },
}

/// What a driver does for one operation.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
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

impl<'a> Program<'a> {
    /// The functions of one pass over a plan.
    pub(super) fn new(plan: &'a Plan, options: &CodegenOptions, pass: Pass) -> Self {
        let mut builder = Builder::new(plan, options, pass);
        // What each operation becomes, and the functions that are called for it; then drivers,
        // cut where they get long.
        let steps = builder.steps();
        let mut program = builder.program;
        for (number, steps) in cut(steps, |step| step.cost(plan)).into_iter().enumerate() {
            program.functions.push(Function::Driver { number, steps });
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
fn cut(steps: Vec<Step>, cost: impl Fn(&Step) -> usize) -> Vec<Vec<Step>> {
    let mut runs: Vec<Vec<Step>> = Vec::new();
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

impl Step {
    /// The operation.
    pub(super) fn op(&self) -> usize {
        match *self {
            Step::Dense { op, .. }
            | Step::Piece { op, .. }
            | Step::Kernel { op, .. }
            | Step::Gather { op, .. }
            | Step::Here { op } => op,
        }
    }

    fn cost(&self, plan: &Plan) -> usize {
        let Step::Here { op } = *self else {
            return 1;
        };
        SMALL_OP_STEPS
            + match &plan.ops[op] {
                Op::Product(product) => product.factors.len(),
                Op::AddExponents(add) => add.inputs.len(),
                Op::Rescale(rescale) => {
                    let runs = rescale.classes.iter().map(|class| 4 + class.rows.len());
                    4 * runs.sum::<usize>()
                }
                _ => 0,
            }
    }
}

struct Builder<'a> {
    program: Program<'a>,
    /// Kernels that are called in place of generated code.
    given: Option<KernelTable>,
    portable: KernelTable,
    shapes: FxHashMap<Shape, usize>,
    kernels: FxHashMap<&'static str, usize>,
}

impl<'a> Builder<'a> {
    fn new(plan: &'a Plan, options: &CodegenOptions, pass: Pass) -> Self {
        Builder {
            program: Program {
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

    fn steps(&mut self) -> Vec<Step> {
        let n = self.program.plan.ops.len();
        let mut steps = Vec::new();
        match self.program.pass {
            Pass::Forward | Pass::Max => (0..n).for_each(|op| self.op(op, &mut steps)),
            Pass::Backward => (0..n).rev().for_each(|op| self.op(op, &mut steps)),
        }
        steps
    }

    fn op(&mut self, idx: usize, steps: &mut Vec<Step>) {
        let (plan, pass) = (self.program.plan, self.program.pass);
        let op = &plan.ops[idx];
        // Densities are always computed by a kernel; for others one is called where the CPU
        // has wider vectors than generated code.
        let table = match op {
            Op::Density(_) => Some(&self.portable),
            _ => self.given.as_ref(),
        };
        if let Some(kernel) = table.and_then(|table| table.get(op, pass)) {
            let kernel = self.kernel(kernel);
            return steps.push(Step::Kernel { op: idx, kernel });
        }
        match op {
            Op::Dense(dense) => {
                let function = self.shape(shape(dense, pass));
                steps.push(Step::Dense { op: idx, function });
            }
            Op::Gather(gather) => {
                let soft = self.shape(gather::soft_shape(gather, pass));
                steps.push(Step::Gather { op: idx, soft });
            }
            Op::Sparse(segment) => self.pieces(idx, pieces(segment, pass), steps),
            Op::AddExponents(_) if pass == Pass::Backward => {}
            Op::AddExponents(_) | Op::Product(_) | Op::Rescale(_) => {
                steps.push(Step::Here { op: idx });
            }
            Op::Density(_) => {}
        }
    }

    fn pieces(&mut self, op: usize, pieces: Vec<Piece<'a>>, steps: &mut Vec<Step>) {
        let first = self.program.functions.len();
        let n = pieces.len();
        for (part, piece) in pieces.into_iter().enumerate() {
            let function = Function::Piece { op, part, piece };
            self.program.functions.push(function);
        }
        let calls = (first..first + n).map(|function| Step::Piece { op, function });
        match self.program.pass {
            Pass::Forward | Pass::Max => steps.extend(calls),
            Pass::Backward => steps.extend(calls.rev()),
        }
    }

    fn shape(&mut self, shape: Shape) -> usize {
        let functions = &mut self.program.functions;
        *self.shapes.entry(shape).or_insert_with(|| {
            functions.push(Function::Dense(shape));
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
fn shape(dense: &Dense, pass: Pass) -> Shape {
    Shape {
        pass,
        n_out: dense.n_out,
        n_in: dense.n_in,
        stride: dense.n_in,
        flow: match pass {
            Pass::Forward | Pass::Max => Flow::Skip,
            Pass::Backward => dense.flow,
        },
    }
}
