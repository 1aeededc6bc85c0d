//! Data that have to be read more than once.

use crate::CommandFailure;
use crate::inputs::is_standard;
use pelton_runtime::data::DataSource;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Opens files of data; what can be read only once has been kept.
#[derive(Debug, Default)]
pub struct DataOpener {
    kept: Vec<(PathBuf, Arc<[u8]>)>,
}

impl DataOpener {
    /// Keeps the bytes of those files that cannot be read again, such as pipes.
    pub fn keeping<'p>(paths: impl Iterator<Item = &'p Path>) -> Result<Self, CommandFailure> {
        let mut opener = DataOpener::default();
        for path in paths.filter(|path| super::is_read_once(path)) {
            let bytes = bytes(path)?;
            opener.kept.push((path.to_path_buf(), bytes.into()));
        }
        Ok(opener)
    }

    /// Opens a file.
    pub fn open(&self, path: &Path) -> Result<DataSource, CommandFailure> {
        let kept = self.kept.iter().find(|(own, _)| own == path);
        match kept {
            Some((path, bytes)) if is_standard(path) => {
                Ok(DataSource::from_bytes("standard input", bytes.clone()))
            }
            Some((path, bytes)) => {
                let name = path.display().to_string();
                Ok(DataSource::from_bytes(name, bytes.clone()))
            }
            None => Ok(DataSource::open(path)?),
        }
    }
}

fn bytes(path: &Path) -> Result<Vec<u8>, CommandFailure> {
    let mut bytes = Vec::new();
    let read = if is_standard(path) {
        std::io::stdin().lock().read_to_end(&mut bytes)
    } else {
        std::fs::File::open(path).and_then(|mut file| file.read_to_end(&mut bytes))
    };
    match read {
        Ok(_) => Ok(bytes),
        Err(error) => {
            let path = path.display();
            Err(CommandFailure::Usage(format!(
                "`{path}` cannot be read: {error}"
            )))
        }
    }
}
