//! File URIs and paths.

use lsp_types::Uri;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// The path of a `file:` URI; `None` for documents that are no files.
pub fn to_path(uri: &Uri) -> Option<PathBuf> {
    let rest = strip_scheme(uri.as_str())?;
    // What stands before the next slash is a host: empty, or this machine.
    let path = &rest[rest.find('/')?..];
    let path = decode(path)?;
    let bytes = path.as_bytes();
    let has_drive = bytes.len() > 2 && bytes[1].is_ascii_alphabetic() && bytes[2] == b':';
    Some(PathBuf::from(if has_drive { &path[1..] } else { &path }))
}

/// The URI of an absolute path.
pub fn from_path(path: &Path) -> Option<Uri> {
    let text = path.to_str()?;
    // Windows marks canonical paths with a prefix that no editor knows.
    let text = text
        .strip_prefix(r"\\?\")
        .unwrap_or(text)
        .replace('\\', "/");
    let lead = if text.starts_with('/') { "" } else { "/" };
    Uri::from_str(&format!("file://{lead}{}", encode(&text))).ok()
}

/// One spelling for each file, so that two spellings of one path are found equal.
pub fn identity(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| without_dots(path))
}

/// `a/./b/../c` as `a/c`, for files that are not on disk.
fn without_dots(path: &Path) -> PathBuf {
    use std::path::Component;
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => _ = plain.pop(),
            other => plain.push(other),
        }
    }
    plain
}

fn strip_scheme(uri: &str) -> Option<&str> {
    let (scheme, rest) = uri.split_once("://")?;
    scheme.eq_ignore_ascii_case("file").then_some(rest)
}

fn decode(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        let digit = |byte: Option<u8>| char::from(byte?).to_digit(16);
        bytes.push(match byte {
            b'%' => (digit(rest.next())? * 16 + digit(rest.next())?) as u8,
            byte => byte,
        });
    }
    String::from_utf8(bytes).ok()
}

fn encode(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' => {
                out.push(char::from(byte));
            }
            byte => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_survive_the_way_there_and_back() {
        for text in ["/a b/ü#?.pcirc", "/x/100%.pcirc"] {
            let uri = from_path(Path::new(text)).unwrap();
            assert_eq!(to_path(&uri), Some(PathBuf::from(text)), "{}", uri.as_str());
        }
        let drive = Uri::from_str("file:///c%3A/x.pcirc").unwrap();
        assert_eq!(to_path(&drive), Some(PathBuf::from("c:/x.pcirc")));
        let untitled = Uri::from_str("untitled:Untitled-1").unwrap();
        assert_eq!(to_path(&untitled), None);
    }
}
