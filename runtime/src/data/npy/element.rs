//! What a cell of an array is.

use crate::data::number::FileNumber;

/// A type of numbers, and how they are written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct NpyElement {
    /// NumPy's letter for them: `b` for truth values, `i` and `u` for integers with and without
    /// a sign, `f` for floating-point numbers.
    kind: u8,
    size: u8,
    is_big_endian: bool,
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
        let (kind, size) = match *kind {
            [b'?'] => (b'b', b'1'),
            [b'b', b'1'] => (b'b', b'1'),
            [kind @ (b'i' | b'u'), size @ (b'1' | b'2' | b'4' | b'8')] => (kind, size),
            [b'f', size @ (b'4' | b'8')] => (b'f', size),
            _ => {
                let name = String::from_utf8_lossy(name).into_owned();
                return Err(ElementError::Other(content(kind), name));
            }
        };
        Ok(NpyElement {
            kind,
            size: size - b'0',
            is_big_endian,
        })
    }

    pub fn size(self) -> usize {
        self.size.into()
    }

    /// The number that the first bytes of `cell` hold.
    ///
    /// # Panics
    /// If there are fewer bytes than [`NpyElement::size`].
    #[inline]
    pub fn number(self, cell: &[u8]) -> FileNumber {
        use FileNumber::{Bool, Float, Int, Unsigned};
        match (self.kind, self.size) {
            (b'i', 1) => Int((cell[0] as i8).into()),
            (b'i', 2) => Int(i16::from_le_bytes(self.bytes(cell)).into()),
            (b'i', 4) => Int(i32::from_le_bytes(self.bytes(cell)).into()),
            (b'i', _) => Int(i64::from_le_bytes(self.bytes(cell))),
            (b'u', 1) => Unsigned(cell[0].into()),
            (b'u', 2) => Unsigned(u16::from_le_bytes(self.bytes(cell)).into()),
            (b'u', 4) => Unsigned(u32::from_le_bytes(self.bytes(cell)).into()),
            (b'u', _) => Unsigned(u64::from_le_bytes(self.bytes(cell))),
            (b'f', 4) => Float(f32::from_le_bytes(self.bytes(cell)).into()),
            (b'f', _) => Float(f64::from_le_bytes(self.bytes(cell))),
            _ => Bool(cell[0] != 0),
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
