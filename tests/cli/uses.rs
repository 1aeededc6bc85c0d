//! Which files a circuit may `use`.

use super::{PELTON, folder_with};
use tempfile::TempDir;

const MAIN: &str = "use \"../lib/coin.pcirc\" as coin;\nvar x : bool;\nroot coin.flip(x);\n";
const COIN: &str = "def flip(side) = 0.25: side + 0.75: !side;\n";

/// `own/main.pcirc` uses `lib/coin.pcirc` beside its folder.
fn apart() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [("own/main.pcirc", MAIN), ("lib/coin.pcirc", COIN)] {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    folder
}

#[test]
fn files_elsewhere_are_used_if_that_is_allowed() {
    let folder = apart();
    let run = PELTON.run(folder.path(), ["check", "own/main.pcirc"]);
    assert_eq!(run.exit, Some(1), "{run:?}");
    assert!(run.stderr.contains("PC0006"), "{run:?}");
    assert!(run.stderr.contains("may not be used"), "{run:?}");
    assert!(run.stderr.contains("--allow-use"), "{run:?}");
    let words = "query own/main.pcirc P(x) --allow-use nowhere --allow-use lib";
    let run = PELTON.run(folder.path(), words.split(' '));
    assert_eq!(run.exit, Some(0), "{run:?}");
    assert!(run.stdout.contains("0.25"), "{run:?}");
}

/// Whatever is at the other end, its lines are not shown.
#[cfg(unix)]
#[test]
fn files_that_may_not_be_used_are_not_shown() {
    let folder = apart();
    std::fs::write(folder.path().join("secret"), "token 1234567\n").unwrap();
    let secret = folder.path().join("secret");
    std::os::unix::fs::symlink(&secret, folder.path().join("own/link")).unwrap();
    for path in [
        secret.to_str().unwrap(),
        "../secret",
        "link",
        "/etc/passwd",
        "../none",
    ] {
        let text = format!("use \"{path}\" as s; var x : bool; root s.f(x);");
        std::fs::write(folder.path().join("own/main.pcirc"), &text).unwrap();
        let run = PELTON.run(folder.path(), ["check", "own/main.pcirc"]);
        assert_eq!(run.exit, Some(1), "{run:?}");
        assert!(run.stderr.contains("may not be used"), "{run:?}");
        let shown = run.stderr + &run.stdout;
        assert!(
            !shown.contains("1234567") && !shown.contains("root:"),
            "{shown}"
        );
    }
}

/// A text from standard input is taken to lie in the working directory.
#[test]
fn standard_input_uses_the_working_directory() {
    let folder = folder_with(COIN);
    let text = MAIN.replace("../lib/coin", "a");
    let run = PELTON.run_with_input(folder.path(), ["check", "-"], text.as_bytes());
    assert_eq!(run.exit, Some(0), "{run:?}");
    let run = PELTON.run_with_input(folder.path(), ["check", "-"], MAIN.as_bytes());
    assert_eq!(run.exit, Some(1), "{run:?}");
}
