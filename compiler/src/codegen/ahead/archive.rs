//! Static libraries: `ar` archives with a table of symbols, as GNU's tools write them.

/// An archive of one object.
pub(super) fn library(member: &str, object: &[u8], symbols: &[String]) -> Vec<u8> {
    let mut names = Vec::new();
    if member.len() > SHORT_NAME {
        names.extend(member.bytes());
        names.extend(b"/\n");
    }
    let texts: usize = symbols.iter().map(|symbol| symbol.len() + 1).sum();
    let table_bytes = even(4 + 4 * symbols.len() + texts);
    let mut object_at = MAGIC.len() + HEAD + table_bytes;
    if !names.is_empty() {
        object_at += HEAD + even(names.len());
    }
    let mut table = (symbols.len() as u32).to_be_bytes().to_vec();
    for _ in symbols {
        table.extend((object_at as u32).to_be_bytes());
    }
    for symbol in symbols {
        table.extend(symbol.bytes());
        table.push(0);
    }
    let mut archive = MAGIC.to_vec();
    put(&mut archive, "/", &table, 0);
    let name = match names.is_empty() {
        true => format!("{member}/"),
        false => {
            put(&mut archive, "//", &names, b'\n');
            "/0".to_string()
        }
    };
    put(&mut archive, &name, object, b'\n');
    archive
}

const MAGIC: &[u8] = b"!<arch>\n";

/// Bytes of what stands before a member.
const HEAD: usize = 60;

/// The longest name that fits there with its slash.
const SHORT_NAME: usize = 15;

fn even(n: usize) -> usize {
    n.next_multiple_of(2)
}

/// Adds a member. Its date, owner and rights say nothing, so that equal inputs give equal
/// files.
fn put(archive: &mut Vec<u8>, name: &str, bytes: &[u8], filler: u8) {
    let size = match name {
        "/" => even(bytes.len()),
        _ => bytes.len(),
    };
    let head = format!("{name:<16}{:<12}{:<6}{:<6}{:<8}{size:<10}`\n", 0, 0, 0, 644);
    archive.extend(head.bytes());
    archive.extend(bytes);
    if !bytes.len().is_multiple_of(2) {
        archive.push(filler);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_begin_where_the_table_says() {
        for member in ["short.o", "a_name_that_is_too_long.o"] {
            let symbols = ["first".to_string(), "second".to_string()];
            let archive = library(member, b"an object", &symbols);
            let table = &archive[MAGIC.len() + HEAD..];
            let at = u32::from_be_bytes([table[4], table[5], table[6], table[7]]) as usize;
            assert_eq!(&archive[at + HEAD..at + HEAD + 9], b"an object", "{member}");
            assert!(archive.len().is_multiple_of(2));
        }
    }
}
