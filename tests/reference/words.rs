//! Where distributions are listed outside of the compiler, the list is written from its table.

use pelton_compiler::leaf::family::FAMILIES;
use std::path::Path;

/// Compares a file's lines between two with what they should be; `BLESS=1` rewrites them.
#[track_caller]
fn written(file: &str, begin: &str, end: &str, wanted: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../grammar")
        .join(file);
    let text = std::fs::read_to_string(&path).expect("the file can be read");
    let (before, rest) = text.split_once(begin).expect("the list begins");
    let (found, after) = rest.split_once(end).expect("the list ends");
    if std::env::var_os("BLESS").is_some() {
        let blessed = format!("{before}{begin}{wanted}{end}{after}");
        std::fs::write(&path, blessed).expect("the file can be written");
    } else {
        assert_eq!(found, wanted, "BLESS=1 rewrites {}", path.display());
    }
}

#[test]
fn the_reference_lists_all_distributions() {
    let rows = FAMILIES.iter().map(|row| {
        let cells = [row.domains.text(), row.values, row.meaning];
        format!("| `{}` | {} |", row.signature(), cells.join(" | "))
    });
    let rows: Vec<String> = rows.collect();
    let file = "reference/distributions.md";
    written(file, "|---|---|---|---|\n", "\n\n", &rows.join("\n"));
}

#[test]
fn editors_highlight_all_distributions() {
    let names: Vec<&str> = FAMILIES.iter().map(|row| row.name).collect();
    let file = "editors/vscode/syntaxes/pcirc.tmLanguage.json";
    written(file, r"(~)\\s*(", ")", &names.join("|"));
}
