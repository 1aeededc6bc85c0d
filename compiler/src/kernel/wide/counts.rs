//! Counts of a complete layer: products of derivatives and values, added up over
//! the samples of a tile.
//!
//! A block is up to three sums by four children; each of its accumulators runs
//! over the vectors of two rows, and four of them are added up together.

use super::simd::{Simd, VECTORS, row};
use crate::kernel::Frame;
use crate::plan::DenseLayer;

/// Sums of a block, at most.
const TALL: usize = 3;
/// Children of a block, at most.
const BROAD: usize = 4;

struct WideCounts<S> {
    d: *const S,
    x: *const S,
    counts: *mut S,
    n_out: usize,
    n_in: usize,
}

/// `count[i][j] += sum over samples of d[out[i]] * input[j]`
///
/// # Safety
/// See [`OpFn`](crate::kernel::OpFn) and [`Simd`].
#[inline(always)]
pub(super) unsafe fn counts<S: Simd>(frame: &Frame, op: &DenseLayer) {
    // SAFETY: the frame fits the plan that the operation belongs to.
    unsafe {
        let counts = WideCounts {
            d: frame.derivative::<S>(op.out),
            x: frame.value::<S>(op.input),
            counts: frame.count::<S>(op.weights),
            n_out: op.n_out as usize,
            n_in: op.n_in as usize,
        };
        match op.n_in {
            1 => counts.narrow::<8, 1>(),
            2 => counts.narrow::<4, 2>(),
            3 => counts.narrow::<4, 3>(),
            _ => counts.all(),
        }
    }
}

impl<S: Simd> WideCounts<S> {
    /// # Safety
    /// See [`Simd`].
    #[inline(always)]
    unsafe fn all(&self) {
        let n_stripes = self.n_out.div_ceil(TALL);
        let mut first = 0;
        for stripe in 0..n_stripes {
            let height = (self.n_out - first).div_ceil(n_stripes - stripe);
            // SAFETY: the stripe lies inside the matrix.
            unsafe {
                match height {
                    3 => self.stripe::<3>(first),
                    2 => self.stripe::<2>(first),
                    _ => self.stripe::<1>(first),
                }
            }
            first += height;
        }
    }

    /// Counts of `N` sums.
    ///
    /// # Safety
    /// The stripe lies inside the matrix; see [`Simd`].
    #[inline(always)]
    unsafe fn stripe<const N: usize>(&self, i: usize) {
        let whole = self.n_in - self.n_in % BROAD;
        // SAFETY: the blocks lie inside the matrix.
        unsafe {
            for j in (0..whole).step_by(BROAD) {
                self.block::<N, BROAD, false>(i, j);
            }
            match self.n_in - whole {
                3 => self.block::<N, 3, false>(i, whole),
                2 => self.block::<N, 2, false>(i, whole),
                1 => self.block::<N, 1, false>(i, whole),
                _ => {}
            }
        }
    }

    /// Counts of few children: those of neighbouring sums are contiguous.
    ///
    /// # Safety
    /// `N` is the number of children; see [`Simd`].
    #[inline(always)]
    unsafe fn narrow<const A: usize, const N: usize>(&self) {
        let whole = self.n_out - self.n_out % A;
        // SAFETY: the blocks lie inside the matrix.
        unsafe {
            for i in (0..whole).step_by(A) {
                self.block::<A, N, true>(i, 0);
            }
            for i in whole..self.n_out {
                self.block::<1, N, true>(i, 0);
            }
        }
    }

    /// Counts of `A` sums by `B` children; `FLAT` if they follow each other.
    ///
    /// # Safety
    /// The block lies inside the matrix; see [`Simd`].
    #[inline(always)]
    unsafe fn block<const A: usize, const B: usize, const FLAT: bool>(&self, i: usize, j: usize) {
        // SAFETY: the rows and counts are inside the matrix.
        unsafe {
            let mut acc = [[S::zero(); B]; A];
            for v in 0..VECTORS {
                let mut d = [S::zero(); A];
                for (a, d) in d.iter_mut().enumerate() {
                    *d = S::load(row(self.d, i + a).add(v * S::WIDTH));
                }
                for b in 0..B {
                    let x = S::load(row(self.x, j + b).add(v * S::WIDTH));
                    for (acc, &d) in acc.iter_mut().zip(&d) {
                        acc[b] = S::fma(d, x, acc[b]);
                    }
                }
            }
            let counts = self.counts.add(i * self.n_in + j);
            if FLAT {
                add_flat::<S, A, B>(&acc, counts);
                return;
            }
            for (a, acc) in acc.iter().enumerate() {
                let mut group = [S::zero(); 4];
                group[..B].copy_from_slice(acc);
                S::add_sums(group, counts.add(a * self.n_in), B);
            }
        }
    }
}

/// Adds up accumulators whose counts follow each other.
///
/// # Safety
/// `into` is good for all of them; see [`Simd`].
#[inline(always)]
unsafe fn add_flat<S: Simd, const A: usize, const B: usize>(acc: &[[S::V; B]; A], into: *mut S) {
    let mut at = 0;
    while at < A * B {
        let n = (A * B - at).min(4);
        // SAFETY: as demanded of the caller.
        unsafe {
            let mut group = [S::zero(); 4];
            for (k, sum) in group.iter_mut().enumerate().take(n) {
                *sum = acc[(at + k) / B][(at + k) % B];
            }
            S::add_sums(group, into.add(at), n);
        }
        at += 4;
    }
}
