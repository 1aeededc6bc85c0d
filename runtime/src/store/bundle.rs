//! The source texts of a circuit, kept together.

use pelton_compiler::load::{Loader, SourceInput, SourceProgram};
use pelton_grammar::ast::ItemKind;
use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

/// A main text and all that it uses, by their paths from the main text's folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceBundle {
    /// The main text first.
    pub(super) texts: Vec<(String, String)>,
    /// Other spellings of paths, each with the one that the text is kept under.
    pub(super) links: BTreeMap<String, String>,
}

impl SourceBundle {
    /// The texts of a program.
    pub fn of(program: &SourceProgram) -> Self {
        let source = |module: usize| program.sources.get(program.modules[module].source);
        let main = source(0).path().and_then(Path::file_name);
        let main = main.map_or("model.pcirc".into(), |name| name.to_string_lossy());
        let mut names: Vec<Option<String>> = vec![None; program.modules.len()];
        names[0] = Some(main.into_owned());
        let mut links = BTreeMap::new();
        // Modules are listed in the order of their first use, so each has a name in time.
        for (at, module) in program.modules.iter().enumerate() {
            let own = names[at].clone().unwrap_or_default();
            for item in &module.file.items {
                let ItemKind::Use(decl) = &item.kind else {
                    continue;
                };
                let Some(&target) = module.uses.get(&decl.name.text) else {
                    continue;
                };
                let folder = Path::new(&own).parent().unwrap_or(Path::new(""));
                let spelled = plain(&folder.join(&decl.path));
                match &names[target] {
                    None => names[target] = Some(spelled),
                    Some(name) if *name == spelled => {}
                    Some(name) => drop(links.insert(spelled, name.clone())),
                }
            }
        }
        let texts = names.into_iter().enumerate();
        let texts = texts.filter_map(|(at, name)| Some((name?, source(at).text().to_string())));
        SourceBundle {
            texts: texts.collect(),
            links,
        }
    }

    /// A single text.
    pub fn of_text(name: &str, text: &str) -> Self {
        SourceBundle {
            texts: vec![(name.to_string(), text.to_string())],
            links: BTreeMap::new(),
        }
    }

    /// Texts that a text from memory may use, by what it calls them.
    pub fn of_files(files: &[(String, String)]) -> Self {
        let texts = files.iter();
        let texts = texts.map(|(name, text)| (plain(Path::new(name)), text.clone()));
        SourceBundle {
            texts: texts.collect(),
            links: BTreeMap::new(),
        }
    }

    /// The paths with their texts, the main one first.
    pub fn texts(&self) -> impl Iterator<Item = (&str, &str)> {
        self.texts.iter().map(|(path, text)| (&**path, &**text))
    }

    /// The main text as if it lay in a folder that is called as the file is.
    pub(super) fn input(&self, file: &Path) -> SourceInput {
        let (name, text) = &self.texts[0];
        let path = file.join(name);
        SourceInput {
            name: path.display().to_string(),
            path: Some(path),
            bytes: text.clone().into_bytes(),
        }
    }
}

/// Reads the texts of a bundle, and nothing else.
#[derive(Clone, Debug)]
pub struct BundleLoader<'a> {
    /// The texts.
    pub bundle: &'a SourceBundle,
    /// The file that stands for their folder in messages.
    pub folder: PathBuf,
}

impl BundleLoader<'_> {
    fn name(&self, path: &Path) -> String {
        let name = plain(path.strip_prefix(&self.folder).unwrap_or(path));
        self.bundle.links.get(&name).cloned().unwrap_or(name)
    }
}

impl Loader for BundleLoader<'_> {
    fn load(&self, path: &Path) -> std::io::Result<Vec<u8>> {
        let name = self.name(path);
        let found = self.bundle.texts().find(|(known, _)| *known == name);
        match found {
            Some((_, text)) => Ok(text.as_bytes().to_vec()),
            None => Err(std::io::ErrorKind::NotFound.into()),
        }
    }

    fn identity(&self, path: &Path) -> PathBuf {
        PathBuf::from(self.name(path))
    }
}

/// A path without detours: `library/../a.pcirc` is `a.pcirc`.
fn plain(path: &Path) -> String {
    let mut parts: Vec<String> = Vec::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir if parts.last().is_some_and(|part| is_folder(part)) => {
                parts.pop();
            }
            // The separator is put back in when the parts are joined.
            Component::RootDir => parts.push(String::new()),
            other => parts.push(other.as_os_str().to_string_lossy().into_owned()),
        }
    }
    parts.join("/")
}

fn is_folder(part: &str) -> bool {
    !part.is_empty() && part != ".."
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_have_one_spelling() {
        for (path, shown) in [
            ("a.pcirc", "a.pcirc"),
            ("./library/a.pcirc", "library/a.pcirc"),
            ("library/../a.pcirc", "a.pcirc"),
            ("library/../../a.pcirc", "../a.pcirc"),
            ("../../a.pcirc", "../../a.pcirc"),
            ("/usr/share/a.pcirc", "/usr/share/a.pcirc"),
        ] {
            assert_eq!(plain(Path::new(path)), shown);
        }
    }
}
