//! C programs: compiled, linked to the library, and watched for faults of memory.

use super::library;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../..")
}

fn run(command: &mut Command) -> Output {
    let shown = format!("{command:?}");
    let output = command
        .output()
        .unwrap_or_else(|error| panic!("{shown}: {error}"));
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert!(
        output.status.success(),
        "{shown}: {}\n{out}\n{err}",
        output.status
    );
    output
}

fn has_valgrind() -> bool {
    Command::new("valgrind")
        .arg("--version")
        .output()
        .is_ok_and(|found| found.status.success())
}

/// Compiles a program and runs it under valgrind, or with the compiler's own watch over
/// addresses and leaks.
fn watched(source: &Path, folder: &Path, arguments: &[&str]) -> String {
    let program = folder.join("program");
    let library = library::path();
    let is_valgrind = has_valgrind();
    let mut compile = Command::new("cc");
    compile.args([
        "-std=c11",
        "-D_GNU_SOURCE",
        "-Wall",
        "-Wextra",
        "-Werror",
        "-g",
        "-O1",
    ]);
    if !is_valgrind {
        compile.arg("-fsanitize=address");
    }
    compile
        .arg(source)
        .arg("-I")
        .arg(root().join("runtime/bindings/c/include"));
    compile
        .arg(&library)
        .args(["-lm", "-lpthread", "-o"])
        .arg(&program);
    let deps = library.parent().expect("it lies in a folder");
    compile.arg(format!("-Wl,-rpath,{}", deps.display()));
    run(&mut compile);
    let mut watched = match is_valgrind {
        true => Command::new("valgrind"),
        false => Command::new(&program),
    };
    if is_valgrind {
        let kinds = "--errors-for-leak-kinds=definite,indirect";
        watched
            .args(["-q", "--leak-check=full", kinds, "--error-exitcode=9"])
            .arg(&program);
    }
    watched.args(arguments).current_dir(folder);
    let output = run(watched.env("ASAN_OPTIONS", "detect_leaks=1"));
    let watch = if is_valgrind {
        "valgrind"
    } else {
        "AddressSanitizer and LeakSanitizer"
    };
    eprintln!("{} ran under {watch}", source.display());
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn the_example_works_and_leaks_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let said = watched(
        &root().join("examples/c/days.c"),
        folder.path(),
        &["days.pelton"],
    );
    assert!(said.contains("P(rain | wet) = 0."), "{said}");
    assert!(folder.path().join("days.pelton").is_file());
}

#[test]
fn misuse_is_an_error_and_no_crash() {
    let folder = tempfile::tempdir().unwrap();
    let said = watched(&root().join("tests/c/misuse.c"), folder.path(), &[]);
    assert!(said.ends_with("0 faults\n"), "{said}");
}

#[test]
fn the_header_is_one_for_other_languages_too() {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("only.c");
    std::fs::write(
        &source,
        "#include \"pelton.h\"\nint main(void) { return 0; }\n",
    )
    .unwrap();
    let include = root().join("runtime/bindings/c/include");
    for language in [["-std=c99", "-xc"], ["-std=c++17", "-xc++"]] {
        let mut check = Command::new("cc");
        check
            .args(language)
            .args(["-Wall", "-Wextra", "-pedantic", "-Werror", "-fsyntax-only"]);
        run(check.arg("-I").arg(&include).arg(&source));
    }
}
