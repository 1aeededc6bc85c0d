//! What messages look like.

use super::render::human;
use super::*;
use crate::remedy::no_options;
use crate::source::SourceMap;

const WEATHER: &str = "var rain, wet : bool;
node a = 0.4: rain * wet + 0.6: !rain;

node mix = 0.5: a + 0.5: b;
root mix;
assert root is deterministic;
";

fn weather() -> (SourceMap, impl Fn(&str) -> Span) {
    let mut sources = SourceMap::new();
    let id = sources.add("weather.pcirc", None, WEATHER);
    let place = move |text: &str| {
        let start = WEATHER.find(text).unwrap();
        Span::new(id, start, start + text.len())
    };
    (sources, place)
}

fn not_deterministic(place: impl Fn(&str) -> Span) -> SourceDiagnostic {
    let span = place("deterministic");
    SourceDiagnostic::new(
        Code::NotDeterministic,
        span,
        "sum node `mix` is not deterministic",
    )
    .at("asserted here")
    .label(
        place("0.5: a + 0.5: b"),
        "children 1 and 2 are both positive for one input",
    )
    .witness(vec![
        ("rain".into(), WitnessValue::Bool(true)),
        ("wet".into(), WitnessValue::Bool(true)),
    ])
}

#[test]
fn labels_notes_and_suggestions() {
    let (sources, place) = weather();
    let diagnostic = SourceDiagnostic::new(
        Code::NotSmooth,
        place("!rain"),
        "sum node `a` is not smooth",
    )
    .at("this child has scope {rain}")
    .label(place("rain * wet"), "this child has scope {rain, wet}")
    .note("every child of a sum must mention the same variables; child 2 is missing `wet`")
    .suggest(
        "multiply the short child by a distribution over `wet` (here: uniform)",
        place("!rain").after(),
        " * wet ~ bernoulli(0.5)",
    );
    let expected = "\
error[PC0101]: sum node `a` is not smooth
 --> weather.pcirc:2:33
  |
2 | node a = 0.4: rain * wet + 0.6: !rain;
  |               ----------        ^^^^^ this child has scope {rain}
  |               |
  |               this child has scope {rain, wet}
  |
  = note: every child of a sum must mention the same variables; child 2 is missing `wet`
help: multiply the short child by a distribution over `wet` (here: uniform)
  |
2 | node a = 0.4: rain * wet + 0.6: !rain * wet ~ bernoulli(0.5);
  |                                       ++++++++++++++++++++++";
    assert_eq!(human(&diagnostic, &sources, no_options, false), expected);
}

#[test]
fn a_witness_is_a_note() {
    let (sources, place) = weather();
    let expected = "\
error[PC0103]: sum node `mix` is not deterministic
 --> weather.pcirc:6:16
  |
4 | node mix = 0.5: a + 0.5: b;
  |            --------------- children 1 and 2 are both positive for one input
5 | root mix;
6 | assert root is deterministic;
  |                ^^^^^^^^^^^^^ asserted here
  |
  = note: witness: rain = true, wet = true
  = help: drop `deterministic`";
    let diagnostic = not_deterministic(place).help("drop `deterministic`");
    assert_eq!(human(&diagnostic, &sources, no_options, false), expected);
}

#[test]
fn a_witness_in_the_senders_words_is_not_repeated() {
    let (sources, place) = weather();
    let diagnostic = not_deterministic(place).note("witness: rain = true (child 1 = 0.5)");
    let text = human(&diagnostic, &sources, no_options, false);
    assert_eq!(text.matches("witness").count(), 1, "{text}");
}

#[test]
fn a_message_without_a_place_is_its_sentence() {
    let diagnostic = SourceDiagnostic::without_place(Code::BadDefine, "there is no constant `K`");
    let text = human(&diagnostic, &SourceMap::new(), no_options, false);
    assert_eq!(text, "error[PC0016]: there is no constant `K`");
}

#[test]
fn a_megabyte_on_one_line_is_shown_in_part() {
    let mut sources = SourceMap::new();
    let text = format!(
        "node a = {}b c;\nvar é : bool;\n",
        "0.5: aaä + ".repeat(100_000)
    );
    let fault = text.find("b c").unwrap() + 2;
    let id = sources.add("long.pcirc", None, text);
    let span = |start, end| Span::new(id, start, end);
    let diagnostic = SourceDiagnostic::new(
        Code::Syntax,
        span(fault, fault + 1),
        "an operator is missing",
    )
    .label(span(0, 4), "of this statement")
    .suggest("multiply them", span(fault, fault), "* ")
    .suggest("remove it all", span(0, fault), "");
    let text = human(&diagnostic, &sources, no_options, false);
    assert!(text.len() < 1500, "{} bytes", text.len());
    assert!(text.contains(" --> long.pcirc:1:1100012\n"), "{text}");
    assert!(text.contains("aaä + b * c;\n"), "{text}");
    assert!(text.contains("of this statement"), "{text}");
    assert!(text.ends_with("help: remove it all"), "{text}");
}

#[test]
fn a_line_far_down_a_huge_file_has_its_number() {
    let mut sources = SourceMap::new();
    let text = "var x : bool;\n".repeat(30_000);
    let id = sources.add("huge.pcirc", None, text);
    let at = 14 * 20_000 + 4;
    let diagnostic = SourceDiagnostic::new(
        Code::DefinedTwice,
        Span::new(id, at, at + 1),
        "`x` is defined twice",
    )
    .label(Span::new(id, 4, 5), "first here");
    let text = human(&diagnostic, &sources, no_options, false);
    assert!(text.contains(" --> huge.pcirc:20001:5\n"), "{text}");
    assert!(text.contains("first here"), "{text}");
}

#[test]
fn the_same_message_is_kept_once() {
    let (_, place) = weather();
    let mut found = SourceDiagnostics::new();
    found.push(not_deterministic(&place));
    found.push(not_deterministic(&place));
    found.push(SourceDiagnostic::without_place(Code::NoRoot, "a"));
    found.push(SourceDiagnostic::without_place(Code::NoRoot, "b"));
    assert_eq!(found.len(), 3);
    found.retain(|diagnostic| diagnostic.code != Code::NotDeterministic);
    found.push(not_deterministic(&place));
    assert_eq!(found.len(), 3);
}
