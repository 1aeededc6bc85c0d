//! `pelton fmt`

use super::{GOOD, PELTON, folder_with, run_with_input};
use std::path::Path;

const UGLY: &str = "var   rain:bool;root 0.3:rain+0.7:!rain; // kept\n";

fn read(folder: &Path) -> String {
    std::fs::read_to_string(folder.join("a.pcirc")).unwrap()
}

#[test]
fn check_lists_and_changes_nothing() {
    let folder = folder_with(UGLY);
    let run = PELTON.run(folder.path(), ["fmt", "--check", "a.pcirc"]);
    assert_eq!((run.exit, run.stdout.as_str()), (Some(1), "a.pcirc\n"));
    assert_eq!(read(folder.path()), UGLY);
    let folder = folder_with(GOOD);
    let run = PELTON.run(folder.path(), ["fmt", "--check", "a.pcirc"]);
    assert_eq!((run.exit, run.stdout.as_str()), (Some(0), ""));
}

#[test]
fn formatting_twice_is_formatting_once() {
    let folder = folder_with(UGLY);
    assert_eq!(PELTON.run(folder.path(), ["fmt", "a.pcirc"]).exit, Some(0));
    let once = read(folder.path());
    assert_ne!(once, UGLY);
    assert!(once.contains("// kept"));
    assert_eq!(PELTON.run(folder.path(), ["fmt", "a.pcirc"]).exit, Some(0));
    assert_eq!(read(folder.path()), once);
    let piped = run_with_input("fmt -", UGLY.as_bytes());
    assert_eq!(piped.stdout, once);
}

/// The file is replaced by a whole one, so that nothing else is left in the folder.
#[test]
fn nothing_is_left_behind() {
    let folder = folder_with(UGLY);
    PELTON.run(folder.path(), ["fmt", "a.pcirc"]);
    assert_eq!(folder.path().read_dir().unwrap().count(), 1);
}

#[cfg(unix)]
#[test]
fn permissions_and_links_are_kept() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = folder_with(UGLY);
    let path = folder.path().join("a.pcirc");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o640)).unwrap();
    symlink("a.pcirc", folder.path().join("link.pcirc")).unwrap();
    PELTON.run(folder.path(), ["fmt", "link.pcirc"]);
    assert_ne!(read(folder.path()), UGLY);
    let link = std::fs::symlink_metadata(folder.path().join("link.pcirc")).unwrap();
    assert!(link.is_symlink());
    let mode = std::fs::metadata(&path).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o640);
}

#[test]
fn what_cannot_be_read_stays_as_it_is() {
    for bytes in [&b"var x : ;\nroot x;\n"[..], b"var x\xff : bool;"] {
        let folder = folder_with(bytes);
        let run = PELTON.run(folder.path(), ["fmt", "a.pcirc"]);
        assert_eq!(run.exit, Some(1));
        assert!(!run.stderr.is_empty());
        assert_eq!(std::fs::read(folder.path().join("a.pcirc")).unwrap(), bytes);
    }
}

#[test]
fn several_files_are_formatted_even_if_one_is_missing() {
    let folder = folder_with(UGLY);
    let run = PELTON.run(folder.path(), ["fmt", "missing.pcirc", "a.pcirc"]);
    assert_eq!(run.exit, Some(2));
    assert_ne!(read(folder.path()), UGLY);
}
