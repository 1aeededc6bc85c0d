//! Which kernel does what.

use super::{KernelPass, OpFn, Precision, dense, density, gather, product, rescale, sparse};
use crate::plan::PlanOperation;

/// A kernel with a name that no other kernel has.
type Kernel = (&'static str, OpFn);

/// A kernel for every kind of operation and every pass, all of one precision.
#[derive(Clone, Copy, Debug)]
pub struct KernelTable {
    pub(super) dense: OperationKernels,
    pub(super) sparse: OperationKernels,
    pub(super) product: OperationKernels,
    pub(super) gather: OperationKernels,
    pub(super) density: OperationKernels,
    pub(super) rescale: OperationKernels,
    pub(super) add_exponents: OperationKernels,
}

/// The kernels of one kind of operation.
#[derive(Clone, Copy, Debug)]
pub(super) struct OperationKernels {
    pub forward: Kernel,
    pub max: Kernel,
    pub backward: Option<Kernel>,
}

/// A kernel of one precision by its path; its name ends in the precision.
macro_rules! kernel {
    ($name:literal, $real:ident, $($path:tt)+) => {
        (
            concat!("pelton_", $name, "_", stringify!($real)),
            $($path)+::<$real> as OpFn,
        )
    };
}

macro_rules! portable {
    ($real:ident) => {
        KernelTable {
            dense: OperationKernels {
                forward: kernel!("dense_forward", $real, dense::forward),
                max: kernel!("dense_max", $real, dense::max),
                backward: Some(kernel!("dense_backward", $real, dense::backward)),
            },
            sparse: OperationKernels {
                forward: kernel!("sparse_forward", $real, sparse::forward),
                max: kernel!("sparse_max", $real, sparse::max),
                backward: Some(kernel!("sparse_backward", $real, sparse::backward)),
            },
            product: OperationKernels {
                forward: kernel!("product_forward", $real, product::forward),
                max: kernel!("product_forward", $real, product::forward),
                backward: Some(kernel!("product_backward", $real, product::backward)),
            },
            gather: OperationKernels {
                forward: kernel!("gather_forward", $real, gather::forward),
                max: kernel!("gather_max", $real, gather::max),
                backward: Some(kernel!("gather_backward", $real, gather::backward)),
            },
            density: OperationKernels {
                forward: kernel!("density_forward", $real, density::forward),
                max: kernel!("density_forward", $real, density::forward),
                backward: Some(kernel!("density_backward", $real, density::backward)),
            },
            rescale: OperationKernels {
                forward: kernel!("rescale_forward", $real, rescale::forward),
                max: kernel!("rescale_forward", $real, rescale::forward),
                backward: Some(kernel!("rescale_backward", $real, rescale::backward)),
            },
            add_exponents: OperationKernels {
                forward: kernel!("add_exponents", $real, rescale::add),
                max: kernel!("add_exponents", $real, rescale::add),
                backward: None,
            },
        }
    };
}

impl KernelTable {
    /// Kernels in plain Rust, for any CPU.
    pub fn portable(precision: Precision) -> Self {
        match precision {
            Precision::F32 => portable!(f32),
            Precision::F64 => portable!(f64),
        }
    }

    /// Kernels for AVX2 and FMA; none if the CPU lacks them.
    pub fn wide(precision: Precision) -> Option<Self> {
        #[cfg(target_arch = "x86_64")]
        if super::wide::is_supported() {
            return Some(super::wide::table(precision));
        }
        let _ = precision;
        None
    }

    /// The kernel of an operation and its name, which is a valid symbol; none if
    /// the operation has nothing to do in that pass.
    pub fn get(&self, op: &PlanOperation, pass: KernelPass) -> Option<(&'static str, OpFn)> {
        let kernels = match op {
            PlanOperation::Dense(_) => &self.dense,
            PlanOperation::Sparse(_) => &self.sparse,
            PlanOperation::Product(_) => &self.product,
            PlanOperation::Gather(_) => &self.gather,
            PlanOperation::Density(_) => &self.density,
            PlanOperation::Rescale(_) => &self.rescale,
            PlanOperation::AddExponents(_) => &self.add_exponents,
        };
        match pass {
            KernelPass::Forward => Some(kernels.forward),
            KernelPass::Max => Some(kernels.max),
            KernelPass::Backward => kernels.backward,
        }
    }
}
