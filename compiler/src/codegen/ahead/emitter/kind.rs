//! What generated code computes with.

use cranelift_codegen::ir::{Type, Value, types};
use std::marker::PhantomData;

/// The kind of a number, as far as instructions differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NumberKind {
    Float { bytes: u8 },
    Integer { bytes: u8, is_signed: bool },
    Truth,
    Nothing,
}

impl NumberKind {
    /// The machine's type of one such number.
    pub(in super::super) fn machine(&self) -> Option<Type> {
        match *self {
            NumberKind::Float { bytes: 4 } => Some(types::F32),
            NumberKind::Float { .. } => Some(types::F64),
            NumberKind::Integer { bytes: 4, .. } => Some(types::I32),
            NumberKind::Integer { .. } => Some(types::I64),
            NumberKind::Truth => Some(types::I8),
            NumberKind::Nothing => None,
        }
    }

    /// The machine's type of a vector of such numbers.
    pub(super) fn vector(self) -> Type {
        match self {
            NumberKind::Float { bytes: 4 } => types::F32X4,
            NumberKind::Float { .. } => types::F64X2,
            NumberKind::Integer { bytes: 4, .. } => types::I32X4,
            _ => types::I64X2,
        }
    }

    pub(super) fn is_float(self) -> bool {
        matches!(self, NumberKind::Float { .. })
    }

    /// Whether four of them are one vector of 128 bits.
    pub(super) fn is_short(self) -> bool {
        matches!(
            self,
            NumberKind::Float { bytes: 4 } | NumberKind::Integer { bytes: 4, .. }
        )
    }
}

/// A type of Rust that generated code knows.
pub(crate) trait GeneratedType: Copy {
    /// The type in generated code, where all pointers are alike.
    type As: GeneratedType;

    const KIND: NumberKind;

    /// The bits of a constant.
    fn bits(self) -> u64;
}

macro_rules! scalars {
    ($($type:ty: $kind:expr, |$value:ident| $bits:expr;)*) => {
        $(impl GeneratedType for $type {
            type As = $type;

            const KIND: NumberKind = $kind;

            fn bits(self) -> u64 {
                let $value = self;
                $bits
            }
        })*
    };
}

const fn integer(bytes: u8, is_signed: bool) -> NumberKind {
    NumberKind::Integer { bytes, is_signed }
}

scalars! {
    f32: NumberKind::Float { bytes: 4 }, |x| x.to_bits().into();
    f64: NumberKind::Float { bytes: 8 }, |x| x.to_bits();
    i32: integer(4, true), |x| u64::from(x as u32);
    u32: integer(4, false), |x| x.into();
    i64: integer(8, true), |x| x as u64;
    u64: integer(8, false), |x| x;
    usize: integer(8, false), |x| x as u64;
    bool: NumberKind::Truth, |x| x.into();
    (): NumberKind::Nothing, |_x| 0;
}

/// A pointer to numbers or structures.
pub(crate) trait MemoryPointer: GeneratedType {
    type To;
}

macro_rules! pointers {
    ($($pointer:ty),*) => {
        $(impl<T> GeneratedType for $pointer {
            type As = *const T;

            const KIND: NumberKind = integer(8, false);

            fn bits(self) -> u64 {
                self.addr() as u64
            }
        }

        impl<T> MemoryPointer for $pointer {
            type To = T;
        })*
    };
}

pointers!(*const T, *mut T);

/// Floats, and the integers of their bits.
pub(crate) trait FloatBits: GeneratedType {
    type Same: GeneratedType;
}

macro_rules! bits {
    ($($one:ty, $other:ty;)*) => {
        $(impl FloatBits for $one {
            type Same = $other;
        })*
    };
}

bits! {
    f32, u32;
    u32, f32;
    f64, u64;
    u64, f64;
}

/// A number that generated code will compute.
pub(crate) struct IrNumber<T> {
    pub(crate) shape: NumberShape,
    kind: PhantomData<fn() -> T>,
}

impl<T> Clone for IrNumber<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for IrNumber<T> {}

impl<T> IrNumber<T> {
    pub(crate) fn of(shape: NumberShape) -> Self {
        IrNumber {
            shape,
            kind: PhantomData,
        }
    }
}

/// Where a number is, or four of them.
#[derive(Clone, Copy, Debug)]
pub(crate) enum NumberShape {
    /// A constant that no instruction has made yet.
    Known(u64),
    One(Value),
    /// Four short numbers.
    Four(Value),
    /// Two and two long numbers.
    Pairs([Value; 2]),
    /// An index or an address that differs from number to number: the first, and by how
    /// much (in what it counts) the next one is larger; nothing if by one.
    Row(Value, Option<Value>),
    Nothing,
}

impl NumberShape {
    pub(super) fn is_wide(self) -> bool {
        matches!(self, NumberShape::Four(_) | NumberShape::Pairs(_))
    }
}
