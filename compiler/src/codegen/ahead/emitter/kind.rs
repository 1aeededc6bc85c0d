//! What generated code computes with.

use cranelift_codegen::ir::{Type, Value, types};
use std::marker::PhantomData;

/// The kind of a number, as far as instructions differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Float { bytes: u8 },
    Integer { bytes: u8, is_signed: bool },
    Truth,
    Nothing,
}

impl Kind {
    /// The machine's type of one such number.
    pub(in super::super) fn machine(&self) -> Option<Type> {
        match *self {
            Kind::Float { bytes: 4 } => Some(types::F32),
            Kind::Float { .. } => Some(types::F64),
            Kind::Integer { bytes: 4, .. } => Some(types::I32),
            Kind::Integer { .. } => Some(types::I64),
            Kind::Truth => Some(types::I8),
            Kind::Nothing => None,
        }
    }

    pub(super) fn is_float(self) -> bool {
        matches!(self, Kind::Float { .. })
    }

    /// Whether four of them are one vector of 128 bits.
    pub(super) fn is_short(self) -> bool {
        matches!(
            self,
            Kind::Float { bytes: 4 } | Kind::Integer { bytes: 4, .. }
        )
    }
}

/// A type of Rust that generated code knows.
pub(crate) trait Scalar: Copy {
    /// The type in generated code, where all pointers are alike.
    type As: Scalar;

    const KIND: Kind;

    /// The bits of a constant.
    fn bits(self) -> u64;
}

macro_rules! scalars {
    ($($type:ty: $kind:expr, |$value:ident| $bits:expr;)*) => {
        $(impl Scalar for $type {
            type As = $type;

            const KIND: Kind = $kind;

            fn bits(self) -> u64 {
                let $value = self;
                $bits
            }
        })*
    };
}

const fn integer(bytes: u8, is_signed: bool) -> Kind {
    Kind::Integer { bytes, is_signed }
}

scalars! {
    f32: Kind::Float { bytes: 4 }, |x| x.to_bits().into();
    f64: Kind::Float { bytes: 8 }, |x| x.to_bits();
    i32: integer(4, true), |x| u64::from(x as u32);
    u32: integer(4, false), |x| x.into();
    i64: integer(8, true), |x| x as u64;
    u64: integer(8, false), |x| x;
    usize: integer(8, false), |x| x as u64;
    bool: Kind::Truth, |x| x.into();
    (): Kind::Nothing, |_x| 0;
}

/// A pointer to numbers or structures.
pub(crate) trait Pointer: Scalar {
    type To;
}

macro_rules! pointers {
    ($($pointer:ty),*) => {
        $(impl<T> Scalar for $pointer {
            type As = *const T;

            const KIND: Kind = integer(8, false);

            fn bits(self) -> u64 {
                self.addr() as u64
            }
        }

        impl<T> Pointer for $pointer {
            type To = T;
        })*
    };
}

pointers!(*const T, *mut T);

/// Floats, and the integers of their bits.
pub(crate) trait Bits: Scalar {
    type Same: Scalar;
}

macro_rules! bits {
    ($($one:ty, $other:ty;)*) => {
        $(impl Bits for $one {
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
pub(crate) struct Ir<T> {
    pub(crate) shape: Shape,
    kind: PhantomData<fn() -> T>,
}

impl<T> Clone for Ir<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Ir<T> {}

impl<T> Ir<T> {
    pub(crate) fn of(shape: Shape) -> Self {
        Ir {
            shape,
            kind: PhantomData,
        }
    }
}

/// Where a number is, or four of them.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Shape {
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

impl Shape {
    pub(super) fn is_wide(self) -> bool {
        matches!(self, Shape::Four(_) | Shape::Pairs(_))
    }
}
