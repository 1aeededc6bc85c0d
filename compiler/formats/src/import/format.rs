//! The formats of other tools, and how they are told apart.

use pelton_compiler::load::BinaryKind;

/// A file format of another tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CircuitFormat {
    /// Probabilistic sentential decision diagrams.
    Psdd,
    /// The tree of variables of a PSDD or SDD.
    Vtree,
    /// Sentential decision diagrams.
    Sdd,
    /// Circuits of Juice.
    Jpc,
    /// Sum-product networks of Juice.
    Spn,
    /// Chow-Liu trees.
    Clt,
    /// Circuits of c2d.
    Nnf,
    /// Circuits of d4.
    D4,
    /// Formulas in conjunctive normal form.
    Cnf,
    /// Formulas in disjunctive normal form.
    Dnf,
    /// Networks of the UAI competitions.
    Uai,
    /// Bayesian networks.
    Bif,
    /// Sum-product networks as SPFlow 0.x prints them.
    Spflow,
    /// Sum-product networks of deeprob-kit.
    Deeprob,
    /// Logistic circuits, which are no distributions.
    Logistic,
    /// Serialized Python objects.
    Pickle,
}

impl CircuitFormat {
    /// Whether circuits of this format can be read.
    pub fn is_read(self) -> bool {
        !matches!(
            self,
            CircuitFormat::Vtree | CircuitFormat::Logistic | CircuitFormat::Pickle
        )
    }

    /// What messages call a file of this format.
    pub fn title(self) -> &'static str {
        match self {
            CircuitFormat::Psdd => "a PSDD",
            CircuitFormat::Vtree => "a vtree",
            CircuitFormat::Sdd => "an SDD",
            CircuitFormat::Jpc => "a Juice circuit (jpc)",
            CircuitFormat::Spn => "a Juice sum-product network (spn)",
            CircuitFormat::Clt => "a Chow-Liu tree",
            CircuitFormat::Nnf => "a c2d circuit (nnf)",
            CircuitFormat::D4 => "a d4 circuit",
            CircuitFormat::Cnf => "a formula in conjunctive normal form",
            CircuitFormat::Dnf => "a formula in disjunctive normal form",
            CircuitFormat::Uai => "a UAI network",
            CircuitFormat::Bif => "a Bayesian network (bif)",
            CircuitFormat::Spflow => "an SPFlow text",
            CircuitFormat::Deeprob => "a deeprob-kit network (json)",
            CircuitFormat::Logistic => "a logistic circuit",
            CircuitFormat::Pickle => "a Python pickle",
        }
    }
}

/// First words of formats that have one.
const FIRST_WORDS: &[(&str, CircuitFormat)] = &[
    ("psdd", CircuitFormat::Psdd),
    ("vtree", CircuitFormat::Vtree),
    ("sdd", CircuitFormat::Sdd),
    ("nnf", CircuitFormat::Nnf),
    ("jpc", CircuitFormat::Jpc),
    ("BAYES", CircuitFormat::Uai),
    ("MARKOV", CircuitFormat::Uai),
];

/// Endings of formats; they count only where the content says nothing.
const ENDINGS: &[(&str, CircuitFormat)] = &[
    (".psdd", CircuitFormat::Psdd),
    (".sdd", CircuitFormat::Sdd),
    (".jpc", CircuitFormat::Jpc),
    (".spn", CircuitFormat::Spn),
    (".clt", CircuitFormat::Clt),
    (".ddnnf", CircuitFormat::D4),
    (".nnf", CircuitFormat::Nnf),
    (".cnf", CircuitFormat::Cnf),
    (".dnf", CircuitFormat::Dnf),
    (".uai", CircuitFormat::Uai),
    (".bif", CircuitFormat::Bif),
    (".spflow", CircuitFormat::Spflow),
];

/// Bytes that are looked at.
const START: usize = 1 << 16;

/// Which format the bytes are in, judged by their beginning and, where that says too
/// little, by the file's name; `None` for circuit source and what is unknown.
pub fn sniff(name: &str, bytes: &[u8]) -> Option<CircuitFormat> {
    let name = name.strip_suffix(".gz").unwrap_or(name);
    by_content(name, bytes).or_else(|| {
        let mut known = ENDINGS.iter().filter(|(ending, _)| name.ends_with(ending));
        known.next().map(|(_, format)| *format)
    })
}

/// Which format the beginning of a file is in.
fn by_content(name: &str, bytes: &[u8]) -> Option<CircuitFormat> {
    if BinaryKind::of(bytes) == Some(BinaryKind::Pickle) {
        return Some(CircuitFormat::Pickle);
    }
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(START)]);
    let text = text.trim_start_matches('\u{feff}');
    let is_comment =
        |line: &&str| matches!(line.split_whitespace().next(), None | Some("c" | "cc"));
    let mut lines = text.lines().filter(|line| !is_comment(line));
    let line = lines.next()?.trim();
    let words: Vec<&str> = line.split_whitespace().take(4).collect();
    let has_ending = |ending: &str| name.ends_with(ending);
    let is_number = |word: &&str| word.bytes().all(|byte| byte.is_ascii_digit());
    match words[..] {
        ["p", "cnf", ..] => return Some(CircuitFormat::Cnf),
        ["p", "dnf", ..] => return Some(CircuitFormat::Dnf),
        ["o" | "a" | "t" | "f", id, "0"] if is_number(&id) => return Some(CircuitFormat::D4),
        ["Logistic" | "Logisitic", ..] => return Some(CircuitFormat::Logistic),
        ["network", ..] if has_ending(".bif") || line.contains('{') || words.len() == 2 => {
            return Some(CircuitFormat::Bif);
        }
        _ => {}
    }
    // Circuit source goes on with a sign there, these formats with a number or nothing.
    let known = FIRST_WORDS.iter().find(|(word, _)| *word == words[0]);
    if let Some((_, format)) = known.filter(|_| words.get(1).is_none_or(is_number)) {
        return Some(*format);
    }
    if words.len() == 1 && is_number(&words[0]) {
        return Some(CircuitFormat::Clt);
    }
    if line.starts_with('{') {
        return Some(CircuitFormat::Deeprob);
    }
    let is_domains = |inner: &str| inner.split_whitespace().all(|word| is_number(&word));
    let domains = line
        .strip_prefix('(')
        .and_then(|rest| rest.strip_suffix(')'));
    if domains.is_some_and(|inner| !inner.trim().is_empty() && is_domains(inner)) {
        return Some(CircuitFormat::Spn);
    }
    let is_leaf = |line: &str| {
        let word: String = line.chars().take_while(char::is_ascii_alphabetic).collect();
        !word.is_empty() && line[word.len()..].starts_with("(V")
    };
    if line.starts_with('(') || is_leaf(line) {
        Some(CircuitFormat::Spflow)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_told_by_their_beginning() {
        let told = |text: &str| sniff("file", text.as_bytes());
        assert_eq!(
            told("c a comment\npsdd 12\nL 0 0 1\n"),
            Some(CircuitFormat::Psdd)
        );
        assert_eq!(told("p cnf 3 2\n1 -2 0\n"), Some(CircuitFormat::Cnf));
        assert_eq!(told("BAYES\n3\n2 2 2\n"), Some(CircuitFormat::Uai));
        assert_eq!(told("o 1 0\na 2 0\n1 2 0\n"), Some(CircuitFormat::D4));
        assert_eq!(told("(2 2 2)\nv 0 1\n"), Some(CircuitFormat::Spn));
        assert_eq!(
            told("(0.4*(Gaussian(V0|mean=0;stdev=1)))"),
            Some(CircuitFormat::Spflow)
        );
        assert_eq!(
            told("Categorical(V0|p=[0.2, 0.8])"),
            Some(CircuitFormat::Spflow)
        );
        assert_eq!(told("2\n1\n1 0.5\n2 1 0.3 0.6\n"), Some(CircuitFormat::Clt));
        assert_eq!(told("network unknown {\n}\n"), Some(CircuitFormat::Bif));
        assert_eq!(told("{\"directed\": true}"), Some(CircuitFormat::Deeprob));
        assert_eq!(sniff("x.jpc", b"\x80\x04\x95"), Some(CircuitFormat::Pickle));
    }

    #[test]
    fn circuit_source_is_not_foreign() {
        let told = |text: &str| sniff("file.pcirc", text.as_bytes());
        assert_eq!(told("// psdd 12\nvar a : bool;\nroot a;\n"), None);
        assert_eq!(told("psdd = 3;"), None);
        assert_eq!(sniff("x.psdd.gz", b"L 0 0 1"), Some(CircuitFormat::Psdd));
        assert_eq!(told("@smooth root a;"), None);
        assert_eq!(told(""), None);
    }
}
