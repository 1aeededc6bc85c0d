//! What a cell of an array is.

use crate::data::number::Number;

/// A type of numbers, and how they are written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Element {
    kind: Kind,
    is_big_endian: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Bool,
    Int8,
    Int16,
    Int32,
    Int64,
    Unsigned8,
    Unsigned16,
    Unsigned32,
    Unsigned64,
    Float32,
    Float64,
}

/// Why cells of a type cannot be read.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum ElementError {
    /// A row is a record of fields with names.
    Records,
    /// The type holds something else: what, and how NumPy writes it.
    Other(&'static str, String),
}

impl Element {
    /// A type by NumPy's name for it, such as `<f8`.
    pub fn parse(name: &[u8]) -> Result<Self, ElementError> {
        let (is_big_endian, kind) = match name {
            [b'>', kind @ ..] => (true, kind),
            [b'=', kind @ ..] => (cfg!(target_endian = "big"), kind),
            [b'<' | b'|', kind @ ..] => (false, kind),
            kind => (false, kind),
        };
        let kind = match kind {
            b"b1" | b"?" => Kind::Bool,
            b"i1" => Kind::Int8,
            b"i2" => Kind::Int16,
            b"i4" => Kind::Int32,
            b"i8" => Kind::Int64,
            b"u1" => Kind::Unsigned8,
            b"u2" => Kind::Unsigned16,
            b"u4" => Kind::Unsigned32,
            b"u8" => Kind::Unsigned64,
            b"f4" => Kind::Float32,
            b"f8" => Kind::Float64,
            other => {
                let name = String::from_utf8_lossy(name).into_owned();
                return Err(ElementError::Other(content(other), name));
            }
        };
        Ok(Element {
            kind,
            is_big_endian,
        })
    }

    /// Bytes of a cell.
    pub fn size(self) -> usize {
        match self.kind {
            Kind::Bool | Kind::Int8 | Kind::Unsigned8 => 1,
            Kind::Int16 | Kind::Unsigned16 => 2,
            Kind::Int32 | Kind::Unsigned32 | Kind::Float32 => 4,
            Kind::Int64 | Kind::Unsigned64 | Kind::Float64 => 8,
        }
    }

    /// The number that the first bytes of `cell` hold.
    ///
    /// # Panics
    /// If there are fewer bytes than [`Element::size`].
    #[inline]
    pub fn number(self, cell: &[u8]) -> Number {
        match self.kind {
            Kind::Bool => Number::Bool(cell[0] != 0),
            Kind::Int8 => Number::Int(i64::from(cell[0] as i8)),
            Kind::Int16 => Number::Int(i64::from(i16::from_le_bytes(self.bytes(cell)))),
            Kind::Int32 => Number::Int(i64::from(i32::from_le_bytes(self.bytes(cell)))),
            Kind::Int64 => Number::Int(i64::from_le_bytes(self.bytes(cell))),
            Kind::Unsigned8 => Number::Unsigned(u64::from(cell[0])),
            Kind::Unsigned16 => Number::Unsigned(u64::from(u16::from_le_bytes(self.bytes(cell)))),
            Kind::Unsigned32 => Number::Unsigned(u64::from(u32::from_le_bytes(self.bytes(cell)))),
            Kind::Unsigned64 => Number::Unsigned(u64::from_le_bytes(self.bytes(cell))),
            Kind::Float32 => Number::Float(f64::from(f32::from_le_bytes(self.bytes(cell)))),
            Kind::Float64 => Number::Float(f64::from_le_bytes(self.bytes(cell))),
        }
    }

    /// The first bytes, the one that counts least first.
    fn bytes<const N: usize>(self, cell: &[u8]) -> [u8; N] {
        let mut bytes = [0; N];
        bytes.copy_from_slice(&cell[..N]);
        if self.is_big_endian {
            bytes.reverse();
        }
        bytes
    }
}

/// What a type that cannot be read holds.
fn content(name: &[u8]) -> &'static str {
    match name.first() {
        Some(b'f') => "floating-point numbers of another size",
        Some(b'c') => "complex numbers",
        Some(b'O') => "Python objects",
        Some(b'U' | b'S' | b'a') => "text",
        Some(b'M' | b'm') => "times",
        Some(b'V') => "raw bytes",
        _ => "cells of an unknown kind",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_in_both_byte_orders() {
        for (name, bytes, expected) in [
            ("|b1", &[1][..], Number::Bool(true)),
            ("|i1", &[0xfe], Number::Int(-2)),
            ("<i2", &[0xfe, 0xff], Number::Int(-2)),
            (">i2", &[0xff, 0xfe], Number::Int(-2)),
            (">u4", &[0, 0, 1, 2], Number::Unsigned(258)),
            ("<u8", &[0xff; 8], Number::Unsigned(u64::MAX)),
            ("<f4", &[0, 0, 0xc0, 0x3f], Number::Float(1.5)),
            (">f8", &[0x3f, 0xf8, 0, 0, 0, 0, 0, 0], Number::Float(1.5)),
        ] {
            let element = Element::parse(name.as_bytes()).unwrap();
            assert_eq!(element.size(), bytes.len(), "{name}");
            assert_eq!(element.number(bytes), expected, "{name}");
        }
    }

    #[test]
    fn other_types_are_named() {
        for (name, expected) in [
            ("<f2", "floating-point numbers of another size"),
            ("<c16", "complex numbers"),
            ("|O", "Python objects"),
            ("<U7", "text"),
            ("<M8[ns]", "times"),
            ("i3", "cells of an unknown kind"),
            ("", "cells of an unknown kind"),
        ] {
            let error = Element::parse(name.as_bytes()).unwrap_err();
            assert_eq!(error, ElementError::Other(expected, name.to_string()));
        }
    }
}
