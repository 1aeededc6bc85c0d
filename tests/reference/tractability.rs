//! The page on tractability is written from the table that refusals are made from.

use super::folder;
use pelton_cli::flags::flags;
use pelton_cli::questions::command;
use pelton_compiler::tractability::page;

/// `BLESS=1` rewrites the page.
#[test]
fn the_page_is_written_from_the_table() {
    let path = folder().join("../manual/query-table.md");
    let page = page(command, flags);
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &page).expect("the page can be written");
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(written, page, "BLESS=1 rewrites {}", path.display());
}
