//! Data that have to be read more than once.

use crate::inputs::is_standard;
use crate::{CommandFailure, CommandResult};
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
    pub fn keeping<'p>(paths: impl Iterator<Item = &'p Path>) -> CommandResult<Self> {
        let mut opener = DataOpener::default();
        for path in paths.filter(|path| super::is_read_once(path)) {
            let bytes = bytes(path)?;
            opener.kept.push((path.to_path_buf(), bytes.into()));
        }
        Ok(opener)
    }

    pub fn open(&self, path: &Path) -> CommandResult<DataSource> {
        let kept = self.kept.iter().find(|(own, _)| own == path);
        let Some((path, bytes)) = kept else {
            return Ok(DataSource::open(path)?);
        };
        let name = if is_standard(path) {
            "standard input".to_string()
        } else {
            path.display().to_string()
        };
        Ok(DataSource::from_bytes(name, bytes.clone()))
    }
}

fn bytes(path: &Path) -> CommandResult<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = if is_standard(path) {
        std::io::stdin().lock().read_to_end(&mut bytes)
    } else {
        std::fs::File::open(path).and_then(|mut file| file.read_to_end(&mut bytes))
    };
    let path = path.display();
    let failure = |error| CommandFailure::Usage(format!("`{path}` cannot be read: {error}"));
    read.map(|_| bytes).map_err(failure)
}
