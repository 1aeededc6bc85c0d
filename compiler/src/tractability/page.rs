//! The table as a page of the manual.

use super::{QueryKind, TABLE};
use pelton_grammar::remedy::RemedyWords;
use std::fmt::Write as _;

const HEAD: &str = "\
# Tractability

Which query has an exact answer for which circuits. Every circuit that passes the
checks is smooth and decomposable; this table says what a query needs beyond that.
It is written from the table that the commands themselves consult, and `pelton queries
MODEL` says how one circuit stands.

*Compatible* circuits split their variables alike, for example because both follow one
vtree. [Properties](../reference/properties.md) says what the others mean and how they are proven;
[information](information.md) how the measures of information are computed.

| query | command | needs | cost | otherwise |
|---|---|---|---|---|
";

/// The page in Markdown: `command` asks a question, and `words` are those of its options.
pub fn page(command: fn(QueryKind) -> &'static str, words: RemedyWords) -> String {
    let mut page = HEAD.to_string();
    for rule in TABLE {
        let needs: Vec<String> = rule.needs.iter().map(|need| need.text()).collect();
        let needs = match needs[..] {
            [] => "nothing more".to_string(),
            _ => needs.join(", "),
        };
        let (name, command) = (rule.name, command(rule.kind));
        let otherwise = rule.ways_out().behind(rule.otherwise, "; ").worded(words);
        let cost = rule.cost;
        // Writing to a string does not fail.
        let _ = writeln!(
            page,
            "| {name} | `{command}` | {needs} | {cost} | {otherwise} |"
        );
    }
    page
}
