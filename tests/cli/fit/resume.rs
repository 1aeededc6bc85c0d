//! Checkpoints, interrupted runs and how they go on.

use super::*;

/// Whether a run is cut in two does not change what it learns.
#[test]
fn a_resumed_run_learns_what_a_single_one_does() {
    let folder = packing();
    let words = "--tolerance 0 --entropy 0.01 --softness 0.01 --softening sampled \
                 --minibatch-epochs 4 --batch-size 32";
    let single = fit(
        &folder,
        &format!("{words} --fullbatch-epochs 9 -o single.pcirc"),
    );
    assert_eq!(single.exit, Some(0), "{single:?}");
    let resume = format!("{words} --checkpoint c.pelton --resume");
    let first = fit(
        &folder,
        &format!("{resume} --fullbatch-epochs 4 -o first.pcirc"),
    );
    assert!(
        first
            .stderr
            .contains("there is no checkpoint `c.pelton` yet; starting from the beginning"),
        "{first:?}"
    );
    let second = fit(
        &folder,
        &format!("{resume} --fullbatch-epochs 9 -o second.pcirc --json"),
    );
    assert!(
        second.stderr.contains("resuming from `c.pelton`"),
        "{second:?}"
    );
    assert_eq!(report(&second)["epochs"].as_array().unwrap().len(), 13);
    let is_alike = |a: &str, b: &str| read(&folder, a) == read(&folder, b);
    assert!(is_alike("single.pcirc", "second.pcirc"));
    assert!(!is_alike("first.pcirc", "second.pcirc"));
    // A checkpoint is a model.
    let words = ["eval", "c.pelton", "--data", "t.csv", "--json"];
    let run = PELTON.run(folder.path(), words);
    let mean = number(&json_lines(&run.stdout)[0]["mean_log_likelihood"]);
    assert!((mean - number(&report(&second)["train_ll"])).abs() < 1e-6);
}

/// A run that begins anew does not take an earlier one's state away.
#[test]
fn checkpoints_are_not_replaced_unasked() {
    let folder = packing();
    let words = "-o o.pelton --fullbatch-epochs 2 --checkpoint c.ck";
    assert_eq!(fit(&folder, words).exit, Some(0));
    let before = read(&folder, "c.ck");
    let refused = fit(&folder, words);
    assert_eq!(refused.exit, Some(2), "{refused:?}");
    let says = "`c.ck` already; add --resume to continue it, or remove it";
    assert!(refused.stderr.contains(says), "{refused:?}");
    assert!(read(&folder, "c.ck") == before);
    assert_eq!(fit(&folder, &format!("{words} --resume")).exit, Some(0));
}

/// What could be read only with wider limits can be resumed with them.
#[test]
fn checkpoints_are_read_within_the_limits_of_the_circuit() {
    let (open, close) = ("(".repeat(250), ")".repeat(250));
    let leaf = |name: &str| format!("{open}{name} ~ bernoulli(?){close}");
    let (a, b) = (leaf("a"), leaf("b"));
    let circuit = format!("var a, b : bool;\nroot ?: {a} * {b} + ?: {b} * {a};\n");
    let folder = folder(&circuit, "a,b\n1,1\n1,0\n0,0\n");
    let words = "-o o.pelton --checkpoint c.pelton --max-depth 400 --method em";
    let run = fit(&folder, &format!("{words} --fullbatch-epochs 2"));
    assert_eq!(run.exit, Some(0), "{run:?}");
    let run = fit(&folder, &format!("{words} --fullbatch-epochs 4 --resume"));
    assert_eq!(run.exit, Some(0), "{run:?}");
    assert!(run.stderr.contains("resuming from `c.pelton`"), "{run:?}");
}

#[test]
fn checkpoints_of_other_runs_are_refused() {
    let folder = packing();
    let words = "-o o.pelton --fullbatch-epochs 2 --checkpoint c.pelton";
    assert_eq!(fit(&folder, words).exit, Some(0));
    let says = |run: &Run, part: &str| {
        assert_eq!(run.exit, Some(2), "{run:?}");
        assert!(run.stderr.contains(part), "{part} in {run:?}");
    };
    let resume = format!("{words} --resume");
    says(&fit(&folder, &format!("{resume} --seed 7")), "seed was 0");
    says(
        &fit(&folder, &format!("{resume} -D K=3")),
        "it belongs to another circuit",
    );
    let other = resume.replace("c.pelton", "o.pelton");
    says(
        &fit(&folder, &other.replace("-o o.pelton", "-o p.pelton")),
        "it is a model and no checkpoint",
    );
    std::fs::copy(folder.path().join("v.csv"), folder.path().join("t.csv")).unwrap();
    says(&fit(&folder, &resume), "the training rows were others");
    std::fs::write(folder.path().join("c.pelton"), "what is this").unwrap();
    says(&fit(&folder, &resume), "cannot be resumed from `c.pelton`");
}

#[cfg(unix)]
mod signals {
    use super::*;
    use std::io::{BufRead, BufReader, Read};
    use std::process::{Child, Command, Stdio};
    use std::time::Duration;

    /// Runs with drawn noise do not end because nothing changes any more.
    const ENDLESS: &str = "--valid v.csv --patience 100000000 --softness 0.01 --softening sampled";

    /// A run that would take long, which has told of its first epoch.
    fn running(folder: &TempDir, words: &str) -> (Child, BufReader<std::process::ChildStderr>) {
        let words = format!("fit a.pcirc --train t.csv --progress plain {ENDLESS} {words}");
        let mut child = Command::new(PELTON.path)
            .args(words.split_whitespace())
            .current_dir(folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stderr = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        stderr.read_line(&mut line).unwrap();
        assert!(line.starts_with("epoch 1/"), "{line}");
        (child, stderr)
    }

    fn signal(child: &Child, name: &str) {
        let id = child.id().to_string();
        let sent = Command::new("kill").args([name, &id]).status().unwrap();
        assert!(sent.success());
    }

    fn stdout(child: &mut Child) -> String {
        let mut text = String::new();
        let mut stdout = child.stdout.take().unwrap();
        stdout.read_to_string(&mut text).unwrap();
        text
    }

    #[test]
    fn an_interrupted_run_keeps_its_best_parameters() {
        for name in ["-INT", "-TERM"] {
            let folder = packing();
            let words = "-o o.pelton --checkpoint c.pelton --fullbatch-epochs 10000000 --json";
            let (mut child, _stderr) = running(&folder, words);
            signal(&child, name);
            let report = stdout(&mut child);
            assert_eq!(child.wait().unwrap().code(), Some(130), "{report}");
            let report = &json_lines(&report)[0];
            assert_eq!(report["stop_reason"], "cancelled");
            let run = PELTON.run(
                folder.path(),
                ["eval", "o.pelton", "--data", "v.csv", "--json"],
            );
            let mean = number(&json_lines(&run.stdout)[0]["mean_log_likelihood"]);
            assert!((mean - number(&report["valid_ll"])).abs() < 1e-6);
            assert!(folder.path().join("c.pelton").exists());
        }
    }

    /// Where no epoch has ended there is only a start, which is nothing to keep.
    #[test]
    fn a_run_that_is_interrupted_in_its_first_epoch_writes_nothing() {
        let circuit = "var x[0..64] : bool;\n\
                       node kind[k in 0..400] = prod i in 0..64 { x[i] ~ bernoulli(?) };\n\
                       root sum k in 0..400 { ?: kind[k] };\n";
        let row = |row: u64| {
            let bit = |at: u64| ((row.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> at) & 1).to_string();
            (0..64).map(bit).collect::<Vec<_>>().join(",")
        };
        let rows: Vec<String> = (0..50_000).map(row).collect();
        let folder = folder(circuit, &rows.join("\n"));
        std::fs::write(folder.path().join("o.pelton"), "of an earlier run").unwrap();
        let words = "fit a.pcirc --train t.csv -o o.pelton -o o.pcirc --report r.json \
                     --checkpoint c.pelton";
        // The signal has to come when the run listens to it, and before its epoch has ended.
        for delay in (8..14).map(|power| Duration::from_millis(1 << power)) {
            let child = Command::new(PELTON.path)
                .args(words.split_whitespace())
                .current_dir(folder.path())
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap();
            std::thread::sleep(delay);
            signal(&child, "-INT");
            let run = child.wait_with_output().unwrap();
            assert_eq!(read(&folder, "o.pelton"), b"of an earlier run");
            for name in ["o.pcirc", "r.json", "c.pelton"] {
                assert!(!folder.path().join(name).exists(), "{name}");
            }
            let told = String::from_utf8_lossy(&run.stderr);
            if told.contains("nothing was written") {
                assert_eq!(run.status.code(), Some(130), "{told}");
                return;
            }
        }
        panic!("the run never listened in its first epoch");
    }

    /// The run that was interrupted goes on to the end of one that was not.
    #[test]
    fn what_was_interrupted_can_be_resumed() {
        let folder = packing();
        let words = "--minibatch-epochs 400 --batch-size 16 --fullbatch-epochs 1";
        let checkpoint = format!("{words} -o o.pcirc --checkpoint c.pelton");
        let (mut child, _stderr) = running(&folder, &checkpoint);
        signal(&child, "-INT");
        stdout(&mut child);
        assert_eq!(child.wait().unwrap().code(), Some(130));
        let resumed = fit(&folder, &format!("{checkpoint} {ENDLESS} --resume"));
        assert_eq!(resumed.exit, Some(0), "{resumed:?}");
        let single = fit(&folder, &format!("{words} {ENDLESS} -o single.pcirc"));
        assert_eq!(single.exit, Some(0), "{single:?}");
        assert!(read(&folder, "single.pcirc") == read(&folder, "o.pcirc"));
    }

    /// Files are replaced whole: whenever a run is killed, what was there before is.
    #[test]
    fn a_killed_run_leaves_whole_files() {
        let folder = packing();
        assert_eq!(
            fit(&folder, "-o o.pelton --fullbatch-epochs 1").exit,
            Some(0)
        );
        let before = read(&folder, "o.pelton");
        let words = "-o o.pelton --checkpoint c.pelton --fullbatch-epochs 10000000";
        let (mut child, mut stderr) = running(&folder, words);
        // The second line comes a second later, so that a checkpoint has been written.
        stderr.read_line(&mut String::new()).unwrap();
        signal(&child, "-KILL");
        assert_eq!(child.wait().unwrap().code(), None);
        assert!(read(&folder, "o.pelton") == before);
        let words = "-o o.pelton --checkpoint c.pelton --resume --fullbatch-epochs 1 --json";
        let resumed = fit(&folder, &format!("{words} {ENDLESS}"));
        assert!(resumed.stderr.contains("resuming from"), "{resumed:?}");
        assert!(!report(&resumed)["epochs"].as_array().unwrap().is_empty());
    }
}
