//! The manual as a book: its table of contents, its links and its pictures.

use super::manual::root;
use super::{PELTON, pages_in};
use pelton_tests::page;
use std::path::{Path, PathBuf};

/// The folder that mdBook renders.
fn book() -> PathBuf {
    root().join("grammar")
}

fn pages() -> Vec<PathBuf> {
    let folders = ["reference", "manual", "explain", "editors"];
    let mut pages: Vec<PathBuf> = folders
        .iter()
        .flat_map(|name| pages_in(&book().join(name)))
        .collect();
    pages.sort();
    pages
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).expect("a page can be read")
}

/// The targets of links and pictures, outside of blocks and of code.
fn links(page: &str) -> Vec<String> {
    let mut is_block = false;
    let mut links = Vec::new();
    for line in page.lines() {
        if line.starts_with("```") {
            is_block = !is_block;
        }
        if !is_block {
            let targets = line.split("](").skip(1);
            links.extend(
                targets
                    .filter_map(|rest| rest.split_once(')'))
                    .map(|(to, _)| to.into()),
            );
        }
    }
    links
}

/// What mdBook and GitHub make of a heading.
fn anchors(page: &str) -> Vec<String> {
    let headings = page.lines().filter_map(|line| {
        let title = line.trim_start_matches('#');
        (title.len() < line.len()).then(|| title.trim().to_lowercase())
    });
    let is_kept = |c: &char| c.is_alphanumeric() || matches!(c, '-' | '_' | ' ');
    headings
        .map(|title| {
            title
                .chars()
                .filter(is_kept)
                .collect::<String>()
                .replace(' ', "-")
        })
        .collect()
}

#[test]
fn the_table_of_contents_has_every_page_once() {
    let summary = read(&book().join("SUMMARY.md"));
    let mut listed = links(&summary);
    listed.sort();
    let own = pages().into_iter().map(|page| {
        let page = page.strip_prefix(book()).expect("it is a page of the book");
        page.to_string_lossy().replace('\\', "/")
    });
    let mut own: Vec<String> = own.collect();
    own.sort();
    assert_eq!(listed, own, "grammar/SUMMARY.md lists every page once");
}

/// Pages of messages are listed by their titles, so that the list finds what is searched for.
#[test]
fn messages_are_listed_by_their_titles() {
    let summary = read(&book().join("SUMMARY.md"));
    for page in pages_in(&book().join("explain")) {
        let text = read(&page);
        let title = text.lines().next().unwrap().trim_start_matches("# ");
        assert!(summary.contains(&format!("[{title}](explain/")), "{title}");
    }
}

/// Pages link files of the book alone, because nothing else is rendered with them.
#[test]
fn links_lead_somewhere_in_the_book() {
    for page in pages() {
        for link in links(&read(&page)) {
            let (path, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let folder = page.parent().expect("a page is in a folder");
            let target = match path {
                "" => Ok(page.clone()),
                path => folder.join(path).canonicalize(),
            };
            let target = target.unwrap_or_else(|_| panic!("{}: {link}", page.display()));
            assert!(
                target.starts_with(book()),
                "{}: {link} leaves the book",
                page.display()
            );
            let is_there = anchor.is_empty() || anchors(&read(&target)).iter().any(|a| a == anchor);
            assert!(is_there, "{}: {link} has no such heading", page.display());
        }
    }
}

/// The other pages that readers begin with; they may link whatever there is.
#[test]
fn links_of_entry_pages_lead_somewhere() {
    for name in [
        "README.md",
        "CONTRIBUTING.md",
        "runtime/bindings/python/README.md",
    ] {
        let page = root().join(name);
        for link in links(&read(&page))
            .iter()
            .filter(|link| !link.contains("://"))
        {
            let path = link.split('#').next().unwrap_or_default();
            let target = page.parent().expect("a page is in a folder").join(path);
            assert!(target.exists(), "{name}: {link}");
        }
    }
}

#[test]
fn the_entry_page_is_short_and_its_circuits_are_right() {
    let page = root().join("README.md");
    assert!(read(&page).lines().count() <= 150);
    let faults = page::faults(PELTON, &page);
    assert!(faults.is_empty(), "{faults:?}");
}

/// Pictures are what the commands make that the pages name; `BLESS=1` makes them again.
#[test]
fn pictures_are_as_made() {
    let folder = tempfile::tempdir().unwrap();
    let circuit = root().join("examples/sprinkler.pcirc");
    let words = [
        "emit",
        circuit.to_str().unwrap(),
        "--as",
        "svg",
        "-o",
        "circuit.svg",
    ];
    assert_eq!(PELTON.run(folder.path(), words).exit, Some(0));
    assert_eq!(PELTON.run(folder.path(), ["demo"]).exit, Some(0));
    let made = ["circuit.svg", "pelton-demo/learning.svg"].map(|name| folder.path().join(name));
    for made in made {
        let kept = book()
            .join("manual/pictures")
            .join(made.file_name().unwrap());
        if std::env::var_os("BLESS").is_some() {
            std::fs::copy(&made, &kept).unwrap();
        }
        let (made, kept) = (read(&made), read(&kept));
        assert!(
            drawn_alike(&made, &kept),
            "BLESS=1 makes the pictures again:\n{made}"
        );
    }
}

/// The last digits of likelihoods are the machine's own, and move points by less than one.
fn drawn_alike(found: &str, kept: &str) -> bool {
    let (found, kept) = (split_at_numbers(found), split_at_numbers(kept));
    let is_alike = |(a, b): (&&str, &&str)| {
        a == b
            || matches!((a.parse::<f64>(), b.parse::<f64>()), (Ok(a), Ok(b)) if (a - b).abs() < 1.0)
    };
    found.len() == kept.len() && found.iter().zip(&kept).all(is_alike)
}

/// Numbers and what stands between them, in turn.
fn split_at_numbers(text: &str) -> Vec<&str> {
    let is_digit = |c: char| c.is_ascii_digit() || c == '.';
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = rest.find(|c| is_digit(c) != is_digit(first));
        let (part, after) = rest.split_at(end.unwrap_or(rest.len()));
        parts.push(part);
        rest = after;
    }
    parts
}
