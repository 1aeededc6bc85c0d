//! What generated functions know of an object: structures that are data of it. All is
//! little-endian, in the order of the fields.

use super::emitter::{IrEmitter, IrNumber};
use super::environment::FloatFlags;
use super::layout::Layout;
use pelton_macros::only_generated;

/// Numbers of one object.
#[repr(C)]
#[derive(Clone, Copy)]
pub(super) struct ObjectFacts {
    pub(super) n_variables: usize,
    pub(super) n_units: usize,
    pub(super) root_unit: usize,
    /// Where units and edges begin in the structure.
    pub(super) units: usize,
    pub(super) edges: usize,
    /// Where weights, entries, tables and leaves begin in the block of weights.
    pub(super) weights: usize,
    pub(super) entries: usize,
    pub(super) tables: usize,
    pub(super) leaves: usize,
    /// Where texts and those of categories begin among the names.
    pub(super) texts: usize,
    pub(super) categories: usize,
    pub(super) n_code_rows: usize,
    pub(super) n_derivative_rows: usize,
    pub(super) layout: Layout,
    pub(super) flags: FloatFlags,
    /// What a block of weights begins with.
    pub(super) version: u64,
    pub(super) fingerprint: u64,
    pub(super) n_losses: f64,
    pub(super) tolerance: f64,
}

impl ObjectFacts {
    pub(super) fn bytes(self) -> Vec<u8> {
        const N: usize = size_of::<ObjectFacts>() / 8;
        // SAFETY: all fields are numbers of 64 bits.
        let words: [u64; N] = unsafe { std::mem::transmute(self) };
        words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }
}

/// A variable.
#[repr(C)]
pub(super) struct VariableFacts {
    /// How its evidence is kept.
    pub(super) kind: u32,
    pub(super) n_values: u32,
    /// The first row of its evidence.
    pub(super) place: u32,
    pub(super) is_discrete: u32,
    /// Its first value, and the first behind its last.
    pub(super) low: f64,
    pub(super) high: f64,
}

/// A unit.
#[repr(C)]
pub(super) struct UnitFacts {
    pub(super) kind: u32,
    /// How many children, or values.
    pub(super) n: u32,
    /// The first edge, or the place of its table, or its leaf.
    pub(super) first: u32,
    pub(super) variable: u32,
}

/// An edge.
#[repr(C)]
pub(super) struct EdgeFacts {
    pub(super) child: u32,
    /// The entry of its weight.
    pub(super) entry: u32,
}

/// A leaf whose density is computed; places are from the beginning of the weights on.
#[repr(C)]
pub(super) struct LeafFacts {
    /// The number of its formula.
    pub(super) kind: u32,
    pub(super) n_intervals: u32,
    pub(super) n_steps: u32,
    pub(super) nothing: u32,
    pub(super) intervals: usize,
    pub(super) steps: usize,
    /// The logarithm for a missing cell.
    pub(super) missing: f64,
    /// What the formula is made of.
    pub(super) constants: [f64; 9],
}

/// An operation on densities.
#[repr(C)]
pub(super) struct DensityFacts {
    pub(super) first_leaf: u32,
    pub(super) n: u32,
    /// The first row of values.
    pub(super) out: u32,
    /// The row of exponents.
    pub(super) exponent: u32,
    /// The row of numbers.
    pub(super) reals: u32,
}

/// What a block of weights begins with.
#[repr(C)]
#[derive(Default)]
pub(super) struct WeightsHead {
    pub(super) magic: u64,
    /// The version and the bytes of a number.
    pub(super) version: u64,
    /// Of the circuit and its layout.
    pub(super) fingerprint: u64,
    pub(super) length: u64,
    /// Of all that follows it.
    pub(super) checksum: u64,
    /// The smallest root that vouches for losses, base 2.
    pub(super) log2_least: f64,
    /// Whether all weights fit the precision.
    pub(super) is_faithful: u64,
    pub(super) log_divisor: f64,
}

/// Where the names of a variable are.
#[repr(C)]
pub(super) struct NameFacts {
    pub(super) name: u32,
    pub(super) first_category: u32,
    pub(super) n_categories: u32,
    pub(super) nothing: u32,
    /// 0 if it has infinitely many.
    pub(super) n_values: u64,
}

macro_rules! addresses {
    ($($name:ident: $type:ty;)*) => {
        $(#[allow(non_camel_case_types)]
        pub(super) enum $name {}

        impl $name {
            /// Where the data of this name are.
            pub(super) fn emit(e: &mut IrEmitter<'_, '_>) -> IrNumber<*const $type> {
                e.data(stringify!($name))
            }
        })*
    };
}

addresses! {
    facts: ObjectFacts;
    structure: u8;
    names: u8;
    weights: u8;
}

/// The first variable.
#[only_generated]
#[inline]
pub(super) fn variables() -> *const VariableFacts {
    structure().cast::<VariableFacts>()
}
