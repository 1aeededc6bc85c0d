//! What a cell of an array is.

use crate::data::number::FileNumber;

/// A type of numbers, and how they are written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct NpyElement {
    kind: NpyElementKind,
    is_big_endian: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum NpyElementKind {
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

impl NpyElement {
    /// A type by NumPy's name for it, such as `<f8`.
    pub fn parse(name: &[u8]) -> Result<Self, ElementError> {
        let (is_big_endian, kind) = match name {
            [b'>', kind @ ..] => (true, kind),
            [b'=', kind @ ..] => (cfg!(target_endian = "big"), kind),
            [b'<' | b'|', kind @ ..] => (false, kind),
            kind => (false, kind),
        };
        let kind = match kind {
            b"b1" | b"?" => NpyElementKind::Bool,
            b"i1" => NpyElementKind::Int8,
            b"i2" => NpyElementKind::Int16,
            b"i4" => NpyElementKind::Int32,
            b"i8" => NpyElementKind::Int64,
            b"u1" => NpyElementKind::Unsigned8,
            b"u2" => NpyElementKind::Unsigned16,
            b"u4" => NpyElementKind::Unsigned32,
            b"u8" => NpyElementKind::Unsigned64,
            b"f4" => NpyElementKind::Float32,
            b"f8" => NpyElementKind::Float64,
            other => {
                let name = String::from_utf8_lossy(name).into_owned();
                return Err(ElementError::Other(content(other), name));
            }
        };
        Ok(NpyElement {
            kind,
            is_big_endian,
        })
    }

    /// Bytes of a cell.
    pub fn size(self) -> usize {
        match self.kind {
            NpyElementKind::Bool | NpyElementKind::Int8 | NpyElementKind::Unsigned8 => 1,
            NpyElementKind::Int16 | NpyElementKind::Unsigned16 => 2,
            NpyElementKind::Int32 | NpyElementKind::Unsigned32 | NpyElementKind::Float32 => 4,
            NpyElementKind::Int64 | NpyElementKind::Unsigned64 | NpyElementKind::Float64 => 8,
        }
    }

    /// The number that the first bytes of `cell` hold.
    ///
    /// # Panics
    /// If there are fewer bytes than [`NpyElement::size`].
    #[inline]
    pub fn number(self, cell: &[u8]) -> FileNumber {
        match self.kind {
            NpyElementKind::Bool => FileNumber::Bool(cell[0] != 0),
            NpyElementKind::Int8 => FileNumber::Int(i64::from(cell[0] as i8)),
            NpyElementKind::Int16 => {
                FileNumber::Int(i64::from(i16::from_le_bytes(self.bytes(cell))))
            }
            NpyElementKind::Int32 => {
                FileNumber::Int(i64::from(i32::from_le_bytes(self.bytes(cell))))
            }
            NpyElementKind::Int64 => FileNumber::Int(i64::from_le_bytes(self.bytes(cell))),
            NpyElementKind::Unsigned8 => FileNumber::Unsigned(u64::from(cell[0])),
            NpyElementKind::Unsigned16 => {
                FileNumber::Unsigned(u64::from(u16::from_le_bytes(self.bytes(cell))))
            }
            NpyElementKind::Unsigned32 => {
                FileNumber::Unsigned(u64::from(u32::from_le_bytes(self.bytes(cell))))
            }
            NpyElementKind::Unsigned64 => {
                FileNumber::Unsigned(u64::from_le_bytes(self.bytes(cell)))
            }
            NpyElementKind::Float32 => {
                FileNumber::Float(f64::from(f32::from_le_bytes(self.bytes(cell))))
            }
            NpyElementKind::Float64 => FileNumber::Float(f64::from_le_bytes(self.bytes(cell))),
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
            ("|b1", &[1][..], FileNumber::Bool(true)),
            ("|i1", &[0xfe], FileNumber::Int(-2)),
            ("<i2", &[0xfe, 0xff], FileNumber::Int(-2)),
            (">i2", &[0xff, 0xfe], FileNumber::Int(-2)),
            (">u4", &[0, 0, 1, 2], FileNumber::Unsigned(258)),
            ("<u8", &[0xff; 8], FileNumber::Unsigned(u64::MAX)),
            ("<f4", &[0, 0, 0xc0, 0x3f], FileNumber::Float(1.5)),
            (
                ">f8",
                &[0x3f, 0xf8, 0, 0, 0, 0, 0, 0],
                FileNumber::Float(1.5),
            ),
        ] {
            let element = NpyElement::parse(name.as_bytes()).unwrap();
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
            let error = NpyElement::parse(name.as_bytes()).unwrap_err();
            assert_eq!(error, ElementError::Other(expected, name.to_string()));
        }
    }
}
