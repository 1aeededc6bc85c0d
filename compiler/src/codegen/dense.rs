//! Dense layers: one function for all blocks of a shape.

use super::counts::{CountOperands, Counts};
use super::emitter::Emitter;
use super::matrix::{Combine, Matrix, Operands};
use crate::kernel::Pass;
use crate::plan::Flow;
use cranelift_codegen::ir::Value;

/// What tells the code of one block from that of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Shape {
    pub(super) pass: Pass,
    pub(super) n_out: u32,
    pub(super) n_in: u32,
    /// Weights from one sum to the next; tables of leaves have one more than
    /// there are inputs.
    pub(super) stride: u32,
    /// Only backward passes depend on it.
    pub(super) flow: Flow,
}

impl Shape {
    /// Pointers that the function takes.
    ///
    /// Forward: outputs, inputs, weights. Backward: derivatives of the outputs,
    /// derivatives of the inputs, inputs, weights, counts.
    pub(super) fn n_pointers(&self) -> usize {
        match self.pass {
            Pass::Forward | Pass::Max => 3,
            Pass::Backward => 5,
        }
    }

    /// A name that no other shape has.
    pub(super) fn name(&self) -> String {
        let flow = match (self.pass, self.flow) {
            (Pass::Forward | Pass::Max, _) => "",
            (Pass::Backward, Flow::Skip) => "_skip",
            (Pass::Backward, Flow::Set) => "_set",
            (Pass::Backward, Flow::Add) => "_add",
        };
        format!(
            "dense_{}x{}_by_{}{flow}",
            self.n_out, self.n_in, self.stride
        )
    }

    /// What the function computes.
    pub(super) fn about(&self) -> &'static str {
        match (self.pass, self.flow) {
            (Pass::Forward, _) => "out[i] = sum_j w[i][j] * input[j]",
            (Pass::Max, _) => "out[i] = max_j w[i][j] * input[j]",
            (Pass::Backward, Flow::Skip) => "count[i][j] += sum of d[i] * input[j]",
            (Pass::Backward, Flow::Set) => {
                "d_in[j] = sum_i w[i][j] * d[i]; count[i][j] += sum of d[i] * input[j]"
            }
            (Pass::Backward, Flow::Add) => {
                "d_in[j] += sum_i w[i][j] * d[i]; count[i][j] += sum of d[i] * input[j]"
            }
        }
    }

    /// Emits the body.
    pub(super) fn emit(&self, e: &mut Emitter, pointers: &[Value]) {
        match self.pass {
            Pass::Forward => self.forward(e, pointers, Combine::Sum),
            Pass::Max => self.forward(e, pointers, Combine::Max),
            Pass::Backward => self.backward(e, pointers),
        }
    }

    fn forward(&self, e: &mut Emitter, pointers: &[Value], combine: Combine) {
        let bytes = e.target.precision.bytes() as i64;
        let matrix = Matrix {
            n_out: self.n_out,
            n_in: self.n_in,
            out_step: i64::from(self.stride) * bytes,
            in_step: bytes,
            combine,
        };
        let (out, input, weights) = (pointers[0], pointers[1], pointers[2]);
        matrix.emit(
            e,
            Operands {
                out,
                input,
                weights,
            },
        );
    }

    fn backward(&self, e: &mut Emitter, pointers: &[Value]) {
        let (derivatives, out) = (pointers[0], pointers[1]);
        let (input, weights, counts) = (pointers[2], pointers[3], pointers[4]);
        let combine = match self.flow {
            Flow::Skip => None,
            Flow::Set => Some(Combine::Sum),
            Flow::Add => Some(Combine::Add),
        };
        if let Some(combine) = combine {
            let matrix = self.transposed(e, combine);
            let input = derivatives;
            matrix.emit(
                e,
                Operands {
                    out,
                    input,
                    weights,
                },
            );
        }
        let shape = Counts {
            n_out: self.n_out,
            n_in: self.n_in,
            out_step: i64::from(self.stride) * e.target.precision.bytes() as i64,
        };
        shape.emit(
            e,
            CountOperands {
                derivatives,
                input,
                counts,
            },
        );
    }

    fn transposed(&self, e: &Emitter, combine: Combine) -> Matrix {
        let bytes = e.target.precision.bytes() as i64;
        Matrix {
            n_out: self.n_in,
            n_in: self.n_out,
            out_step: bytes,
            in_step: i64::from(self.stride) * bytes,
            combine,
        }
    }
}
