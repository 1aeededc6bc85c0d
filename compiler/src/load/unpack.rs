//! The bytes of a circuit, unpacked and within limits.

use super::BinaryKind;
use flate2::read::MultiGzDecoder;
use std::io::{self, Cursor, Error, ErrorKind, Read};

/// The largest source text: one huge statement takes some 150 bytes of memory
/// for each byte of text while it is parsed.
pub const LARGEST_SOURCE: u64 = 64 << 20;
/// The largest text of another tool, which is read line by line.
pub const LARGEST_IMPORT: u64 = 1 << 30;

/// Bytes by which a format is told.
const START: u64 = 1 << 16;

/// Reads a circuit: what is gzipped is unpacked, and what is larger than the limit is an
/// error, so that an endless stream is one too. The first bytes decide on the limit, once
/// they are unpacked.
pub fn read_with(stream: impl Read, limit: impl Fn(&[u8]) -> u64) -> io::Result<Vec<u8>> {
    let (start, rest) = begin(stream)?;
    // The first bytes say whether it is packed; unpacked, they say what it is, and so how large
    // it may be.
    if BinaryKind::of(&start) != Some(BinaryKind::Gzip) {
        return read_rest(start, rest, &limit);
    }
    let packed = Cursor::new(start).chain(rest);
    let (start, rest) = begin(MultiGzDecoder::new(packed)).map_err(damaged)?;
    if BinaryKind::of(&start) == Some(BinaryKind::Gzip) {
        return Err(Error::other("it is a gzip archive in a gzip archive"));
    }
    read_rest(start, rest, &limit).map_err(damaged)
}

/// The first bytes, and the stream behind them.
fn begin<R: Read>(mut stream: R) -> io::Result<(Vec<u8>, R)> {
    let mut start = Vec::new();
    (&mut stream).take(START).read_to_end(&mut start)?;
    Ok((start, stream))
}

fn read_rest(
    start: Vec<u8>,
    rest: impl Read,
    limit: &impl Fn(&[u8]) -> u64,
) -> io::Result<Vec<u8>> {
    let largest = limit(&start);
    let n_more = (largest + 1).saturating_sub(start.len() as u64);
    let mut bytes = start;
    rest.take(n_more).read_to_end(&mut bytes)?;
    if bytes.len() as u64 <= largest {
        return Ok(bytes);
    }
    let message = format!("it is larger than {} MiB", largest >> 20);
    Err(Error::other(message))
}

/// An error of an archive in plain words.
fn damaged(error: Error) -> Error {
    match error.kind() {
        ErrorKind::UnexpectedEof => {
            Error::other("the gzip archive ends too early; was it copied completely?")
        }
        ErrorKind::InvalidData | ErrorKind::InvalidInput => {
            Error::other("the gzip archive is damaged")
        }
        _ => error,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::write::GzEncoder;
    use std::io::Write;

    fn packed(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn read(bytes: &[u8]) -> Result<Vec<u8>, String> {
        read_with(bytes, |_| 1 << 20).map_err(|error| error.to_string())
    }

    #[test]
    fn what_is_packed_is_unpacked() {
        let text = "root x;".repeat(20_000);
        assert_eq!(read(text.as_bytes()).unwrap(), text.as_bytes());
        assert_eq!(read(&packed(text.as_bytes())).unwrap(), text.as_bytes());
        assert_eq!(read(b"").unwrap(), b"");
    }

    #[test]
    fn endless_and_broken_archives_are_errors() {
        let bomb = packed(&vec![b' '; 2 << 20]);
        assert_eq!(read(&bomb).unwrap_err(), "it is larger than 1 MiB");
        assert_eq!(
            read(&vec![b' '; 2 << 20]).unwrap_err(),
            "it is larger than 1 MiB"
        );
        let cut = &bomb[..bomb.len() / 2];
        assert!(read(cut).unwrap_err().contains("ends too early"));
        assert!(
            read(&packed(&packed(b"x")))
                .unwrap_err()
                .contains("in a gzip archive")
        );
        let mut broken = packed(b"root x;");
        broken[12] ^= 0xff;
        assert!(read(&broken).unwrap_err().contains("gzip archive"));
    }
}
