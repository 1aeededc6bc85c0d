//! Does what a message suggests.

use serde_json::Value;
use std::path::Path;

/// One suggestion: edits of files, made together.
#[derive(Clone, Debug)]
pub struct Repair {
    /// What it says it does.
    pub message: String,
    edits: Vec<Edit>,
}

#[derive(Clone, Debug)]
struct Edit {
    file: String,
    start: usize,
    end: usize,
    replacement: String,
}

/// The suggestions of a message. JSON lists the edits of one suggestion one by
/// one under the same words.
pub fn repairs(message: &Value) -> Vec<Repair> {
    let mut repairs: Vec<Repair> = Vec::new();
    for edit in message["suggestions"].as_array().into_iter().flatten() {
        let says = edit["message"]
            .as_str()
            .expect("a suggestion says what it does");
        if repairs.last().is_none_or(|last| last.message != says) {
            repairs.push(Repair {
                message: says.to_string(),
                edits: Vec::new(),
            });
        }
        let last = repairs.last_mut().expect("one was just added");
        last.edits.push(read(edit));
    }
    repairs
}

fn read(edit: &Value) -> Edit {
    let span = &edit["span"];
    let offset = |key: &str| span[key].as_u64().expect("a span has offsets") as usize;
    Edit {
        file: span["file"]
            .as_str()
            .expect("a span has a file")
            .to_string(),
        start: offset("byte_start"),
        end: offset("byte_end"),
        replacement: edit["replacement"]
            .as_str()
            .expect("an edit has a replacement")
            .to_string(),
    }
}

impl Repair {
    /// Makes the edits in the files of `folder`, last place first, so that offsets stay right.
    pub fn apply(&self, folder: &Path) {
        let mut edits = self.edits.clone();
        edits.sort_by_key(|edit| std::cmp::Reverse(edit.start));
        for edit in edits {
            let path = folder.join(&edit.file);
            let mut text = std::fs::read_to_string(&path).expect("a file to repair can be read");
            text.replace_range(edit.start..edit.end, &edit.replacement);
            std::fs::write(&path, text).expect("a repaired file can be written");
        }
    }
}
