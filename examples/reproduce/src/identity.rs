//! What has to be the same for a result to be kept.

use super::dataset::{Dataset, Split};
use super::fingerprint::fingerprint;
use pelton_cli::CommandResult;
use serde_json::{Value as Json, json};

/// What decides about a result before the test rows are looked at: the version, all
/// options, and the files that are learned from.
pub fn identity(options: &Json, dataset: &Dataset) -> CommandResult<Json> {
    let mut files = serde_json::Map::new();
    for split in [Split::Train, Split::Valid] {
        let found = fingerprint(&dataset.path(split))?;
        files.insert(split.file().to_string(), found);
    }
    Ok(json!({
        "pelton": env!("CARGO_PKG_VERSION"),
        "data_set": dataset.name,
        "options": options,
        "files": files,
    }))
}

/// Adds the test file, when all is decided.
pub fn add_test(identity: &mut Json, dataset: &Dataset) -> CommandResult<()> {
    let test = fingerprint(&dataset.path(Split::Test))?;
    identity["files"][Split::Test.file()] = test;
    Ok(())
}

/// What is different in an older identity, in words; nothing if it agrees. Only what
/// the new one has is compared.
pub fn differences(old: &Json, new: &Json) -> Vec<String> {
    let mut found = Vec::new();
    for (name, value) in new.as_object().into_iter().flatten() {
        let old = &old[name];
        match value {
            _ if old == value => {}
            _ if name.ends_with(".data") => found.push(format!("{name} was another file")),
            Json::Object(_) if old.is_object() => found.extend(differences(old, value)),
            _ => found.push(format!("{} was {old}", name.replace('_', " "))),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_named() {
        let identity = |version: &str, patience: u64, hash: &str| {
            json!({
                "pelton": version,
                "options": {"learning": {"patience": patience, "seed": 0}},
                "files": {"train.data": {"xxh3": hash}},
            })
        };
        let new = identity("0.2.0", 20, "a");
        assert!(differences(&new, &new).is_empty());
        let found = differences(&identity("0.1.0", 4, "b"), &new);
        let expected = [
            "pelton was \"0.1.0\"",
            "patience was 4",
            "train.data was another file",
        ];
        assert_eq!(found, expected);
        assert!(!differences(&Json::Null, &new).is_empty());
    }

    /// The test file is compared later.
    #[test]
    fn what_the_new_one_does_not_have_is_not_compared() {
        let old = json!({"files": {"train.data": 1, "test.data": 2}});
        let new = json!({"files": {"train.data": 1}});
        assert!(differences(&old, &new).is_empty());
    }
}
