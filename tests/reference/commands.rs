//! The manual's table of commands has a row for each, and for nothing else.

use super::{PELTON, chapter, folder};
use std::collections::BTreeSet;

#[test]
fn every_command_has_a_row() {
    let help = PELTON.run(folder(), ["--help"]).stdout;
    let (_, commands) = help.split_once("Commands:\n").expect("help lists commands");
    let commands = commands.lines().take_while(|line| !line.is_empty());
    // A line begins with a command, unless it goes on with what is said of one.
    let commands = commands.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let commands = commands.filter_map(|line| line.split_whitespace().next());
    let commands: BTreeSet<String> = commands
        .filter(|name| *name != "help")
        .map(str::to_string)
        .collect();
    assert!(commands.contains("eval"), "{help}");
    assert_eq!(listed(&chapter("../manual/commands.md")), commands);
}

/// The commands in the first cells of the page's first table.
fn listed(page: &str) -> BTreeSet<String> {
    let rows = page
        .lines()
        .skip_while(|line| !line.starts_with("| command"));
    let rows = rows.take_while(|line| line.starts_with('|'));
    let cells = rows.filter_map(|row| row[1..].split(" | ").next());
    // Code between back quotes; alternatives have an escaped bar between them.
    let codes = cells.flat_map(|cell| cell.split('`').skip(1).step_by(2));
    let names = codes.filter_map(|code| code.strip_prefix("pelton ")?.split_whitespace().next());
    names
        .flat_map(|name| name.split("\\|"))
        .map(str::to_string)
        .collect()
}
