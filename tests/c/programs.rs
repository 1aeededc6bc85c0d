//! C programs: compiled, linked to the library, and watched for faults of memory.

use super::library;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

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

/// What watches over a program's memory.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Watch {
    Valgrind,
    /// The compiler's own watch over addresses and leaks.
    Sanitizer,
}

impl Watch {
    /// Valgrind, or the compiler where that is not installed.
    fn best() -> Self {
        let found = Command::new("valgrind").arg("--version").output();
        if found.is_ok_and(|found| found.status.success()) {
            Watch::Valgrind
        } else {
            Watch::Sanitizer
        }
    }
}

/// Compiles a program with a library and runs it under watch.
fn watched(source: &Path, library: &Path, watch: Watch, arguments: &[&str]) -> (String, TempDir) {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let program = folder.path().join("program");
    let mut compile = Command::new("cc");
    compile.args(["-std=c11", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Werror"]);
    compile.args(["-g", "-O1"]);
    if watch == Watch::Sanitizer {
        compile.arg("-fsanitize=address");
    }
    compile
        .arg(source)
        .arg("-I")
        .arg(root().join("runtime/bindings/c/include"));
    compile
        .arg(library)
        .args(["-lm", "-lpthread", "-ldl", "-o"])
        .arg(&program);
    let deps = library.parent().expect("it lies in a folder");
    compile.arg(format!("-Wl,-rpath,{}", deps.display()));
    run(&mut compile);
    let mut watched = match watch {
        Watch::Valgrind => {
            let kinds = "--errors-for-leak-kinds=definite,indirect";
            let mut valgrind = Command::new("valgrind");
            valgrind
                .args(["-q", "--leak-check=full", kinds, "--error-exitcode=9"])
                .arg(&program);
            valgrind
        }
        Watch::Sanitizer => Command::new(&program),
    };
    watched.args(arguments).current_dir(folder.path());
    let output = run(watched.env("ASAN_OPTIONS", "detect_leaks=1"));
    eprintln!("{} ran under {watch:?}", source.display());
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    (said, folder)
}

#[test]
fn the_example_works_and_leaks_nothing() {
    let example = root().join("examples/c/days.c");
    let (shared, archive) = (library::path(), library::path().with_extension("a"));
    for (library, watch) in [(shared, Watch::best()), (archive, Watch::Sanitizer)] {
        let (said, folder) = watched(&example, &library, watch, &["days.pelton"]);
        assert!(said.contains("P(rain | wet) = 0."), "{said}");
        assert!(folder.path().join("days.pelton").is_file());
    }
}

#[test]
fn misuse_is_an_error_and_no_crash() {
    let source = root().join("tests/c/misuse.c");
    let (said, _) = watched(&source, &library::path(), Watch::best(), &[]);
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
