//! Generated functions against themselves as Rust, bit for bit.

use super::Function;
use crate::codegen::ahead::library::Library;
use crate::codegen::isa::CodegenTarget;
use crate::codegen::{CodegenFeatures, CodegenOptions};
use crate::kernel::Precision;
use crate::leaf::saddle::SuccessProbability;
use crate::leaf::{gamma, log_space, remainder, saddle};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{FuncOrDataId, Module};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A function as machine code of this machine.
struct Jitted {
    module: JITModule,
}

impl Jitted {
    fn new(function: Function) -> Self {
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
        let mut library = Library::new(&mut module, &target);
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
