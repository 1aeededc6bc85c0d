//! The CPU's sticky floating-point flags.
//!
//! Underflow raises a flag that stays up until it is cleared, so one look after a
//! tile says whether anything at all was lost in it. Only the flags are written:
//! rounding, masks and the treatment of subnormal numbers stay as Rust expects.

/// What happened since the flags were cleared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flags {
    /// A result was too small to be exact.
    pub underflow: bool,
    /// A result was too large, or none at all.
    pub overflow: bool,
}

impl Flags {
    /// The flags of CPUs that have none: anything may have happened.
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    const UNKNOWN: Flags = Flags {
        underflow: true,
        overflow: true,
    };
}

/// Takes all flags down.
pub(super) fn clear() {
    arch::write(arch::read() & !arch::ALL);
}

/// The flags now.
pub(super) fn read() -> Flags {
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    return Flags::UNKNOWN;
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    {
        let bits = arch::read();
        Flags {
            underflow: bits & arch::UNDERFLOW != 0,
            overflow: bits & (arch::OVERFLOW | arch::INVALID) != 0,
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod arch {
    use std::arch::asm;

    pub const INVALID: u32 = 1;
    pub const OVERFLOW: u32 = 1 << 3;
    pub const UNDERFLOW: u32 = 1 << 4;
    pub const ALL: u32 = 0x3f;

    pub fn read() -> u32 {
        let mut bits = 0_u32;
        // SAFETY: stores the control word into a local variable.
        unsafe { asm!("stmxcsr [{}]", in(reg) &raw mut bits, options(nostack, preserves_flags)) };
        bits
    }

    pub fn write(bits: u32) {
        // SAFETY: loads a control word that differs from the current one in its
        // sticky flags only.
        unsafe { asm!("ldmxcsr [{}]", in(reg) &raw const bits, options(nostack, preserves_flags)) };
    }
}

#[cfg(target_arch = "aarch64")]
mod arch {
    use std::arch::asm;

    pub const INVALID: u64 = 1;
    pub const OVERFLOW: u64 = 1 << 2;
    pub const UNDERFLOW: u64 = 1 << 3;
    pub const ALL: u64 = 0x9f;

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
    pub const ALL: u32 = 0;

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
        clear();
        black_box(black_box(0.5_f32) * black_box(0.25));
        let calm = read();
        black_box(black_box(1e-30_f32) * black_box(1e-20));
        let small = read();
        clear();
        black_box(black_box(1e30_f32) * black_box(1e20));
        let large = read();
        clear();
        if cfg!(any(target_arch = "x86_64", target_arch = "aarch64")) {
            assert!(!calm.underflow && !calm.overflow);
            assert!(small.underflow && !small.overflow);
            assert!(!large.underflow && large.overflow);
        }
    }
}
