//! Generated functions against themselves as Rust, bit for bit.

use super::GeneratedFunction;
use crate::codegen::ahead::library::FunctionLibrary;
use crate::codegen::isa::CodegenTarget;
use crate::codegen::{CodegenFeatures, CodegenOptions};
use crate::kernel::Precision;
use crate::kernel::density::form::{bell, tent};
use crate::kernel::density::kernels::{lost_mask, whole_part};
use crate::kernel::density::{exp2_double, exp2_single};
use crate::kernel::{inverse_or_zero, log_scaled, lost_part};
use crate::leaf::saddle::SuccessProbability;
use crate::leaf::{gamma, log_space, remainder, saddle};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{FuncOrDataId, Module};
use pelton_macros::also_generated;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::ops::Range;

/// A function as machine code of this machine.
struct Jitted {
    module: JITModule,
}

impl Jitted {
    fn new(function: GeneratedFunction) -> Self {
        let options = CodegenOptions {
            precision: Precision::F64,
            kernels: None,
            features: CodegenFeatures::Detect,
            threads: 1,
        };
        let target = CodegenTarget::new(&options).expect("this machine is known");
        let names = cranelift_module::default_libcall_names();
        let builder = JITBuilder::with_isa(target.isa.clone(), names);
        let mut module = JITModule::new(builder);
        let mut library = FunctionLibrary::new(&mut module, &target);
        library
            .public("tested", function)
            .expect("it can be written");
        module.finalize_definitions().expect("there is memory");
        Jitted { module }
    }

    fn address(&self) -> *const u8 {
        match self.module.get_name("tested") {
            Some(FuncOrDataId::Func(id)) => self.module.get_finalized_function(id),
            _ => panic!("it was defined"),
        }
    }
}

/// Numbers of all sizes, whole ones and special ones.
fn number(random: &mut ChaCha8Rng) -> f64 {
    let special = [
        0.0,
        0.5,
        1.0,
        f64::NAN,
        f64::INFINITY,
        f64::MAX,
        f64::MIN_POSITIVE,
    ];
    match random.random_range(0..8) {
        0 => f64::from(random.random_range(0..200)),
        1 => special[random.random_range(0..special.len())],
        2 => f64::from_bits(random.random()).abs(),
        _ => random.random::<f64>() * 10_f64.powi(random.random_range(-4..4)),
    }
}

/// The same with signs.
fn signed(random: &mut ChaCha8Rng) -> f64 {
    if random.random() {
        number(random)
    } else {
        -number(random)
    }
}

fn assert_alike(name: &str, arguments: &[f64], (own, generated): (f64, f64)) {
    let is_alike = own.to_bits() == generated.to_bits() || own.is_nan() && generated.is_nan();
    assert!(
        is_alike,
        "{name}{arguments:?}: {own} as Rust, {generated} as generated code"
    );
}

macro_rules! alike {
    ($numbers:ident: $($($path:ident)::+($($argument:ident),*);)*) => {$({
        let jitted = Jitted::new($($path)::+::function());
        // SAFETY: the function has these types.
        let generated: extern "C" fn($(alike!(@ $argument)),*) -> f64 =
            unsafe { std::mem::transmute(jitted.address()) };
        let mut random = ChaCha8Rng::seed_from_u64(7);
        for _ in 0..2000 {
            $(let $argument = $numbers(&mut random);)*
            let own = $($path)::+($($argument),*);
            assert_alike(stringify!($($path)::+), &[$($argument),*], (own, generated($($argument),*)));
        }
    })*};
    (@ $argument:ident) => { f64 };
}

#[test]
fn formulas_of_numbers_are_alike() {
    alike! { signed:
        remainder::ln_1p_minus(u);
        remainder::ln_gamma_1p(a);
        log_space::sum_with(sum, largest, log);
        log_space::log_of_sum(sum, largest);
        whole_part(log);
        log_scaled(value, exponent);
        inverse_or_zero(value);
        lost_part(total, root, start, n_losses, smallest);
    }
    alike! { number:
        gamma::ln_gamma(x);
        gamma::log_choose(n, k);
        saddle::log_poisson(k, rate, distance);
        saddle::log_gamma_density(shape, rate, x);
    }
}

#[test]
fn formulas_with_chances_are_alike() {
    let jitted = Jitted::new(saddle::log_binomial::function());
    // SAFETY: the function has these types.
    let generated: extern "C" fn(f64, f64, &SuccessProbability, f64) -> f64 =
        unsafe { std::mem::transmute(jitted.address()) };
    let mut random = ChaCha8Rng::seed_from_u64(11);
    for _ in 0..2000 {
        let p: f64 = random.random();
        let (q, log_q, log_p) = (1.0 - p, (-p).ln_1p(), p.ln());
        let chance = SuccessProbability { q, p, log_q, log_p };
        let (k, rest) = (number(&mut random), number(&mut random));
        let n = k + rest;
        let distance = saddle::excess(&chance, k, n);
        let own = saddle::log_binomial(k, n, &chance, distance);
        assert_alike(
            "log_binomial",
            &[k, n, p],
            (own, generated(k, n, &chance, distance)),
        );
    }
}

/// What generated code takes four at a time.
fn lanes(n: usize) -> Range<usize> {
    0..n
}

/// Vectors of all kinds: of both precisions, of masks and of bits, contiguous and not.
///
/// # Safety
/// `x` has twice `n` numbers, the others have `n`.
#[also_generated]
unsafe fn vectors(x: *const f64, n: usize, singles: *mut f32, doubles: *mut f64, masks: *mut u64) {
    // SAFETY: as demanded of the caller.
    unsafe {
        let mean = *x;
        for at in lanes(n) {
            let (one, other) = (*x.add(at), *x.add(at * 2));
            *singles.add(at) = exp2_single(one);
            let shape = if one > other {
                bell(one, mean, other, 0.5)
            } else {
                tent(other, mean, one, 1.0)
            };
            *doubles.add(at) = exp2_double(other) + whole_part(shape);
            *masks.add(at) |= lost_mask(one, -126.0) ^ other.to_bits();
        }
    }
}

#[test]
fn vectors_are_alike() {
    const N: usize = 1024;
    let jitted = Jitted::new(vectors::function());
    // SAFETY: the function has these types.
    let generated: extern "C" fn(*const f64, usize, *mut f32, *mut f64, *mut u64) =
        unsafe { std::mem::transmute(jitted.address()) };
    let mut random = ChaCha8Rng::seed_from_u64(13);
    let x: Vec<f64> = (0..2 * N).map(|_| signed(&mut random)).collect();
    let buffers = || (vec![0_f32; N], vec![0_f64; N], vec![1_u64; N]);
    let (mut own, mut other) = (buffers(), buffers());
    // SAFETY: the buffers are as long as is said.
    unsafe {
        vectors(
            x.as_ptr(),
            N,
            own.0.as_mut_ptr(),
            own.1.as_mut_ptr(),
            own.2.as_mut_ptr(),
        )
    };
    generated(
        x.as_ptr(),
        N,
        other.0.as_mut_ptr(),
        other.1.as_mut_ptr(),
        other.2.as_mut_ptr(),
    );
    for at in 0..N {
        let values = [own.0[at], other.0[at]].map(f64::from);
        assert_alike("exp2_single", &[x[at]], (values[0], values[1]));
        assert_alike(
            "vectors",
            &[x[0], x[at], x[2 * at]],
            (own.1[at], other.1[at]),
        );
    }
    assert_eq!(own.2, other.2);
}

/// Integers of both signs and sizes, loops, early returns and short circuits.
///
/// # Safety
/// There are `n` numbers.
#[also_generated]
unsafe fn whole_numbers(numbers: *const i32, n: usize, limit: u32) -> i64 {
    let (mut sum, mut at) = (1_i64, 0);
    while at < n {
        // SAFETY: as demanded of the caller.
        let number = unsafe { *numbers.add(at) };
        if number == i32::MIN {
            return -1;
        }
        let size = (if number < 0 { -number } else { number }) as u32;
        if (size < limit && at % 3 != 1) || number == 7 {
            sum = sum.wrapping_mul(31).wrapping_add(i64::from(number) / 2);
        } else {
            sum ^= (i64::from(size) << 5) | (sum >> 60);
        }
        at += 1;
    }
    for step in 0..4 {
        sum = sum.wrapping_add(step);
    }
    sum
}

#[test]
fn whole_numbers_are_alike() {
    let jitted = Jitted::new(whole_numbers::function());
    // SAFETY: the function has these types.
    let generated: extern "C" fn(*const i32, usize, u32) -> i64 =
        unsafe { std::mem::transmute(jitted.address()) };
    let mut random = ChaCha8Rng::seed_from_u64(17);
    for _ in 0..200 {
        let numbers: Vec<i32> = (0..random.random_range(0..40))
            .map(|_| random.random::<i32>() >> random.random_range(0..31))
            .collect();
        let (limit, n) = (
            random.random::<u32>() >> random.random_range(0..31),
            numbers.len(),
        );
        // SAFETY: there are as many numbers.
        let own = unsafe { whole_numbers(numbers.as_ptr(), n, limit) };
        assert_eq!(own, generated(numbers.as_ptr(), n, limit), "{numbers:?}");
    }
}
