//! The header is that of the sources.

use pelton_runtime::Engine;
use std::path::PathBuf;

/// The sources of which the header is made, in the order in which it lists them.
const SOURCES: [&str; 8] = [
    "error",
    "handle",
    "circuit",
    "batch",
    "evaluate",
    "ask",
    "parameter",
    "fit",
];

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn the_header_is_up_to_date() {
    let mut config = cbindgen::Config::from_file(folder().join("cbindgen.toml")).unwrap();
    config.after_includes = Some(engines());
    let mut builder = cbindgen::Builder::new().with_config(config);
    for name in SOURCES {
        builder = builder.with_src(folder().join(format!("src/{name}.rs")));
    }
    let mut made = Vec::new();
    builder.generate().unwrap().write(&mut made);
    // What Rust calls safety is plain in C: pointers point to what they are said to.
    let made = without_safety(&String::from_utf8(made).unwrap());
    let path = folder().join("include/pelton.h");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &made).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        kept == made,
        "the header is not that of the sources; BLESS=1 writes it"
    );
}

/// The numbers of the engines, which are their positions in the table.
fn engines() -> String {
    let numbered = Engine::ALL.iter().enumerate().map(|(number, engine)| {
        let (name, about) = (engine.name().to_uppercase(), engine.about());
        format!("// {about}.\n#define PELTON_ENGINE_{name} {number}\n")
    });
    let lines: Vec<String> = numbered.collect();
    format!("\n{}", lines.join("\n"))
}

/// The header without the sections that speak to callers in Rust, and without the brackets
/// of their links.
fn without_safety(header: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    let mut is_safety = false;
    for line in header.lines() {
        let is_comment = line.trim_start().starts_with("//");
        is_safety = is_comment && (is_safety || line.trim() == "// # Safety");
        if is_safety {
            continue;
        }
        // The empty line before such a section goes with it.
        let is_left = lines.last().is_some_and(|last| last.trim() == "//");
        if !is_comment && is_left {
            lines.pop();
        }
        lines.push(line.replace("[`", "`").replace("`]", "`"));
    }
    lines.join("\n") + "\n"
}
