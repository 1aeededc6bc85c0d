//! Buffers of a tile that a formula can read: all numbers are `f64`.

use super::*;

/// The contents of a frame, whatever its precision.
#[derive(Clone, Debug, Default)]
pub struct Bench {
    pub lanes: usize,
    pub values: Vec<f64>,
    pub derivatives: Vec<f64>,
    pub weights: Vec<f64>,
    pub counts: Vec<f64>,
    pub exponents: Vec<i32>,
    pub factors: Vec<f64>,
    pub codes: Vec<u32>,
    /// Rows of soft evidence of the first row of codes; empty for hard evidence.
    pub soft: Vec<f64>,
    pub lost: u64,
}

/// Numbers of one precision, aligned as rows are.
#[repr(align(64))]
#[derive(Clone, Copy)]
struct Block {
    _bytes: [u8; ROW_BYTES],
}

const ZEROS: Block = Block {
    _bytes: [0; ROW_BYTES],
};

fn pack<R: Real>(numbers: &[f64]) -> Vec<Block> {
    let mut blocks = vec![ZEROS; numbers.len().div_ceil(R::LANES).max(1)];
    let first = blocks.as_mut_ptr().cast::<R>();
    for (at, &number) in numbers.iter().enumerate() {
        // SAFETY: the blocks hold at least as many numbers.
        unsafe { *first.add(at) = R::from_f64(number) };
    }
    blocks
}

fn unpack<R: Real>(blocks: &[Block], into: &mut [f64]) {
    let first = blocks.as_ptr().cast::<R>();
    for (at, number) in into.iter_mut().enumerate() {
        // SAFETY: the blocks were made for as many numbers.
        *number = unsafe { *first.add(at) }.to_f64();
    }
}

impl Bench {
    /// Runs operations in the order given.
    pub fn run<R: Real>(&mut self, table: &KernelTable, ops: &[PlanOperation], pass: KernelPass) {
        self.with_frame::<R>(|frame| {
            for op in ops {
                if let Some((_, kernel)) = table.get(op, pass) {
                    // SAFETY: the buffers were made for the operation.
                    unsafe { kernel(frame, op) };
                }
            }
        });
    }

    /// Runs a plan.
    pub fn interpret<R: Real>(&mut self, table: &KernelTable, plan: &Plan, pass: KernelPass) {
        // SAFETY: the buffers were made for the plan.
        self.with_frame::<R>(|frame| unsafe { interpret(plan, pass, table, frame) });
    }

    fn with_frame<R: Real>(&mut self, run: impl FnOnce(&Frame)) {
        let mut values = pack::<R>(&self.values);
        let mut derivatives = pack::<R>(&self.derivatives);
        let weights = pack::<R>(&self.weights);
        let mut counts = pack::<R>(&self.counts);
        let mut factors = pack::<R>(&self.factors);
        let soft_rows = pack::<R>(&self.soft);
        let soft: *const u8 = if self.soft.is_empty() {
            std::ptr::null()
        } else {
            soft_rows.as_ptr().cast()
        };
        let frame = Frame {
            values: values.as_mut_ptr().cast(),
            derivatives: derivatives.as_mut_ptr().cast(),
            weights: weights.as_ptr().cast(),
            counts: counts.as_mut_ptr().cast(),
            exponents: self.exponents.as_mut_ptr(),
            factors: factors.as_mut_ptr().cast(),
            codes: self.codes.as_ptr(),
            soft: &soft,
            lost: &mut self.lost,
            ..Frame::empty()
        };
        run(&frame);
        unpack::<R>(&values, &mut self.values);
        unpack::<R>(&derivatives, &mut self.derivatives);
        unpack::<R>(&counts, &mut self.counts);
        unpack::<R>(&factors, &mut self.factors);
    }

    /// Panics where two benches differ by more than rounding.
    pub fn compare(
        &self,
        expected: &Bench,
        op: &PlanOperation,
        pass: KernelPass,
        precision: Precision,
    ) {
        let tolerance = match precision {
            Precision::F32 => 2e-5,
            Precision::F64 => 1e-13,
        };
        let buffers = [
            ("value", &self.values, &expected.values),
            ("derivative", &self.derivatives, &expected.derivatives),
            ("count", &self.counts, &expected.counts),
            ("factor", &self.factors, &expected.factors),
        ];
        for (name, found, expected) in buffers {
            for (at, (found, expected)) in found.iter().zip(expected).enumerate() {
                // Numbers are sums of positive ones, so the error is relative.
                let close = (found - expected).abs() <= tolerance * expected.abs();
                assert!(
                    close,
                    "{precision:?} {pass:?} {name} {at}: {found:e} is not {expected:e} in {op:?}"
                );
            }
        }
        assert_eq!(self.exponents, expected.exponents, "{pass:?} {op:?}");
        assert_eq!(self.lost, expected.lost, "{pass:?} {op:?}");
    }
}
