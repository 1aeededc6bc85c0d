//! How many multiply-adds the CPU can do: what kernels are measured by.

use pelton_compiler::engine::VectorWidth;
use pelton_compiler::kernel::{KernelTable, Precision, Real};
use std::time::Instant;

/// Times the loop runs for one measurement: a fraction of a millisecond, so that
/// some run is not interrupted.
const ROUNDS: u32 = 100_000;
/// Independent sums: enough to hide the latency of two multiply-adds a cycle.
const STRANDS: usize = 12;

/// The most multiply-adds of one core, in billions a second; numbers are
/// counted, not vectors. The best of forty runs, as other programs only slow a run
/// down. Vectors that the CPU lacks give what half of them give.
pub fn measure_peak(width: VectorWidth, precision: Precision) -> f64 {
    let runs = (0..40).map(|_| {
        let start = Instant::now();
        let lanes = run(width, precision);
        let n = f64::from(ROUNDS) * (STRANDS * lanes) as f64;
        n / start.elapsed().as_secs_f64() * 1e-9
    });
    runs.fold(0.0, f64::max)
}

/// Runs the loop; answers how many numbers a vector has.
#[cfg(target_arch = "x86_64")]
fn run(width: VectorWidth, precision: Precision) -> usize {
    // SAFETY: the CPU has what the called functions need.
    unsafe {
        // Without fused multiply-adds nothing is faster than the plain loop.
        match (width, KernelTable::wide(precision).is_some(), precision) {
            (VectorWidth::Bits256, true, Precision::F32) => x86::f32_256(ROUNDS),
            (VectorWidth::Bits256, true, Precision::F64) => x86::f64_256(ROUNDS),
            (_, true, Precision::F32) => x86::f32_128(ROUNDS),
            (_, true, Precision::F64) => x86::f64_128(ROUNDS),
            (_, false, _) => return plain(precision),
        }
    }
    let bytes = match width {
        VectorWidth::Bits128 => 16,
        VectorWidth::Bits256 => 32,
    };
    bytes / precision.bytes()
}

/// Runs the loop; answers how many numbers a vector has.
#[cfg(not(target_arch = "x86_64"))]
fn run(_: VectorWidth, precision: Precision) -> usize {
    plain(precision)
}

/// The loop for a CPU of which nothing is known.
fn plain(precision: Precision) -> usize {
    match precision {
        Precision::F32 => strands::<f32, 4>(1.0, 0.5),
        Precision::F64 => strands::<f64, 2>(1.0, 0.5),
    }
}

fn strands<R: Real, const LANES: usize>(start: R, factor: R) -> usize {
    let mut acc = [[start; LANES]; STRANDS];
    for _ in 0..ROUNDS {
        for number in acc.as_flattened_mut() {
            *number = *number * factor + start;
        }
    }
    std::hint::black_box(acc);
    LANES
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::STRANDS;
    use std::arch::x86_64::*;

    macro_rules! measured {
        ($name:ident, $splat:ident, $fma:ident) => {
            /// Multiply-adds that converge to 2.
            #[target_feature(enable = "avx2,fma")]
            pub(super) fn $name(rounds: u32) {
                let (one, half) = ($splat(1.0), $splat(0.5));
                let mut acc = [one; STRANDS];
                for _ in 0..rounds {
                    for acc in &mut acc {
                        *acc = $fma(*acc, half, one);
                    }
                }
                std::hint::black_box(acc);
            }
        };
    }

    measured!(f32_256, _mm256_set1_ps, _mm256_fmadd_ps);
    measured!(f64_256, _mm256_set1_pd, _mm256_fmadd_pd);
    measured!(f32_128, _mm_set1_ps, _mm_fmadd_ps);
    measured!(f64_128, _mm_set1_pd, _mm_fmadd_pd);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_a_peak() {
        let peak = measure_peak(VectorWidth::Bits128, Precision::F64);
        assert!(peak.is_finite() && peak > 0.0);
    }
}
