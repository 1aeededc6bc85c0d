//! Files that are no text, told by their first bytes.

/// A kind of file that is no text. Circuits, data and messages about both tell it from the
/// content; names of files lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryKind {
    /// An archive that is unpacked while it is read.
    Gzip,
    /// Columns with names and types.
    Parquet,
    /// The same, encrypted.
    EncryptedParquet,
    /// An array of NumPy.
    Npy,
    /// Objects of Python.
    Pickle,
    /// Columns as Arrow writes them.
    Arrow,
    /// Arrays in folders.
    Hdf5,
    /// An archive of files; arrays of NumPy come in one.
    Zip,
    /// An archive.
    Xz,
    /// An archive.
    Zstandard,
    /// An archive.
    Bzip2,
    /// Text in units of two bytes.
    Utf16,
    /// A program of Linux.
    Program,
}

impl BinaryKind {
    /// The kind of a file that begins with these bytes, of which eight are enough.
    pub fn of(start: &[u8]) -> Option<Self> {
        Some(match start {
            [0x1f, 0x8b, ..] => BinaryKind::Gzip,
            [b'P', b'A', b'R', b'1', rest @ ..] if !is_text(rest) => BinaryKind::Parquet,
            [b'P', b'A', b'R', b'E', rest @ ..] if !is_text(rest) => BinaryKind::EncryptedParquet,
            [0x93, b'N', b'U', b'M', b'P', b'Y', ..] => BinaryKind::Npy,
            [0x80, 2..=5, ..] => BinaryKind::Pickle,
            [b'A', b'R', b'R', b'O', b'W', b'1', 0, 0, ..] => BinaryKind::Arrow,
            [0x89, b'H', b'D', b'F', ..] => BinaryKind::Hdf5,
            [b'P', b'K', 3, 4, ..] => BinaryKind::Zip,
            [0xfd, b'7', b'z', b'X', b'Z', ..] => BinaryKind::Xz,
            [0x28, 0xb5, 0x2f, 0xfd, ..] => BinaryKind::Zstandard,
            [b'B', b'Z', b'h', b'1'..=b'9', b'1', b'A', b'Y', ..] => BinaryKind::Bzip2,
            [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => BinaryKind::Utf16,
            [0x7f, b'E', b'L', b'F', ..] => BinaryKind::Program,
            _ => return None,
        })
    }

    /// What messages call such a file.
    pub fn title(self) -> &'static str {
        match self {
            BinaryKind::Gzip => "a gzip archive",
            BinaryKind::Parquet => "a Parquet file",
            BinaryKind::EncryptedParquet => "an encrypted Parquet file",
            BinaryKind::Npy => "an array of NumPy",
            BinaryKind::Pickle => "a Python pickle",
            BinaryKind::Arrow => "an Arrow file",
            BinaryKind::Hdf5 => "an HDF5 file",
            BinaryKind::Zip => "a zip archive (.npz is one)",
            BinaryKind::Xz => "an xz archive",
            BinaryKind::Zstandard => "a Zstandard archive",
            BinaryKind::Bzip2 => "a bzip2 archive",
            BinaryKind::Utf16 => "UTF-16 text",
            BinaryKind::Program => "a program",
        }
    }
}

/// Whether bytes go on as a text does: a header may well be `PARENT,PAR1`.
fn is_text(bytes: &[u8]) -> bool {
    let is_text = |byte: &u8| matches!(byte, b'\t' | b'\r' | b'\n' | 0x20..);
    !bytes.is_empty() && bytes.iter().take(4).all(is_text)
}
