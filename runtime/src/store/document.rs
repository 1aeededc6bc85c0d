//! What a model file holds beside the values of parameters.

use super::{SourceBundle, StateTensor, StoreError};
use pelton_compiler::AnalysisOptions;
use pelton_compiler::circuit::Fingerprint;
use pelton_compiler::load::SourceProgram;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// The format's name in the metadata.
const FORMAT: &str = "pelton";
/// The version of the format that is written and read.
pub(super) const VERSION: &str = "1";
/// What stands before the names of further entries.
const EXTRA: &str = "extra/";

/// Everything that a circuit is derived from, and what the writer adds.
#[derive(Clone, Debug, Default, PartialEq)]
#[must_use]
pub struct ModelDocument {
    /// The source texts.
    pub bundle: SourceBundle,
    /// Constants set from outside, as `-D` does.
    pub defines: Vec<(String, String)>,
    /// Whether the whole circuit was smoothed, as `--smooth` does.
    pub smooth: bool,
    /// Whether fixed numbers are learned too, as `--learn-all` does.
    pub learn_all: bool,
    /// Further texts by name.
    pub extra: BTreeMap<String, String>,
    /// Further numbers by name.
    pub state: BTreeMap<String, StateTensor>,
}

pub(super) type Metadata = BTreeMap<String, String>;

impl ModelDocument {
    /// What a program and the options of its analysis amount to.
    pub fn of(program: &SourceProgram, options: &AnalysisOptions) -> Self {
        ModelDocument {
            bundle: SourceBundle::of(program),
            defines: options.lower.defines.clone(),
            smooth: options.smooth,
            ..ModelDocument::default()
        }
    }

    /// The options under which the stored texts mean the stored circuit, within
    /// the limits of these.
    pub fn options(&self, limits: &AnalysisOptions) -> AnalysisOptions {
        let mut options = limits.clone();
        options.lower.defines = self.defines.clone();
        options.smooth = self.smooth;
        options
    }

    pub(super) fn to_metadata(&self, fingerprint: Fingerprint) -> Metadata {
        let owned = |(name, text): (&str, &str)| (name.to_string(), Value::from(text));
        let texts: Map<String, Value> = self.bundle.texts().map(owned).collect();
        let main = self.bundle.texts().next().map_or("", |(path, _)| path);
        let entries = [
            ("format", FORMAT.to_string()),
            ("version", VERSION.to_string()),
            ("main", main.to_string()),
            ("sources", Value::Object(texts).to_string()),
            ("links", json!(self.bundle.links).to_string()),
            ("defines", json!(self.defines).to_string()),
            ("smooth", self.smooth.to_string()),
            ("learn_all", self.learn_all.to_string()),
            ("fingerprint", fingerprint.to_string()),
        ];
        let extra = self.extra.iter();
        let extra = extra.map(|(name, text)| (format!("{EXTRA}{name}"), text.clone()));
        let entries = entries.map(|(name, text)| (name.to_string(), text));
        entries.into_iter().chain(extra).collect()
    }

    /// Reads metadata back; `state` is filled in by the caller.
    pub(super) fn from_metadata(metadata: &Metadata) -> Result<Self, StoreError> {
        let main = entry(metadata, "main")?;
        let mut texts = strings(metadata, "sources")?;
        // Other writers may order the texts differently.
        texts.sort_by_key(|(path, _)| path != main);
        if texts.first().is_none_or(|(path, _)| path != main) {
            return Err(damaged(format!("it has no text called `{main}`")));
        }
        let mut links = BTreeMap::new();
        if metadata.contains_key("links") {
            links.extend(strings(metadata, "links")?);
        }
        let extra = metadata.iter().filter_map(|(name, text)| {
            let name = name.strip_prefix(EXTRA)?;
            Some((name.to_string(), text.clone()))
        });
        Ok(ModelDocument {
            bundle: SourceBundle { texts, links },
            defines: parsed(metadata, "defines")?,
            smooth: parsed(metadata, "smooth")?,
            learn_all: parsed(metadata, "learn_all")?,
            extra: extra.collect(),
            state: BTreeMap::new(),
        })
    }
}

/// Whether the metadata are those of a model file of a version that can be read.
pub(super) fn check_format(metadata: &Metadata) -> Result<(), StoreError> {
    if metadata.get("format").map(String::as_str) != Some(FORMAT) {
        let what = "it holds tensors of another program";
        return Err(StoreError::NotModel(what.to_string()));
    }
    match entry(metadata, "version")? {
        VERSION => Ok(()),
        other => Err(StoreError::Version(other.chars().take(20).collect())),
    }
}

pub(super) fn entry<'m>(metadata: &'m Metadata, name: &str) -> Result<&'m str, StoreError> {
    let entry = metadata.get(name).map(String::as_str);
    entry.ok_or_else(|| damaged(format!("`{name}` is missing in its metadata")))
}

fn damaged(what: String) -> StoreError {
    StoreError::Damaged(what)
}

/// One entry of the metadata, which is JSON.
fn parsed<T: DeserializeOwned>(metadata: &Metadata, name: &str) -> Result<T, StoreError> {
    serde_json::from_str(entry(metadata, name)?)
        .map_err(|error| damaged(format!("`{name}` in its metadata cannot be read: {error}")))
}

fn strings(metadata: &Metadata, name: &str) -> Result<Vec<(String, String)>, StoreError> {
    let object: Map<String, Value> = parsed(metadata, name)?;
    let texts = object.into_iter().map(|(path, text)| match text {
        Value::String(text) => Ok((path, text)),
        _ => Err(damaged(format!("`{path}` in its metadata is no text"))),
    });
    texts.collect()
}
