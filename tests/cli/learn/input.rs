//! What `pelton learn` says of bad input, and what it never does to files.

use super::*;

/// Ends with this exit code and this message, and writes nothing.
fn assert_refused(folder: &TempDir, words: &str, exit: i32, says: &str) {
    let files = |folder: &TempDir| {
        let entries = std::fs::read_dir(folder.path()).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    };
    let before = files(folder);
    let run = run(folder, words);
    assert_eq!(
        (run.exit, run.stdout.as_str()),
        (Some(exit), ""),
        "{words}: {run:?}"
    );
    assert!(run.stderr.contains(says), "{words}: {}", run.stderr);
    let n_errors = run.stderr.matches("error").count() + run.stderr.matches("pelton: ").count();
    assert_eq!(n_errors, 1, "{words}: {}", run.stderr);
    assert_eq!(files(folder), before, "{words}");
}

#[test]
fn bad_options_are_told() {
    let folder = packing();
    for (words, says) in [
        ("", "say where the learned model goes: `-o model.pelton`"),
        ("-o o.txt", "neither a model file (.pelton) nor source"),
        ("-o no/o.pelton", "there is no such folder"),
        ("-o o.pelton -o o.pelton", "is to be written twice"),
        ("-o o.pelton --trees 0", "0 is not in 1..="),
        ("-o o.pelton --trees -1", "unexpected argument"),
        ("-o o.pelton --trees 20000", "20,000 trees are too many"),
        (
            "-o o.pelton --trees 2 --best-of 20000",
            "20,000 trees are too many",
        ),
        ("-o o.pelton --best-of 0", "0 is not in 1..="),
        (
            "-o o.pelton --tree-choice oak",
            "possible values: best, bootstrap",
        ),
        (
            "-o o.pelton --pair-pseudocount nan",
            "a finite number from 0 up",
        ),
        ("-o o.pelton --pseudocount=-1", "the pseudocount is -1"),
        (
            "-o o.pelton --softness 0.9",
            "the softness is 0.9; it must be below",
        ),
        ("-o o.pelton --chunk-rows 5", "leave out --chunk-rows"),
        ("-o o.pelton --valid no.csv", "no.csv"),
        ("-o o.pelton --resume", "--checkpoint"),
        (
            "-o o.pelton --checkpoint t.csv",
            "is a file of data that is read",
        ),
        (
            "-o o.pelton --report ./t.csv",
            "is a file of data that is read",
        ),
    ] {
        for kind in ["clt", "hclt"] {
            assert_refused(
                &folder,
                &format!("learn {kind} --train t.csv {words}"),
                2,
                says,
            );
        }
    }
    for (words, says) in [
        ("hclt --hidden 0", "0 is not in 1..="),
        ("hclt --form cubic", "possible values: pelton, paper"),
        ("hclt --budget 2s", "--valid"),
        ("hclt --valid v.csv --budget 0", "write a time such as 90s"),
        (
            "hclt --valid v.csv --budget abc",
            "write a time such as 90s",
        ),
        (
            "hclt --valid v.csv --budget 2s --checkpoint c",
            "--checkpoint",
        ),
        ("hclt --valid v.csv --budget 2s --form paper", "--form"),
        ("hclt --valid v.csv --budget 2s --init random", "--init"),
        (
            "hclt --valid v.csv --budget 2s --softness 0.9",
            "the softness is 0.9",
        ),
        (
            "clt --trees 2 --checkpoint c.pelton",
            "leave out --checkpoint",
        ),
        ("clt --hidden 3", "unexpected argument"),
        ("clt --budget 2s", "unexpected argument"),
        ("bush", "unrecognized subcommand"),
    ] {
        assert_refused(
            &folder,
            &format!("learn {words} --train t.csv -o o.pelton"),
            2,
            says,
        );
    }
    assert_refused(
        &folder,
        "learn hclt --train - --valid - -o o.pelton",
        2,
        "standard input",
    );
    assert_refused(
        &folder,
        "learn hclt --train no.csv -o o.pelton",
        2,
        "no.csv",
    );
}

/// What is read stays what it is, whatever it is called.
#[test]
fn data_are_not_replaced() {
    let folder = packing();
    let before = read(&folder, "t.csv");
    std::fs::rename(folder.path().join("t.csv"), folder.path().join("t.pcirc")).unwrap();
    let words = "learn clt --train t.pcirc -o ./t.pcirc";
    assert_refused(&folder, words, 2, "is a file of data that is read");
    assert!(read(&folder, "t.pcirc") == before);
}

/// Told at once: a circuit of this size would fill the memory of any machine.
#[test]
fn circuits_that_are_too_large_are_told() {
    for folder in [packing(), folder("0.5,1,1\n1.5,2,2\n"), folder(MIXED)] {
        for words in [
            "--hidden 100000",
            "--hidden 1000000000",
            "--hidden 40000 --trees 9999",
        ] {
            let words = format!("learn hclt --train t.csv -o o.pelton {words}");
            let run = run(&folder, &words);
            assert_eq!(run.exit, Some(2), "{words}: {run:?}");
            assert!(run.stderr.contains("too large"), "{words}: {run:?}");
        }
    }
}

/// Leaves that hang on one hidden variable need few edges, and clusters of no rows none.
#[test]
fn many_states_of_few_columns_are_learned() {
    let folder = folder("0,1\n1,1\n0,0\n");
    let words = "-o o.pelton --hidden 20000 --trees 1 --fullbatch-epochs 1";
    let run = learn(&folder, "hclt", words);
    assert_eq!(run.exit, Some(0), "{run:?}");
}

#[test]
fn data_that_do_not_fit_are_told() {
    let ids = (0..1_001).map(|at| format!("{},t{at}\n", at % 2));
    let ids = format!("a,c\n{}", ids.collect::<String>());
    for (rows, says) in [
        ("", "there is nothing in it"),
        ("\n\n", "there is nothing in it"),
        ("a,b\n", "there is only a header"),
        ("a,b\n1,0\n1\n", "t.csv:3: the line has 1 cell"),
        ("a,a\n1,0\n", "t.csv:1"),
        ("a,b\n1,inf\n0,2.5\n", "is not a finite number"),
        (ids.as_str(), "there are more than 1,000 different texts"),
    ] {
        for kind in ["clt", "hclt"] {
            let words = format!("learn {kind} --train t.csv -o o.pelton");
            assert_refused(&folder(rows), &words, 3, says);
        }
    }
    let words = "learn hclt --train t.csv -o o.pelton --weight-column";
    let weights = folder("n\n1\n2\n");
    assert_refused(
        &weights,
        &format!("{words} n"),
        3,
        "there is no column for a variable",
    );
    assert_refused(&folder(MIXED), &format!("{words} n"), 3, "`n`");
    let negative = folder("a,n\n1,-2\n");
    assert_refused(&negative, &format!("{words} n"), 3, "t.csv:2");
}

#[test]
fn plain_trees_are_not_over_real_numbers() {
    let words = "learn clt --train t.csv -o o.pelton";
    let says = "column `temp` holds real numbers";
    assert_refused(&folder(MIXED), words, 3, says);
}

#[test]
fn other_splits_have_to_fit() {
    let folder = packing();
    let put = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    put("other.csv", "x,y\n1,0\n");
    put("narrow.csv", "1,0\n1,1\n");
    let test = String::from_utf8(read(&folder, "s.csv")).unwrap();
    let mut lines: Vec<&str> = test.lines().collect();
    let third = lines[2].split_once(',').unwrap().1;
    let wrong = format!("autumnal,{third}");
    lines[2] = &wrong;
    put("wrong.csv", &lines.join("\n"));
    for kind in ["clt", "hclt --fullbatch-epochs 1"] {
        let words = format!("learn {kind} --train t.csv -o o.pelton");
        let says = "no column has the name of a variable";
        assert_refused(&folder, &format!("{words} --valid other.csv"), 3, says);
        assert_refused(
            &folder,
            &format!("{words} --valid narrow.csv"),
            3,
            "narrow.csv",
        );
        let says = "wrong.csv:3: column 1, `season`: `autumnal` is not a category";
        assert_refused(&folder, &format!("{words} --test wrong.csv"), 3, says);
    }
}
