//! The CPU's floating-point environment while a tile is run.
//!
//! Underflow raises a flag that stays up until it is cleared, so one look after a
//! tile says whether anything at all was lost in it.
//!
//! Results below the smallest normal number become zero where the CPU computes with
//! subnormal numbers in microcode, a hundred times slower than with others (x86).
//! Derivatives of states that take no part in a sample are such numbers by the million.
//! Nothing is lost that is not bounded anyway: a flushed result raises the flag, and an
//! operation is taken to lose up to the smallest normal number. Operands may still be
//! subnormal, as a weight can be that was given so. Rounding and masks stay as they are,
//! and all of it is as before when the tile is done.

/// What happened since the flags were cleared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FloatFlags {
    /// A result was too small to be exact.
    pub underflow: bool,
    /// A result was too large, or none at all.
    pub overflow: bool,
}

impl FloatFlags {
    /// The flags of CPUs that have none: anything may have happened.
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    const UNKNOWN: FloatFlags = FloatFlags {
        underflow: true,
        overflow: true,
    };
}

/// Runs something and says what the CPU noticed.
pub(super) fn watch(run: impl FnOnce()) -> FloatFlags {
    let _before = FloatEnvironment::enter();
    run();
    read()
}

/// The environment to go back to.
struct FloatEnvironment(arch::Word);

impl FloatEnvironment {
    fn enter() -> Self {
        let before = arch::read();
        arch::write((before & !arch::ALL) | arch::FLUSH);
        FloatEnvironment(before)
    }
}

impl Drop for FloatEnvironment {
    fn drop(&mut self) {
        arch::write(self.0);
    }
}

fn read() -> FloatFlags {
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    return FloatFlags::UNKNOWN;
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    {
        let bits = arch::read();
        FloatFlags {
            underflow: bits & arch::UNDERFLOW != 0,
            overflow: bits & (arch::OVERFLOW | arch::INVALID) != 0,
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod arch {
    use std::arch::asm;

    pub type Word = u32;
    pub const INVALID: u32 = 1;
    pub const OVERFLOW: u32 = 1 << 3;
    pub const UNDERFLOW: u32 = 1 << 4;
    pub const ALL: u32 = 0x3f;
    pub const FLUSH: u32 = 1 << 15;

    pub fn read() -> u32 {
        let mut bits = 0_u32;
        // SAFETY: stores the control word into a local variable.
        unsafe { asm!("stmxcsr [{}]", in(reg) &raw mut bits, options(nostack, preserves_flags)) };
        bits
    }

    pub fn write(bits: u32) {
        // SAFETY: loads a control word that differs from the one that Rust expects in
        // its sticky flags and, while kernels run, in what becomes of results that
        // are subnormal, which kernels have no constants of.
        unsafe { asm!("ldmxcsr [{}]", in(reg) &raw const bits, options(nostack, preserves_flags)) };
    }
}

#[cfg(target_arch = "aarch64")]
mod arch {
    use std::arch::asm;

    pub type Word = u64;
    pub const INVALID: u64 = 1;
    pub const OVERFLOW: u64 = 1 << 2;
    pub const UNDERFLOW: u64 = 1 << 3;
    pub const ALL: u64 = 0x9f;
    /// Flags only: subnormal numbers cost nothing here.
    pub const FLUSH: u64 = 0;

    pub fn read() -> u64 {
        let bits: u64;
        // SAFETY: reads the status register.
        unsafe { asm!("mrs {}, fpsr", out(reg) bits, options(nostack, preserves_flags)) };
        bits
    }

    pub fn write(bits: u64) {
        // SAFETY: writes sticky flags only.
        unsafe { asm!("msr fpsr, {}", in(reg) bits, options(nostack, preserves_flags)) };
    }
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
mod arch {
    pub type Word = u32;
    pub const ALL: u32 = 0;
    pub const FLUSH: u32 = 0;

    pub fn read() -> u32 {
        0
    }

    pub fn write(_: u32) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::hint::black_box;

    #[test]
    fn flags_tell_underflow_from_overflow_and_from_peace() {
        let product = |a: f32, b: f32| {
            watch(|| {
                black_box(black_box(a) * black_box(b));
            })
        };
        let (calm, small, large) = (
            product(0.5, 0.25),
            product(1e-30, 1e-20),
            product(1e30, 1e20),
        );
        if cfg!(any(target_arch = "x86_64", target_arch = "aarch64")) {
            assert!(!calm.underflow && !calm.overflow);
            assert!(small.underflow && !small.overflow);
            assert!(!large.underflow && large.overflow);
        }
    }

    #[test]
    fn what_is_flushed_is_seen_and_flushing_ends_with_the_tile() {
        let subnormal = || black_box(f32::MIN_POSITIVE) * black_box(0.5);
        let mut inside = 1.0;
        let flags = watch(|| inside = subnormal());
        if cfg!(target_arch = "x86_64") {
            assert_eq!(inside, 0.0);
            assert!(flags.underflow, "exact as it would have been");
        }
        assert_eq!(subnormal(), f32::MIN_POSITIVE / 2.0);
    }
}
