//! What comes along for those who embed the library alone.

use std::process::Command;

#[test]
fn without_default_features_there_is_no_code_generator_and_no_command_line() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let arguments = "tree -p pelton --no-default-features -e normal --locked --prefix none";
    let tree = Command::new(env!("CARGO"))
        .args(arguments.split(' '))
        .current_dir(folder)
        .output()
        .expect("cargo runs");
    let names = String::from_utf8(tree.stdout).unwrap();
    assert!(
        tree.status.success(),
        "{}",
        String::from_utf8_lossy(&tree.stderr)
    );
    assert!(names.contains("pelton-runtime"), "{names}");
    for absent in ["cranelift", "clap", "ctrlc", "lsp-", "parquet"] {
        assert!(!names.contains(absent), "{absent} in\n{names}");
    }
}
