//! Tells files from others by what they hold.

use pelton_cli::{CommandFailure, CommandResult};
use serde_json::{Value as Json, json};
use std::fs::File;
use std::io::{Error, Read};
use std::path::Path;
use twox_hash::XxHash3_128;

/// Bytes that are read at a time.
const PIECE: usize = 1 << 16;

/// The size of a file, and a hash of its bytes.
pub fn fingerprint(path: &Path) -> CommandResult<Json> {
    hashed(path).map_err(|error| {
        CommandFailure::Usage(format!("`{}` cannot be read: {error}", path.display()))
    })
}

fn hashed(path: &Path) -> Result<Json, Error> {
    let mut file = File::open(path)?;
    let mut hasher = XxHash3_128::new();
    let mut piece = vec![0; PIECE];
    let mut n_bytes = 0;
    loop {
        match file.read(&mut piece)? {
            0 => break,
            n_read => {
                hasher.write(&piece[..n_read]);
                n_bytes += n_read as u64;
            }
        }
    }
    Ok(json!({"bytes": n_bytes, "xxh3": format!("{:032x}", hasher.finish_128())}))
}
