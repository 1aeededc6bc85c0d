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
    /// The vector.
    type V: Copy;
    /// Numbers in a vector.
    const WIDTH: usize;

    /// # Safety
    /// See the trait.
    unsafe fn load(at: *const Self) -> Self::V;
    /// # Safety
    /// See the trait.
    unsafe fn store(at: *mut Self, v: Self::V);
    /// # Safety
    /// See the trait.
    unsafe fn splat(at: *const Self) -> Self::V;
    /// # Safety
    /// See the trait.
    unsafe fn zero() -> Self::V;
    /// # Safety
    /// See the trait.
    unsafe fn times(a: Self::V, b: Self::V) -> Self::V;
    /// # Safety
    /// See the trait.
    unsafe fn plus(a: Self::V, b: Self::V) -> Self::V;
    /// The second operand where either is NaN.
    /// # Safety
    /// See the trait.
    unsafe fn larger(a: Self::V, b: Self::V) -> Self::V;
    /// `a * b + c`, rounded once.
    /// # Safety
    /// See the trait.
    unsafe fn fma(a: Self::V, b: Self::V, c: Self::V) -> Self::V;
    /// Adds the sum of the numbers of the `i`-th vector to `into[i]`, for the
    /// first `n` of them.
    /// # Safety
    /// See the trait; `into` is good for `n` numbers.
    unsafe fn add_sums(vectors: [Self::V; 4], into: *mut Self, n: usize);
    /// `table[codes[0]]`, `table[codes[1]]`, …
    /// # Safety
    /// See the trait; the codes are inside the table.
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

impl Simd for f32 {
    type V = __m256;
    const WIDTH: usize = 8;

    #[inline(always)]
    unsafe fn load(at: *const f32) -> __m256 {
        // SAFETY: the trait's contract, here and below.
        unsafe { _mm256_loadu_ps(at) }
    }

    #[inline(always)]
    unsafe fn store(at: *mut f32, v: __m256) {
        // SAFETY: the trait's contract.
        unsafe { _mm256_storeu_ps(at, v) }
    }

    #[inline(always)]
    unsafe fn splat(at: *const f32) -> __m256 {
        // SAFETY: the trait's contract.
        unsafe { _mm256_broadcast_ss(&*at) }
    }

    #[inline(always)]
    unsafe fn zero() -> __m256 {
        // SAFETY: the trait's contract.
        unsafe { _mm256_setzero_ps() }
    }

    #[inline(always)]
    unsafe fn times(a: __m256, b: __m256) -> __m256 {
        // SAFETY: the trait's contract.
        unsafe { _mm256_mul_ps(a, b) }
    }

    #[inline(always)]
    unsafe fn plus(a: __m256, b: __m256) -> __m256 {
        // SAFETY: the trait's contract.
        unsafe { _mm256_add_ps(a, b) }
    }

    #[inline(always)]
    unsafe fn larger(a: __m256, b: __m256) -> __m256 {
        // SAFETY: the trait's contract.
        unsafe { _mm256_max_ps(a, b) }
    }

    #[inline(always)]
    unsafe fn fma(a: __m256, b: __m256, c: __m256) -> __m256 {
        // SAFETY: the trait's contract.
        unsafe { _mm256_fmadd_ps(a, b, c) }
    }

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

    #[inline(always)]
    unsafe fn load(at: *const f64) -> __m256d {
        // SAFETY: the trait's contract, here and below.
        unsafe { _mm256_loadu_pd(at) }
    }

    #[inline(always)]
    unsafe fn store(at: *mut f64, v: __m256d) {
        // SAFETY: the trait's contract.
        unsafe { _mm256_storeu_pd(at, v) }
    }

    #[inline(always)]
    unsafe fn splat(at: *const f64) -> __m256d {
        // SAFETY: the trait's contract.
        unsafe { _mm256_broadcast_sd(&*at) }
    }

    #[inline(always)]
    unsafe fn zero() -> __m256d {
        // SAFETY: the trait's contract.
        unsafe { _mm256_setzero_pd() }
    }

    #[inline(always)]
    unsafe fn times(a: __m256d, b: __m256d) -> __m256d {
        // SAFETY: the trait's contract.
        unsafe { _mm256_mul_pd(a, b) }
    }

    #[inline(always)]
    unsafe fn plus(a: __m256d, b: __m256d) -> __m256d {
        // SAFETY: the trait's contract.
        unsafe { _mm256_add_pd(a, b) }
    }

    #[inline(always)]
    unsafe fn larger(a: __m256d, b: __m256d) -> __m256d {
        // SAFETY: the trait's contract.
        unsafe { _mm256_max_pd(a, b) }
    }

    #[inline(always)]
    unsafe fn fma(a: __m256d, b: __m256d, c: __m256d) -> __m256d {
        // SAFETY: the trait's contract.
        unsafe { _mm256_fmadd_pd(a, b, c) }
    }

    #[inline(always)]
    unsafe fn add_sums(v: [__m256d; 4], into: *mut f64, n: usize) {
        // SAFETY: the trait's contract.
        unsafe {
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
