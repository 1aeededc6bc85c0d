//! What the messages say, word for word where the words are promised.

use super::sketch::{Sketch, Sketched};
use crate::circuit::*;
use pelton_grammar::diagnostic::Code;

#[test]
fn not_smooth_shows_both_scopes_and_the_repair() {
    let mut s = Sketch::new("node a = 0.4: rain * wet + 0.6: !rain;");
    let [rain, wet] = s.booleans(["rain", "wet"]);
    let factors = [(s.literal(rain, 1), "rain"), (s.literal(wet, 1), "wet")];
    let full = s.product(&factors, "rain * wet");
    let short = s.literal(rain, 0);
    let terms = [(0.4, full, "rain * wet"), (0.6, short, "!rain")];
    let root = s.sum(Some(("a", &[])), &terms, "0.4: rain * wet + 0.6: !rain");
    let expected = "\
error[PC0101]: sum node `a` is not smooth
 --> test.pcirc:1:33
  |
1 | node a = 0.4: rain * wet + 0.6: !rain;
  |               ----------        ^^^^^ this child has scope {rain}
  |               |
  |               this child has scope {rain, wet}
  |
  = note: every child of a sum must mention the same variables; child 2 is missing `wet`
help: multiply the short child by a distribution over `wet` (here: uniform)
  |
1 | node a = 0.4: rain * wet + 0.6: !rain * wet ~ bernoulli(0.5);
  |                                       ++++++++++++++++++++++";
    assert_eq!(s.finish(root).messages(), expected);
}

/// `0.5: a * y + 0.5: !a` for a `y` of the given domain.
fn short_of(domain: Domain) -> Sketched {
    let mut s = Sketch::new("0.5: a * y + 0.5: !a");
    let [a] = s.booleans(["a"]);
    let y = s.variable("y", domain);
    let leaf = s.uniform(y, 0.0, 1.0);
    let factors = [(s.literal(a, 1), "a"), (leaf, "y")];
    let full = s.product(&factors, "a * y");
    let short = s.literal(a, 0);
    let terms = [(0.5, full, "a * y"), (0.5, short, "!a")];
    let root = s.sum(None, &terms, "0.5: a * y + 0.5: !a");
    s.finish(root)
}

#[test]
fn the_repair_fits_the_domain() {
    let sky = Domain::Categories(["clear", "cloudy", "storm"].map(String::from).into());
    let edits = |domain| {
        let (_, found) = short_of(domain).examine();
        let first = found.iter().next().unwrap().clone();
        (
            first.suggestions,
            first.help.unwrap_or_default().to_string(),
        )
    };
    let text = |domain| edits(domain).0[0].edits[0].1.clone();
    assert_eq!(text(sky), " * y ~ categorical(1/3, 1/3, 1/3)");
    assert_eq!(
        text(Domain::Range { low: 0, high: 256 }),
        " * y ~ uniform()"
    );
    for (domain, example) in [
        (Domain::Real, "`y ~ normal(0, 1)`"),
        (Domain::Nat, "`y ~ poisson(1)`"),
    ] {
        let (suggestions, help) = edits(domain);
        assert!(suggestions.is_empty());
        assert!(
            help.contains(example) && help.contains("no uniform distribution"),
            "{help}"
        );
    }
}

#[test]
fn instances_at_one_place_are_one_message() {
    let mut s =
        Sketch::new("node z[t in 0..9] = 0.5: x[t] + 0.5: y[t]; node other = 0.3: p + 0.7: q");
    let mut factors = Vec::new();
    for t in 0..9 {
        let x = s.variable(&format!("x[{t}]"), Domain::Bool);
        let y = s.variable(&format!("y[{t}]"), Domain::Bool);
        let terms = [
            (0.5, s.literal(x, 1), "x[t]"),
            (0.5, s.literal(y, 1), "y[t]"),
        ];
        let sum = s.sum(Some(("z", &[t])), &terms, "0.5: x[t] + 0.5: y[t]");
        factors.push((sum, "z"));
    }
    let [p, q] = s.booleans(["p", "q"]);
    let terms = [(0.3, s.literal(p, 1), "p"), (0.7, s.literal(q, 1), "q")];
    let other = s.sum(Some(("other", &[])), &terms, "0.3: p + 0.7: q");
    factors.push((other, "other"));
    let root = s.product(&factors, "");
    let sketched = s.finish(root);
    let (_, found) = sketched.examine();
    let found: Vec<_> = found.iter().collect();
    assert_eq!(found.len(), 2);
    assert_eq!(
        found[0].message,
        "sum node `z[0]` is not smooth, and 8 more instances"
    );
    // The text makes nine sums, so an edit that is right for one breaks eight.
    assert!(found[0].suggestions.is_empty() && found[0].help.is_some());
    assert_eq!(found[1].message, "sum node `other` is not smooth");
    // Both children miss something, and both are repaired.
    assert_eq!(found[1].suggestions[0].edits.len(), 2);
}

#[test]
fn children_of_a_repetition_are_told_apart_by_name() {
    let mut s = Sketch::new("sum k in 0..2 { w[k]: comp[k] }");
    let [a, b] = s.booleans(["a", "b"]);
    let leaves = [(s.literal(a, 1), ""), (s.literal(b, 1), "")];
    let short = s.sum(Some(("comp", &[0])), &[(1.0, leaves[0].0, "")], "");
    let both = s.product(&leaves, "");
    let full = s.sum(Some(("comp", &[1])), &[(1.0, both, "")], "");
    let terms = [(0.5, short, "comp[k]"), (0.5, full, "comp[k]")];
    let root = s.sum(None, &terms, "sum k in 0..2 { w[k]: comp[k] }");
    let text = s.finish(root).messages();
    let label = "child 1 (`comp[0]`) has scope {a}, child 2 (`comp[1]`) has scope {a, b}";
    assert!(text.contains(label), "{text}");
    assert!(
        !text.contains("~"),
        "no edit of a term that stands for two: {text}"
    );
}

#[test]
fn long_scopes_are_abbreviated_and_messages_capped() {
    let text: String = (0..30).map(|i| format!("<{i}>")).collect();
    let mut s = Sketch::new(&text);
    let x: Vec<VarId> = (0..1024)
        .map(|i| s.variable(&format!("x[{i}]"), Domain::Bool))
        .collect();
    let all: Vec<_> = x
        .iter()
        .map(|&x| s.literal(x, 1))
        .map(|unit| (unit, ""))
        .collect();
    let full = s.product(&all, "");
    let mut sums = Vec::new();
    for (i, &(leaf, _)) in all.iter().enumerate().take(30) {
        let words = format!("<{i}>");
        let terms = [(0.5, full, ""), (0.5, leaf, words.as_str())];
        sums.push((0.5, s.sum(None, &terms, &words), ""));
    }
    let entries = vec![ParameterEntry::learned(); 30];
    let root = s.sum_of(None, &entries, ParamKind::Simplex, &sums, "");
    let sketched = s.finish(root);
    let (_, found) = sketched.examine();
    assert_eq!(found.len(), 21);
    assert_eq!(
        found.iter().last().unwrap().message,
        "10 more sums are not smooth"
    );
    let first = found.iter().next().unwrap();
    let shown = "this child has scope {x[0], x[1], x[2], … 1,021 more}";
    assert!(
        first.labels.iter().any(|label| label.text == shown),
        "{first:?}"
    );
    assert!(
        first.suggestions.is_empty(),
        "1,023 factors are not written out"
    );
}

#[test]
fn not_decomposable_names_the_shared_variable() {
    let mut s = Sketch::new("node p = temp ~ uniform(0, 9) * [10 <= temp < 20] * a;");
    let temp = s.variable("temp", Domain::Real);
    let [a] = s.booleans(["a"]);
    let leaf = s.uniform(temp, 0.0, 9.0);
    let set = ValueSet::between(Cut::before(10.0), Cut::before(20.0), false);
    let factors = [
        (leaf, "temp ~ uniform(0, 9)"),
        (s.literal(a, 1), "a"),
        (s.indicator(temp, set), "[10 <= temp < 20]"),
    ];
    let root = s.product(&factors, "temp ~ uniform(0, 9) * [10 <= temp < 20] * a");
    let expected = "\
error[PC0102]: product at the root is not decomposable
 --> test.pcirc:1:33
  |
1 | node p = temp ~ uniform(0, 9) * [10 <= temp < 20] * a;
  |          --------------------   ^^^^^^^^^^^^^^^^^ this child has scope {temp}
  |          |
  |          this child has scope {temp}
  |
  = note: the children of a product must not share variables; children 1 and 3 both mention `temp`
  = help: to restrict a distribution to some values, truncate it: `x ~ normal(0, 1) in [10, 20)`";
    assert_eq!(s.finish(root).messages(), expected);
}

#[test]
fn weights_off_suggests_the_likely_slip() {
    let mut s = Sketch::new("node wet_if = 0.9: wet + 0.01: !wet;");
    let [wet] = s.booleans(["wet"]);
    let terms = [
        (0.9, s.literal(wet, 1), "wet + "),
        (0.01, s.literal(wet, 0), "!wet"),
    ];
    let root = s.sum(Some(("wet_if", &[])), &terms, "0.9: wet + 0.01: !wet");
    let expected = "\
warning[PC0205]: weights of sum node `wet_if` add up to 0.91, not 1
 --> test.pcirc:1:15
  |
1 | node wet_if = 0.9: wet + 0.01: !wet;
  |               ^^^^^^^^^^^^^^^^^^^^^ these weights add up to 0.91
  |
help: did you mean 0.1? With it as the weight of child 2 they add up to 1
  |
1 - node wet_if = 0.9: wet + 0.01: !wet;
1 + node wet_if = 0.9: wet + 0.1: !wet;
  |";
    assert_eq!(s.finish(root).messages(), expected);
}

#[test]
fn asserted_normalization_is_an_error_with_its_reason() {
    let mut s = Sketch::new("root 0.9: a + 0.2: !a; assert root is normalized;");
    let [a] = s.booleans(["a"]);
    let terms = [(0.9, s.literal(a, 1), "a"), (0.2, s.literal(a, 0), "!a")];
    let root = s.sum(None, &terms, "0.9: a + 0.2: !a");
    s.assert(root, Property::Normalized);
    let sketched = s.finish(root);
    let text = sketched.messages();
    assert_eq!(sketched.codes(), [Code::NotNormalized]);
    assert!(
        text.contains("asserted here") && text.contains("did you mean 0.1?"),
        "{text}"
    );
}

#[test]
fn crossing_scopes_are_named_with_both_products() {
    let mut s = Sketch::new("0.5: ab * c + 0.5: a_ * bc; assert root is structured;");
    let [a, b, c] = s.booleans(["a", "b", "c"]);
    let [la, lb, lc] = [a, b, c].map(|v| s.literal(v, 1));
    let ab = s.product(&[(la, ""), (lb, "")], "");
    let bc = s.product(&[(lb, ""), (lc, "")], "");
    let first = s.product(&[(ab, "ab"), (lc, "c")], "ab * c");
    let second = s.product(&[(la, "a_"), (bc, "bc")], "a_ * bc");
    let terms = [(0.5, first, "ab * c"), (0.5, second, "a_ * bc")];
    let root = s.sum(None, &terms, "0.5: ab * c + 0.5: a_ * bc");
    s.assert(root, Property::Structured);
    let sketched = s.finish(root);
    assert_eq!(sketched.codes(), [Code::NotStructured]);
    assert_eq!(sketched.verdict(Property::Structured), "refuted");
    let text = sketched.messages();
    let note = "no vtree has both {a, b} and {b, c}: `b` is in both, `a` only in the first, `c` only in the second";
    assert!(text.contains(note), "{text}");
    assert!(text.contains("asserted here"), "{text}");
}

#[test]
fn not_deterministic_shows_the_assertion_and_a_witness() {
    let mut s = Sketch::new("node mix = 0.5: a + 0.5: b;\nassert root is deterministic;");
    let [rain] = s.booleans(["rain"]);
    let [yes, no] = [s.literal(rain, 1), s.literal(rain, 0)];
    let a = s.sum(Some(("a", &[])), &[(0.5, yes, ""), (0.5, no, "")], "");
    let terms = [(0.5, a, "a"), (0.5, yes, "b")];
    let root = s.sum(Some(("mix", &[])), &terms, "0.5: a + 0.5: b");
    s.assert(root, Property::Deterministic);
    s.assert(a, Property::Deterministic);
    let sketched = s.finish(root);
    let expected = "\
error[PC0103]: sum node `mix` is not deterministic
 --> test.pcirc:2:16
  |
1 | node mix = 0.5: a + 0.5: b;
  |            --------------- children 1 and 2 are both positive for one input
2 | assert root is deterministic;
  |                ^^^^^^^^^^^^^ asserted here
  |
  = note: witness: rain = true   (child 1 = 0.5, child 2 = 1)
  = help: make the children disagree on one variable, or drop `deterministic` and train with EM";
    assert_eq!(sketched.messages(), expected);
    assert_eq!(sketched.verdict(Property::Deterministic), "refuted");
}
