//! The words that editors highlight are those of the language.

use pelton_grammar::parse::RESERVED;
use serde_json::Value;
use std::collections::BTreeSet;

fn grammar() -> Value {
    let text = include_str!("../editors/vscode/syntaxes/pcirc.tmLanguage.json");
    serde_json::from_str(text).expect("the grammar is JSON")
}

/// The words of all groups `(a|b|c)` in the expressions below `rule`.
fn words(rule: &Value) -> BTreeSet<String> {
    match rule {
        Value::Object(fields) => fields
            .iter()
            .filter(|(key, _)| ["match", "patterns"].contains(&key.as_str()))
            .flat_map(|(_, value)| words(value))
            .collect(),
        Value::Array(list) => list.iter().flat_map(words).collect(),
        Value::String(expression) => words_of_expression(expression),
        _ => BTreeSet::new(),
    }
}

fn words_of_expression(expression: &str) -> BTreeSet<String> {
    let is_word =
        |text: &&str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_lowercase() || b == b'_');
    let groups = expression
        .split('(')
        .filter_map(|part| part.split_once(')'));
    let alternatives = groups.flat_map(|(group, _)| group.split('|'));
    alternatives.filter(is_word).map(str::to_string).collect()
}

fn set(list: &[&str]) -> BTreeSet<String> {
    list.iter().map(ToString::to_string).collect()
}

#[test]
fn keywords_are_the_reserved_words() {
    let rules = &grammar()["repository"];
    let mut found = words(&rules["keyword"]);
    found.extend(words(&rules["constant"]));
    assert_eq!(found, set(RESERVED));
    assert!(words(&rules["declaration"]).is_subset(&set(RESERVED)));
}

#[test]
fn every_included_rule_exists() {
    fn includes(value: &Value, found: &mut Vec<String>) {
        match value {
            Value::Object(fields) => {
                let name = fields.get("include").and_then(Value::as_str);
                found.extend(name.map(|name| name.trim_start_matches('#').to_string()));
                fields.values().for_each(|value| includes(value, found));
            }
            Value::Array(list) => list.iter().for_each(|value| includes(value, found)),
            _ => {}
        }
    }
    let grammar = grammar();
    let mut found = Vec::new();
    includes(&grammar, &mut found);
    assert!(found.len() > 10);
    for name in found {
        assert!(grammar["repository"].get(&name).is_some(), "#{name}");
    }
}

#[test]
fn the_extension_names_files_that_exist() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("editors/vscode");
    let text = std::fs::read_to_string(folder.join("package.json")).expect("it is there");
    let package: Value = serde_json::from_str(&text).expect("it is JSON");
    let contributes = &package["contributes"];
    let named = [
        &package["main"],
        &contributes["languages"][0]["configuration"],
        &contributes["grammars"][0]["path"],
    ];
    for file in named {
        assert!(
            folder.join(file.as_str().expect("a path")).is_file(),
            "{file}"
        );
    }
    let configuration = std::fs::read_to_string(folder.join("language-configuration.json"));
    serde_json::from_str::<Value>(&configuration.expect("it is there")).expect("it is JSON");
}
