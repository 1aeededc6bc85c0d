//! Kernels for x86-64 with AVX2 and FMA.
//!
//! The bodies are generic over [`simd::Simd`] and always inlined; the functions
//! at the end of this file enable the instructions and are what tables point to.

mod counts;
mod dense;
mod gather;
mod product;
mod simd;
mod sparse;

use super::table::{KernelTable, OperationKernels};
use super::{Frame, OpFn, Precision, density, rescale};
use crate::plan::PlanOperation;
use dense::{Largest, Sum};

/// Whether the CPU has what the kernels need.
pub(super) fn is_supported() -> bool {
    is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma")
}

/// The table of all wide kernels, which must only be called if they
/// [are supported](is_supported).
pub(super) fn table(precision: Precision) -> KernelTable {
    match precision {
        Precision::F32 => f32_kernels::table(),
        Precision::F64 => f64_kernels::table(),
    }
}

macro_rules! kernels {
    ($module:ident, $real:ident) => {
        mod $module {
            use super::*;

            kernels!(@fn $real, dense_forward, dense::forward::<$real, Sum>);
            kernels!(@fn $real, dense_max, dense::forward::<$real, Largest>);
            kernels!(@fn $real, dense_backward, dense::backward::<$real>);
            kernels!(@fn $real, sparse_forward, sparse::forward::<$real, Sum>);
            kernels!(@fn $real, sparse_max, sparse::forward::<$real, Largest>);
            kernels!(@fn $real, sparse_backward, sparse::backward::<$real>);
            kernels!(@fn $real, product_forward, product::forward::<$real>);
            kernels!(@fn $real, product_backward, product::backward::<$real>);
            kernels!(@fn $real, gather_forward, gather::forward::<$real, Sum>);
            kernels!(@fn $real, gather_max, gather::forward::<$real, Largest>);
            kernels!(@fn $real, gather_backward, gather::backward::<$real>);
            kernels!(@fn $real, density_forward, density::forward_tile::<$real>);
            kernels!(@fn $real, density_backward, density::backward_tile::<$real>);
            kernels!(@fn $real, rescale_forward, rescale::forward_tile::<$real>);
            kernels!(@fn $real, rescale_backward, rescale::backward_tile::<$real>);
            kernels!(@fn $real, add_exponents, rescale::add_tile::<$real>);

            pub(super) fn table() -> KernelTable {
                KernelTable {
                    dense: kernels!(@three $real, dense_forward, dense_max, dense_backward),
                    sparse: kernels!(@three $real, sparse_forward, sparse_max, sparse_backward),
                    product: kernels!(@three $real, product_forward, product_forward, product_backward),
                    gather: kernels!(@three $real, gather_forward, gather_max, gather_backward),
                    density: kernels!(@three $real, density_forward, density_forward, density_backward),
                    rescale: kernels!(@three $real, rescale_forward, rescale_forward, rescale_backward),
                    add_exponents: OperationKernels {
                        backward: None,
                        ..kernels!(@three $real, add_exponents, add_exponents, add_exponents)
                    },
                }
            }
        }
    };
    (@fn $real:ident, $name:ident, $($body:tt)+) => {
        /// # Safety
        /// See [`OpFn`]; the CPU has AVX2 and FMA.
        #[target_feature(enable = "avx2,fma")]
        unsafe extern "C" fn $name(frame: *const Frame, op: *const PlanOperation) {
            // SAFETY: as demanded of the caller.
            unsafe { $($body)+(frame, op) }
        }
    };
    (@three $real:ident, $forward:ident, $max:ident, $backward:ident) => {
        OperationKernels {
            forward: kernels!(@named $real, $forward),
            max: kernels!(@named $real, $max),
            backward: Some(kernels!(@named $real, $backward)),
        }
    };
    (@named $real:ident, $name:ident) => {
        (
            concat!("pelton_wide_", stringify!($name), "_", stringify!($real)),
            $name as OpFn,
        )
    };
}

kernels!(f32_kernels, f32);
kernels!(f64_kernels, f64);
