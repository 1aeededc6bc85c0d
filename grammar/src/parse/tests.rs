use super::*;

const HMM: &str = "const T = 32;  const K = 16;  const V = 27;     // a hidden Markov model
var x[0..T] : 0..V;
param init         : simplex(K) = ?;
param trans[0..K]  : simplex(K) = ?;            // tied over time
param emit[0..K]   : simplex(V) = ?;

/// P(x[t..T] | z_t = k)
node z[t in 0..T, k in 0..K] =
    if t + 1 == T { x[t] ~ categorical(emit[k]) }
    else { x[t] ~ categorical(emit[k]) * sum j in 0..K { trans[k, j]: z[t + 1, j] } };

root sum k in 0..K { init[k]: z[0, k] };
";

fn read(text: &str) -> (File, Diagnostics) {
    let mut found = Diagnostics::new();
    let file = parse(
        &Source::standalone("t.pcirc", text),
        &ParseOptions::default(),
        &mut found,
    );
    (file, found)
}

#[test]
fn statements_of_a_file() {
    let (file, found) = read(HMM);
    assert!(found.is_empty(), "{found:?}");
    assert_eq!(file.items.len(), 9);
    assert_eq!(file.comments.len(), 2);
    assert_eq!(file.items[7].docs[0].text, "P(x[t..T] | z_t = k)");
}

#[test]
fn a_broken_statement_does_not_hide_the_next() {
    let (file, found) = read("var a : bool\nnode b = (a;\nvar c : ;\nroot c;");
    assert_eq!(
        found.count(crate::diagnostic::Severity::Error),
        3,
        "{found:?}"
    );
    assert_eq!(file.items.len(), 1);
}

#[test]
fn deep_nesting_is_an_error() {
    for (open, close) in [
        ("(", ")"),
        ("/*", "*/"),
        ("[", "]"),
        ("sum i in 0..1 {", "}"),
    ] {
        let text = format!("root {}{};", open.repeat(100_000), close.repeat(100_000));
        let (_, found) = read(&text);
        assert_eq!(
            found.iter().next().map(|d| d.code),
            Some(Code::TooDeep),
            "{open}"
        );
    }
    let text = format!("root {}a{};", "(".repeat(200), ")".repeat(200));
    assert!(read(&text).1.is_empty());
}
