//! Looks at the structures that describe a Parquet file before the `parquet` crate
//! reads them.
//!
//! The crate reserves memory by numbers that stand there and recurses as deeply as
//! schemas are nested. Neither can be undone when it goes wrong, so numbers that
//! cannot be true are found first.

use super::delta::{signed, varint};

/// The deepest nesting that is followed; the crate gives up at the same one.
const DEEPEST: usize = 64;

/// Types of Thrift's compact protocol.
mod kind {
    pub const TRUE: u8 = 1;
    pub const FALSE: u8 = 2;
    pub const BYTE: u8 = 3;
    pub const I16: u8 = 4;
    pub const I32: u8 = 5;
    pub const I64: u8 = 6;
    pub const DOUBLE: u8 = 7;
    pub const BINARY: u8 = 8;
    pub const LIST: u8 = 9;
    pub const SET: u8 = 10;
    pub const MAP: u8 = 11;
    pub const STRUCT: u8 = 12;
}

/// What a footer says that has to be known before it is read.
#[derive(Debug, PartialEq)]
pub(super) struct Footer {
    pub is_encrypted: bool,
}

/// Looks at a footer (`FileMetaData`); `None` if it cannot be one.
pub(super) fn footer(bytes: &[u8]) -> Option<Footer> {
    let mut rest = ThriftReader(bytes);
    let (mut is_encrypted, mut has_schema) = (false, false);
    rest.fields(|rest, id, kind| match (id, kind) {
        (2, kind::LIST) => {
            has_schema = true;
            rest.schema()
        }
        (8, _) => {
            is_encrypted = true;
            rest.skip(kind, DEEPEST)
        }
        _ => rest.skip(kind, DEEPEST),
    })?;
    has_schema.then_some(Footer { is_encrypted })
}

/// The bytes that the page whose header (`PageHeader`) comes next unpacks to.
pub(super) fn unpacked_size(bytes: &[u8]) -> Option<u64> {
    let mut rest = ThriftReader(bytes);
    // The type of the page stands before it.
    let (1, kind::I32) = rest.field(0)? else {
        return None;
    };
    rest.integer()?;
    let (2, kind::I32) = rest.field(1)? else {
        return None;
    };
    u64::try_from(rest.integer()?).ok()
}

struct ThriftReader<'a>(&'a [u8]);

impl ThriftReader<'_> {
    fn byte(&mut self) -> Option<u8> {
        let (&byte, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(byte)
    }

    fn bytes(&mut self, n_bytes: u64) -> Option<()> {
        self.0 = self.0.get(usize::try_from(n_bytes).ok()?..)?;
        Some(())
    }

    fn unsigned(&mut self) -> Option<u64> {
        let mut length = 0;
        let value = varint(self.0, &mut length)?;
        self.0 = &self.0[length..];
        Some(value)
    }

    fn integer(&mut self) -> Option<i64> {
        self.unsigned().map(signed)
    }

    /// The number and the type of the next field, after one with the number `before`;
    /// type 0 ends a structure.
    fn field(&mut self, before: i64) -> Option<(i64, u8)> {
        let byte = self.byte()?;
        let (delta, kind) = (i64::from(byte >> 4), byte & 0xf);
        match (delta, kind) {
            (_, 0) => Some((0, 0)),
            (0, _) => Some((self.integer()?, kind)),
            _ => Some((before.checked_add(delta)?, kind)),
        }
    }

    /// Hands the fields of a structure to `body`, which takes their values.
    fn fields(&mut self, mut body: impl FnMut(&mut Self, i64, u8) -> Option<()>) -> Option<()> {
        let mut id = 0;
        loop {
            let (next, kind) = self.field(id)?;
            if kind == 0 {
                return Some(());
            }
            id = next;
            body(self, id, kind)?;
        }
    }

    /// The number of elements of a list and their type. Each takes a byte at least.
    fn list(&mut self) -> Option<(usize, u8)> {
        let byte = self.byte()?;
        let size = match byte >> 4 {
            15 => usize::try_from(self.unsigned()?).ok()?,
            size => usize::from(size),
        };
        (size <= self.0.len()).then_some((size, byte & 0xf))
    }

    /// Elements of a schema: a tree in the order of a walk, each with the number of its
    /// children, which must add up and not be nested too deeply.
    fn schema(&mut self) -> Option<()> {
        let (n_elements, kind::STRUCT) = self.list()? else {
            return None;
        };
        let mut open: Vec<usize> = Vec::new();
        for at in 0..n_elements {
            let mut n_children = 0;
            self.fields(|rest, id, kind| match (id, kind) {
                (5, kind::I32) => {
                    n_children = usize::try_from(rest.integer()?).ok()?;
                    Some(())
                }
                _ => rest.skip(kind, DEEPEST),
            })?;
            if n_children > n_elements || open.len() > DEEPEST {
                return None;
            }
            match open.last_mut() {
                Some(n_left) => *n_left -= 1,
                // There is one root, and it comes first.
                None if at > 0 => return None,
                None => {}
            }
            open.push(n_children);
            while open.last() == Some(&0) {
                open.pop();
            }
        }
        (n_elements > 0 && open.is_empty()).then_some(())
    }

    fn skip(&mut self, kind: u8, depth: usize) -> Option<()> {
        let depth = depth.checked_sub(1)?;
        match kind {
            kind::TRUE | kind::FALSE => Some(()),
            kind::BYTE => self.bytes(1),
            kind::I16 | kind::I32 | kind::I64 => self.unsigned().map(|_| ()),
            kind::DOUBLE => self.bytes(8),
            kind::BINARY => {
                let length = self.unsigned()?;
                self.bytes(length)
            }
            kind::LIST | kind::SET => {
                let (size, kind) = self.list()?;
                (0..size).try_for_each(|_| self.skip_element(kind, depth))
            }
            kind::MAP => self.skip_map(depth),
            kind::STRUCT => self.fields(|rest, _, kind| rest.skip(kind, depth)),
            _ => None,
        }
    }

    /// Truth values take a byte as elements, and none as fields.
    fn skip_element(&mut self, kind: u8, depth: usize) -> Option<()> {
        match kind {
            kind::TRUE | kind::FALSE => self.bytes(1),
            _ => self.skip(kind, depth),
        }
    }

    fn skip_map(&mut self, depth: usize) -> Option<()> {
        let size = usize::try_from(self.unsigned()?).ok()?;
        if size == 0 {
            return Some(());
        }
        let kinds = self.byte()?;
        if size > self.0.len() {
            return None;
        }
        (0..size).try_for_each(|_| {
            self.skip_element(kinds >> 4, depth)?;
            self.skip_element(kinds & 0xf, depth)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A footer with a schema whose elements have these numbers of children.
    fn with_children(children: &[u8]) -> Vec<u8> {
        let mut bytes = vec![0x29, 0xf0 | kind::STRUCT, children.len() as u8];
        for n_children in children {
            bytes.extend([0x55, 2 * n_children, 0]);
        }
        bytes.push(0);
        bytes
    }

    #[test]
    fn schemas_are_trees_of_limited_depth() {
        let plain = Some(Footer {
            is_encrypted: false,
        });
        assert_eq!(footer(&with_children(&[2, 0, 0])), plain);
        assert_eq!(footer(&with_children(&[2, 1, 0, 0])), plain);
        for wrong in [&[2, 0][..], &[1, 0, 0], &[60, 0], &[]] {
            assert_eq!(footer(&with_children(wrong)), None, "{wrong:?}");
        }
        let mut deep = vec![1; 100];
        deep.push(0);
        assert_eq!(footer(&with_children(&deep)), None);
    }

    #[test]
    fn lists_are_no_longer_than_what_holds_them() {
        let huge = [0x29, 0xf0 | kind::STRUCT, 0xff, 0xff, 0xff, 0xff, 0x0f, 0];
        assert_eq!(footer(&huge), None);
        let nested = [0x19, 0x19].repeat(1000);
        assert_eq!(footer(&nested), None);
    }

    #[test]
    fn pages_say_what_they_unpack_to() {
        assert_eq!(unpacked_size(&[0x15, 0x00, 0x15, 0x80, 0x01]), Some(64));
        assert_eq!(unpacked_size(&[0x15, 0x00, 0x15, 0x01]), None);
        assert_eq!(unpacked_size(&[]), None);
    }
}
