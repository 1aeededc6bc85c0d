//! Sessions with the language server: the real binary, driven as an editor does.

#[path = "lsp/editor.rs"]
mod editor;

use editor::{Editor, apply, codes, position};
use serde_json::{Value, json};
use std::io::Write;
use std::path::Path;

const ROUGH: &str = "\
var rain, wet : bool;
node a = 0.4: rain * wet + 0.6: !rain;
root a;
";

#[test]
fn a_diagnostic_is_shown_repaired_and_cleared() {
    let mut editor = Editor::ready();
    editor.open("w.pcirc", ROUGH);
    let found = editor.diagnostics("w.pcirc", 1);
    assert_eq!(codes(&found), ["PC0101"]);
    assert_eq!(found[0]["severity"], 1);
    assert_eq!(found[0]["range"]["start"], position(ROUGH, "!rain"));
    assert_eq!(
        found[0]["relatedInformation"][0]["location"]["uri"],
        editor.uri("w.pcirc")
    );
    assert_eq!(found[0]["data"]["explain"], "pelton explain PC0101");
    assert!(
        found[0]["message"]
            .as_str()
            .unwrap()
            .contains("pelton explain PC0101")
    );

    let params = json!({
        "textDocument": {"uri": editor.uri("w.pcirc")},
        "range": found[0]["range"],
        "context": {"diagnostics": found},
    });
    let actions = editor.request("textDocument/codeAction", params.clone());
    assert_eq!(actions[0]["kind"], "quickfix");
    assert_eq!(actions[0]["diagnostics"][0]["code"], "PC0101");
    let edits = &actions[0]["edit"]["changes"][editor.uri("w.pcirc")];
    let repaired = apply(ROUGH, edits);
    assert!(
        repaired.contains("!rain * wet ~ bernoulli(0.5)"),
        "{repaired}"
    );

    let mut elsewhere = params.clone();
    let start = position(ROUGH, "var");
    elsewhere["range"] = json!({"start": start, "end": start});
    let none = editor.request("textDocument/codeAction", elsewhere);
    assert_eq!(none, json!([]));
    let mut other_kind = params;
    other_kind["context"]["only"] = json!(["refactor"]);
    let none = editor.request("textDocument/codeAction", other_kind);
    assert_eq!(none, json!([]));

    editor.change("w.pcirc", 2, json!([{"text": repaired}]));
    assert_eq!(editor.diagnostics("w.pcirc", 2), Vec::<Value>::new());
    assert_eq!(editor.finish(), Some(0));
}

#[test]
fn a_warning_can_be_silenced_and_a_witness_is_shown() {
    let text = "var x : bool;\nnode unused = x;\nnode mix = 0.5: x + 0.5: x ~ bernoulli(0.2);\n\
                root mix;\nassert root is deterministic;\n";
    let mut editor = Editor::ready();
    editor.open("w.pcirc", text);
    let found = editor.diagnostics("w.pcirc", 1);
    let of = |code: &str| found.iter().find(|d| d["code"] == code).unwrap();
    let witness = of("PC0103")["message"].as_str().unwrap();
    assert!(witness.contains("x = true"), "{witness}");
    assert_eq!(of("PC0201")["tags"], json!([1]));

    let params = json!({
        "textDocument": {"uri": editor.uri("w.pcirc")},
        "range": of("PC0201")["range"],
        "context": {"diagnostics": []},
    });
    let actions = editor.request("textDocument/codeAction", params);
    assert_eq!(actions[0]["title"], "silence with @allow(unused_node)");
    let edits = &actions[0]["edit"]["changes"][editor.uri("w.pcirc")];
    let silenced = apply(text, edits);
    editor.change("w.pcirc", 2, json!([{"text": silenced}]));
    assert_eq!(codes(&editor.diagnostics("w.pcirc", 2)), ["PC0103"]);
    assert_eq!(editor.finish(), Some(0));
}

const MODEL: &str = "\
const K = 3; // ü and \u{1F600}
@column(\"height_cm\") @unit(\"cm\")
var height : real;
var species : {adelie, chinstrap, gentoo};
param w : simplex(K) = ?;
param sigma : positive = ?10.0;

/// One kind of penguin.
node comp[k in 0..K] = height ~ normal(?, sigma) * species ~ categorical(?);
def half(a, b) = 0.5: a + 0.5: b;
node sure = /* \u{1F600} */ height ~ normal(0, 1) * [species = gentoo];
root sum k in 0..K { w[k]: half(comp[k], sure) };
assert root is smooth;
";

#[test]
fn hovers_tell_what_is_known() {
    let mut editor = Editor::ready();
    editor.open("m.pcirc", MODEL);
    let mut hover = |needle| editor.hover("m.pcirc", MODEL, needle);
    let node = hover("comp[k], sure");
    for part in [
        "One kind of penguin.",
        "node comp[k in 0..K]",
        "product: 3 instances, ",
        "scope: {height, species}",
        "smooth: proven",
        "decomposable: proven",
    ] {
        assert!(node.contains(part), "`{part}` is not in\n{node}");
    }
    let variable = hover("height ~ normal(0");
    for part in ["domain: real", "column: height_cm", "unit: cm"] {
        assert!(variable.contains(part), "{variable}");
    }
    let parameter = hover("sigma) *");
    assert!(
        parameter.contains("positive, 1 entry, learned"),
        "{parameter}"
    );
    assert!(
        parameter.contains("edges and leaves that use it: 3;"),
        "{parameter}"
    );
    assert!(hover("K] =").contains("const K = 3"));
    assert!(hover("normal(?").contains("normal(mean, sd)"));
    assert!(hover("half(comp").contains("def half(a, b)"));
    assert!(hover("smooth;").contains("mention the same variables"));
    assert!(hover("gentoo];").contains("a value of species"));
    let root = hover("root sum");
    assert!(root.contains("deterministic: refuted"), "{root}");
    assert!(hover("param w").contains("every use of it is tied"));
    assert_eq!(editor.finish(), Some(0));
}

#[test]
fn names_are_followed_in_a_document() {
    let mut editor = Editor::ready();
    editor.open("m.pcirc", MODEL);
    let mut goes_to = |from: &str, to: &str| {
        let params = editor.at("m.pcirc", MODEL, from);
        let place = editor.request("textDocument/definition", params);
        assert_eq!(place["range"]["start"], position(MODEL, to), "{from}");
    };
    goes_to("comp[k], sure", "comp[k in");
    goes_to("k]: half", "k in 0..K { w");
    goes_to("b;\nnode sure", "b) = 0.5");
    goes_to("gentoo];", "gentoo};");
    goes_to("sigma) *", "sigma : pos");

    let params = editor.at("m.pcirc", MODEL, "K = 3");
    let places = editor.request("textDocument/documentHighlight", params.clone());
    assert_eq!(places.as_array().unwrap().len(), 4);
    let mut params = params;
    params["context"] = json!({"includeDeclaration": false});
    let places = editor.request("textDocument/references", params);
    assert_eq!(places.as_array().unwrap().len(), 3);
    let starts: Vec<&Value> = places
        .as_array()
        .unwrap()
        .iter()
        .map(|p| &p["range"]["start"])
        .collect();
    assert!(starts.contains(&&position(MODEL, "K] =")));

    let document = json!({"textDocument": {"uri": editor.uri("m.pcirc")}});
    let outline = editor.request("textDocument/documentSymbol", document.clone());
    let names: Vec<&str> = outline
        .as_array()
        .unwrap()
        .iter()
        .map(|s| s["name"].as_str().unwrap())
        .collect();
    assert_eq!(
        names,
        [
            "K", "height", "species", "w", "sigma", "comp", "half", "sure", "root"
        ]
    );
    assert_eq!(outline[5]["detail"], "node[k]");
    assert_eq!(
        outline[7]["selectionRange"]["start"],
        position(MODEL, "sure =")
    );
    let folds = editor.request("textDocument/foldingRange", document);
    assert_eq!(
        folds[0]["startLine"], 1,
        "the attributes of `height` stand above it"
    );
    assert_eq!(editor.finish(), Some(0));
}

#[test]
fn completion_knows_its_place() {
    let text = "var sky : {clear, storm};\nnode a = sky ~ categorical(?);\n\
                use \"lib.pcirc\" as lib;\nnode b[t in 0..2] = [sky = \nroot ";
    let mut editor = Editor::ready();
    std::fs::write(editor.path("lib.pcirc"), "const half = 0.5; def f(a) = a;").unwrap();
    editor.open("m.pcirc", text);
    let mut version = 1;
    let mut offered = |tail: &str| {
        version += 1;
        let text = format!(
            "var sky : {{clear, storm}};\nnode a = sky ~ categorical(?);\n\
                            use \"lib.pcirc\" as lib;\n{tail}"
        );
        editor.change("m.pcirc", version, json!([{"text": text}]));
        editor.completions("m.pcirc", &text, tail)
    };
    assert_eq!(offered("node b = [sky = "), ["clear", "storm"]);
    assert_eq!(offered("root lib."), ["half", "f"]);
    assert!(offered("node b = sky ~ ").contains(&"categorical".to_string()));
    assert!(offered("@").contains(&"column".to_string()));
    assert!(offered("assert root is ").contains(&"decomposable".to_string()));
    assert!(offered("").contains(&"query".to_string()));
    let names = offered("node b[t in 0..2] = ");
    for name in ["t", "a", "sky", "lib", "sum"] {
        assert!(names.contains(&name.to_string()), "{name}: {names:?}");
    }
    assert!(offered("// a ").is_empty());
    assert_eq!(editor.finish(), Some(0));
}

const LIBRARY: &str = "const half = 0.5;\ndef mixed(a, b) = half: a + half: b;\n";
const USER: &str = "use \"lib.pcirc\" as lib;\nvar x : bool;\nconst h = lib.half;\n\
                    root lib.mixed(x, !x);\nquery P(x);\n";

/// The texts of two files after an edit of the workspace.
fn edited(editor: &Editor, edit: &Value, files: [(&str, &str); 2]) -> [String; 2] {
    files.map(|(name, text)| apply(text, &edit["changes"][editor.uri(name)]))
}

#[test]
fn a_name_is_renamed_across_files() {
    let mut editor = Editor::ready();
    editor.open("main.pcirc", USER);
    std::fs::write(editor.path("lib.pcirc"), LIBRARY).unwrap();
    let prepared = editor.at("main.pcirc", USER, "half;");
    // The library appeared behind the editor's back.
    editor.notify("workspace/didChangeWatchedFiles", json!({"changes": []}));
    let prepared = editor.request("textDocument/prepareRename", prepared);
    assert_eq!(prepared["placeholder"], "half");

    // From the user, with the library on disk only.
    let mut params = editor.at("main.pcirc", USER, "half;");
    params["newName"] = json!("middle");
    let edit = editor.request("textDocument/rename", params.clone());
    let files = [("main.pcirc", USER), ("lib.pcirc", LIBRARY)];
    let [main, lib] = edited(&editor, &edit, files);
    assert!(main.contains("lib.middle;"), "{main}");
    assert_eq!(lib, LIBRARY.replace("half", "middle"));

    // Reserved words, clashes and captures.
    for refused in ["node", "mixed", "a", "no name", ""] {
        params["newName"] = json!(refused);
        assert_eq!(
            editor.refused("textDocument/rename", params.clone()),
            -32803,
            "{refused}"
        );
    }
    params["newName"] = json!("`node`");
    let edit = editor.request("textDocument/rename", params);
    assert!(edited(&editor, &edit, files)[0].contains("lib.`node`;"));

    // From the library, with the user on disk only.
    let close = json!({"textDocument": {"uri": editor.uri("main.pcirc")}});
    editor.notify("textDocument/didClose", close);
    editor.open("lib.pcirc", LIBRARY);
    let mut params = editor.at("lib.pcirc", LIBRARY, "mixed");
    params["newName"] = json!("mélange");
    let edit = editor.request("textDocument/rename", params);
    let [main, lib] = edited(&editor, &edit, files);
    assert!(main.contains("lib.mélange(x, !x)"), "{main}");
    assert!(lib.contains("def mélange(a, b)"), "{lib}");
    assert_eq!(editor.finish(), Some(0));
}

#[test]
fn used_files_have_diagnostics_of_their_own() {
    let mut editor = Editor::ready();
    std::fs::write(editor.path("lib.pcirc"), LIBRARY).unwrap();
    editor.open("main.pcirc", USER);
    let found = editor.diagnostics("main.pcirc", 1);
    assert_eq!(codes(&found), ["PC0204"], "`h` is not used");
    let from = editor.at("main.pcirc", USER, "mixed");
    let place = editor.request("textDocument/definition", from);
    assert_eq!(place["uri"], editor.uri("lib.pcirc"));
    assert_eq!(place["range"]["start"], position(LIBRARY, "mixed"));
    let from = editor.at("main.pcirc", USER, "\"lib.pcirc\"");
    let place = editor.request("textDocument/definition", from);
    assert_eq!(place["uri"], editor.uri("lib.pcirc"));

    // What is typed in the library counts at once for the file that uses it.
    editor.open("lib.pcirc", LIBRARY);
    assert_eq!(
        editor.diagnostics("lib.pcirc", 1),
        Vec::<Value>::new(),
        "a library has no root"
    );
    let changed = LIBRARY.replace("def mixed", "def muxed");
    editor.change("lib.pcirc", 2, json!([{"text": changed}]));
    loop {
        // The first message may stem from before the change.
        let found = editor.diagnostics("main.pcirc", 1);
        if codes(&found) == ["PC0010"] {
            assert_eq!(found[0]["range"]["start"], position(USER, "mixed"));
            break;
        }
    }
    assert_eq!(editor.finish(), Some(0));
}

#[test]
fn files_on_disk_are_spoken_of_while_a_document_uses_them() {
    let mut editor = Editor::ready();
    let broken = "const half = ;\n";
    std::fs::write(editor.path("lib.pcirc"), broken).unwrap();
    editor.open("main.pcirc", USER);
    let found = editor.diagnostics("lib.pcirc", Value::Null);
    assert_eq!(codes(&found), ["PC0001"]);
    assert_eq!(found[0]["range"]["start"], position(broken, ";"));
    let close = json!({"textDocument": {"uri": editor.uri("main.pcirc")}});
    editor.notify("textDocument/didClose", close);
    let found = editor.diagnostics("lib.pcirc", Value::Null);
    assert_eq!(found, Vec::<Value>::new());
    assert_eq!(editor.finish(), Some(0));
}

#[test]
fn changes_are_counted_in_utf16() {
    let text = "/* \u{1F600}ü */ var x : boo;\nroot x;\n";
    let mut editor = Editor::ready();
    editor.open("u.pcirc", text);
    assert!(!editor.diagnostics("u.pcirc", 1).is_empty());
    let at = position(text, ";\nroot");
    assert_eq!(
        at["character"], 21,
        "the face counts twice, the letter once"
    );
    let insert = json!({"range": {"start": at, "end": at}, "text": "l"});
    // A second change in one message sees the first; a place beyond the end is the end.
    let end = json!({"line": 99, "character": 99});
    let append = json!({"range": {"start": end, "end": end}, "text": "query P(x);\n"});
    editor.change("u.pcirc", 2, json!([insert, append]));
    assert_eq!(editor.diagnostics("u.pcirc", 2), Vec::<Value>::new());

    let document = json!({"uri": editor.uri("u.pcirc")});
    let params = json!({"textDocument": document, "options": {"tabSize": 4, "insertSpaces": true}});
    let full = "/* \u{1F600}ü */ var x : bool;\nroot x;\nquery P(x);\n";
    let edits = editor.request("textDocument/formatting", params.clone());
    assert_eq!(apply(full, &edits), full);
    editor.change("u.pcirc", 3, json!([{"text": "var   x:bool;root x;"}]));
    let edits = editor.request("textDocument/formatting", params.clone());
    let formatted = apply("var   x:bool;root x;", &edits);
    assert_eq!(formatted, "var x : bool;\nroot x;\n");
    editor.change("u.pcirc", 4, json!([{"text": "var   x:bool;root"}]));
    let edits = editor.request("textDocument/formatting", params);
    assert_eq!(edits, Value::Null, "what cannot be read is left alone");
    assert_eq!(editor.finish(), Some(0));
}

#[test]
fn malformed_messages_are_answered_and_survived() {
    let mut editor = Editor::start();
    assert_eq!(editor.refused("textDocument/hover", json!({})), -32002);
    editor.request("initialize", json!({"capabilities": {}}));
    assert_eq!(
        editor.refused("initialize", json!({"capabilities": {}})),
        -32600
    );
    editor.send_text("{\"jsonrpc\": ");
    let answer = editor.receive();
    assert_eq!(
        (&answer["id"], &answer["error"]["code"]),
        (&Value::Null, &json!(-32700))
    );
    // A header that does not say how long its message is costs that message.
    let input = editor.input.as_mut().unwrap();
    write!(input, "Content-Type: x\r\n\r\n{{\"id\": 1}}").unwrap();
    let answer = editor.receive();
    assert_eq!(
        (&answer["id"], &answer["error"]["code"]),
        (&Value::Null, &json!(-32700))
    );
    editor.send_text("{\"jsonrpc\": \"2.0\", \"id\": \"x\", \"method\": 5}");
    let answer = editor.receive();
    assert_eq!(
        (&answer["id"], &answer["error"]["code"]),
        (&json!("x"), &json!(-32600))
    );
    assert_eq!(
        editor.refused("textDocument/hover", json!({"position": "here"})),
        -32602
    );
    assert_eq!(editor.refused("pelton/nothing", json!({})), -32601);
    editor.notify("textDocument/didOpen", json!({"textDocument": 3}));
    assert_eq!(editor.receive()["method"], "window/logMessage");
    editor.notify("pelton/nothing", json!({}));

    let nowhere = json!({"uri": "file:///nowhere.pcirc"});
    let far = json!({"line": 4_000_000_000u32, "character": 4_000_000_000u32});
    let params = json!({"textDocument": nowhere, "position": far});
    assert_eq!(editor.request("textDocument/hover", params), Value::Null);
    editor.open("m.pcirc", MODEL);
    let params = json!({"textDocument": {"uri": editor.uri("m.pcirc")}, "position": far});
    assert_eq!(
        editor.request("textDocument/hover", params.clone()),
        Value::Null
    );
    assert!(editor.request("textDocument/completion", params).is_array());
    assert_eq!(editor.finish(), Some(0));
}

#[test]
fn leaving_without_shutdown_is_a_failure() {
    let mut editor = Editor::ready();
    editor.notify("exit", Value::Null);
    assert_eq!(editor.exit_code(), Some(1));
    let mut editor = Editor::ready();
    editor.input = None;
    assert_eq!(editor.exit_code(), Some(1), "the end of input");
}

#[test]
fn examples_are_clean_in_the_editor() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let folder = folder.canonicalize().unwrap();
    let mut n_read = 0;
    for entry in std::fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|ending| ending != "pcirc") {
            continue;
        }
        let name = path.file_name().unwrap().to_str().unwrap().to_string();
        let text = std::fs::read_to_string(&path).unwrap();
        let mut editor = Editor::ready();
        editor.root = folder.clone();
        editor.show(&name, &text);
        assert_eq!(editor.diagnostics(&name, 1), Vec::<Value>::new(), "{name}");
        assert_eq!(editor.finish(), Some(0));
        n_read += 1;
    }
    assert!(n_read > 0, "there are examples");
}
