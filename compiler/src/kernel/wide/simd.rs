//! Vectors of 256 bits.

use crate::kernel::{ROW_BYTES, Real};
use std::arch::x86_64::*;

/// Vectors in a row.
pub(super) const VECTORS: usize = 8;

/// A vector of eight `f32` or four `f64`.
///
/// Every method is inlined into a function that enables AVX2 and FMA; calling
/// one elsewhere is undefined behaviour on a CPU without them, and pointers must
/// be good for a whole vector. That is the safety contract of all of them.
pub(super) trait Simd: Real {
    type V: Copy;
    /// Numbers in a vector.
    const WIDTH: usize;

    unsafe fn load(at: *const Self) -> Self::V;
    unsafe fn store(at: *mut Self, v: Self::V);
    unsafe fn splat(at: *const Self) -> Self::V;
    unsafe fn zero() -> Self::V;
    unsafe fn times(a: Self::V, b: Self::V) -> Self::V;
    unsafe fn plus(a: Self::V, b: Self::V) -> Self::V;
    /// The second operand where either is NaN.
    unsafe fn larger(a: Self::V, b: Self::V) -> Self::V;
    /// `a * b + c`, rounded once.
    unsafe fn fma(a: Self::V, b: Self::V, c: Self::V) -> Self::V;
    /// Adds the sum of the numbers of the `i`-th vector to `into[i]`, for the
    /// first `n` of them. `into` is good for `n` numbers.
    unsafe fn add_sums(vectors: [Self::V; 4], into: *mut Self, n: usize);
    /// `table[codes[0]]`, `table[codes[1]]`, …; the codes are inside the table.
    unsafe fn gather(table: *const Self, codes: *const u32) -> Self::V;
}

/// Where row `row` of a block begins.
///
/// # Safety
/// The block has the row.
#[inline(always)]
pub(super) unsafe fn row<S>(first: *const S, row: usize) -> *const S {
    // SAFETY: as demanded of the caller.
    unsafe { first.byte_add(row * ROW_BYTES) }
}

/// `N` vectors of a row.
///
/// # Safety
/// See [`Simd`].
#[inline(always)]
pub(super) unsafe fn load_row<S: Simd, const N: usize>(at: *const S) -> [S::V; N] {
    // SAFETY: as demanded of the caller.
    unsafe {
        let mut vectors = [S::zero(); N];
        for (v, vector) in vectors.iter_mut().enumerate() {
            *vector = S::load(at.add(v * S::WIDTH));
        }
        vectors
    }
}

/// Writes `N` vectors of a row.
///
/// # Safety
/// See [`Simd`].
#[inline(always)]
pub(super) unsafe fn store_row<S: Simd, const N: usize>(at: *mut S, vectors: [S::V; N]) {
    // SAFETY: as demanded of the caller.
    unsafe {
        for (v, vector) in vectors.into_iter().enumerate() {
            S::store(at.add(v * S::WIDTH), vector);
        }
    }
}

/// The methods that are one instruction each, which has a name for each precision.
macro_rules! instructions {
    ($number:ty, $vector:ty, $load:ident, $store:ident, $splat:ident, $zero:ident,
     $times:ident, $plus:ident, $larger:ident, $fma:ident) => {
        #[inline(always)]
        unsafe fn load(at: *const $number) -> $vector {
            // SAFETY: the trait's contract, here and below.
            unsafe { $load(at) }
        }

        #[inline(always)]
        unsafe fn store(at: *mut $number, v: $vector) {
            // SAFETY: the trait's contract.
            unsafe { $store(at, v) }
        }

        #[inline(always)]
        unsafe fn splat(at: *const $number) -> $vector {
            // SAFETY: the trait's contract.
            unsafe { $splat(&*at) }
        }

        #[inline(always)]
        unsafe fn zero() -> $vector {
            // SAFETY: the trait's contract.
            unsafe { $zero() }
        }

        #[inline(always)]
        unsafe fn times(a: $vector, b: $vector) -> $vector {
            // SAFETY: the trait's contract.
            unsafe { $times(a, b) }
        }

        #[inline(always)]
        unsafe fn plus(a: $vector, b: $vector) -> $vector {
            // SAFETY: the trait's contract.
            unsafe { $plus(a, b) }
        }

        #[inline(always)]
        unsafe fn larger(a: $vector, b: $vector) -> $vector {
            // SAFETY: the trait's contract.
            unsafe { $larger(a, b) }
        }

        #[inline(always)]
        unsafe fn fma(a: $vector, b: $vector, c: $vector) -> $vector {
            // SAFETY: the trait's contract.
            unsafe { $fma(a, b, c) }
        }
    };
}

impl Simd for f32 {
    type V = __m256;
    const WIDTH: usize = 8;

    instructions!(
        f32,
        __m256,
        _mm256_loadu_ps,
        _mm256_storeu_ps,
        _mm256_broadcast_ss,
        _mm256_setzero_ps,
        _mm256_mul_ps,
        _mm256_add_ps,
        _mm256_max_ps,
        _mm256_fmadd_ps
    );

    #[inline(always)]
    unsafe fn add_sums(v: [__m256; 4], into: *mut f32, n: usize) {
        // SAFETY: the trait's contract.
        unsafe {
            // Each step adds neighbours, so that half as many vectors are left.
            let pairs = (_mm256_hadd_ps(v[0], v[1]), _mm256_hadd_ps(v[2], v[3]));
            let fours = _mm256_hadd_ps(pairs.0, pairs.1);
            let high = _mm256_extractf128_ps(fours, 1);
            let sums = _mm_add_ps(_mm256_castps256_ps128(fours), high);
            if n == 4 {
                _mm_storeu_ps(into, _mm_add_ps(_mm_loadu_ps(into), sums));
                return;
            }
            let mut single = [0.0; 4];
            _mm_storeu_ps(single.as_mut_ptr(), sums);
            for (at, sum) in single.iter().enumerate().take(n) {
                *into.add(at) += sum;
            }
        }
    }

    #[inline(always)]
    unsafe fn gather(table: *const f32, codes: *const u32) -> __m256 {
        // SAFETY: the trait's contract; codes are below 2^31.
        unsafe { _mm256_i32gather_ps::<4>(table, _mm256_loadu_si256(codes.cast())) }
    }
}

impl Simd for f64 {
    type V = __m256d;
    const WIDTH: usize = 4;

    instructions!(
        f64,
        __m256d,
        _mm256_loadu_pd,
        _mm256_storeu_pd,
        _mm256_broadcast_sd,
        _mm256_setzero_pd,
        _mm256_mul_pd,
        _mm256_add_pd,
        _mm256_max_pd,
        _mm256_fmadd_pd
    );

    #[inline(always)]
    unsafe fn add_sums(v: [__m256d; 4], into: *mut f64, n: usize) {
        // SAFETY: the trait's contract.
        unsafe {
            // Neighbours first; then the halves that belong together, one crossed and one as it is.
            let low = _mm256_hadd_pd(v[0], v[1]);
            let high = _mm256_hadd_pd(v[2], v[3]);
            let crossed = _mm256_permute2f128_pd(low, high, 0x21);
            let straight = _mm256_blend_pd(low, high, 0xc);
            let sums = _mm256_add_pd(crossed, straight);
            if n == 4 {
                _mm256_storeu_pd(into, _mm256_add_pd(_mm256_loadu_pd(into), sums));
                return;
            }
            let mut single = [0.0; 4];
            _mm256_storeu_pd(single.as_mut_ptr(), sums);
            for (at, sum) in single.iter().enumerate().take(n) {
                *into.add(at) += sum;
            }
        }
    }

    #[inline(always)]
    unsafe fn gather(table: *const f64, codes: *const u32) -> __m256d {
        // SAFETY: the trait's contract; codes are below 2^31.
        unsafe { _mm256_i32gather_pd::<8>(table, _mm_loadu_si128(codes.cast())) }
    }
}
