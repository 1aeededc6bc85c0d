//! Data sets: folders of three files.

use pelton_cli::{CommandFailure, CommandResult};
use std::path::{Path, PathBuf};

/// One of the three files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Split {
    Train,
    Valid,
    Test,
}

impl Split {
    const ALL: [Split; 3] = [Split::Train, Split::Valid, Split::Test];

    /// The file's name.
    pub fn file(self) -> &'static str {
        match self {
            Split::Train => "train.data",
            Split::Valid => "valid.data",
            Split::Test => "test.data",
        }
    }
}

/// A data set.
#[derive(Clone, Debug)]
pub struct Dataset {
    /// The name of its folder.
    pub name: String,
    folder: PathBuf,
}

impl Dataset {
    /// The data set of a name, whose files are there. They are not opened.
    pub fn named(folder: &Path, name: &str) -> CommandResult<Self> {
        // Results are files that are named after it.
        let is_plain = !name.is_empty() && !name.starts_with('.') && !name.contains(['/', '\\']);
        if !is_plain {
            return Err(CommandFailure::Usage(format!(
                "`{name}` is no name of a data set; write that of a folder in `{}`",
                folder.display()
            )));
        }
        let dataset = Dataset {
            name: name.to_string(),
            folder: folder.join(name),
        };
        dataset.check()?;
        Ok(dataset)
    }

    /// Whether there is a folder of this name.
    pub fn is_there(folder: &Path, name: &str) -> bool {
        folder.join(name).is_dir()
    }

    fn check(&self) -> CommandResult<()> {
        let missing = |path: &Path, what: &str| {
            let message = format!(
                "there is no {what} `{}`; a data set is a folder with train.data, valid.data and \
                 test.data",
                path.display()
            );
            Err(CommandFailure::Usage(message))
        };
        if !self.folder.is_dir() {
            return missing(&self.folder, "folder");
        }
        let paths = Split::ALL.map(|split| self.path(split));
        match paths.iter().find(|path| !path.is_file()) {
            Some(path) => missing(path, "file"),
            None => Ok(()),
        }
    }

    /// Where a file is.
    pub fn path(&self, split: Split) -> PathBuf {
        self.folder.join(split.file())
    }
}
