//! Recognises files of other tools, so that they are named instead of misread.

/// First words of the neighbours' text formats.
const FIRST_WORDS: &[(&str, &str)] = &[
    ("psdd", "a PSDD"),
    ("vtree", "a vtree"),
    ("sdd", "an SDD"),
    ("nnf", "a c2d circuit"),
    ("jpc", "a Juice circuit"),
    ("BAYES", "a UAI network"),
    ("MARKOV", "a UAI network"),
];

/// What kind of foreign file the bytes are, judged by their beginning.
pub fn format(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0x1f, 0x8b, ..] => return Some("a gzip archive"),
        [0x80, 2..=5, ..] => return Some("a Python pickle"),
        [b'P', b'K', 3, 4, ..] => return Some("a zip archive"),
        _ => {}
    }
    let start = &bytes[..bytes.len().min(4096)];
    let text = String::from_utf8_lossy(start);
    // These formats have comment lines that begin with `c`.
    let is_comment =
        |line: &&str| matches!(line.split_whitespace().next(), None | Some("c" | "cc"));
    let line = text.lines().find(|line| !is_comment(line))?;
    let mut words = line.split_whitespace();
    let first = words.next()?;
    if first == "p" && matches!(words.next(), Some("cnf" | "dnf")) {
        return Some("a DIMACS formula");
    }
    let known = FIRST_WORDS.iter().find(|(word, _)| *word == first);
    // Circuit source goes on with a sign there, these formats with a number or nothing.
    let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    known
        .filter(|_| words.next().is_none_or(is_number))
        .map(|(_, name)| *name)
}

#[cfg(test)]
mod tests {
    use super::format;

    #[test]
    fn foreign_files_are_recognised_by_their_beginning() {
        assert_eq!(format(b"c a comment\npsdd 12\nL 0 0 1\n"), Some("a PSDD"));
        assert_eq!(format(b"p cnf 3 2\n1 -2 0\n"), Some("a DIMACS formula"));
        assert_eq!(format(b"\x80\x04\x95"), Some("a Python pickle"));
        assert_eq!(format(b"BAYES\n3\n2 2 2\n"), Some("a UAI network"));
    }

    #[test]
    fn circuit_source_is_not_foreign() {
        assert_eq!(format(b"// psdd 12\nvar a : bool;\nroot a;\n"), None);
        assert_eq!(format(b"psdd = 3;"), None);
        assert_eq!(format(b""), None);
    }
}
