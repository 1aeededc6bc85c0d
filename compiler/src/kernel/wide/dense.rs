//! Complete layers of sums as matrix products in register tiles.
//!
//! A tile is up to [`TALL`] sums by two vectors of samples: twelve accumulators,
//! more than the eight that hide the latency of two multiply-adds a cycle, and
//! few enough to stay in registers beside their operands. Tiles are of nearly
//! equal height, so that the last is not a sliver.

use super::counts::counts;
use super::simd::{Simd, VECTORS, load_row, row, store_row};
use crate::kernel::{Frame, ROW_BYTES};
use crate::plan::{DerivativeWrite, PlanOperation};

/// Sums of a tile, at most.
const TALL: usize = 6;
/// Vectors of a tile.
const BROAD: usize = 2;

/// `out[i] (+)= sum_j w[i * stride_out + j * stride_in] * input[j]`
struct WideMatrixProduct<S> {
    out: *mut S,
    input: *const S,
    weights: *const S,
    n_out: usize,
    n_in: usize,
    stride_out: usize,
    stride_in: usize,
}

/// How a term joins what was there.
pub(super) trait TermJoin {
    /// # Safety
    /// See [`Simd`].
    unsafe fn join<S: Simd>(acc: S::V, weight: S::V, x: S::V) -> S::V;
}

/// Adds terms.
pub(super) struct Sum;
/// Takes the largest term.
pub(super) struct Largest;

impl TermJoin for Sum {
    #[inline(always)]
    unsafe fn join<S: Simd>(acc: S::V, weight: S::V, x: S::V) -> S::V {
        // SAFETY: as demanded of the caller.
        unsafe { S::fma(weight, x, acc) }
    }
}

impl TermJoin for Largest {
    #[inline(always)]
    unsafe fn join<S: Simd>(acc: S::V, weight: S::V, x: S::V) -> S::V {
        // SAFETY: as demanded of the caller.
        unsafe { S::larger(acc, S::times(weight, x)) }
    }
}

/// # Safety
/// See [`OpFn`](crate::kernel::OpFn); only inside a function that enables AVX2 and FMA.
#[inline(always)]
pub(super) unsafe fn forward<S: Simd, J: TermJoin>(frame: *const Frame, op: *const PlanOperation) {
    // SAFETY: the frame fits the plan that the operation belongs to.
    unsafe {
        let (frame, PlanOperation::Dense(op)) = (&*frame, &*op) else {
            return;
        };
        let product = WideMatrixProduct {
            out: frame.value::<S>(op.out),
            input: frame.value::<S>(op.input),
            weights: frame.weight::<S>(op.weights),
            n_out: op.n_out as usize,
            n_in: op.n_in as usize,
            stride_out: op.n_in as usize,
            stride_in: 1,
        };
        match op.n_in {
            1 => product.few::<J, 1, 8>(),
            2 => product.few::<J, 2, 4>(),
            3 => product.few::<J, 3, 4>(),
            4 => product.few::<J, 4, 2>(),
            _ => product.all::<J, false>(),
        }
    }
}

/// # Safety
/// See [`OpFn`](crate::kernel::OpFn); only inside a function that enables AVX2 and FMA.
#[inline(always)]
pub(super) unsafe fn backward<S: Simd>(frame: *const Frame, op: *const PlanOperation) {
    // SAFETY: the frame fits the plan that the operation belongs to.
    unsafe {
        let (frame, PlanOperation::Dense(op)) = (&*frame, &*op) else {
            return;
        };
        let product = WideMatrixProduct {
            out: frame.derivative::<S>(op.input),
            input: frame.derivative::<S>(op.out),
            weights: frame.weight::<S>(op.weights),
            n_out: op.n_in as usize,
            n_in: op.n_out as usize,
            stride_out: 1,
            stride_in: op.n_in as usize,
        };
        match op.flow {
            DerivativeWrite::Skip => {}
            DerivativeWrite::Set => product.all::<Sum, false>(),
            DerivativeWrite::Add => product.all::<Sum, true>(),
        }
        if frame.has_counts() {
            counts::<S>(frame, op);
        }
    }
}

impl<S: Simd> WideMatrixProduct<S> {
    /// # Safety
    /// The pointers are good for the sizes; see [`Simd`].
    #[inline(always)]
    unsafe fn all<J: TermJoin, const ADD: bool>(&self) {
        let n_tiles = self.n_out.div_ceil(TALL);
        // SAFETY: the tiles lie inside the product.
        unsafe {
            match self.n_out / n_tiles.max(1) {
                0 => {}
                1 => self.tile::<J, ADD, 1, 8>(0, 0),
                2 => {
                    self.tile::<J, ADD, 2, 4>(0, 0);
                    self.tile::<J, ADD, 2, 4>(0, 4);
                }
                3 => self.tiles::<J, ADD, 4, 3>(n_tiles),
                4 => self.tiles::<J, ADD, 5, 4>(n_tiles),
                5 => self.tiles::<J, ADD, 6, 5>(n_tiles),
                _ => self.tiles::<J, ADD, 6, 6>(n_tiles),
            }
        }
    }

    /// Tiles of `HIGH` sums as far as needed, then of `LOW` sums.
    ///
    /// # Safety
    /// See [`WideMatrixProduct::all`].
    #[inline(always)]
    unsafe fn tiles<J: TermJoin, const ADD: bool, const HIGH: usize, const LOW: usize>(
        &self,
        n_tiles: usize,
    ) {
        let n_high = self.n_out - n_tiles * LOW;
        let columns = || (0..VECTORS).step_by(BROAD);
        // SAFETY: the tiles lie inside the product.
        unsafe {
            for tile in 0..n_high {
                for column in columns() {
                    self.tile::<J, ADD, HIGH, BROAD>(tile * HIGH, column);
                }
            }
            for tile in 0..n_tiles - n_high {
                for column in columns() {
                    self.tile::<J, ADD, LOW, BROAD>(n_high * HIGH + tile * LOW, column);
                }
            }
        }
    }

    /// `N` sums by `V` vectors, from the sum `first` and the vector `column` on.
    ///
    /// # Safety
    /// The tile lies inside the product; see [`Simd`].
    #[inline(always)]
    unsafe fn tile<J: TermJoin, const ADD: bool, const N: usize, const V: usize>(
        &self,
        first: usize,
        column: usize,
    ) {
        // SAFETY: all rows and weights are inside the product.
        unsafe {
            let out = row(self.out, first).add(column * S::WIDTH).cast_mut();
            let mut acc = [[S::zero(); V]; N];
            if ADD {
                for (i, acc) in acc.iter_mut().enumerate() {
                    *acc = load_row(row(out, i));
                }
            }
            let mut input = self.input.add(column * S::WIDTH);
            let mut weights = self.weights.add(first * self.stride_out);
            for _ in 0..self.n_in {
                self.step::<J, N, V>(&mut acc, input, weights);
                input = input.wrapping_byte_add(ROW_BYTES);
                weights = weights.wrapping_add(self.stride_in);
            }
            for (i, &acc) in acc.iter().enumerate() {
                store_row(row(out, i).cast_mut(), acc);
            }
        }
    }

    /// Joins the terms of one child.
    ///
    /// # Safety
    /// `input` is good for `V` vectors, `weights` for `N` sums; see [`Simd`].
    #[inline(always)]
    unsafe fn step<J: TermJoin, const N: usize, const V: usize>(
        &self,
        acc: &mut [[S::V; V]; N],
        input: *const S,
        weights: *const S,
    ) {
        // SAFETY: as demanded of the caller.
        unsafe {
            let x: [S::V; V] = load_row(input);
            for (i, acc) in acc.iter_mut().enumerate() {
                let weight = S::splat(weights.add(i * self.stride_out));
                for (acc, &x) in acc.iter_mut().zip(&x) {
                    *acc = J::join::<S>(*acc, weight, x);
                }
            }
        }
    }

    /// Few children: they stay in registers over all sums.
    ///
    /// # Safety
    /// `N` is the number of children; see [`Simd`].
    #[inline(always)]
    unsafe fn few<J: TermJoin, const N: usize, const V: usize>(&self) {
        // SAFETY: all rows and weights are inside the product.
        unsafe {
            for column in (0..VECTORS).step_by(V) {
                let mut x = [[S::zero(); V]; N];
                for (j, x) in x.iter_mut().enumerate() {
                    *x = load_row(row(self.input, j).add(column * S::WIDTH));
                }
                for i in 0..self.n_out {
                    let weights = self.weights.add(i * N);
                    let mut acc = [S::zero(); V];
                    for (j, x) in x.iter().enumerate() {
                        let weight = S::splat(weights.add(j));
                        for (acc, &x) in acc.iter_mut().zip(x) {
                            *acc = J::join::<S>(*acc, weight, x);
                        }
                    }
                    let out = row(self.out, i).add(column * S::WIDTH);
                    store_row(out.cast_mut(), acc);
                }
            }
        }
    }
}
