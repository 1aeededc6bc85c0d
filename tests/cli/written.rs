//! What commands write: never over what they read, through links, and without traces.

use super::{GOOD, PELTON, folder_with};
use tempfile::TempDir;

/// A circuit that uses another, and rows.
fn packing() -> TempDir {
    let folder = folder_with("use \"lib.pcirc\" as lib;\nvar x : 0..3;\nroot lib.die(x);\n");
    for (name, text) in [
        (
            "lib.pcirc",
            "def die(v) = v ~ categorical(0.5, 0.25, 0.25);\n",
        ),
        ("d.csv", "0\n1\n2\n"),
        ("good.pcirc", GOOD),
    ] {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    let run = PELTON.run(folder.path(), ["convert", "good.pcirc", "m.pelton"]);
    assert_eq!(run.exit, Some(0), "{run:?}");
    folder
}

fn names(folder: &TempDir) -> Vec<String> {
    let entries = std::fs::read_dir(folder.path()).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn what_is_read_is_not_replaced() {
    let folder = packing();
    #[cfg(unix)]
    std::os::unix::fs::symlink("a.pcirc", folder.path().join("link.pcirc")).unwrap();
    let contents = || {
        names(&folder).into_iter().map(|name| {
            let path = folder.path().join(&name);
            (std::fs::read(path).unwrap(), name)
        })
    };
    let before: Vec<_> = contents().collect();
    let mut all = vec![
        "sample a.pcirc -n 3 -o a.pcirc",
        "sample a.pcirc -n 3 -o ./lib.pcirc",
        "sample a.pcirc --data d.csv -o d.csv",
        "emit a.pcirc --as dot -o a.pcirc",
        "emit a.pcirc --as source -o lib.pcirc",
        "convert a.pcirc lib.pcirc",
        "convert m.pelton m.pelton",
        "convert a.pcirc a.pcirc",
        "condition good.pcirc rain --keep -o good.pcirc",
        "marginalize m.pelton --onto rain -o m.pelton",
        "smooth a.pcirc -o lib.pcirc",
        "multiply good.pcirc m.pelton -o m.pelton",
        "mix a.pcirc a.pcirc -o a.pcirc",
    ];
    if cfg!(unix) {
        all.push("sample a.pcirc -n 3 -o link.pcirc");
        all.push("sample link.pcirc -n 3 -o a.pcirc");
    }
    for words in all {
        let run = PELTON.run(folder.path(), words.split(' '));
        assert_eq!(run.exit, Some(2), "{words}: {run:?}");
        assert!(run.stderr.contains("another name"), "{words}: {run:?}");
        assert!(before.iter().cloned().eq(contents()), "{words}");
    }
}

/// The target of a link is made, as a shell would make it, and the link stays.
#[cfg(unix)]
#[test]
fn a_link_that_leads_nowhere_is_followed() {
    let folder = folder_with(GOOD);
    std::fs::create_dir(folder.path().join("data")).unwrap();
    std::os::unix::fs::symlink("data/new.csv", folder.path().join("link.csv")).unwrap();
    let words = "sample a.pcirc -n 3 -o link.csv";
    let run = PELTON.run(folder.path(), words.split(' '));
    assert_eq!(run.exit, Some(0), "{run:?}");
    assert!(folder.path().join("link.csv").is_symlink());
    let made = std::fs::read_to_string(folder.path().join("data/new.csv")).unwrap();
    assert_eq!(made.lines().count(), 4, "{made}");
}

#[cfg(unix)]
mod signals {
    use super::*;
    use std::process::{Child, Command, Stdio};
    use std::time::{Duration, Instant};

    /// A command that writes for a long time, which has begun.
    fn writing(folder: &TempDir) -> Child {
        let child = Command::new(PELTON.path)
            .args(["sample", "a.pcirc", "-n", "1000000000", "-o", "o.csv"])
            .current_dir(folder.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let start = Instant::now();
        while !has_temporary(folder) {
            assert!(
                start.elapsed() < Duration::from_secs(60),
                "nothing is written"
            );
            std::thread::sleep(Duration::from_millis(5));
        }
        child
    }

    fn has_temporary(folder: &TempDir) -> bool {
        names(folder)
            .iter()
            .any(|name| name.starts_with(".pelton-"))
    }

    fn signal(child: &Child, name: &str) {
        let id = child.id().to_string();
        let sent = Command::new("kill").args([name, &id]).status().unwrap();
        assert!(sent.success());
    }

    #[test]
    fn a_signal_leaves_nothing_behind() {
        for name in ["-INT", "-TERM"] {
            let folder = folder_with(GOOD);
            let mut child = writing(&folder);
            signal(&child, name);
            assert_eq!(child.wait().unwrap().code(), Some(130));
            assert_eq!(names(&folder), ["a.pcirc"], "{name}");
        }
    }

    /// Nobody can clean up after `kill -9` but those who come later; what still has a
    /// writer stays.
    #[test]
    fn what_was_killed_is_swept_by_the_next() {
        let folder = folder_with(GOOD);
        let mut killed = writing(&folder);
        signal(&killed, "-KILL");
        killed.wait().unwrap();
        assert!(has_temporary(&folder));
        let run = PELTON.run(
            folder.path(),
            ["sample", "a.pcirc", "-n", "3", "-o", "p.csv"],
        );
        assert_eq!(run.exit, Some(0), "{run:?}");
        assert_eq!(names(&folder), ["a.pcirc", "p.csv"]);

        let mut alive = writing(&folder);
        let run = PELTON.run(
            folder.path(),
            ["sample", "a.pcirc", "-n", "3", "-o", "p.csv"],
        );
        assert_eq!(run.exit, Some(0), "{run:?}");
        assert!(has_temporary(&folder));
        signal(&alive, "-INT");
        alive.wait().unwrap();
        assert_eq!(names(&folder), ["a.pcirc", "p.csv"]);
    }

    /// An interruption is one, also if there is nothing to keep yet.
    #[test]
    fn a_search_that_is_interrupted_early_says_so() {
        let folder = folder_with(GOOD);
        let rows: Vec<String> = (0..4000u64)
            .map(|row| {
                let bit = |at: u64| (((row * 2_654_435_761) >> (at % 29)) & 1).to_string();
                (0..60).map(bit).collect::<Vec<_>>().join(",")
            })
            .collect();
        std::fs::write(folder.path().join("t.csv"), rows.join("\n")).unwrap();
        let words =
            "learn hclt --train t.csv --valid t.csv -o o.pelton --budget 1h --progress plain";
        for delay in [300, 1200] {
            let mut child = Command::new(PELTON.path)
                .args(words.split(' '))
                .current_dir(folder.path())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .unwrap();
            std::thread::sleep(Duration::from_millis(delay));
            signal(&child, "-INT");
            let status = child.wait().unwrap();
            // Before there is anything to keep, the signal itself ends the program.
            use std::os::unix::process::ExitStatusExt;
            let is_interrupted = status.code() == Some(130) || status.signal() == Some(2);
            assert!(is_interrupted, "{delay}: {status}");
        }
    }
}

/// Names may hold what terminals obey; it is shown and not sent.
#[test]
fn control_characters_are_made_visible() {
    let folder = folder_with("");
    let text = "var `a\u{1b}[31mb`, c : bool;\nroot 0.5: `a\u{1b}[31mb` + 0.5: c;\n";
    std::fs::write(folder.path().join("x\u{1b}[2J.pcirc"), text).unwrap();
    for format in ["human", "short", "json"] {
        let words = ["check", "x\u{1b}[2J.pcirc", "--message-format", format];
        let run = PELTON.run(folder.path(), words);
        assert_eq!(run.exit, Some(1), "{run:?}");
        assert!(!run.stderr.contains('\u{1b}'), "{format}: {run:?}");
        assert!(!run.stdout.contains('\u{1b}'), "{format}: {run:?}");
    }
    let run = PELTON.run(folder.path(), ["stats", "none\u{1b}[2J.pcirc"]);
    assert_eq!(run.exit, Some(2));
    assert!(run.stderr.contains(r"none\u{1b}[2J.pcirc"), "{run:?}");
    let good = "var `a\u{1b}[31mb` : bool;\nroot ?0.5: `a\u{1b}[31mb` + ?0.5: !`a\u{1b}[31mb`;\n";
    std::fs::write(folder.path().join("y.pcirc"), good).unwrap();
    for words in [
        "check",
        "stats",
        "params",
        "marginals",
        "map",
        "moments",
        "queries",
    ] {
        let run = PELTON.run(folder.path(), [words, "y.pcirc"]);
        assert_eq!(run.exit, Some(0), "{words}: {run:?}");
        assert!(!run.stdout.contains('\u{1b}'), "{words}: {run:?}");
        assert!(!run.stderr.contains('\u{1b}'), "{words}: {run:?}");
    }
}
