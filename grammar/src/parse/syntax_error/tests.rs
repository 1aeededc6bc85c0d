//! Bad texts with what is said about them and where.

use crate::diagnostic::{SourceDiagnostic, SourceDiagnostics};
use crate::parse::{ParseOptions, parse, parse_query};
use crate::source::Source;

/// A text with its fault between `«` and `»`, the message, and the text after the suggested
/// repair (empty if there is none).
const TABLE: &[(&str, &str, &str)] = &[
    // The frame of a statement.
    (
        "var a : bool«»\nnode b = a;",
        "this statement does not end in `;`",
        "var a : bool;\nnode b = a;",
    ),
    (
        "node a = b«»\nc = d;",
        "this statement does not end in `;`",
        "node a = b;\nc = d;",
    ),
    ("«;»", "this `;` ends no statement", ""),
    (
        "«nod» a = b;",
        "unknown statement `nod`; did you mean `node`?",
        "node a = b;",
    ),
    (
        "«import» lib;",
        "unknown statement `import`; did you mean `use`?",
        "use lib;",
    ),
    (
        "«a» = b;",
        "a statement begins with a keyword, and `a` is none",
        "node a = b;",
    ),
    (
        "«a» : bool;",
        "a statement begins with a keyword, and `a` is none",
        "var a : bool;",
    ),
    ("«for» k in 0..3 { a };", "there is no `for` statement", ""),
    ("«3»;", "expected a statement, found `3`", ""),
    (
        "var «in» : bool;",
        "`in` is a reserved word and cannot be a name as it stands",
        "var `in` : bool;",
    ),
    (
        "var «node» : bool;",
        "`node` is a reserved word and cannot be a name as it stands",
        "var `node` : bool;",
    ),
    (
        "node a = f(b, «root»);",
        "`root` is a reserved word and cannot be a name as it stands",
        "node a = f(b, `root`);",
    ),
    (
        "node a «0.3»: b;",
        "`node` needs a `=` before its value",
        "node a = 0.3: b;",
    ),
    (
        "const a «3»;",
        "`const` needs a `=` before its value",
        "const a = 3;",
    ),
    ("node a«;»", "`node` needs a `=` before its value", ""),
    (
        "node a «:=» b;",
        "`node` is defined with `=`, not with `:=`",
        "node a = b;",
    ),
    (
        "node a «:» b;",
        "`node` is defined with `=`, not with `:`",
        "node a = b;",
    ),
    (
        "node f«(»x) = x;",
        "a node has no arguments",
        "def f(x) = x;",
    ),
    (
        "def f «=» x;",
        "a definition needs its arguments in parentheses",
        "def f() = x;",
    ),
    (
        "var x «bool»;",
        "`var` needs a `:` and a domain",
        "var x : bool;",
    ),
    (
        "param w «=» ?;",
        "`param` needs a `:` and a kind",
        "param w : real = ?;",
    ),
    (
        "var a, «:» bool;",
        "a name must follow the `,`, found `:`",
        "var a : bool;",
    ),
    (
        "var a : «;»",
        "expected a domain (`bool`, `real`, `nat`, `{a, b}` or `0..n`), found the end of the statement",
        "",
    ),
    (
        "assert root «smooth»;",
        "`assert` needs the word `is`",
        "assert root is smooth;",
    ),
    (
        "assert root«:» smooth;",
        "`assert` needs the word `is`",
        "assert root is smooth;",
    ),
    (
        "use «lib.pcirc» as lib;",
        "the file of a `use` stands in quotes",
        "use \"lib.pcirc\" as lib;",
    ),
    ("node a[k«]» = b;", "index `k` needs a range", ""),
    (
        "node a[«0»..3] = b;",
        "an index of a node needs a name",
        "node a[k in 0..3] = b;",
    ),
    ("node «=» b;", "expected a name, found `=`", ""),
    (
        "node a = «;»",
        "expected an expression, found the end of the statement",
        "",
    ),
    // Documentation and attributes.
    (
        "var a : bool;\n«/// doc»",
        "this doc comment stands before no statement",
        "var a : bool;\n// doc",
    ),
    (
        "«@»column(\"a\")",
        "attribute `@column` stands before no statement",
        "",
    ),
    (
        "node a = b +\n«/// doc»\nc;",
        "a doc comment cannot stand inside a statement",
        "node a = b +\n// doc\nc;",
    ),
    (
        "node a = b «/// doc»\n/ c;",
        "a doc comment cannot stand inside a statement",
        "node a = b // doc\n/ c;",
    ),
    (
        "node a = f(b, «/// doc»\nc);",
        "a doc comment cannot stand inside a statement",
        "node a = f(b, // doc\nc);",
    ),
    // Tokens and operators.
    (
        "const a = «1.»;",
        "a digit must follow the point: write `1.0`",
        "const a = 1.0;",
    ),
    (
        "const a = «.5»;",
        "a number cannot begin with its point: write `0.5`",
        "const a = 0.5;",
    ),
    ("const a = «1e»;", "the exponent of `1e` has no digits", ""),
    (
        "node a = «0.3b»;",
        "a `:` is missing between the weight `0.3` and `b`",
        "node a = 0.3: b;",
    ),
    (
        "const a = «3x»;",
        "an operator is missing between `3` and `x`",
        "const a = 3 * x;",
    ),
    (
        "node a = 0.3 «(»b);",
        "a `:` is missing behind the weight `0.3`",
        "node a = 0.3: (b);",
    ),
    (
        "node a = 0.3: b + 0.7 «c»;",
        "a `:` is missing behind the weight `0.7`",
        "node a = 0.3: b + 0.7: c;",
    ),
    ("node a = 0.3: 0.4«:» b;", "a term has one weight", ""),
    (
        "node a = b «&» c;",
        "the logical operator is `&&`, not `&`",
        "node a = b && c;",
    ),
    (
        "node a = b «|» c;",
        "the logical operator is `||`, not `|`",
        "node a = b || c;",
    ),
    (
        "node a = b «and» c;",
        "`and` is written `&&`",
        "node a = b && c;",
    ),
    (
        "node a = b «or» c;",
        "`or` is written `||`",
        "node a = b || c;",
    ),
    (
        "node a = «not» b;",
        "negation is written `!`",
        "node a = !b;",
    ),
    ("node a = «!!»b;", "`!!` cancels itself", "node a = b;"),
    ("node a = «-!»b;", "`-` and `!` cannot stand together", ""),
    ("const a = 2«**»3;", "`**` is written `^`", "const a = 2^3;"),
    ("const a = 2^3«^»4;", "powers do not chain", ""),
    (
        "const a = b «?» 1 : 2;",
        "`?` stands for what is learned and joins nothing",
        "",
    ),
    ("node a = b «×» c;", "`×` is written `*`", "node a = b * c;"),
    (
        "node a = f(«'»b');",
        "a text stands in straight double quotes",
        "node a = f(\"b\");",
    ),
    (
        "«#» note\nvar a : bool;",
        "a comment begins with `//`, not with `#`",
        "// note\nvar a : bool;",
    ),
    (
        "node a = b «+» ;",
        "nothing follows the `+`",
        "node a = b ;",
    ),
    (
        "node a = (b «*») + c;",
        "nothing follows the `*`",
        "node a = (b) + c;",
    ),
    (
        "node a = b «c»;",
        "an operator is missing before `c`",
        "node a = b * c;",
    ),
    (
        "node a = f(b «c»);",
        "an operator is missing before `c`",
        "node a = f(b, c);",
    ),
    (
        "node a = x ~ «;»",
        "a distribution must follow `~`, found the end of the statement",
        "",
    ),
    (
        "node a = x ~ normal«;»",
        "the distribution `normal` needs its parameters in parentheses",
        "",
    ),
    ("node a = «<» b;", "expected an expression, found `<`", ""),
    (
        "node a = b«,» c;",
        "expected an operator or `;`, found `,`",
        "",
    ),
    // Brackets and blocks.
    (
        "node a = «(»b;",
        "this `(` is never closed",
        "node a = (b);",
    ),
    ("node a = b«)»;", "this `)` closes nothing", "node a = b;"),
    ("node a = (b«]»;", "`]` cannot close `(`", "node a = (b);"),
    (
        "node a = x ~ normal«(»0, 1 in [0, 1);",
        "this `(` is never closed",
        "",
    ),
    (
        "node a = [x in «[0..3]»];",
        "a range stands without brackets",
        "node a = [x in 0..3];",
    ),
    ("node a = sum k in 0..3 «{ }»;", "this block is empty", ""),
    (
        "node a = if b { c } else «d» * e;",
        "the body of an `else` stands in braces",
        "node a = if b { c } else { d * e };",
    ),
    (
        "node a = if b «c» else { d };",
        "the body of a repetition or condition stands in braces",
        "node a = if b { c } else { d };",
    ),
    (
        "node a = sum k in 0..3 «w»[k]: b;",
        "the body of a repetition or condition stands in braces",
        "node a = sum k in 0..3 { w[k]: b };",
    ),
    (
        "node a = sum k «0»..3 { b };",
        "index `k` needs a range",
        "node a = sum k in 0..3 { b };",
    ),
    (
        "node a = if b «then» { c };",
        "there is no word `then` before a block",
        "node a = if b  { c };",
    ),
    (
        "node a = [b «for» k in 0..3];",
        "there is no `for` in expressions",
        "",
    ),
];

fn messages(text: &str) -> Vec<SourceDiagnostic> {
    let mut found = SourceDiagnostics::new();
    parse(
        &Source::standalone("t", text),
        &ParseOptions::default(),
        &mut found,
    );
    found.into_iter().collect()
}

/// The text with the repairs of one message made.
fn repaired(text: &str, diagnostic: &SourceDiagnostic) -> String {
    let mut text = text.to_string();
    let edits = diagnostic
        .suggestions
        .iter()
        .flat_map(|suggestion| &suggestion.edits);
    for (span, replacement) in edits.rev() {
        text.replace_range(span.range(), replacement);
    }
    text
}

#[test]
fn each_mistake_has_its_message_place_and_repair() {
    for (marked, message, repair) in TABLE {
        let start = marked.find('«').unwrap();
        let end = marked.find('»').unwrap() - '«'.len_utf8();
        let text = marked.replace(['«', '»'], "");
        let found = messages(&text);
        let first = found
            .first()
            .unwrap_or_else(|| panic!("nothing is said about {text:?}"));
        assert_eq!(first.message, *message, "{text:?}");
        assert_eq!(
            first.primary_span().unwrap().range(),
            start..end,
            "{text:?}"
        );
        assert!(!first.labels[0].text.is_empty(), "{text:?}");
        if !repair.is_empty() {
            assert_eq!(repaired(&text, first), *repair);
        }
    }
}

#[test]
fn a_repair_leads_to_a_text_without_that_fault() {
    for (marked, _, repair) in TABLE {
        let text = marked.replace(['«', '»'], "");
        let (before, after) = (messages(&text), messages(repair));
        assert!(
            after.len() < before.len() || after[0].message != before[0].message,
            "{repair:?}"
        );
    }
}

#[test]
fn a_bracket_of_the_wrong_kind_shows_the_opening_one() {
    let found = messages("node a = (b];");
    assert_eq!(found[0].labels[1].span.range(), 9..10);
}

#[test]
fn a_query_on_its_own() {
    let said = |text: &str| {
        let mut found = SourceDiagnostics::new();
        let query = parse_query(
            &Source::standalone("q", text),
            &ParseOptions::default(),
            &mut found,
        );
        assert_eq!(query.is_some(), found.is_empty());
        found
            .into_iter()
            .next()
            .map(|diagnostic| diagnostic.message)
    };
    assert_eq!(said("P(rain | wet)"), None);
    assert_eq!(
        said("P(rain);").as_deref(),
        Some("a query on its own has no `;`")
    );
    assert_eq!(
        said("query P(rain)").as_deref(),
        Some("a query on its own has no `query`")
    );
    assert_eq!(
        said("P(rain | )").as_deref(),
        Some("expected an expression, found `)`")
    );
    assert!(said("").is_some());
}

#[test]
fn no_message_names_a_rule_of_the_grammar() {
    for (marked, ..) in TABLE {
        for diagnostic in messages(&marked.replace(['«', '»'], "")) {
            assert!(
                !diagnostic.message.contains("_decl") && !diagnostic.message.contains("BUILTIN")
            );
        }
    }
}

#[test]
fn a_fault_deep_in_brackets_is_found() {
    let text = format!("root {}a b{};", "(".repeat(150), ")".repeat(150));
    assert_eq!(
        messages(&text)[0].message,
        "an operator is missing before `b`"
    );
}

#[test]
fn threads_do_not_disturb_each_other() {
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..50 {
                    assert_eq!(
                        messages("var x bool;")[0].message,
                        "`var` needs a `:` and a domain"
                    );
                }
            });
        }
    });
}
