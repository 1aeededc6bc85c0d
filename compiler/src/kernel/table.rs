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

/// A kernel of one precision: its name is made of the operation, the pass and the precision.
macro_rules! kernel {
    ($real:ident, $operation:ident, $pass:ident) => {
        (
            concat!(
                "pelton_",
                stringify!($operation),
                "_",
                stringify!($pass),
                "_",
                stringify!($real)
            ),
            $operation::$pass::<$real> as OpFn,
        )
    };
}

/// The three kernels of an operation, each a function of its module.
macro_rules! operation {
    ($real:ident, $operation:ident, $forward:ident, $max:ident, $backward:ident) => {
        OperationKernels {
            forward: kernel!($real, $operation, $forward),
            max: kernel!($real, $operation, $max),
            backward: Some(kernel!($real, $operation, $backward)),
        }
    };
}

macro_rules! portable {
    ($real:ident) => {{
        let add = (
            concat!("pelton_add_exponents_", stringify!($real)),
            rescale::add::<$real> as OpFn,
        );
        KernelTable {
            dense: operation!($real, dense, forward, max, backward),
            sparse: operation!($real, sparse, forward, max, backward),
            product: operation!($real, product, forward, forward, backward),
            gather: operation!($real, gather, forward, max, backward),
            density: operation!($real, density, forward, forward, backward),
            rescale: operation!($real, rescale, forward, forward, backward),
            add_exponents: OperationKernels {
                forward: add,
                max: add,
                backward: None,
            },
        }
    }};
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
