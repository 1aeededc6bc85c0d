//! File URIs and paths.

use lsp_types::Uri;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// What stands as it is in the path of a URI.
const PLAIN: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'/')
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'~');

/// The path of a `file:` URI; `None` for documents that are no files.
pub fn to_path(uri: &Uri) -> Option<PathBuf> {
    let is_file = uri.scheme()?.as_str().eq_ignore_ascii_case("file");
    let path = is_file.then(|| percent_decode_str(uri.path().as_str()).decode_utf8())?;
    let path = path.ok()?;
    // Windows writes `/c:/…`.
    let is_drive = |rest: &&str| matches!(rest.as_bytes(), [b'a'..=b'z' | b'A'..=b'Z', b':', ..]);
    let drive = path.strip_prefix('/').filter(is_drive);
    Some(PathBuf::from(drive.unwrap_or(&path)))
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
    let path = utf8_percent_encode(&text, PLAIN);
    Uri::from_str(&format!("file://{lead}{path}")).ok()
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
