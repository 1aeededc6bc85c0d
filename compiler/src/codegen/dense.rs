//! Dense layers: one function for all blocks of a shape.

use super::counts::{CountOperands, CountUpdate};
use super::emitter::FunctionEmitter;
use super::matrix::{MatrixOperands, MatrixProduct, TermCombination};
use crate::kernel::KernelPass;
use crate::plan::DerivativeWrite;
use cranelift_codegen::ir::Value;

/// What tells the code of one block from that of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct DenseShape {
    pub(super) pass: KernelPass,
    pub(super) n_out: u32,
    pub(super) n_in: u32,
    /// Weights from one sum to the next; tables of leaves have one more than
    /// there are inputs.
    pub(super) stride: u32,
    /// Only backward passes depend on it.
    pub(super) flow: DerivativeWrite,
}

impl DenseShape {
    /// Pointers that the function takes.
    ///
    /// Forward: outputs, inputs, weights. Backward: derivatives of the outputs,
    /// derivatives of the inputs, inputs, weights, counts.
    pub(super) fn n_pointers(&self) -> usize {
        match self.pass {
            KernelPass::Forward | KernelPass::Max => 3,
            KernelPass::Backward => 5,
        }
    }

    /// A name that no other shape has.
    pub(super) fn name(&self) -> String {
        let flow = match (self.pass, self.flow) {
            (KernelPass::Forward | KernelPass::Max, _) => "",
            (KernelPass::Backward, DerivativeWrite::Skip) => "_skip",
            (KernelPass::Backward, DerivativeWrite::Set) => "_set",
            (KernelPass::Backward, DerivativeWrite::Add) => "_add",
        };
        format!(
            "dense_{}x{}_by_{}{flow}",
            self.n_out, self.n_in, self.stride
        )
    }

    /// What the function computes.
    pub(super) fn about(&self) -> &'static str {
        match (self.pass, self.flow) {
            (KernelPass::Forward, _) => "out[i] = sum_j w[i][j] * input[j]",
            (KernelPass::Max, _) => "out[i] = max_j w[i][j] * input[j]",
            (KernelPass::Backward, DerivativeWrite::Skip) => {
                "count[i][j] += sum of d[i] * input[j]"
            }
            (KernelPass::Backward, DerivativeWrite::Set) => {
                "d_in[j] = sum_i w[i][j] * d[i]; count[i][j] += sum of d[i] * input[j]"
            }
            (KernelPass::Backward, DerivativeWrite::Add) => {
                "d_in[j] += sum_i w[i][j] * d[i]; count[i][j] += sum of d[i] * input[j]"
            }
        }
    }

    /// Emits the body.
    pub(super) fn emit(&self, e: &mut FunctionEmitter, pointers: &[Value]) {
        match self.pass {
            KernelPass::Forward => self.forward(e, pointers, TermCombination::Sum),
            KernelPass::Max => self.forward(e, pointers, TermCombination::Max),
            KernelPass::Backward => self.backward(e, pointers),
        }
    }

    fn forward(&self, e: &mut FunctionEmitter, pointers: &[Value], combine: TermCombination) {
        let bytes = e.target.precision.bytes() as i64;
        let matrix = MatrixProduct {
            n_out: self.n_out,
            n_in: self.n_in,
            out_step: i64::from(self.stride) * bytes,
            in_step: bytes,
            combine,
        };
        let (out, input, weights) = (pointers[0], pointers[1], pointers[2]);
        matrix.emit(
            e,
            MatrixOperands {
                out,
                input,
                weights,
            },
        );
    }

    fn backward(&self, e: &mut FunctionEmitter, pointers: &[Value]) {
        let (derivatives, out) = (pointers[0], pointers[1]);
        let (input, weights, counts) = (pointers[2], pointers[3], pointers[4]);
        let combine = match self.flow {
            DerivativeWrite::Skip => None,
            DerivativeWrite::Set => Some(TermCombination::Sum),
            DerivativeWrite::Add => Some(TermCombination::Add),
        };
        if let Some(combine) = combine {
            let matrix = self.transposed(e, combine);
            let input = derivatives;
            matrix.emit(
                e,
                MatrixOperands {
                    out,
                    input,
                    weights,
                },
            );
        }
        let shape = CountUpdate {
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

    fn transposed(&self, e: &FunctionEmitter, combine: TermCombination) -> MatrixProduct {
        let bytes = e.target.precision.bytes() as i64;
        MatrixProduct {
            n_out: self.n_in,
            n_in: self.n_out,
            out_step: bytes,
            in_step: i64::from(self.stride) * bytes,
            combine,
        }
    }
}
