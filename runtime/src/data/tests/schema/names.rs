//! Headers, and what columns are called.

use super::*;

#[test]
fn columns_without_names_are_an_array_if_they_are_alike() {
    let rows: String = (0..50).map(|row| format!("{},1,0\n", row % 2)).collect();
    let found = find(&rows, &auto());
    assert_eq!(found.schema.declarations(), "var x[0..3] : bool;\n");
    assert_eq!(found.schema.references(), ["x[0]", "x[1]", "x[2]"]);
    assert_eq!(found.notes, Vec::<String>::new());
    let letters = find("0,20,3,19\n18,1,20,20\n1,5,6,20\n", &auto());
    assert_eq!(letters.schema.declarations(), "var x[0..4] : 0..21;\n");
    assert_eq!(
        letters.notes,
        ["the columns of d.csv have no names and hold alike integers: each is taken as 0..21"]
    );
    assert_eq!(
        declared("0,1,3,a\n1,0,2.5,b\n"),
        "var x0, x1 : bool;\nvar x2 : real;\nvar x3 : {a, b};\n"
    );
    assert_eq!(
        declared("0,1,0\n1,0,200\n"),
        "var x0, x1 : bool;\nvar x2 : 0..201;\n"
    );
}

#[test]
fn rows_of_digits_and_others_are_seen_alike() {
    let rows: Vec<String> = (0..400)
        .map(|row| format!("{},{},{}", row % 2, row * 7 % 10, row % 3))
        .collect();
    let names = "a,b,c\n";
    let plain = rows.join("\n");
    let expected = "var a : bool;\nvar b : 0..10;\nvar c : 0..3;\n";
    for text in [
        format!("{names}{plain}\n"),
        format!("{names}{plain}"),
        format!("{names}{plain}\n").replace('\n', "\r\n"),
        format!("{names}{plain}").replace(',', ", "),
        format!("{names}{plain}").replace(',', "\t"),
        format!("{names}{plain}").replace("1,8,", "1,?,"),
    ] {
        assert_eq!(declared(&text), expected);
        assert_eq!(declared(gzipped(text.as_bytes())), expected);
    }
}

#[test]
fn the_first_line_is_a_header_or_a_row() {
    for (text, is_header) in [
        ("a,b\n0,1\n", true),
        ("0,1\n0,1\n", false),
        ("yes,no\nno,no\n", false),
        ("rain,wet\nno,no\n", true),
        // A word above numbers, even if it could be a truth value.
        ("no,when\n17,x\n18,y\n", true),
        ("a,1\nb,2\n", false),
        ("?,1\n0,2\n", false),
        (",b\n0,1\n1,1\n", true),
        // Texts only: whether they occur again decides.
        ("sky,wind\nblue,weak\ngrey,weak\n", true),
        ("blue,weak\ngrey,weak\nblue,strong\n", false),
        ("blue\n", true),
        ("yes\n", false),
    ] {
        let found = super::schema(
            vec![source(text.as_bytes())],
            &auto(),
            &SchemaLimits::default(),
        );
        let is_named = match found {
            Ok(found) => {
                check(&found.schema, text.as_bytes(), &auto());
                found.schema.columns[0].name.is_some()
            }
            Err(error) => {
                let only = "d.csv: there is only a header in it, and no row";
                error.to_string() == only
            }
        };
        assert_eq!(is_named, is_header, "{text:?}");
    }
    let note = "the first line of d.csv is taken as a header, because none of its cells occurs \
                again; TakeLineAsRow";
    let guess = "sky,wind\nblue,weak\ngrey,weak\n";
    let notes = find(guess, &auto()).notes;
    assert_eq!(notes.len(), 1);
    assert_eq!(notes[0].worded(as_data), note);
    assert_eq!(
        find(guess, &with_header(HeaderMode::No))
            .schema
            .declarations(),
        "var x0 : {blue, grey, sky};\nvar x1 : {weak, wind};\n"
    );
    assert_eq!(
        find("1,2\n0,1\n", &with_header(HeaderMode::Yes))
            .schema
            .declarations(),
        "@column(\"1\")\nvar x1 : bool;\n@column(\"2\")\nvar x2 : bool;\n"
    );
}

#[test]
fn names_become_names_of_the_language() {
    for (name, declared) in [
        ("rain", "var rain : bool;\n"),
        ("Höhe_2", "var Höhe_2 : bool;\n"),
        (
            "age (years)",
            "@column(\"age (years)\")\nvar age_years : bool;\n",
        ),
        ("in", "@column(\"in\")\nvar in_ : bool;\n"),
        ("2019", "@column(\"2019\")\nvar x2019 : bool;\n"),
        ("%", "@column(\"%\")\nvar x0 : bool;\n"),
        ("天気", "var `天気` : bool;\n"),
        ("a`b", "@column(\"a`b\")\nvar a_b : bool;\n"),
        ("{0}", "@column(\"{0}\")\nvar x0 : bool;\n"),
        ("exp", "var exp : bool;\n"),
        ("normal", "var normal : bool;\n"),
        ("real", "var real : bool;\n"),
        ("P", "var P : bool;\n"),
        ("z[3]", "var z[3..4] : bool;\n"),
    ] {
        let quoted = format!("\"{}\"\n0\n1\n", name.replace('"', "\"\""));
        let found = find(quoted, &with_header(HeaderMode::Yes));
        assert_eq!(found.schema.declarations(), declared, "{name}");
        assert_eq!(found.schema.columns[0].name.as_deref(), Some(name));
    }
}

#[test]
fn names_are_different_and_arrays_stay_arrays() {
    let declared = |header: &[&str]| {
        let row = vec!["0"; header.len()].join(",");
        let text = format!("\"{}\"\n{row}\n", header.join("\",\""));
        find(text, &with_header(HeaderMode::Yes))
            .schema
            .declarations()
    };
    assert_eq!(
        declared(&["a b", "a_b", "a-b"]),
        "@column(\"a b\")\nvar a_b_2 : bool;\nvar a_b : bool;\n@column(\"a-b\")\nvar a_b_3 : bool;\n"
    );
    assert_eq!(declared(&["x[0]", "x[1]", "x[2]"]), "var x[0..3] : bool;\n");
    assert_eq!(
        declared(&["x[0,0]", "x[0, 1]", "y"]),
        "var x[0..1, 0..2] : bool;\nvar y : bool;\n"
    );
    assert_eq!(declared(&["x[0]", "x[2]"]), "var `x[0]`, `x[2]` : bool;\n");
    assert_eq!(declared(&["x", "x[0]"]), "var x, `x[0]` : bool;\n");
    assert_eq!(
        declared(&["x1", "1", "0"]),
        "var x1 : bool;\n@column(\"1\")\nvar x1_2 : bool;\n@column(\"0\")\nvar x0 : bool;\n"
    );
}

#[test]
fn weights_and_columns_without_a_name_are_left_out() {
    let found = find(",a,w\n0,1,0.5\n1,0,2\n", &with_weights("w"));
    assert_eq!(found.schema.declarations(), "var a : bool;\n");
    assert_eq!(
        found.notes,
        ["the column of d.csv without a name is left out"]
    );
    let found = find("0,0.5,1\n1,2,1\n", &with_weights("2"));
    assert_eq!(found.schema.declarations(), "var x[0..2] : bool;\n");
    assert!(told("a,w\n0,1\n", &with_weights("v")).starts_with("d.csv:1: there is no column `v`"));
    assert!(told("0,1\n0,1\n", &with_weights("3")).starts_with("d.csv: there is no column 3"));
    assert_eq!(
        told("w\n1\n", &with_weights("w")),
        "d.csv:1: there is no column for a variable in it"
    );
}
