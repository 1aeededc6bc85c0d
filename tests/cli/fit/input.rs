//! What `pelton fit` says of bad input, and what it never does to files.

use super::*;

#[test]
fn bad_options_are_told() {
    for (words, says) in [
        ("", "say where the learned model goes: `-o model.pelton`"),
        ("-o o.txt", "neither a model file (.pelton) nor source"),
        ("-o a.pcirc", "is the circuit that is learned"),
        ("-o o.pelton -o o.pelton", "is to be written twice"),
        ("-o no/o.pelton", "there is no such folder"),
        ("-o o.pelton --report no/r.json", "there is no such folder"),
        (
            "-o o.pelton --checkpoint no/c.pelton",
            "there is no such folder",
        ),
        ("-o o.pelton --pseudocount -1", "the pseudocount is -1"),
        ("-o o.pelton --pseudocount inf", "the pseudocount is inf"),
        ("-o o.pelton --entropy nan", "the weight of the entropy is"),
        ("-o o.pelton --softness 0.5", "must be below 0.5"),
        ("-o o.pelton --softness -0.1", "the softness is -0.1"),
        ("-o o.pelton --tolerance -1", "the tolerance is -1"),
        ("-o o.pelton --step-size 0:1", "a step size is 0"),
        ("-o o.pelton --step-size fast", "write START:END"),
        ("-o o.pelton --batch-size 0", "--batch-size"),
        ("-o o.pelton --patience 0", "0 is not in 1..="),
        ("-o o.pelton --method guess", "possible values: mle, em"),
        (
            "-o o.pelton --softening wool",
            "virtual, geometric, sampled",
        ),
        ("-o o.pelton --init luck", "random, kmeans, keep"),
        ("-o o.pelton --chunk-rows 0", "--chunk-rows"),
        (
            "-o o.pelton --fullbatch-epochs 18446744073709551615",
            "--fullbatch-epochs",
        ),
        ("-o o.pelton --threads 0", "--threads"),
        ("-o o.pelton --resume", "--checkpoint"),
        ("-o o.pelton --paper", "--valid"),
        ("-o o.pelton --valid no.csv", "no.csv"),
    ] {
        let folder = folder(PAIR, ROWS);
        let run = fit(&folder, words);
        assert_eq!((run.exit, run.stdout.as_str()), (Some(2), ""), "{words}");
        assert!(run.stderr.contains(says), "{words}: {}", run.stderr);
        assert!(!folder.path().join("o.pelton").exists(), "{words}");
    }
}

/// Before anything is read, let alone learned.
#[cfg(target_os = "linux")]
#[test]
fn folders_that_take_no_files_are_told_at_once() {
    let folder = folder(PAIR, ROWS);
    for words in [
        "-o /proc/o.pelton",
        "-o o.pelton --report /proc/r.json",
        "-o o.pelton --checkpoint /proc/c.pelton",
    ] {
        let words = format!("fit no.pcirc --train no.csv {words}");
        let run = PELTON.run(folder.path(), words.split(' '));
        assert_eq!(run.exit, Some(2), "{run:?}");
        let is_told = run.stderr.contains("`/proc/") && run.stderr.contains("cannot be written");
        assert!(is_told, "{run:?}");
    }
    let run = fit(&folder, "-o o.pelton --report /dev/null");
    assert_eq!(run.exit, Some(0), "{run:?}");
    let left = std::fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(left, 3, "nothing but the circuit, the rows and the result");
}

/// Nothing that is read is written, by whatever name.
#[test]
fn what_is_read_is_not_replaced() {
    let folder = packing();
    let words = "--valid v.csv --fullbatch-epochs 1 -o m.pelton";
    assert_eq!(fit(&folder, words).exit, Some(0));
    let kept = ["a.pcirc", "m.pelton", "t.csv", "v.csv", "s.csv"];
    let before = kept.map(|name| read(&folder, name));
    std::fs::create_dir(folder.path().join("sub")).unwrap();
    let is_circuit = "is the circuit that is learned; give what is written another name";
    let is_data = "is a file of data that is read; give what is written another name";
    for (model, words, says) in [
        ("a.pcirc", "-o ./a.pcirc", is_circuit),
        (
            "m.pelton",
            "-o o.pelton --checkpoint sub/../m.pelton",
            is_circuit,
        ),
        ("a.pcirc", "-o o.pelton --checkpoint a.pcirc", is_circuit),
        ("./m.pelton", "-o o.pelton --report m.pelton", is_circuit),
        ("a.pcirc", "-o o.pelton --checkpoint t.csv", is_data),
        ("a.pcirc", "-o o.pelton --checkpoint ./v.csv", is_data),
        ("a.pcirc", "-o o.pelton --report sub/../s.csv", is_data),
        ("a.pcirc", "-o o.pelton -o ./o.pelton", "written twice"),
        (
            "a.pcirc",
            "-o o.pelton --checkpoint sub/../o.pelton",
            "written twice",
        ),
    ] {
        let splits = "--train t.csv --valid v.csv --test s.csv --fullbatch-epochs 1";
        let words = format!("fit {model} {splits} {words}");
        let run = PELTON.run(folder.path(), words.split_whitespace());
        assert_eq!((run.exit, run.stdout.as_str()), (Some(2), ""), "{words}");
        assert!(run.stderr.contains(says), "{words}: {}", run.stderr);
        assert!(before == kept.map(|name| read(&folder, name)), "{words}");
    }
}

/// A model file is written whole or not at all, so it can take its own place.
#[test]
fn a_model_file_is_trained_in_place() {
    let folder = packing();
    assert_eq!(
        fit(&folder, "--fullbatch-epochs 1 -o m.pelton").exit,
        Some(0)
    );
    let before = read(&folder, "m.pelton");
    let words = "fit m.pelton --train t.csv --fullbatch-epochs 2 -o ./m.pelton";
    let run = PELTON.run(folder.path(), words.split_whitespace());
    assert_eq!(run.exit, Some(0), "{}", run.stderr);
    assert!(before != read(&folder, "m.pelton"));
}

#[test]
fn what_the_circuit_uses_is_not_replaced() {
    let circuit = "use \"lib.pcirc\" as lib;\nvar rain, wet : bool;\n\
                   root lib.flip(rain) * lib.flip(wet);\n";
    let folder = folder(circuit, ROWS);
    let library = "def flip(v) = v ~ bernoulli(?);\n";
    std::fs::write(folder.path().join("lib.pcirc"), library).unwrap();
    for words in ["-o ./lib.pcirc", "-o o.pelton --report lib.pcirc"] {
        let run = fit(&folder, words);
        assert_eq!(run.exit, Some(2), "{run:?}");
        let says = "is a file that the circuit uses; give what is written another name";
        assert!(run.stderr.contains(says), "{run:?}");
        assert_eq!(read(&folder, "lib.pcirc"), library.as_bytes());
    }
    // A model file holds its own copy.
    assert_eq!(fit(&folder, "-o o.pelton").exit, Some(0));
    let words = "fit o.pelton --train t.csv -o lib.pcirc";
    let run = PELTON.run(folder.path(), words.split(' '));
    assert_eq!(run.exit, Some(0), "{run:?}");
}

#[test]
fn standard_input_is_read_once() {
    let folder = folder(PAIR, ROWS);
    let run = |words: &str| {
        let words = words.split(' ');
        PELTON.run_with_input(folder.path(), words, ROWS.as_bytes())
    };
    let piped = run("fit a.pcirc --train - -o o.pelton --json");
    assert_eq!(report(&piped)["rows"], 4);
    for words in [
        "fit - --train - -o o.pelton",
        "fit a.pcirc --train - --valid - -o o.pelton",
        "fit a.pcirc --train - --chunk-rows 2 -o o.pelton",
    ] {
        let refused = run(words);
        assert_eq!(refused.exit, Some(2), "{refused:?}");
        assert!(refused.stderr.contains("standard input"), "{refused:?}");
    }
}

/// A pipe is empty when it is read for the second time.
#[cfg(target_os = "linux")]
#[test]
fn pipes_cannot_be_read_in_chunks() {
    let folder = folder(PAIR, ROWS);
    let words = "fit a.pcirc --train /dev/stdin --chunk-rows 2 -o o.pelton";
    let run = PELTON.run_with_input(folder.path(), words.split(' '), ROWS.as_bytes());
    assert_eq!(run.exit, Some(2), "{run:?}");
    assert!(
        run.stderr.contains("`/dev/stdin` can be read only once"),
        "{run:?}"
    );
}

#[test]
fn circuits_that_cannot_be_learned_are_told() {
    let fixed = "var rain, wet : bool;\nroot 0.5: rain * wet + 0.5: !rain * !wet;\n";
    let fixed = folder(fixed, ROWS);
    let run = fit(&fixed, "-o o.pelton");
    assert_eq!(run.exit, Some(1), "{run:?}");
    assert!(run.stderr.contains("--learn-all"), "{run:?}");
    let loose = folder(
        "var rain, wet : bool;\nroot 2: rain * wet + 3: !rain * !wet;\n",
        ROWS,
    );
    let run = fit(&loose, "-o o.pelton --learn-all -q");
    assert_eq!(run.exit, Some(1), "{run:?}");
    assert!(run.stderr.contains("even with --learn-all"), "{run:?}");
    let run = fit(&folder(MIXTURE, "1,1\n"), "-o o.pelton --method mle");
    assert_eq!(run.exit, Some(1), "{run:?}");
    for says in [
        "a.pcirc:",
        "witness: ",
        "the maximum likelihood in closed form is exact if the circuit is deterministic",
        "`--method em`",
    ] {
        assert!(run.stderr.contains(says), "{says}: {}", run.stderr);
    }
    assert_eq!(
        fit(&folder("root ;", ROWS), "-o o.pelton").exit,
        Some(1),
        "a broken text"
    );
}

#[test]
fn data_that_do_not_fit_are_told() {
    for (rows, says) in [
        ("", "there is nothing in it"),
        ("rain,wet\n", "there is only a header"),
        ("rain,wet\n1,maybe\n", "t.csv:2: column 2, `wet`"),
        ("rain,wet\n1\n", "t.csv:2"),
        ("1,1,1\n", "t.csv:1"),
    ] {
        let run = fit(&folder(PAIR, rows), "-o o.pelton");
        assert_eq!(run.exit, Some(3), "{rows:?}: {run:?}");
        assert!(run.stderr.contains(says), "{rows:?}: {}", run.stderr);
        let words = "-o o.pelton --chunk-rows 1";
        assert_eq!(fit(&folder(PAIR, rows), words).exit, Some(3), "{rows:?}");
    }
    let missing = folder(PAIR, "rain,wet\n1,\n0,1\n");
    let run = fit(&missing, "-o o.pelton --method mle");
    assert_eq!(run.exit, Some(3), "{run:?}");
    assert!(
        run.stderr.contains("but cells are missing; elsewhere"),
        "{run:?}"
    );
    // Nothing that is learned makes the rows possible.
    let never = folder(
        "var rain, wet : bool;\nroot rain * (?: wet + ?: !wet);\n",
        "0,1\n0,0\n",
    );
    let run = fit(&never, "-o o.pelton");
    assert_eq!(run.exit, Some(3), "{run:?}");
    assert!(!never.path().join("o.pelton").exists());
}

#[test]
fn rows_of_probability_zero_are_told_and_left_out() {
    let circuit = "var rain, wet : bool;\nroot rain * (?: wet + ?: !wet);\n";
    let folder = folder(circuit, "1,1\n0,1\n1,1\n");
    let run = fit(&folder, "-o o.pelton --json --pseudocount 0");
    assert!(run.stderr.contains("1 of 3"), "{run:?}");
    let report = report(&run);
    assert_eq!(
        (&report["train_zero_rows"], &report["rows"]),
        (&1.into(), &3.into())
    );
    assert!(number(&report["train_ll"]).abs() < 1e-9, "{report}");
}

#[test]
fn columns_without_news_do_no_harm() {
    let folder = folder(MIXTURE, "a,b\n1,\n0,\n1,\n");
    for words in ["", "--pseudocount 0", "--softness 0.1 --scale-by-marginal"] {
        let report = report(&fit(&folder, &format!("-o o.pelton --json {words}")));
        assert!(number(&report["train_ll"]) < 0.0, "{words}: {report}");
    }
    std::fs::write(folder.path().join("t.csv"), "a,b\n1,1\n0,1\n1,1\n").unwrap();
    for words in [
        "",
        "--pseudocount 0",
        "--softness 0.1 --scale-by-marginal",
        "--entropy 0.1",
        "--init kmeans",
    ] {
        let report = report(&fit(&folder, &format!("-o o.pelton --json {words}")));
        assert!(number(&report["train_ll"]).is_finite(), "{words}: {report}");
    }
}

#[test]
fn ignored_columns_are_told() {
    let folder = folder(PAIR, "rain,when,wet\n1,2,1\n0,3,0\n");
    let run = fit(&folder, "-o o.pelton");
    assert_eq!(run.exit, Some(0), "{run:?}");
    assert!(run.stderr.contains("when"), "{run:?}");
    assert_eq!(fit(&folder, "-o o.pelton -q").stderr, "");
}
